// The process tree as the operating system tells it: who is whose child, since when, on which terminal. Linux reads /proc;
// elsewhere `ps` is asked, and a caller cannot prove that it holds the pid that it names (documented as weaker).

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Descent, ProcessLink } from '../kernel/index.ts';

interface ProcessEntry extends ProcessLink {
  readonly parent: number;
  /** The terminal session's leader; null where the system does not tell. */
  readonly leader: number | null;
  readonly terminal: string | null;
}

const LONGEST_CHAIN = 256;

export function processEntry(pid: number): ProcessEntry | null {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

export const processStarted = (pid: number): string | null => processEntry(pid)?.started ?? null;

export function descentOf(pid: number): Descent | null {
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
  };
}

/** True when the process really has this file open: only the process itself can have done that. */
export function holdsOpen(pid: number, file: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === file;
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}

function fromProc(pid: number): ProcessEntry | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name stands in parentheses and may hold anything, closing parentheses too: fields are counted from the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [, parent, , leader, terminal] = fields;
  const started = fields[19];
  if (parent === undefined || leader === undefined || terminal === undefined || started === undefined) return null;
  return { pid, parent: Number(parent), leader: Number(leader), terminal: terminal === '0' ? null : terminal, started };
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
    return { pid, parent: Number(parent), leader: null, terminal: terminal.startsWith('?') ? null : terminal, started };
  } catch {
    return null;
  }
}

/** Without session leaders: the uppermost process on the same terminal was not handed over to process 1. */
function isHeldByItsTerminal(first: ProcessEntry, line: readonly ProcessEntry[]): boolean {
  const uppermost = line.findLast((entry) => entry.terminal === first.terminal);
  return uppermost !== undefined && uppermost.parent !== 1;
}
