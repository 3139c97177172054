// A real agent client, headless, against a model on loopback. It gets a home of its own and an empty environment filled here: a key or a
// session variable of the user who runs the tests would make it use the network or behave as a child.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';

export interface Client {
  readonly name: string;
  /** The variable that tells the tests where the program is. */
  readonly variable: string;
  /** Run by the Node of these tests. */
  readonly isScript?: true;
  readonly start: (run: ClientRun) => Promise<ClientStart>;
  /** What starts it: a program and its arguments, before those of the client. Absent: nothing. */
  readonly through?: (run: ClientRun) => readonly string[];
}

export interface ClientStart {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** How further prompts of the same conversation reach it while it runs. Absent: it takes the one prompt of its arguments. */
  readonly talk?: {
    /** A line for its input. */
    readonly say: (prompt: string) => string;
    /** Whether a line of its output ends a turn. */
    readonly isTurnOver: (line: string) => boolean;
  };
}

export interface ClientRun {
  readonly workspace: string;
  readonly home: string;
  readonly model: { readonly url: string };
  readonly prompt: string;
  /** What the human says next, each when the turn before is over; for clients that talk. */
  readonly followUps?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface ClientResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const longestRunMs = 120_000;
const graceMs = 2_000;

export const programOf = ({ variable }: Client): string => {
  const program = process.env[variable];
  if (program === undefined) throw new Error(`${variable} is not set: run this through npm test`);
  return program;
};

export async function runClient(client: Client, run: ClientRun): Promise<ClientResult> {
  const signal = run.signal ?? AbortSignal.timeout(longestRunMs);
  signal.throwIfAborted();
  // Not in the temporary folder itself: a client that finds its home there does less.
  const temporary = join(run.home, '../agent-tmp');
  await mkdir(temporary, { recursive: true });
  await mkdir(run.home, { recursive: true });
  const { args, env, talk } = await client.start(run);
  const program = programOf(client);
  const [command = '', ...words] = [...(client.through?.(run) ?? []), ...(client.isScript ? [process.execPath] : []), program, ...args];
  const child = spawn(command, words, {
    cwd: run.workspace,
    env: { ...inherited('PATH', 'TERM'), TMPDIR: temporary, HOME: run.home, ...env },
    stdio: [talk ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  if (talk) talkWith(child, talk, [run.prompt, ...(run.followUps ?? [])]);
  const stop = (): void => endGroup(child);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [code, stdout, stderr] = await Promise.all([exitOf(child), readAll(child.stdout!), readAll(child.stderr!)]);
    signal.throwIfAborted();
    return { code, stdout, stderr };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** One prompt after the other; its input ends with the last turn, and it with its input. */
function talkWith(
  { stdin, stdout }: ChildProcess,
  { say, isTurnOver }: NonNullable<ClientStart['talk']>,
  prompts: readonly string[],
): void {
  const left = [...prompts];
  const next = (): void => {
    const prompt = left.shift();
    if (prompt === undefined) stdin?.end();
    else stdin?.write(`${say(prompt)}\n`);
  };
  let begun = '';
  stdout?.on('data', (chunk: Buffer) => {
    const lines = `${begun}${chunk.toString()}`.split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) if (isTurnOver(line)) next();
  });
  // A client that ended by itself is judged by its exit code.
  stdin?.on('error', () => {});
  next();
}

function inherited(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

/** The client ends its own hooks and shells on SIGTERM: they lead their own groups, so only it can reach them. */
function endGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  signalGroup(pid, 'SIGTERM');
  const force = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
  child.once('close', () => clearTimeout(force));
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ESRCH') throw fault;
  }
}
