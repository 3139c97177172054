import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { makeTree } from './tree.fixture.ts';
import { type TreeWatch, watchTree } from './watch.ts';

function watching(root: string, folders: readonly string[], maxFolders?: number): TreeWatch | null {
  const watch = watchTree(root, folders, maxFolders === undefined ? {} : { maxFolders });
  if (watch) onTestFinished(() => watch.close());
  return watch;
}

/** Until the system has reported all of these. */
async function reported(watch: TreeWatch, ...paths: string[]): Promise<Set<string>> {
  const seen = new Set<string>();
  while (!paths.every((path) => seen.has(path))) {
    for (const path of watch.take() ?? []) seen.add(path);
    await nextTurn();
  }
  return seen;
}

test('what changes in a watched folder is reported, once', async () => {
  const root = makeTree({ 'a.ts': 'a', 'deep/b.ts': 'b', 'c.ts': 'c' });
  const watch = watching(root, ['', 'deep'])!;
  writeFileSync(join(root, 'a.ts'), 'A');
  writeFileSync(join(root, 'deep/b.ts'), 'B');
  expect([...(await reported(watch, 'a.ts', 'deep/b.ts'))].toSorted()).toEqual(['a.ts', 'deep/b.ts']);
});

test('a new folder is watched at once, with what is in it', async () => {
  const root = makeTree({ 'a.ts': 'a', 'out/deep/x.ts': 'x' });
  const watch = watching(root, [''])!;
  mkdirSync(join(root, 'new/er'), { recursive: true });
  writeFileSync(join(root, 'new/er/before.ts'), 'x');
  await reported(watch, 'new');
  writeFileSync(join(root, 'new/er/after.ts'), 'x');
  await reported(watch, 'new/er/after.ts');
  renameSync(join(root, 'new'), join(root, 'moved'));
  await reported(watch, 'moved');
  writeFileSync(join(root, 'moved/er/after.ts'), 'y');
  expect([...(await reported(watch, 'moved/er/after.ts'))].filter((path) => path.startsWith('new/er'))).toEqual([]);
});

test('derived folders are not watched', async () => {
  const root = makeTree({ 'a.ts': 'a' });
  const watch = watching(root, [''])!;
  mkdirSync(join(root, 'node_modules'));
  await reported(watch, 'node_modules');
  writeFileSync(join(root, 'node_modules/x.js'), 'x');
  writeFileSync(join(root, 'a.ts'), 'A');
  expect([...(await reported(watch, 'a.ts'))]).toEqual(['a.ts']);
});

test('more folders than may be watched: no watcher, or nothing that can be relied on', async () => {
  const root = makeTree({ 'a/x': 'x', 'b/x': 'x' });
  expect(watching(root, ['', 'a', 'b'], 2)).toBeNull();
  expect(watching(root, ['', 'not there'])).toBeNull();
  const watch = watching(root, ['', 'a', 'b'], 3)!;
  mkdirSync(join(root, 'c'));
  let taken = watch.take();
  while (taken !== null) {
    await nextTurn();
    taken = watch.take();
  }
  expect(watch.take()).toEqual(new Set());
});
