import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MEMORY_FOLDER } from '../../test/lab/memory-folder.ts';
import { verifies } from '../../test/verifies.ts';
import { loadOrCreateKeys } from '../ledger/index.ts';
import { streams } from '../protocol/index.ts';
import { openEmbeddedStore } from '../stores/index.ts';
import { type Fold, FoldRegistry } from './folds.ts';

const VERSIONS = { first: { version: 2 }, second: { version: 5 } };

async function openStore() {
  const base = mkdtempSync(join(MEMORY_FOLDER, 'countersign-folds-'));
  const store = await openEmbeddedStore({ dir: join(base, 'home'), keys: await loadOrCreateKeys(join(base, 'keys')) });
  onTestFinished(async () => {
    await store.close();
    rmSync(base, { recursive: true, force: true });
  });
  const say = (...messages: string[]) =>
    store.append([
      {
        stream: streams.daemon,
        expected_seq: null,
        events: messages.map((message) => ({ type: 'defect_caught', data: { door: 'test', message } })),
      },
    ]);
  return { store, say };
}

/** Writes down what it sees. */
function writer(name: string, seen: string[]): Fold {
  let own: string[] = [];
  return {
    apply: ({ event }) => {
      if (event.type !== 'defect_caught') return;
      own.push(event.data.message);
      seen.push(`${name} ${event.data.message}`);
      if (event.data.message === `bad for ${name}`) throw new Error(`${name} cannot fold this`);
    },
    save: () => [...own],
    restore: (saved) => {
      own = [...(saved as string[])];
    },
  };
}

function registryOf(seen: string[], defects: unknown[] = []) {
  const registry = new FoldRegistry(VERSIONS, (error) => defects.push(error));
  // Registered in another order than the table of versions: the table's order counts.
  registry.register('second', writer('second', seen));
  registry.register('first', writer('first', seen));
  return registry;
}

verifies('I13', 'every fold sees the past and what follows, in the stated order, and readers after all of them', async () => {
  const { store, say } = await openStore();
  await say('a', 'b');
  const seen: string[] = [];
  const registry = registryOf(seen);
  await registry.follow(store, 1);
  expect(seen).toEqual(['first b', 'second b']);
  registry.addReader(({ seq }) => seen.push(`reader ${seq}`));
  await say('c', 'd');
  expect(seen.slice(2)).toEqual(['first c', 'first d', 'second c', 'second d', 'reader 3', 'reader 4']);
  expect(registry.save()).toEqual({ first: { version: 2, saved: ['b', 'c', 'd'] }, second: { version: 5, saved: ['b', 'c', 'd'] } });
});

test('what one fold or reader throws on a new record keeps it from no other, and fails no append', async () => {
  const { store, say } = await openStore();
  const [seen, defects]: [string[], unknown[]] = [[], []];
  const registry = registryOf(seen, defects);
  await registry.follow(store, 0);
  registry.addReader(() => {
    throw new Error('the reader fails');
  });
  registry.addReader(({ seq }) => seen.push(`reader ${seq}`));
  await say('bad for first');
  expect(seen).toEqual(['first bad for first', 'second bad for first', 'reader 1']);
  expect(defects.map(String)).toEqual(['Error: first cannot fold this', 'Error: the reader fails']);
});

test('a fold that cannot read the past fails the start', async () => {
  const { store, say } = await openStore();
  await say('bad for second');
  await expect(registryOf([]).follow(store, 0)).rejects.toThrow('second cannot fold this');
});

test('what was saved fits only if it has each fold in its own version, and then restores each', async () => {
  const saved = { first: { version: 2, saved: ['x'] }, second: { version: 5, saved: ['y'] }, gone: { version: 1, saved: [] } };
  const registry = registryOf([]);
  expect(registry.fits(saved)).toBe(true);
  registry.restore(saved);
  expect(registry.save()).toEqual({ first: saved.first, second: saved.second });
  const others = [
    { ...saved, second: { version: 4, saved: ['y'] } },
    { ...saved, second: { version: 6, saved: ['y'] } },
    { first: saved.first },
    {},
  ];
  expect(others.map((other) => registry.fits(other))).toEqual([false, false, false, false]);
});

test('a fold that says how it is opened needs no registration; one that does not, and was not registered, is a defect', async () => {
  const { store, say } = await openStore();
  await say('a');
  const opened = new FoldRegistry({ only: { version: 1, open: () => writer('only', []) } }, () => {});
  await opened.follow(store, 0);
  expect([opened.of('only').save(), opened.save()]).toEqual([['a'], { only: { version: 1, saved: ['a'] } }]);
  const registry = new FoldRegistry(VERSIONS, () => {});
  registry.register('first', writer('first', []));
  await expect(registry.follow(store, 0)).rejects.toThrow('The fold second was neither opened nor registered');
  expect(() => registry.save()).toThrow('second');
});
