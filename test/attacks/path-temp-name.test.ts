// A temporary file whose name could be guessed is made by the attacker first: as a link that leads outside, or as a file to read from.

import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { changeFiles } from '../../src/workspace/index.ts';
import { verifies } from '../verifies.ts';

verifies('I9', 'predictable temp name: random, exclusive and private', async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'countersign-temp-')));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = join(base, 'work');
  mkdirSync(root);
  writeFileSync(join(base, 'outside'), 'outside');
  writeFileSync(join(root, 'a.ts'), 'old');

  const names = new Set<string>();
  const modes = new Set<number>();
  let ended = false;
  /** Looks as often as it can, as an attacker would. */
  const spy = async (): Promise<void> => {
    while (!ended) {
      for (const name of readdirSync(root).filter((each) => each !== 'a.ts')) {
        names.add(name);
        const stats = lstatSync(join(root, name), { throwIfNoEntry: false });
        if (stats?.isFile()) modes.add(stats.mode & 0o777);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const spying = spy();
  const content = Buffer.alloc(1_000_000, 'x');
  for (let time = 0; time < 20; time++) {
    // What was used before is taken by a link when the next write begins.
    for (const name of names) tryLink(join(base, 'outside'), join(root, name));
    await changeFiles(root, [{ path: 'a.ts', content }]);
  }
  ended = true;
  await spying;
  expect(names.size).toBeGreaterThan(5);
  for (const name of names) expect(name).toMatch(/^\.countersign-[0-9a-f]{32}\.tmp$/);
  // 0600 while it is written, the file's own mode at the very end.
  expect([modes.has(0o600), [...modes].filter((mode) => mode !== 0o600 && mode !== 0o644)]).toEqual([true, []]);
  expect(readFileSync(join(base, 'outside'), 'utf8')).toBe('outside');
  expect(readFileSync(join(root, 'a.ts')).equals(content)).toBe(true);
  expect(readdirSync(root).filter((name) => lstatSync(join(root, name)).isFile())).toEqual(['a.ts']);
});

function tryLink(target: string, path: string): void {
  try {
    symlinkSync(target, path);
  } catch {
    // Taken already.
  }
}
