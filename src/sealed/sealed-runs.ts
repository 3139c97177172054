// The runs of this daemon: started, entered, ended. Each has a door of its own, which is open while the process around the agent lives.

import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { chmod, mkdir, realpath, rm } from 'node:fs/promises';
import net, { type Server } from 'node:net';
import path from 'node:path';
import { type HookAdapter, hookAdapters } from '../agents/index.ts';
import { PROGRAM_ROOT } from '../install/wiring/program-paths.ts';
import { type CommandRequest, Fault, type RunLaunch, type RunRow, type Seal } from '../protocol/index.ts';
import {
  type HostFilter,
  type GrantedHosts,
  callFilter,
  isWithin,
  makeSealedTree,
  openHostFilter,
  processStarted,
  programPlaces,
  proxyEnvironment,
  sealedCommand,
} from '../sandbox/index.ts';
import { INTENTS_FILE, type TreeSnapshot, writePrivateFile } from '../workspace/index.ts';
import { fillHome, needsOf, wireRun } from './agent-home.ts';
import { contentKey } from './compare-run.ts';
import { type KeptRun, newRunId, RunFolder, runIdsIn } from './run-folder.ts';

export interface SealedRunsDeps {
  /** The folder of all runs. */
  readonly dir: string;
  /** The daemon's folder, keys. */
  readonly privateFolders: readonly string[];
  /** Whether walls can be made here. */
  readonly hasWalls: () => Promise<boolean>;
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string; readonly gitCommonDir: string | null }>;
  /** A server for the run's hooks and MCP client. */
  readonly door: (seal: Seal) => Server;
  /** The tree as it is now, scanned again. */
  readonly look: (tree: string) => Promise<TreeSnapshot>;
  /** The daemon's own: no run reaches it. */
  readonly ownPort: () => number;
  readonly now: () => Date;
}

interface OpenRun {
  readonly granted: GrantedHosts;
  readonly close: () => Promise<void>;
}

interface Run {
  kept: KeptRun;
  readonly folder: RunFolder;
  open: OpenRun | null;
}

/** Inside a run: a network of its own has all ports free. */
const GATE_PORT = 47_811;
const PROXY_PORT = 47_812;
/** The gate's own documents: the run is judged by the real tree's. */
const DOCUMENTS = [INTENTS_FILE, '.ai/config/schema.json', '.ai/config/base.json', '.ai/config/repo.json', '.ai/config/env.local.json'];
const PASSED = ['TERM', 'COLORTERM', 'LANG', 'LANGUAGE', 'LC_*', 'TZ', 'USER', 'LOGNAME', 'NO_COLOR', 'FORCE_COLOR'];
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(?<port>[0-9]+))?$/;

export class SealedRuns {
  private readonly deps: SealedRunsDeps;
  private readonly runs = new Map<string, Run>();

  constructor(deps: SealedRunsDeps) {
    this.deps = deps;
  }

  /** Runs of earlier daemons: those that still run get their doors back. */
  async reopen(): Promise<void> {
    for (const id of await runIdsIn(this.deps.dir)) {
      const folder = new RunFolder(this.deps.dir, id);
      const kept = await folder.read();
      if (kept === null) continue;
      const run: Run = { kept, folder, open: null };
      this.runs.set(id, run);
      if (kept.row.state === 'running' && isAlive(kept)) run.open = await this.openRun(run);
    }
    await this.noteEnded();
  }

  /** A folder in the tree of a run belongs to the workspace that the run is for. */
  placeOf(dir: string): { readonly id: string; readonly root: string } | null {
    if (!dir.startsWith(this.deps.dir)) return null;
    const real = realFolder(dir);
    for (const { kept, folder } of this.runs.values())
      if (real !== null && isWithin(folder.tree, real)) return { id: kept.row.workspace, root: folder.tree };
    return null;
  }

  rows(): RunRow[] {
    return [...this.runs.values()].map(({ kept, open }) => withRefused(kept.row, open)).toReversed();
  }

  get(id: string): KeptRun {
    return this.runOf(id).kept;
  }

  async start(request: CommandRequest<'start_run'>): Promise<RunLaunch> {
    if (!(await this.deps.hasWalls()))
      throw new Fault('BAD_REQUEST', 'A sealed run needs bubblewrap, and it does not work here. Nothing was started.', {
        fix: 'Install bubblewrap on Linux, where user namespaces are allowed; countersign doctor shows what is there',
      });
    const { id: workspace, root, gitCommonDir } = await this.deps.locate(request.cwd);
    const adapter = adapterFor(request);
    const needs = needsOf(adapter);
    const { hosts, ports } = this.hostsFor(request, needs.hosts, needs.address);
    const reads = await Promise.all(request.reads.map((place) => this.checkedRead(place)));
    await mkdir(this.deps.dir, { recursive: true, mode: 0o700 });
    const id = newRunId();
    const folder = new RunFolder(await realpath(this.deps.dir), id);
    try {
      await folder.make();
      const { borrowed } = await makeSealedTree({ root, target: folder.tree, gitCommonDir, documents: DOCUMENTS });
      const wired = await wireRun(adapter, folder);
      await fillHome(needs, request.user_home, folder.home);
      const row: RunRow = {
        ...{ id, workspace, root, tree: folder.tree, agent: adapter?.name ?? null },
        ...{ command: [request.program, ...request.arguments], hosts, state: 'running', refused_hosts: [] },
        ...{ started_at: this.deps.now().toISOString(), ended_at: null, exit_code: null },
      };
      const secret = () => randomBytes(32).toString('base64url');
      const credential = `${id}:${secret()}`;
      const kept: KeptRun = { row, hookToken: secret(), hookAnswer: secret(), credential, ports, process: null, base: {} };
      await writePrivateFile(folder.hookFile, `${GATE_PORT} ${kept.hookToken} ${kept.hookAnswer}\n`);
      const run: Run = { kept, folder, open: null };
      this.runs.set(id, run);
      const { files } = await this.deps.look(folder.tree);
      await this.keep(run, { base: Object.fromEntries([...files].map(([file, seen]) => [file, contentKey(seen)])) });
      run.open = await this.openRun(run);
      const filter = callFilter();
      const filterFile = filter && path.join(folder.control, 'calls');
      if (filter && filterFile) await writePrivateFile(filterFile, filter);
      const argv = sealedCommand({
        filter: filterFile,
        ...{ tree: folder.tree, home: folder.home, gate: folder.gate, control: folder.control, borrowed, terminal: request.terminal },
        pinned: [...new Set([...wired, ...DOCUMENTS])].filter(
          (file) => files.has(file) || realFolder(path.join(folder.tree, file)) !== null,
        ),
        shown: [
          ...programPlaces(request.program, request.search_path, request.user_home),
          ...programPlaces(process.execPath, '', request.user_home),
          ...[realpathSync(PROGRAM_ROOT), ...reads],
        ],
        hidden: [...this.deps.privateFolders, this.deps.dir, root],
        passages: [
          { port: GATE_PORT, socket: folder.door },
          { port: PROXY_PORT, socket: folder.filter },
          ...ports.map((port) => ({ port, socket: folder.forwarder(port) })),
        ],
      });
      const env = {
        ...{ HOME: folder.home, PATH: request.search_path, TMPDIR: '/tmp', COUNTERSIGN_HOME: folder.gate },
        ...proxyEnvironment(PROXY_PORT, credential),
        ...needs.env,
      };
      return { run: row, argv, env, passed: [...PASSED, ...needs.passed], notes: notesOn(adapter, hosts, ports) };
    } catch (error) {
      await this.runs.get(id)?.open?.close();
      this.runs.delete(id);
      await folder.remove();
      throw error;
    }
  }

  async enter(id: string, pid: number): Promise<RunRow> {
    const run = this.runOf(id);
    const started = processStarted(pid);
    if (started !== null) await this.keep(run, { process: { pid, started } });
    return run.kept.row;
  }

  /** Closes the door. What was asked for and not granted stays on the row. */
  async end(id: string, exitCode: number | null): Promise<void> {
    const run = this.runOf(id);
    if (run.kept.row.state !== 'running') {
      // Housekeeping may have seen it first.
      if (run.kept.row.exit_code === null) await this.keep(run, { row: { ...run.kept.row, exit_code: exitCode } });
      return;
    }
    const row = withRefused(run.kept.row, run.open);
    await run.open?.close();
    run.open = null;
    await this.keep(run, { row: { ...row, state: 'ended', ended_at: this.deps.now().toISOString(), exit_code: exitCode } });
  }

  async merged(id: string): Promise<void> {
    const run = this.runOf(id);
    await this.keep(run, { row: { ...run.kept.row, state: 'merged' } });
  }

  async discard(id: string): Promise<void> {
    const run = this.runOf(id);
    if (run.kept.row.state === 'running')
      throw new Fault('CONFLICT', `${id} is still running.`, { fix: 'End the agent first; then countersign run discard again' });
    this.runs.delete(id);
    await run.folder.remove();
  }

  /** A run whose process is gone has ended, whoever was there to report it. */
  async noteEnded(): Promise<void> {
    for (const [id, { kept }] of this.runs) {
      const isOver = kept.row.state === 'running' && (kept.process ? !isAlive(kept) : isStale(kept.row, this.deps.now()));
      if (isOver) await this.end(id, null);
    }
  }

  async close(): Promise<void> {
    for (const run of this.runs.values()) await run.open?.close();
  }

  private runOf(id: string): Run {
    const run = this.runs.get(id);
    if (run) return run;
    throw new Fault('NOT_FOUND', `There is no run ${id}.`, { fix: 'countersign run list shows them' });
  }

  private async keep(run: Run, change: Partial<KeptRun>): Promise<void> {
    run.kept = { ...run.kept, ...change };
    await run.folder.keep(run.kept);
  }

  private async openRun(run: Run): Promise<OpenRun> {
    const { folder, kept } = run;
    const { row, hookToken, hookAnswer } = kept;
    const seal: Seal = { run: row.id, workspace: row.workspace, root: row.tree, hookToken, hookAnswer, process: () => run.kept.process };
    const remedy = `Ask the human to start the run with --allow-host.`;
    const filter: HostFilter = await openHostFilter({ socket: folder.filter, remedy });
    const granted = filter.grant(row.hosts, kept.credential);
    const forwarders = kept.ports.map((port) => ({ server: forwarderTo(port), socket: folder.forwarder(port) }));
    const servers = [{ server: this.deps.door(seal), socket: folder.door }, ...forwarders];
    const closers = await Promise.all(servers.map(({ server, socket }) => listenOn(server, socket)));
    return {
      granted,
      close: async () => {
        await Promise.all(closers.map((close) => close()));
        await filter.close();
      },
    };
  }

  /** A model on this machine is reached under its own port. */
  private hostsFor(
    { model_hosts, hosts, addresses }: CommandRequest<'start_run'>,
    known: readonly string[],
    variables: readonly string[],
  ): { hosts: string[]; ports: number[] } {
    const named = variables.flatMap((name) => (addresses[name] === undefined ? [] : [hostIn(addresses[name])]));
    const all = [...(model_hosts ?? (named.length > 0 ? named : known)), ...hosts];
    const isHere = (host: string) => LOOPBACK.test(host);
    const ports = all.filter(isHere).map((host) => Number(LOOPBACK.exec(host)?.groups?.['port'] ?? 0));
    if (ports.some((port) => port === 0 || port > 65_535 || port === this.deps.ownPort()))
      throw new Fault('BAD_REQUEST', 'A host on this machine is named with its port, and it cannot be the daemon.', {
        fix: 'Name it as 127.0.0.1:PORT',
      });
    return { hosts: [...new Set(all.filter((host) => !isHere(host)))], ports: [...new Set(ports)] };
  }

  private async checkedRead(place: string): Promise<string> {
    const real = await realpath(place).catch(() => null);
    const taken =
      real === null ? undefined : [...this.deps.privateFolders, this.deps.dir].find((each) => isWithin(real, each) || isWithin(each, real));
    if (real !== null && taken === undefined) return real;
    throw new Fault('BAD_REQUEST', real === null ? `${place} does not exist.` : `${place} would show the gate's own files.`, {
      fix: 'Name another place after --allow-read',
    });
  }
}

function adapterFor({ agent, program }: Pick<CommandRequest<'start_run'>, 'agent' | 'program'>): HookAdapter | null {
  if (agent !== null) {
    const named = hookAdapters.get(agent);
    if (named) return named;
    throw new Fault('BAD_REQUEST', `There is no adapter for the agent ${agent}.`, {
      fix: `Name one of ${[...hookAdapters.keys()].join(', ')}`,
    });
  }
  return [...hookAdapters.values()].find(({ installed }) => installed.programs.includes(path.basename(program))) ?? null;
}

function notesOn(adapter: HookAdapter | null, hosts: readonly string[], ports: readonly number[]): string[] {
  return [
    ...(adapter === null
      ? ['This agent is not known, so it has no hooks: only what it does through Countersign’s MCP tools has receipts.']
      : []),
    ...(hosts.length + ports.length === 0 ? ['It reaches no host. Name its model with --model-host.'] : []),
  ];
}

function hostIn(address: string): string {
  try {
    const { host, hostname, protocol, port } = new URL(address);
    return port === '' && LOOPBACK.test(hostname) ? `${hostname}:${protocol === 'https:' ? 443 : 80}` : host;
  } catch {
    throw new Fault('BAD_REQUEST', `${JSON.stringify(address)} is not the address of a model.`, { fix: 'Name its host with --model-host' });
  }
}

const forwarderTo = (port: number): Server =>
  net.createServer({ allowHalfOpen: true }, (client) => {
    const target = net.connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    for (const end of [client, target]) end.on('error', () => end.destroy());
    client.once('close', () => target.destroy());
    target.once('close', () => client.destroy());
    client.pipe(target);
    target.pipe(client);
  });

/** Closing also ends connections that were handed over, such as an MCP client's. */
async function listenOn(server: Server, socket: string): Promise<() => Promise<void>> {
  const connections = new Set<net.Socket>();
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  await rm(socket, { force: true });
  await new Promise<void>((done, failed) => server.once('error', failed).listen(socket, done));
  await chmod(socket, 0o600);
  return async () => {
    for (const connection of connections) connection.destroy();
    await new Promise((done) => server.close(done));
  };
}

const isAlive = ({ process: link }: KeptRun): boolean => link !== null && processStarted(link.pid) === link.started;
/** It was made, and nothing was ever started in it. */
const ENTER_WITHIN_MS = 120_000;
const isStale = ({ started_at }: RunRow, now: Date): boolean => now.getTime() - Date.parse(started_at) > ENTER_WITHIN_MS;

const withRefused = (row: RunRow, open: OpenRun | null): RunRow => (open ? { ...row, refused_hosts: [...open.granted.refused()] } : row);

function realFolder(dir: string): string | null {
  try {
    return realpathSync(dir);
  } catch {
    return null;
  }
}
