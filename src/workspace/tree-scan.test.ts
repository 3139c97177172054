import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256Of } from './tree-file.ts';
import { makeTree } from './tree.fixture.ts';
import { adoptScan, emptySnapshot, scanTree } from './tree-scan.ts';
import { appendScan, readSnapshotFile, writeSnapshotFile } from './tree-scan-file.ts';
import { isRacy, type TreeSnapshot } from './tree-scan-walk.ts';

const sha = (text: string) => sha256Of(Buffer.from(text));

async function scanAt(root: string, snapshot: TreeSnapshot, only?: ReadonlySet<string>) {
  const scan = await scanTree(root, snapshot, only ? { only } : {});
  adoptScan(snapshot, scan);
  return scan.changes
    .map(({ path, before, after }) => [path, before?.sha256 ?? null, after?.sha256 ?? null] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Stamps from long ago: nothing is racy. */
function age(root: string, ...paths: string[]): void {
  for (const path of paths) utimesSync(join(root, path), 1_000_000_000.5, 1_000_000_000.5);
}

describe('a scan', () => {
  test('finds what was made, changed, moved and removed, and nothing else', async () => {
    const root = makeTree({ 'a.ts': 'a', 'b.ts': 'b', 'deep/c.ts': 'c', 'deep/er/d.ts': 'd' });
    const seen = emptySnapshot();
    expect(await scanAt(root, seen)).toEqual([
      ['a.ts', null, sha('a')],
      ['b.ts', null, sha('b')],
      ['deep/c.ts', null, sha('c')],
      ['deep/er/d.ts', null, sha('d')],
    ]);
    expect(await scanAt(root, seen)).toEqual([]);
    writeFileSync(join(root, 'a.ts'), 'A');
    writeFileSync(join(root, 'b.ts'), 'b');
    renameSync(join(root, 'deep/er'), join(root, 'deep/est'));
    expect(await scanAt(root, seen)).toEqual([
      ['a.ts', sha('a'), sha('A')],
      ['deep/er/d.ts', sha('d'), null],
      ['deep/est/d.ts', null, sha('d')],
    ]);
    rmSync(join(root, 'deep'), { recursive: true });
    expect(await scanAt(root, seen)).toEqual([
      ['deep/c.ts', sha('c'), null],
      ['deep/est/d.ts', sha('d'), null],
    ]);
  });

  test('is not deceived by stamps that were set back', async () => {
    const root = makeTree({ 'a.ts': 'one' });
    age(root, 'a.ts');
    const seen = emptySnapshot();
    await scanAt(root, seen);
    writeFileSync(join(root, 'a.ts'), 'two');
    age(root, 'a.ts');
    expect(await scanAt(root, seen)).toEqual([['a.ts', sha('one'), sha('two')]]);
  });

  test('reads again what was as new as the scan itself', async () => {
    const root = makeTree({ 'a.ts': 'a' });
    const seen = emptySnapshot();
    await scanAt(root, seen);
    expect((await scanTree(root, seen)).hashed).toBe(1);
    expect(isRacy({ mtimeNs: 1_000_000_001n, ctimeNs: 1_000_000_001n }, 1_101)).toBe(false);
    expect(isRacy({ mtimeNs: 1_000_000_001n, ctimeNs: 1_000_000_001n }, 1_050)).toBe(true);
    // A file system that only knows whole seconds.
    expect(isRacy({ mtimeNs: 1_000_000_000n, ctimeNs: 1_000_000_000n }, 2_900)).toBe(true);
  });

  test('follows no link and waits for no pipe', async () => {
    const outside = makeTree({ 'secret.txt': 'secret' });
    const root = makeTree({ 'a.ts': 'a', 'folder/b.ts': 'b' });
    const seen = emptySnapshot();
    await scanAt(root, seen);
    rmSync(join(root, 'folder'), { recursive: true });
    symlinkSync(outside, join(root, 'folder'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await scanAt(root, seen)).toEqual([
      ['folder', null, sha(outside)],
      ['folder/b.ts', sha('b'), null],
    ]);
  });

  test('leaves out git, derived files, views and linked work trees; a submodule is part of the tree', async () => {
    const root = makeTree({
      '.git/HEAD': 'x',
      'node_modules/a/index.js': 'x',
      'web/dist/a.js': 'x',
      '.orchestration/agent_trace.jsonl': 'x',
      '.ai/tmp/x': 'x',
      'tinyTasks.md': 'x',
      '.git/worktrees/side/commondir': '../..\n',
      'trees/side/.git': 'gitdir: ../../.git/worktrees/side\n',
      'trees/side/a.ts': 'x',
      'hidden/.git': 'gitdir: ../.git/worktrees/side\n',
      'hidden/a.ts': 'hidden',
      'sub/.git': 'gitdir: ../.git/modules/sub\n',
      'sub/a.ts': 'sub',
      '.env': 'env',
      'src/dist/a.ts': 'source',
    });
    writeFileSync(join(root, '.git/worktrees/side/gitdir'), `${root}/trees/side/.git\n`);
    expect((await scanAt(root, emptySnapshot())).map(([path]) => path)).toEqual(['.env', 'hidden/a.ts', 'src/dist/a.ts', 'sub/a.ts']);
  });

  test('compares only what people wrote in a file with the gate’s block', async () => {
    const block = (line: string) =>
      `<!-- countersign:begin (kept by Countersign; edit outside of it) -->\n${line}\n<!-- countersign:end -->\n`;
    const root = makeTree({ 'AGENTS.md': `rule\n\n${block('- one')}` });
    const seen = emptySnapshot();
    await scanAt(root, seen);
    writeFileSync(join(root, 'AGENTS.md'), `rule\n\n${block('- two')}`);
    expect(await scanAt(root, seen)).toEqual([]);
    writeFileSync(join(root, 'AGENTS.md'), 'rule\n');
    expect(await scanAt(root, seen)).toEqual([]);
    writeFileSync(join(root, 'AGENTS.md'), `another rule\n\n${block('- two')}`);
    expect((await scanAt(root, seen)).map(([path]) => path)).toEqual(['AGENTS.md']);
  });

  test('at some paths only sees those, and what is below a folder among them', async () => {
    const root = makeTree({ 'a.ts': 'a', 'b.ts': 'b', 'deep/c.ts': 'c' });
    const seen = emptySnapshot();
    await scanAt(root, seen);
    for (const path of ['a.ts', 'b.ts', 'deep/c.ts']) writeFileSync(join(root, path), 'changed');
    mkdirSync(join(root, 'new'));
    writeFileSync(join(root, 'new/d.ts'), 'd');
    expect(await scanAt(root, seen, new Set(['a.ts', 'new', 'nothing']))).toEqual([
      ['a.ts', sha('a'), sha('changed')],
      ['new/d.ts', null, sha('d')],
    ]);
    rmSync(join(root, 'new'), { recursive: true });
    expect(await scanAt(root, seen, new Set(['new']))).toEqual([['new/d.ts', sha('d'), null]]);
    expect((await scanAt(root, seen)).map(([path]) => path)).toEqual(['b.ts', 'deep/c.ts']);
  });

  test('finds again what was not to be adopted yet', async () => {
    const root = makeTree({ 'a.ts': 'a', 'b.ts': 'b' });
    const seen = emptySnapshot();
    await scanAt(root, seen);
    writeFileSync(join(root, 'a.ts'), 'A');
    rmSync(join(root, 'b.ts'));
    writeFileSync(join(root, 'c.ts'), 'c');
    const scan = await scanTree(root, seen);
    adoptScan(seen, scan, new Set(['a.ts', 'b.ts', 'c.ts']));
    expect((await scanAt(root, seen)).map(([path]) => path)).toEqual(['a.ts', 'b.ts', 'c.ts']);
    expect(await scanAt(root, seen)).toEqual([]);
  });

  test('whatever is done to a small tree, the snapshot ends as the tree is', async () => {
    const name = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/a');
    const step = fc.record({ path: name, content: fc.option(fc.constantFrom('x', 'y', 'zz'), { nil: null }) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 5 }), async (rounds) => {
        const root = makeTree();
        const seen = emptySnapshot();
        const expected = new Map<string, string>();
        for (const round of rounds) {
          for (const { path, content } of round) {
            if (content === null) rmSync(join(root, path), { force: true });
            else {
              mkdirSync(join(root, path, '..'), { recursive: true });
              writeFileSync(join(root, path), content);
            }
            if (content === null) expected.delete(path);
            else expected.set(path, sha(content));
          }
          await scanAt(root, seen);
          expect(Object.fromEntries([...seen.files].map(([path, file]) => [path, file.sha256]))).toEqual(Object.fromEntries(expected));
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('a stored snapshot', () => {
  const mark = { at: '2030-01-01T00:00:00.000Z', seq: 7, git: null };

  async function stored() {
    const root = makeTree({ 'a.ts': 'a', 'b.ts': 'b' });
    const file = join(makeTree(), 'tree.jsonl');
    const seen = emptySnapshot();
    await scanAt(root, seen);
    const lines = await writeSnapshotFile(file, root, seen.files, mark);
    return { root, file, seen, lines };
  }

  test('comes back as it was, with what later looks brought', async () => {
    const { root, file, seen, lines } = await stored();
    expect(await readSnapshotFile(file, root)).toEqual({ files: seen.files, mark, lines });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(join(root, 'a.ts'), 'A');
    rmSync(join(root, 'b.ts'));
    const scan = await scanTree(root, seen);
    const later = { ...mark, seq: 9 };
    const added = await appendScan(file, adoptScan(seen, scan), later);
    expect(await readSnapshotFile(file, root)).toEqual({ files: seen.files, mark: later, lines: lines + added });
    expect([...seen.files.keys()]).toEqual(['a.ts']);
  });

  test('without its last line is the one of the scan before', async () => {
    const { root, file, seen, lines } = await stored();
    const whole = readFileSync(file, 'utf8');
    await appendScan(file, new Map([['b.ts', null]]), { ...mark, seq: 9 });
    const longer = readFileSync(file, 'utf8');
    for (let cut = whole.length; cut < longer.length; cut++) {
      writeFileSync(file, longer.slice(0, cut));
      const back = await readSnapshotFile(file, root);
      expect({ files: back?.files, mark: back?.mark }).toEqual({ files: seen.files, mark });
    }
    expect(lines).toBe(4);
  });

  test('of another root, of another version, or of nothing sensible is ignored', async () => {
    const { file, root } = await stored();
    expect(await readSnapshotFile(file, '/elsewhere')).toBeNull();
    expect(await readSnapshotFile(join(root, 'missing'), root)).toBeNull();
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"version":1', '"version":2'));
    expect(await readSnapshotFile(file, root)).toBeNull();
    writeFileSync(file, 'no JSON\n');
    appendFileSync(file, text);
    expect(await readSnapshotFile(file, root)).toBeNull();
  });
});
