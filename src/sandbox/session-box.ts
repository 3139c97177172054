// One box per agent session: processes, semaphores and a network of its own, alive as long as the session, so that a server or a job that
// one command leaves behind is there for the next one. Each command enters it and gets walls over its view of the disk.
//
//   box       bubblewrap's init and a holder process: the namespaces. It sees the disk as it is, and no command ever runs in this view.
//   walls     a mount namespace for each policy, made once by bubblewrap in the box and kept by a sleeping process, in a user
//             namespace of its own: a process behind other walls cannot be looked into, or traced.
//   command   joins the namespaces, drops all capabilities, gains no privileges ever again, and runs the shell.
//
// Why kept: mounts cost 0.5 ms each, and there are 20 to 60 of them. Joining what is there costs the same for any number.
//
// INVARIANT: walls are used again only while every place that they were built on is still the same file: a place that was replaced has
// lost its mount.

import { type ChildProcess, spawn } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../protocol/index.ts';
import { misplacedMount, readMounts } from './check-mounts.ts';
import { processStarted } from './process-tree.ts';
import { kindOf, wallArguments, type WallPolicy } from './walls.ts';

export interface WallPrograms {
  readonly bwrap: string;
  readonly nsenter: string;
  readonly setpriv: string;
  readonly sh: string;
  readonly env: string;
}

export interface BoxPlace {
  readonly programs: WallPrograms;
  /** A private folder for what the boxes need. */
  readonly folder: string;
}

export type WallNetwork = 'session' | 'host';

/** How long namespaces may take to come up on a busy machine. */
const UP_WITHIN_MS = 15_000;
/** Different walls in one session: a scope, read-only, an approved exception. */
const MAX_KEPT = 8;
const HOLDER = 'countersign-box';
/** bubblewrap's init and the holder. */
const OWN_PIDS = 2;

interface KeptWalls {
  readonly key: string;
  /** In the box. */
  readonly pid: number;
  readonly namespace: string;
  readonly child: ChildProcess;
}

export class SessionBox {
  /** Of its first process, as seen from outside. */
  readonly pid: number;
  private readonly place: BoxPlace;
  private readonly started: string | null;
  private readonly kept = new Map<string, Promise<KeptWalls>>();
  /** Of the processes that keep walls: their numbers in the box. */
  private readonly keepers = new Map<number, ChildProcess>();

  private constructor(place: BoxPlace, pid: number) {
    this.place = place;
    this.pid = pid;
    this.started = processStarted(pid);
  }

  static async open(place: BoxPlace): Promise<SessionBox> {
    const { bwrap, sh } = place.programs;
    const args = [
      ...(isRoot ? [] : ['--unshare-user', '--uid', '0', '--gid', '0']),
      ...['--unshare-pid', '--unshare-net', '--unshare-ipc', '--dev-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--info-fd', '3'],
      ...['--', sh, '-c', HOLD, HOLDER],
    ];
    const child = spawn(bwrap, args, { cwd: '/', env: {}, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    const info = readInfo(child);
    await isUp(child);
    child.unref();
    return new SessionBox(place, await info);
  }

  /** A box that a daemon left behind; null: it is gone. */
  static adopt(place: BoxPlace, { pid, started }: { readonly pid: number; readonly started: string }): SessionBox | null {
    return processStarted(pid) === started ? new SessionBox(place, pid) : null;
  }

  get mark(): { readonly pid: number; readonly started: string } {
    return { pid: this.pid, started: this.started ?? '' };
  }

  isAlive(): boolean {
    return this.started !== null && processStarted(this.pid) === this.started;
  }

  /** What comes before the shell: enters the box and the walls of this policy, and drops every privilege. */
  async enter(policy: WallPolicy, network: WallNetwork): Promise<string[]> {
    const { nsenter, setpriv } = this.place.programs;
    const { pid } = await this.wallsOf(policy, network);
    const walls = (at: string) => [`--user=${at}/ns/user`, `--mount=${at}/ns/mnt`];
    const shared = [...(network === 'session' ? ['-n'] : []), '-p', '-i'];
    const enter = [nsenter, '--preserve-credentials', '-t', String(this.pid)];
    const bare = [setpriv, '--no-new-privs'];
    // Root joins all at once, while it still may. Others gain the right to join the walls in the box's own user namespace.
    if (isRoot)
      return [
        ...enter,
        ...shared,
        ...walls(this.outside(pid)),
        '--',
        ...bare,
        '--bounding-set=-all',
        '--inh-caps=-all',
        '--ambient-caps=-all',
        '--',
      ];
    return [...enter, '-U', '-m', ...shared, '--', nsenter, '--preserve-credentials', ...walls(`/proc/${pid}`), '--', ...bare, '--'];
  }

  /** For a program of ours that only joins its network. No command sees it. */
  networkOnly(): string[] {
    return [this.place.programs.nsenter, '--preserve-credentials', '-t', String(this.pid), ...(isRoot ? [] : ['-U']), '-n', '--'];
  }

  /** For a program of ours that mounts in it, before any walls are made. */
  mountsOnly(): string[] {
    return [this.place.programs.nsenter, '--preserve-credentials', '-t', String(this.pid), ...(isRoot ? [] : ['-U']), '-m', '--'];
  }

  /** Whether a process of a command runs in it. */
  hasCommands(): boolean {
    try {
      const pids = readdirSync(`/proc/${this.pid}/root/proc`).map(Number).filter(Boolean);
      return pids.some((pid) => pid > OWN_PIDS && !this.isKeeper(pid));
    } catch {
      // It has ended.
      return false;
    }
  }

  /** Ends every process in it. */
  close(): void {
    if (!this.isAlive()) return;
    try {
      process.kill(this.pid, 'SIGKILL');
    } catch {
      // Already ended.
    }
  }

  private async wallsOf(policy: WallPolicy, network: WallNetwork): Promise<KeptWalls> {
    const args = wallArguments(policy, { emptyFile: this.emptyFile(), sized: [] });
    // A process with this machine's network is behind walls of its own: others could take its connections.
    const key = JSON.stringify([args, identities(policy), network]);
    const known = this.kept.get(key);
    if (known) {
      const walls = await known.catch(() => null);
      // A process inside could take the number of one that has ended.
      if (walls !== null && isRunning(walls.child) && this.namespaceOf(walls.pid) === walls.namespace) return walls;
    }
    const making = this.make(key, args, policy);
    this.kept.delete(key);
    this.kept.set(key, making);
    this.forgetOldest();
    return making;
  }

  private async make(key: string, args: readonly string[], policy: WallPolicy): Promise<KeptWalls> {
    const { nsenter, bwrap, sh } = this.place.programs;
    const user = isRoot ? [] : ['-U'];
    const enter = ['--preserve-credentials', '-t', String(this.pid), ...user, '-m', '-n', '-p', '-i', '--'];
    const owner = ['--unshare-user', '--uid', String(process.getuid?.() ?? 0), '--gid', String(process.getgid?.() ?? 0)];
    // For root, `/proc` of the box would make system settings writable.
    const system = ['--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--bind', '/proc', '/proc'];
    const settings = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'scsi', 'acpi', 'mtrr', 'driver']
      .map((each) => `/proc/${each}`)
      .flatMap((each) => ['--ro-bind-try', each, each]);
    const all = [...enter, bwrap, ...owner, ...system, ...settings, ...args, '--', sh, '-c', HOLD, HOLDER];
    const child = spawn(nsenter, all, { cwd: '/', env: {}, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const pid = Number(await isUp(child));
    child.unref();
    const namespace = this.namespaceOf(pid);
    if (namespace === null) throw new Fault('CONFLICT', 'The walls ended while they were set up.', { fix: 'Call again' });
    const misplaced = this.misplacedIn(pid, policy);
    if (misplaced !== null) {
      endGroup(child);
      throw new Fault('CONFLICT', `The walls could not be set up: ${misplaced} was replaced meanwhile.`, { fix: 'Call again' });
    }
    for (const each of [pid, this.parentOf(pid)]) this.keepers.set(each, child);
    return { key, pid, namespace, child };
  }

  private isKeeper(pid: number): boolean {
    const child = this.keepers.get(pid);
    return child !== undefined && isRunning(child);
  }

  private parentOf(pid: number): number {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`${this.outside(pid)}/status`, 'utf8'))?.[1]);
  }

  private misplacedIn(pid: number, { emptied, temp, layered = [], writable }: WallPolicy): string | null {
    const mountsOf = (place: string) => readMounts(readFileSync(`${place}/mountinfo`, 'utf8'));
    const temps = (temp?.at ?? []).map((point) => ({ point, of: temp?.folder ?? '' }));
    const ordered = [
      ...[...temps, ...layered.map(({ at, of }) => ({ point: at, of }))],
      ...writable.map((place) => ({ point: place, of: place })),
    ];
    const empty = emptied.filter((place) => temp?.at.includes(place) !== true);
    return misplacedMount(mountsOf(this.outside(pid)), mountsOf(`/proc/${this.pid}`), ordered, { own: ['/proc', '/dev'], empty });
  }

  private forgetOldest(): void {
    for (const [key, walls] of this.kept) {
      if (this.kept.size <= MAX_KEPT) return;
      this.kept.delete(key);
      // Commands that still run behind them keep them alive by themselves.
      walls.then(({ child }) => endGroup(child)).catch(() => {});
    }
  }

  /** A process of the box, as it is reached from outside. */
  private outside(pid: number): string {
    return `/proc/${this.pid}/root/proc/${pid}`;
  }

  private namespaceOf(pid: number): string | null {
    try {
      return readlinkSync(`${this.outside(pid)}/ns/mnt`);
    } catch {
      return null;
    }
  }

  private emptyFile(): string {
    const file = path.join(this.place.folder, 'empty');
    if (kindOf(file) === null) {
      mkdirSync(this.place.folder, { recursive: true, mode: 0o700 });
      writeFileSync(file, '');
    }
    return file;
  }
}

const isRoot = process.getuid?.() === 0;

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** Says its own number once all mounts are made, then holds nothing of the daemon's. */
const HOLD = 'echo $$; exec >/dev/null 2>&1; exec sleep 2147483647';

/** Which file each place is now. A place that was removed and made again has another number. */
function identities({ writable, closed, hidden, shown }: WallPolicy): string[] {
  return [...writable, ...closed, ...hidden, ...shown].map((place) => {
    const found = lstatSync(place, { throwIfNoEntry: false });
    return found ? `${found.dev}:${found.ino}` : '';
  });
}

/** The first line that the holder prints. */
function isUp(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  let trouble = '';
  const fail = (why: string) =>
    reject(new Fault('CONFLICT', `The walls could not be set up: ${why}`, { fix: 'Call again; if it stays, run countersign doctor' }));
  const timer = setTimeout(() => fail('no answer in time'), UP_WITHIN_MS);
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
    if (said.includes('\n')) resolve(said.slice(0, said.indexOf('\n')));
  });
  child.stderr?.on('data', (chunk: Buffer) => void (trouble = (trouble + chunk.toString('utf8')).slice(0, 2_000)));
  child.once('error', (error) => fail(error.message));
  child.once('exit', (code) => fail(trouble.trim() || `it ended with ${code}`));
  return promise
    .finally(() => {
      clearTimeout(timer);
      child.stdout?.destroy();
      child.stderr?.destroy();
    })
    .catch((error: unknown) => {
      endGroup(child);
      throw error;
    });
}

async function readInfo(child: ChildProcess): Promise<number> {
  const stream = child.stdio[3] as import('node:stream').Readable;
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  const pid = /"child-pid":\s*(\d+)/.exec(text)?.[1];
  if (pid === undefined)
    throw new Fault('CONFLICT', 'The walls could not be set up: bubblewrap named no process.', { fix: 'Run countersign doctor' });
  return Number(pid);
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already ended.
  }
}
