// One command as a process, bounded in time, memory, processes, file size and output. Nothing of it outlives the call.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import { censusBelow } from './census.ts';
import { KeptOutput } from './output.ts';

export interface ProcessOrder {
  /** What comes before the shell: a sandbox and its walls, or nothing. */
  readonly prefix: readonly string[];
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** For one process and for all of them together. */
  readonly memoryBytes?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with output as it arrives. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** Why it was ended; null: it ended by itself. */
export type Stopped = 'time' | 'memory' | 'processes' | 'cancelled';

export interface ProcessEnd {
  /** Null when it was stopped. */
  readonly exitCode: number | null;
  readonly stopped: Stopped | null;
  /** Both streams, in the order in which they were written. */
  readonly output: string;
  /** Bytes of the output that were left out. */
  readonly truncated: number;
  /** Error output of the sandbox itself. */
  readonly trouble: string;
}

const MAX_PROCESSES = 1_000;
const MAX_MEMORY_BYTES = Math.min(8 * 1024 ** 3, Math.floor(os.totalmem() * 0.75));
const MAX_FILE_BYTES = 2 * 1024 ** 3;
const LOOK_EVERY_MS = 100;
const TROUBLE_CHARACTERS = 2_000;

/** Commands are judged as bash, so bash runs them. */
const SHELL = ['/bin/bash', '/usr/bin/bash'].find((file) => existsSync(file)) ?? '/bin/sh';

/** Both streams go into one pipe to keep their order. The other pipe carries only the sandbox's own output. */
const limited = (memoryBytes: number): string =>
  [
    'ulimit -c 0',
    `ulimit -f ${MAX_FILE_BYTES / 512}`,
    `ulimit -d ${Math.floor(memoryBytes / 1024)} 2>/dev/null`,
    // Some systems count all threads of the user, so this is far above the limit counted here.
    'if [ "$2" != 0 ]; then ulimit -p 8192 2>/dev/null || ulimit -u 8192 2>/dev/null; fi',
    `exec ${SHELL} -c "$1" 2>&1`,
  ].join('\n');

export function runProcess(order: ProcessOrder): Promise<ProcessEnd> {
  const { prefix, command, cwd, env, timeoutMs, signal, onOutput, memoryBytes = MAX_MEMORY_BYTES } = order;
  const { promise, resolve, reject } = Promise.withResolvers<ProcessEnd>();
  const output = new KeptOutput();
  if (signal?.aborted) return Promise.resolve({ exitCode: null, stopped: 'cancelled', output: '', truncated: 0, trouble: '' });
  const [program, ...args] = [...prefix, '/bin/sh', '-c', limited(memoryBytes), 'sh', command, String(process.getuid?.() ?? 1)];
  // A process group of its own, so that its children can be ended with it.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const live = new TextDecoder();
  let stopped: Stopped | null = null;
  let trouble = '';

  const end = () => {
    if (child.pid === undefined) return;
    // A process that left the group is still a descendant. In a sandbox, all of them die with the first process.
    const below = prefix.length > 0 ? [] : censusBelow(child.pid, MAX_PROCESSES * 10).pids;
    for (const pid of [-child.pid, ...below]) endProcess(pid);
  };
  const stop = (why: Stopped) => {
    stopped ??= why;
    end();
  };
  const cancel = () => stop('cancelled');
  const timer = setTimeout(() => stop('time'), timeoutMs);
  const judge = setInterval(() => {
    const { pids, bytes } = censusBelow(child.pid ?? 0, MAX_PROCESSES);
    if (pids.length > MAX_PROCESSES) stop('processes');
    else if (bytes > memoryBytes) stop('memory');
  }, LOOK_EVERY_MS);
  signal?.addEventListener('abort', cancel, { once: true });

  child.stdout.on('data', (chunk: Buffer) => {
    output.add(chunk);
    onOutput?.(live.decode(chunk, { stream: true }));
  });
  child.stderr.on('data', (chunk: Buffer) => {
    trouble = (trouble + chunk.toString('utf8')).slice(0, TROUBLE_CHARACTERS);
  });
  // A background process that holds the pipes open would keep the call waiting.
  child.once('exit', end);
  child.once('error', reject);
  child.once('close', (code) => {
    end();
    const exitCode = stopped === null ? code : null;
    resolve({ exitCode, stopped, output: output.text(), truncated: output.truncated, trouble });
  });
  return promise.finally(() => {
    clearTimeout(timer);
    clearInterval(judge);
    signal?.removeEventListener('abort', cancel);
  });
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already ended.
  }
}
