// Commands of `bin/countersign` without the half second that each process takes to load the program: a process that has loaded it
// runs one after another, through pipes or in a terminal of its own. What a test says about the process itself (signals, pipes that
// break, standard input, a prompt) needs a process of its own: `runCommand` and `runInTerminal`.

import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { quoted } from './terminal.ts';

export interface Wanted {
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order in which a terminal shows them. */
  readonly shown: string;
}

type Where = 'pipes' | 'terminal';

const PROGRAM = fileURLToPath(new URL('./ready-process.ts', import.meta.url));
/** Idle processes. A command that waits for another one does not block it: that one gets its own process. */
const idle: Record<Where, ChildProcess[]> = { pipes: [], terminal: [] };

export async function runReady(where: Where, wanted: Wanted): Promise<Ended> {
  const ready = idle[where].pop() ?? (await startReady(where));
  hold(ready, true);
  ready.send(wanted);
  const ended = (await answerOf(ready, wanted.args.join(' '))) as Ended;
  hold(ready, false);
  idle[where].push(ready);
  return ended;
}

function answerOf(ready: ChildProcess, to: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers();
  const onExit = (code: number | null) => reject(new Error(`The process that runs the commands ended with ${code} at: ${to}`));
  ready.once('exit', onExit).once('message', (answer) => {
    ready.off('exit', onExit);
    resolve(answer);
  });
  return promise;
}

/** It ends with this process, whose end closes the channel. */
async function startReady(where: Where): Promise<ChildProcess> {
  const words = ['--disable-warning=ExperimentalWarning', PROGRAM];
  const env = { PATH: process.env['PATH'], SHELL: '/bin/sh', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };
  const ready =
    where === 'pipes'
      ? spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'], detached: true })
      : // `script` passes the channel on to what it starts.
        spawn('script', ['--quiet', '--command', `exec ${[process.execPath, ...words].map(quoted).join(' ')}`, '/dev/null'], {
          env,
          stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
        });
  await answerOf(ready, 'its start');
  return ready;
}

/** An idle one does not delay the end. */
function hold(ready: ChildProcess, held: boolean): void {
  for (const part of [ready, ready.channel, ready.stdin as Socket | null]) {
    if (held) part?.ref();
    else part?.unref();
  }
}
