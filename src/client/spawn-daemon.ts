// Starts a daemon on demand, in the background, detached from whoever needed it first. Its environment is a short list: an
// agent with keys in its own environment may start it.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Fault } from '../protocol/plain.ts';
import type { Client } from './client.ts';
import type { Home } from './home.ts';

const KEPT = [
  'HOME',
  'LANG',
  'LC_ALL',
  'PATH',
  'TMPDIR',
  'TZ',
  'USER',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'COUNTERSIGN_STORE',
  'MCP_DASHBOARD_PORT',
  'NODE_COMPILE_CACHE',
];
/** For programs that have a time limit of their own. */
const DAEMON_WITHIN_MS = 10_000;
/** For a person who sees that it goes on: a busy machine, a slow disk or a large record take their time. */
const PERSON_WITHIN_MS = 180_000;
/** After this time a person wants to know what is going on, and from then on this often. */
const FIRST_WORD_MS = 3_000;
const NEXT_WORD_MS = 15_000;
/** A daemon that ended may have left another that was starting too. */
const OTHER_WITHIN_MS = 2_000;

/** How the message of a daemon begins that finds another one using the same ledger. */
const ANOTHER_WRITES = 'Another daemon is writing';

export interface StartWait {
  readonly withinMs?: number;
  /** Tells a person that it takes a while. With it, the wait is longer. */
  readonly say?: (text: string) => void;
}

/** `program`: what is run as the daemon. */
export async function ensureDaemon(
  client: Pick<Client, 'isAlive'>,
  home: Home,
  program: string,
  { say, withinMs = say ? PERSON_WITHIN_MS : DAEMON_WITHIN_MS }: StartWait = {},
): Promise<void> {
  if (await client.isAlive()) return;
  const { child, said } = spawnDaemon(home, program);
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1_000);
  const deadline = begun + withinMs;
  let nextWord = begun + FIRST_WORD_MS;
  let endedAt = Infinity;
  child.once('exit', () => (endedAt = performance.now()));
  // Ours may have ended because another is running; that one gets the same time to answer.
  const otherStarts = (message = said()[0]) => message?.startsWith(ANOTHER_WRITES) ?? false;
  while (performance.now() < (endedAt < Infinity && otherStarts() ? deadline : Math.min(deadline, endedAt + OTHER_WITHIN_MS))) {
    await pause(30);
    if (await client.isAlive()) return;
    if (performance.now() < nextWord) continue;
    say?.(`Waiting for the daemon to start (${seconds()} s) …`);
    nextWord += NEXT_WORD_MS;
  }
  const [message, fix] = said();
  // It says so before it has ended.
  if (otherStarts(message) || (child.exitCode === null && child.signalCode === null && message === undefined)) {
    throw new Fault('DAEMON_UNAVAILABLE', `The daemon is still starting after ${seconds()} s.`, {
      fix: `Try again in a moment: a busy machine or a large record makes it slow. Its output is in ${home.log}`,
    });
  }
  throw new Fault('DAEMON_UNAVAILABLE', `No daemon came up${message === undefined ? '.' : `: ${message}`}`, {
    fix: fix ?? `Look into ${home.log}`,
  });
}

interface Spawned {
  readonly child: ChildProcess;
  /** The daemon's own message: why it ended and what to do. */
  readonly said: () => readonly (string | undefined)[];
}

function spawnDaemon(home: Home, program: string): Spawned {
  let output: number;
  try {
    mkdirSync(home.dir, { recursive: true, mode: 0o700 });
    output = openSync(home.log, 'a', 0o600);
  } catch (error) {
    throw new Fault('AUDIT_UNAVAILABLE', `The daemon's folder ${home.dir} cannot be written (${(error as NodeJS.ErrnoException).code}).`, {
      fix: 'Set COUNTERSIGN_HOME to a folder that you may write to',
    });
  }
  const before = fstatSync(output).size;
  const env = Object.fromEntries(KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  const child = spawn(process.execPath, [...process.execArgv, program, 'daemon', '--home', home.dir], {
    cwd: home.dir,
    detached: true,
    env,
    stdio: ['ignore', output, output],
  });
  child.unref();
  closeSync(output);
  const said = () => /^countersign: (.*)\n(?: {2}(.*)\n)?/m.exec(readFileSync(home.log).subarray(before).toString('utf8'))?.slice(1) ?? [];
  return { child, said };
}
