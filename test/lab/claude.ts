// The real Claude Code client, headless, against a model on loopback. It gets a home of its own and an environment written here
// from nothing: a key or a session variable of whoever runs the tests would make it talk to the world or think itself a child.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { text as readAll } from 'node:stream/consumers';

/** One line of the client's stream-json output. */
export interface ClientEvent {
  readonly type: string;
  readonly subtype?: string;
  readonly [field: string]: unknown;
}

export interface ClaudeRun {
  readonly bin: string;
  readonly workspace: string;
  readonly home: string;
  readonly model: { readonly url: string };
  readonly prompt: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly extraArgs?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface ClaudeResult {
  readonly code: number | null;
  readonly events: readonly ClientEvent[];
  /** The client's final answer. */
  readonly text: string;
  readonly stderr: string;
}

const longestRunMs = 120_000;
const graceMs = 2_000;

export async function runClaude(run: ClaudeRun): Promise<ClaudeResult> {
  const signal = run.signal ?? AbortSignal.timeout(longestRunMs);
  signal.throwIfAborted();
  const args = ['-p', run.prompt, '--model', 'claude-sonnet-4-5', '--output-format', 'stream-json', '--verbose'];
  const client = spawn(run.bin, [...args, ...(run.extraArgs ?? [])], {
    cwd: run.workspace,
    env: clientEnvironment(run),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const stop = (): void => endGroup(client);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [code, stdout, stderr] = await Promise.all([exitOf(client), readAll(client.stdout), readAll(client.stderr)]);
    signal.throwIfAborted();
    const events = parseEvents(stdout, stderr);
    const result = events.findLast((event) => event.type === 'result')?.['result'];
    return { code, events, text: typeof result === 'string' ? result : '', stderr };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function clientEnvironment(run: ClaudeRun): Record<string, string> {
  const inherited = ['PATH', 'TERM', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    HOME: run.home,
    ANTHROPIC_BASE_URL: run.model.url,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    ...run.env,
  };
}

function exitOf(client: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    client.once('error', reject);
    client.once('close', resolve);
  });
}

/** The client ends its own hooks and shells on SIGTERM: they lead their own groups, so only it can reach them. */
function endGroup(client: ChildProcess): void {
  const { pid } = client;
  if (pid === undefined) return;
  signalGroup(pid, 'SIGTERM');
  const force = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
  client.once('close', () => clearTimeout(force));
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ESRCH') throw fault;
  }
}

function parseEvents(stdout: string, stderr: string): ClientEvent[] {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  try {
    return lines.map((line) => JSON.parse(line) as ClientEvent);
  } catch {
    throw new Error(`the client printed something other than events:\n${stdout}\n${stderr}`);
  }
}
