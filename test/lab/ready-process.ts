// A process that has the program loaded already and runs one command after another in it; `ready-commands.ts` starts it and sends it
// commands. Each command evaluates the program's entry again, with its own arguments, folder and environment. It has ended when nothing it
// began keeps the process alive: a handle left open hangs here as it would hang the command.

import { randomUUID } from 'node:crypto';
import { on } from 'node:events';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Ended, Wanted } from './ready-commands.ts';

const main = new URL('../../src/app/main.ts', import.meta.url);
// Loaded before the first command comes.
await import('../../src/cli/program.ts');

const requests = on(process, 'message') as AsyncIterable<[Wanted]>;
process.once('disconnect', () => process.exit());
process.send?.('ready');
for await (const [wanted] of requests) process.send?.(await run(wanted));

async function run({ args, cwd, env }: Wanted): Promise<Ended> {
  const alive = await keptAlive();
  const shown: { readonly stream: 'stdout' | 'stderr'; readonly text: string }[] = [];
  const restore = [capture('stdout', shown), capture('stderr', shown)];
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  // As `bin/countersign` sets it.
  const cache = env['XDG_CACHE_HOME'] ?? path.join(env['HOME'] ?? '', '.cache');
  Object.assign(process.env, env, { NODE_COMPILE_CACHE: path.join(cache, 'countersign/compile') });
  process.argv = [process.execPath, main.pathname, ...args];
  process.exitCode = undefined;
  // A stream can only be read to its end once: each command without a terminal has its own empty one.
  if (!process.stdin.isTTY) Object.defineProperty(process, 'stdin', { value: Readable.from([]), configurable: true });
  await import(`${main.href}?run=${randomUUID()}`);
  while ((await keptAlive()) !== alive) await pause(1);
  const code = Number(process.exitCode ?? 0);
  for (const undo of restore) undo();
  process.removeAllListeners('SIGINT');
  process.stdout.removeAllListeners('error');
  const of = (wanted: string) => shown.flatMap(({ stream, text }) => (stream === wanted ? [text] : [])).join('');
  return { code, stdout: of('stdout'), stderr: of('stderr'), shown: shown.map(({ text }) => text).join('') };
}

/** What keeps this process from ending, apart from the parent. */
async function keptAlive(): Promise<string> {
  await nextTurn();
  return process.getActiveResourcesInfo().toSorted().join();
}

function capture(stream: 'stdout' | 'stderr', shown: { stream: 'stdout' | 'stderr'; text: string }[]): () => void {
  const { write } = process[stream];
  process[stream].write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    shown.push({ stream, text: typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8') });
    for (const done of rest) if (typeof done === 'function') queueMicrotask(() => (done as () => void)());
    return true;
  };
  return () => {
    process[stream].write = write;
  };
}
