import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { citeLines } from '../../claims/index.ts';
import { openCodeIndex, type TreeIndex } from '../index.ts';
import { TreeEngine } from './engine.ts';
import { folder, openTree, write } from './tree.fixture.ts';

const SOURCES = {
  'src/shape.ts':
    "import { scale as grow } from './scale.ts';\nexport class Shape {\n  area(by: number) { return grow(by); }\n  twice() { return this.area(2); }\n}\n",
  'src/scale.ts': 'export function scale(by: number): number {\n  return by * 2;\n}\n',
  'src/main.ts':
    "import { Shape } from './shape.ts';\nimport * as math from './scale.ts';\nexport const run = () => new Shape().area(math.scale(1));\n",
  'docs/guide.md': '# Guide\nHow to scale a shape.\n',
};

/** All that can be asked, as one value. */
async function everything(tree: TreeIndex): Promise<unknown> {
  const files = await tree.files();
  const facts = await tree.facts(files.map(({ path }) => path));
  const names = [...new Set(facts.flatMap(({ definitions }) => definitions.map(({ name }) => name)))].sort();
  return {
    files,
    facts,
    events: await tree.events(),
    definitions: await Promise.all(names.map((name) => tree.definitions({ name }))),
    references: await Promise.all(names.map((name) => tree.references({ name }))),
    callees: await Promise.all(names.map((name) => tree.callees({ name }))),
    search: await Promise.all(['export', 'a', 'return', 'scale'].map((pattern) => tree.search({ pattern }))),
    rank: await tree.rank('how does scale work'),
  };
}

test('definitions by name, by what they stand in, by id, and nearly', async () => {
  const root = folder();
  write(root, SOURCES);
  const tree = openTree(root);
  await tree.ready();
  const ids = async (name: string, fuzzy = false) =>
    (await tree.definitions({ name, fuzzy })).hits.map(({ id, score }) => `${id} ${score.toFixed(2)}`);
  expect(await ids('area')).toEqual(['src/shape.ts#Shape.area 1.00']);
  expect(await ids('Shape.area')).toEqual(['src/shape.ts#Shape.area 1.00']);
  expect(await ids('Circle.area')).toEqual([]);
  expect(await ids('src/shape.ts#Shape.area')).toEqual(['src/shape.ts#Shape.area 1.00']);
  expect(await ids('shap', true)).toEqual(['src/shape.ts#Shape 0.86']);
  expect(await ids('sclae', true)).toEqual(['src/scale.ts#scale 0.45']);
  expect((await tree.definitions({ name: 'scale' })).hits).toEqual([
    {
      id: 'src/scale.ts#scale',
      name: 'scale',
      kind: 'function',
      path: 'src/scale.ts',
      range: { start_line: 1, start_column: 1, end_line: 3 },
      line: 1,
      container: null,
      signature: 'export function scale(by: number): number',
      exported: true,
      score: 1,
      citation: {
        ...(await citeLines(root, { path: 'src/scale.ts', start_line: 1, end_line: 1 })),
        excerpt: 'export function scale(by: number): number {',
        file_sha256: (await tree.text('src/scale.ts'))!.sha256,
      },
    },
  ]);
});

test('references follow imports, aliases, namespaces and members', async () => {
  const root = folder();
  write(root, { ...SOURCES, 'src/other.ts': 'export function scale() {}\nscale();\nconst area = 1;\nexport { area };\n' });
  const tree = openTree(root);
  await tree.ready();
  const uses = async (name: string) =>
    (await tree.references({ name })).hits.map(({ path, line, role, certainty }) => `${path}:${line} ${role} ${certainty}`);
  expect(await uses('src/scale.ts#scale')).toEqual([
    'src/main.ts:3 call resolved',
    'src/shape.ts:1 import resolved',
    'src/shape.ts:3 call resolved',
  ]);
  expect(await uses('src/other.ts#scale')).toEqual(['src/other.ts:2 call resolved']);
  expect(await uses('Shape.area')).toEqual(['src/main.ts:3 call name', 'src/shape.ts:4 call resolved']);
  expect((await tree.callers({ name: 'src/scale.ts#scale' })).hits.map(({ name, call }) => `${name} ${call.arguments}`)).toEqual([
    'run 1',
    'area by',
  ]);
  expect(
    (await tree.callees({ name: 'run' })).hits.map(({ name, definition, certainty }) => [name, definition?.id ?? null, certainty]),
  ).toEqual([
    ['Shape', 'src/shape.ts#Shape', 'resolved'],
    ['area', 'src/shape.ts#Shape.area', 'name'],
    ['scale', 'src/scale.ts#scale', 'resolved'],
  ]);
  expect(
    (await tree.symbolGraph({ symbol: 'src/scale.ts#scale' })).edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`).sort(),
  ).toEqual([
    'src/main.ts#run calls src/scale.ts#scale',
    'src/scale.ts contains src/scale.ts#scale',
    'src/shape.ts#Shape.area calls src/scale.ts#scale',
  ]);
  expect((await tree.symbolGraph({ file: 'src/main.ts', depth: 0 })).edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`)).toEqual([
    'src/main.ts contains src/main.ts#run',
    'src/main.ts imports src/shape.ts',
    'src/main.ts imports src/scale.ts',
  ]);
});

test('text is found by words, cases, patterns and globs, with what is around it', async () => {
  const root = folder();
  write(root, { 'a.ts': 'const Limit = 1;\r\nlimit(2);\nunlimited();\n', 'b/c.md': 'the limit\n' });
  const tree = openTree(root);
  await tree.ready();
  const found = async (question: Parameters<TreeIndex['search']>[0]) =>
    (await tree.search(question)).hits.map(({ path, line, column }) => `${path}:${line}:${column}`);
  expect(await found({ pattern: 'limit' })).toEqual(['a.ts:2:1', 'a.ts:3:3', 'b/c.md:1:5']);
  expect(await found({ pattern: 'limit', ignore_case: true })).toEqual(['a.ts:1:7', 'a.ts:2:1', 'a.ts:3:3', 'b/c.md:1:5']);
  expect(await found({ pattern: 'limit', whole_word: true })).toEqual(['a.ts:2:1', 'b/c.md:1:5']);
  expect(await found({ pattern: '^l\\w+\\(', regex: true })).toEqual(['a.ts:2:1']);
  expect(await found({ pattern: '1;$', regex: true })).toEqual(['a.ts:1:15']);
  expect(await found({ pattern: 'limit', glob: '*.md' })).toEqual(['b/c.md:1:5']);
  expect(await found({ pattern: 'limit', under: 'b' })).toEqual(['b/c.md:1:5']);
  expect(await tree.search({ pattern: 'limit(', context: 1, limit: 5 })).toMatchObject({
    hits: [{ before: ['const Limit = 1;'], after: ['unlimited();'] }],
    incomplete: null,
  });
  expect(await tree.search({ pattern: 'limit', limit: 1 })).toMatchObject({ incomplete: 'more than 1 matches' });
  await expect(tree.search({ pattern: '(?=a)', regex: true })).rejects.toThrow('The pattern cannot be read');
});

verifies('G27', 'broken, binary, huge and ignored files cost only themselves', async () => {
  const root = folder();
  write(root, {
    '.gitignore': 'secret/\n*.log\n!keep.log\n',
    'src/.gitignore': 'local.ts\n',
    'secret/a.ts': 'export const hidden = 1;',
    'a.log': 'x',
    'keep.log': 'kept',
    'src/local.ts': 'export const own = 1;',
    'src/ok.ts': 'export const ok = 1;',
    'src/broken.ts': 'export const fine = 1;\nexport const = 3;',
    'src/binary.ts': Uint8Array.of(1, 0, 2),
    'huge.txt': 'x'.repeat(4 * 1024 * 1024 + 1),
    'picture.png': 'not read',
    'node_modules/a/index.ts': 'export const dependency = 1;',
  });
  const tree = openTree(root);
  const status = await tree.ready();
  expect({ state: status.state, files: status.files, skipped: status.skipped, errors: status.errors }).toEqual({
    state: 'ready',
    files: 5,
    skipped: 3,
    errors: 1,
  });
  expect((await tree.files()).map(({ path }) => path)).toEqual(['.gitignore', 'keep.log', 'src/.gitignore', 'src/broken.ts', 'src/ok.ts']);
  expect((await tree.events()).hits).toEqual([
    { kind: 'skipped', path: 'huge.txt', why: 'is larger than 4194304 bytes' },
    { kind: 'skipped', path: 'picture.png', why: 'is binary by its name' },
    { kind: 'skipped', path: 'src/binary.ts', why: 'is binary: it has a zero byte' },
    { kind: 'parse_error', path: 'src/broken.ts', why: expect.stringMatching(/./) },
  ]);
  expect((await tree.definitions({ name: 'fine' })).hits).toHaveLength(1);
});

verifies('G27', 'a restart without changes reads no source again', async () => {
  const root = folder();
  const kept = folder();
  write(root, SOURCES);
  const first = openTree(root, { folder: kept });
  await first.ready();
  // A file as new as its scan is scanned once more; from then on its stamp counts.
  const newest = Math.max(...Object.keys(SOURCES).map((path) => statSync(join(root, path)).ctimeMs));
  while (Date.now() < newest + 100) await new Promise((resolve) => setImmediate(resolve));
  await first.refresh();
  const before = await everything(first);
  await first.close();
  const segments = readdirSync(kept).map((name) => [name, statSync(join(kept, name)).ino]);

  const second = openTree(root, { folder: kept });
  expect((await second.ready()).revision).toBe(0);
  expect(await everything(second)).toEqual(before);
  await second.close();
  expect(readdirSync(kept).map((name) => [name, statSync(join(kept, name)).ino])).toEqual(segments);
});

test('files that their parser does not come back from are left out, one by one', async () => {
  const root = folder();
  write(root, SOURCES);
  const tree = new TreeEngine({ root, folder: null, visibility: {}, watch: false, threads: 1, waitTimeoutMs: 1 });
  onTestFinished(() => tree.close());
  expect(await tree.ready()).toMatchObject({ state: 'ready', files: 0, skipped: 4 });
  expect((await tree.events()).hits).toEqual(
    Object.keys(SOURCES)
      .sort()
      .map((path) => ({ kind: 'skipped', path, why: 'took the parser longer than 1 ms' })),
  );
});

test('a damaged store is rebuilt', async () => {
  const root = folder();
  const kept = folder();
  write(root, SOURCES);
  const first = openTree(root, { folder: kept });
  await first.ready();
  const before = await everything(first);
  await first.close();
  const segment = readdirSync(kept).find((name) => name.endsWith('.segment'))!;
  writeFileSync(join(kept, segment), 'damaged');
  const second = openTree(root, { folder: kept });
  await second.ready();
  await second.files();
  await second.refresh();
  expect(await everything(second)).toEqual(before);
  await second.close();
  writeFileSync(join(kept, 'manifest.json'), '{"version": 1,');
  const third = openTree(root, { folder: kept });
  await third.ready();
  expect(await everything(third)).toEqual(before);
});

const path = fc.constantFrom('a.ts', 'b.ts', 'x/a.ts', 'x/b.py', 'x/y/c.md', 'd.json', 'x/.gitignore');
const content = fc.constantFrom(
  'export function one() { return two(); }\n',
  "import { one } from './a.ts';\nexport const two = () => one();\n",
  'def one():\n    return scale()\n',
  '# One\n## Two\n',
  '{"one": {"two": 1}}',
  'b.py\n',
  'export const = broken',
  '',
);
const edit = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path, content }),
  fc.record({ kind: fc.constant('delete' as const), path }),
  fc.record({ kind: fc.constant('rename' as const), path, to: path }),
);

const editAtRandom = async (): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }), async (rounds) => {
      const root = folder();
      write(root, { 'a.ts': 'export function one() {}\n' });
      const tree = openTree(root);
      await tree.ready();
      for (const round of rounds) {
        for (const step of round) {
          const place = join(root, step.path);
          if (step.kind === 'write') write(root, { [step.path]: step.content });
          else if (step.kind === 'delete') rmSync(place, { force: true });
          else {
            mkdirSync(join(root, step.to, '..'), { recursive: true });
            try {
              renameSync(place, join(root, step.to));
            } catch {
              // There is no such file.
            }
          }
        }
        await tree.refresh(
          rounds.length % 2 === 0 ? round.flatMap((step) => (step.kind === 'rename' ? [step.path, step.to] : [step.path])) : undefined,
        );
      }
      const fresh = openTree(root);
      await fresh.ready();
      expect(await everything(tree)).toEqual(await everything(fresh));
      await Promise.all([tree.close(), fresh.close()]);
    }),
    { numRuns: 6 },
  );
};
verifies('G27', 'what came in bit by bit is what a fresh index says', editAtRandom, 120_000);

test('a change is in as soon as it is seen, and a branch that is switched as well', async () => {
  const root = folder();
  const git = (...given: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...given], { stdio: 'ignore' });
  write(root, SOURCES);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  git('checkout', '-qb', 'other');
  write(root, { 'src/scale.ts': 'export function resize() {}\n', 'src/deep/new.ts': 'export const fresh = 1;\n' });
  git('add', '.');
  git('commit', '-qm', 'two');
  const tree = openTree(root, { watch: true });
  const isIn = async (name: string, count: number): Promise<void> => {
    for (;;) {
      if ((await tree.definitions({ name })).hits.length === count) return;
      await new Promise<void>((resolve) => {
        const stop = tree.onChange(() => {
          stop();
          resolve();
        });
        // What was seen between the question and here.
        setTimeout(resolve, 200).unref();
      });
    }
  };
  expect((await tree.ready()).watching).toBe(true);
  await isIn('fresh', 1);
  git('checkout', '-q', '-');
  await isIn('fresh', 0);
  await isIn('scale', 1);
  write(root, { 'src/deep/er/x.ts': 'export const later = 1;\n' });
  await isIn('later', 1);
  rmSync(join(root, 'src/deep'), { recursive: true });
  await isIn('later', 0);
});

test('questions are answered from another thread, with faults as faults', async () => {
  const root = folder();
  write(root, SOURCES);
  const index = openCodeIndex(undefined, { cacheDir: folder() });
  try {
    const tree = index.tree(root);
    expect(index.tree(root)).toBe(tree);
    expect((await tree.ready()).files).toBe(4);
    expect((await tree.outline('docs/guide.md'))?.entries.map(({ name, depth }) => [name, depth])).toEqual([['Guide', 0]]);
    expect((await tree.rank('guide to a shape')).hits[0]?.path).toBe('docs/guide.md');
    await expect(tree.search({ pattern: '(', regex: true })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(tree.symbolGraph({ file: 'none.ts' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  } finally {
    await index.close();
  }
});
