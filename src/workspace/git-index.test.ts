import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIndex, readIndexEntries } from './git-index.ts';
import { git, makeTree } from './tree.fixture.ts';

const FILES = { 'a.ts': 'a\n', 'deep/er/b.ts': 'b\n', 'deep/er/bb.ts': 'bb\n', 'näme with ünicode.md': 'c\n' };

function repository(version: number): string {
  const root = makeTree(FILES);
  git(root, 'init', '--quiet');
  git(root, 'config', 'index.version', String(version));
  git(root, 'add', '--all');
  git(root, 'update-index', '--index-version', String(version));
  return root;
}

describe.each([2, 4])('index version %i', (version) => {
  test('says what git says', async () => {
    const root = repository(version);
    const entries = await readIndexEntries(join(root, '.git'), 20, new Set(Object.keys(FILES)));
    const said = git(root, 'ls-files', '--stage', '-z').split('\0').slice(0, -1);
    const ours = [...(entries ?? [])].map(([path, { mode, id, stage }]) => `${mode.toString(8)} ${id} ${stage}\t${path}`);
    expect(ours).toEqual(said);
    expect(ours).toHaveLength(4);
  });

  test('only the wanted paths are reported', async () => {
    const entries = await readIndexEntries(join(repository(version), '.git'), 20, new Set(['deep/er/bb.ts', 'none']));
    expect([...(entries?.keys() ?? [])]).toEqual(['deep/er/bb.ts']);
  });
});

test('flags that only version 3 has do not shift what follows', async () => {
  const root = repository(2);
  git(root, 'rm', '--quiet', '--cached', 'a.ts');
  git(root, 'add', '--intent-to-add', 'a.ts');
  expect(readFileSync(join(root, '.git/index')).readUInt32BE(4)).toBe(3);
  const entries = await readIndexEntries(join(root, '.git'), 20, new Set(Object.keys(FILES)));
  expect([...(entries?.keys() ?? [])].toSorted()).toEqual(Object.keys(FILES).toSorted());
});

test('an index that is split over files, or no index, is none', async () => {
  const root = repository(2);
  execFileSync('git', ['update-index', '--split-index'], { cwd: root });
  expect(await readIndexEntries(join(root, '.git'), 20, new Set(['a.ts']))).toBeNull();
  expect(await readIndexEntries(root, 20, new Set(['a.ts']))).toBeNull();
});

test('whatever bytes there are, the reader ends and does not throw', () => {
  const whole = readFileSync(join(repository(4), '.git/index'));
  const wanted = new Set(Object.keys(FILES));
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, cut) => {
      const bytes = Buffer.from(whole.subarray(0, cut));
      if (at < bytes.length) bytes[at] = byte;
      const found = parseIndex(bytes, 20, wanted);
      expect(found === null || found instanceof Map).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
