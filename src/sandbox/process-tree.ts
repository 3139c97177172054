// The process tree as the operating system reports it: parents, start times and terminals. Linux reads /proc; elsewhere `ps` is run, and a
// caller cannot prove that it holds the pid that it names (documented as weaker).

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import type { Descent, Loopback, ProcessLink } from '../protocol/index.ts';
import { attachedTo } from './attached-clients.ts';
import { hasLoginFromHere } from './logins-from-here.ts';
import { type System, topOf } from './lineage.ts';
import { openFilesOf } from './open-files.ts';

export interface ProcessEntry extends ProcessLink {
  readonly parent: number;
  readonly name: string;
  readonly startedAtMs: number;
  /** The terminal session's leader; null where the system does not report it. */
  readonly leader: number | null;
  readonly terminal: string | null;
}

/** Linux counts start times in these. */
const TICK_MS = 10;
const LONGEST_CHAIN = 256;

export function processEntry(pid: number): ProcessEntry | null {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

export const processStarted = (pid: number): string | null => processEntry(pid)?.started ?? null;

/** `marks`: variables that agents give their commands. */
export const descentOf = (pid: number, marks: readonly string[] = []): Descent | null => descentBelow(pid, marks, new Set());

/** `servers`: multiplexers whose clients are being looked at. One that is shown inside itself would never end. */
function descentBelow(pid: number, marks: readonly string[], servers: ReadonlySet<number>): Descent | null {
  const first = processEntry(pid);
  if (!first) return null;
  const line: ProcessEntry[] = [];
  for (
    let entry: ProcessEntry | null = first;
    entry && line.length < LONGEST_CHAIN;
    entry = entry.parent > 0 ? processEntry(entry.parent) : null
  )
    line.push(entry);
  return {
    chain: line.map(({ pid, started }) => ({ pid, started })),
    terminal: first.terminal !== null,
    unbroken: first.leader === null ? isHeldByItsTerminal(first, line) : line.some((entry) => entry.pid === first.leader),
    top: topOf(line, systemFor(servers)),
    marked: marks.some((name) => environmentOf(pid).has(name)),
  };
}

const systemFor = (servers: ReadonlySet<number>): System => ({
  ownUid: process.getuid?.() ?? -1,
  uidOf: (pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? -1,
  environmentOf,
  hasLoginFromHere,
  clientsOf: ({ pid: server }) => {
    if (servers.has(server)) return { shown: [], proven: true };
    const { clients, proven } = attachedTo(server, allProcesses());
    const inside = new Set([...servers, server]);
    return { shown: clients.flatMap((client) => descentBelow(client, [], inside) ?? []), proven };
  },
});

function environmentOf(pid: number): ReadonlyMap<string, string> {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  } catch {
    // Another user's, or not Linux.
    return new Map();
  }
}

/** What a process was started with; null: it has ended, or cannot be read. */
export function processStartedWith({
  pid,
  started,
}: ProcessLink): { readonly words: string[]; readonly env: ReadonlyMap<string, string> } | null {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    const env = environmentOf(pid);
    // Read before: its number may belong to another process by now.
    return processStarted(pid) === started ? { words, env } : null;
  } catch {
    return null;
  }
}

/** Every process, as far as it can be read. */
export const allProcesses = (): ProcessEntry[] =>
  process.platform === 'linux'
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((name) => fromProc(Number(name)) ?? [])
    : [];

/** True when the process really has this file open: only the process itself can have done that. */
export const holdsOpen = (pid: number, file: string): boolean => process.platform !== 'linux' || hasOpen(pid, file);

/**
 * Whether the other end of the connection is held by a child of this process. Null: this system does not report it. It takes milliseconds,
 * so use it for events worth forging, not for every call.
 */
export async function isHeldByChildOf(parent: number, connection: Loopback): Promise<boolean | null> {
  if (process.platform !== 'linux') return null;
  // Both lists may miss an entry while others change, so a missing entry is searched once more, the slow way.
  for (const children of [childrenOf, childrenByParent]) {
    const inode = await remoteSocket(connection);
    if (inode !== null && children(parent).some((pid) => hasOpen(pid, `socket:[${inode}]`))) return true;
  }
  return false;
}

/** The inode of the socket at the other end; null: it is on another machine, or closed. */
async function remoteSocket({ localPort, remotePort }: Loopback): Promise<string | null> {
  const port = (number: number) => number.toString(16).toUpperCase().padStart(4, '0');
  // Our remote address is their local one. 0100007F is 127.0.0.1.
  const ends = ` 0100007F:${port(remotePort)} 0100007F:${port(localPort)} `;
  const line = (await readFile('/proc/net/tcp', 'latin1').catch(() => '')).split('\n').find((each) => each.includes(ends));
  const inode = line?.trim().split(/\s+/)[9];
  return inode === undefined || inode === '0' ? null : inode;
}

const hasOpen = (pid: number, target: string): boolean => openFilesOf(pid)?.includes(target) ?? false;

/** From the process itself; not every kernel supports this. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** From the parent of every process. */
const childrenByParent = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => fromProc(each)?.parent === pid);

function fromProc(pid: number): ProcessEntry | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name is in parentheses and may contain anything, even closing parentheses: fields are counted from the last one.
  const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, , leader, terminal] = fields;
  const started = fields[19];
  if (state === 'Z' && isWhollyDead(pid)) return null;
  if (parent === undefined || leader === undefined || terminal === undefined || started === undefined) return null;
  const startedAtMs = Date.now() - os.uptime() * 1000 + Number(started) * TICK_MS;
  return { pid, parent: Number(parent), leader: Number(leader), terminal: terminal === '0' ? null : terminal, started, startedAtMs, name };
}

/** A zombie. A process whose first thread has ended looks the same, and is alive. */
function isWhollyDead(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).length <= 1;
  } catch {
    return true;
  }
}

function fromPs(pid: number): ProcessEntry | null {
  try {
    const text = execFileSync('ps', ['-o', 'ppid=,tty=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const match = /^\s*(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(text);
    if (!match) return null;
    const [, parent, terminal, started] = match as unknown as [string, string, string, string];
    const startedAtMs = Date.parse(started);
    return {
      pid,
      parent: Number(parent),
      leader: null,
      terminal: terminal.startsWith('?') ? null : terminal,
      started,
      startedAtMs,
      name: '',
    };
  } catch {
    return null;
  }
}

/** Without session leaders: the topmost process on the same terminal was not reparented to process 1. */
function isHeldByItsTerminal(first: ProcessEntry, line: readonly ProcessEntry[]): boolean {
  const uppermost = line.findLast((entry) => entry.terminal === first.terminal);
  return uppermost !== undefined && uppermost.parent !== 1;
}
