// Which processes show a terminal multiplexer on a terminal. Names of sockets prove nothing: an agent can start a server of its own beside a
// human's, with the same words. What the kernel reports counts: the two ends of a connection (tmux, zellij), and the terminal that the
// server has opened (screen).

import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { openFilesOf } from './open-files.ts';
import type { ProcessEntry } from './process-tree.ts';

export interface Attached {
  readonly clients: readonly number[];
  /** The kernel confirms it. Otherwise it is what the words of their command lines say. */
  readonly proven: boolean;
}

const SCREEN = /^screen$/i;

export function attachedTo(server: number, table: readonly ProcessEntry[]): Attached {
  const others = table.filter(({ pid, terminal }) => pid !== server && terminal !== null);
  const sameProgram = others.filter(({ pid }) => programOf(pid) === programOf(server)).map(({ pid }) => pid);
  const held = openFilesOf(server);
  if (held !== null && SCREEN.test(table.find(({ pid }) => pid === server)?.name ?? '')) {
    const terminals = new Set(held.filter((file) => file.startsWith('/dev/pts/') || file.startsWith('/dev/tty')));
    return { clients: sameProgram.filter((pid) => openFilesOf(pid)?.some((file) => terminals.has(file))), proven: true };
  }
  const peers = held === null ? null : peersOf(held);
  if (peers === null) return { clients: sameProgram.filter((pid) => socketWords(pid) === socketWords(server)), proven: false };
  return { clients: sameProgram.filter((pid) => openFilesOf(pid)?.some((file) => peers.has(file))), proven: true };
}

/** The other ends of these sockets; null: the program that asks the kernel is not there. */
function peersOf(files: readonly string[]): Set<string> | null {
  let listed: string;
  try {
    listed = execFileSync('ss', ['-xH'], {
      encoding: 'latin1',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2_000,
      env: { PATH: SYSTEM_PATH },
    });
  } catch {
    return null;
  }
  const own = new Set(files);
  return new Set(
    listed.split('\n').flatMap((line) => {
      const [, local, peer] = /\s(\d+)\s+\*\s+(\d+)\s*$/.exec(line) ?? [];
      return local !== undefined && peer !== undefined && own.has(`socket:[${local}]`) ? [`socket:[${peer}]`] : [];
    }),
  );
}

/** Not the user's: an agent may write there. */
const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin';

function programOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return null;
  }
}

function socketWords(pid: number): string {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
    const at = words.findIndex((word) => /^-[LS]/.test(word));
    return at < 0 ? '' : words[at]!.length > 2 ? words[at]!.slice(2) : (words[at + 1] ?? '');
  } catch {
    return '';
  }
}
