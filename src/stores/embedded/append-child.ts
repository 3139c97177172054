// Run as a separate process by the crash tests: `append-child.ts <root> <mode>`. Each line of its output is written only
// once what it says is true.

import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { loadOrCreateKeys } from '../../ledger/index.ts';
import { Fault } from '../../protocol/index.ts';
import type { EventStore } from '../event-store.ts';
import { openEmbeddedStore } from './open-embedded-store.ts';

const [root = '', mode = ''] = process.argv.slice(2);
const store = await openEmbeddedStore({ dir: join(root, 'data'), keys: await loadOrCreateKeys(join(root, 'keys')), segmentBytes: 200_000 });
const say = (value: unknown): void => void writeSync(1, `${JSON.stringify(value)}\n`);

function append(to: EventStore, stream: string, message: string): Promise<readonly { readonly seq: number }[]> {
  const events = [
    { type: 'defect_caught', data: { door: 'child', message } } as const,
    { type: 'defect_caught', data: { door: 'child', message: `${message} again` } } as const,
  ];
  return to.append([{ stream, expected_seq: null, events }]);
}

const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: unknown) => (error instanceof Fault ? `${error.code}: ${error.fix}` : String(error)),
  );

async function state(): Promise<unknown> {
  const seqs: number[] = [];
  for await (const { seq } of store.read()) seqs.push(seq);
  const found = await store.find({ limit: 100 });
  const at = (await store.positions(['s'])).get('s');
  return { writable: store.writable(), size: store.head().size, at, read: seqs.length, found: found.length };
}

/** Writers that never stop; each prints its acknowledged appends. */
async function writeForever(): Promise<void> {
  const filler = 'x'.repeat(2000);
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; ; i++) {
        const records = await append(store, `w:${writer}`, `${i} ${filler}`);
        say(records.map(({ seq }) => seq));
      }
    }),
  );
}

/** One append at a time, until one is refused; then once more. */
async function writeUntilRefused(): Promise<void> {
  for (let i = 0; i < 50; i++) {
    const outcome = await code(append(store, 's', `${i}`));
    if (outcome === 'done') continue;
    say({ after: i, outcome, ...((await state()) as object) });
    say({ again: await code(append(store, 's', 'again')), ...((await state()) as object) });
    break;
  }
  await store.close();
}

const limit = (bytes: number | 'unlimited'): void =>
  void spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);

/** No file may grow past a few bytes more than the segment has; then it may again. */
async function writeIntoLimit(): Promise<void> {
  await append(store, 's', 'before');
  limit(4096);
  const three = await Promise.all(['x'.repeat(5000), 'second', 'third'].map((message) => code(append(store, 's', message))));
  say({ three, ...((await state()) as object) });
  say({ still: await code(append(store, 's', 'y'.repeat(5000))) });
  limit('unlimited');
  say({ later: await code(append(store, 's', 'after')), ...((await state()) as object) });
  await store.close();
}

const modes: Readonly<Record<string, () => Promise<void>>> = {
  forever: writeForever,
  'until-refused': writeUntilRefused,
  limit: writeIntoLimit,
  once: () => store.close(),
};
await modes[mode]?.();
