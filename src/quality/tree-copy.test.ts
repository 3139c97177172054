import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { NO_PATH_CONFIG, sha256Of } from '../workspace/index.ts';
import { ContentGone, treeHash, TreeCopy } from './tree-copy.ts';

function place(files: Readonly<Record<string, string>>) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-copy-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, 'tree');
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) put(path, content);
  const kept = new Map<string, Uint8Array>();
  const copy = new TreeCopy({ root, dir: join(base, 'copy'), contentOf: async (sha256) => kept.get(sha256) ?? null });
  const keep = (content: string) => {
    const sha256 = sha256Of(Buffer.from(content));
    kept.set(sha256, Buffer.from(content));
    return sha256;
  };
  const state = (now: Readonly<Record<string, string>>) =>
    new Map(Object.entries(now).map(([path, content]) => [path, sha256Of(Buffer.from(content))]));
  return { base, root, copy, put, keep, state, held: (path: string) => readFileSync(join(copy.dir, path), 'utf8') };
}

test('it holds what is wanted, whatever a check left in it', async () => {
  const files = { 'src/a.js': 'a', 'src/b.js': 'b' };
  const { copy, state, held, keep, root } = place(files);
  const now = state(files);
  await copy.update(now, now, NO_PATH_CONFIG);
  writeFileSync(join(copy.dir, 'src/a.js'), 'changed by a check');
  writeFileSync(join(copy.dir, 'src/new.js'), 'made by a check');
  keep('a before');
  const was = new Map([...now, ['src/a.js', keep('a before')], ['src/gone.js', keep('deleted since')]]);
  await copy.update(was, now, NO_PATH_CONFIG);
  expect([held('src/a.js'), held('src/b.js'), held('src/gone.js'), existsSync(join(copy.dir, 'src/new.js'))]).toEqual([
    'a before',
    'b',
    'deleted since',
    false,
  ]);
  expect(Object.fromEntries(await copy.scan(NO_PATH_CONFIG))).toEqual(Object.fromEntries(was));
  expect([readFileSync(join(root, 'src/a.js'), 'utf8'), existsSync(join(root, 'src/gone.js'))]).toEqual(['a', false]);
});

test('a folder that a check turned into a link leads us nowhere', async () => {
  const files = { 'src/a.js': 'a' };
  const { base, copy, state, held } = place(files);
  const now = state(files);
  await copy.update(now, now, NO_PATH_CONFIG);
  mkdirSync(join(base, 'elsewhere'));
  rmSync(join(copy.dir, 'src'), { recursive: true });
  symlinkSync(join(base, 'elsewhere'), join(copy.dir, 'src'));
  await copy.update(now, now, NO_PATH_CONFIG);
  expect([held('src/a.js'), lstatSync(join(copy.dir, 'src')).isDirectory(), existsSync(join(base, 'elsewhere/a.js'))]).toEqual([
    'a',
    true,
    false,
  ]);
});

test('what is installed is linked; a package of the workspace is the copy’s own', async () => {
  const files = { 'package.json': '{}', 'packages/own/package.json': '{}' };
  const { copy, state, root, put } = place(files);
  put('node_modules/left/index.js', '1');
  put('node_modules/@team/right/index.js', '1');
  symlinkSync('../../packages/own', join(root, 'node_modules/@team/own'));
  const now = state(files);
  expect(await copy.update(now, now, NO_PATH_CONFIG)).toContain(join(root, 'node_modules'));
  const link = (name: string) => readlinkSync(join(copy.dir, 'node_modules', name));
  expect([link('left'), link('@team/right'), link('@team/own')]).toEqual([
    join(root, 'node_modules/left'),
    join(root, 'node_modules/@team/right'),
    '../../packages/own',
  ]);
});

test('build output is copied, and copied again when it was built again', async () => {
  const files = { 'package.json': '{}' };
  const { copy, state, put, held, root } = place(files);
  put('dist/index.js', 'first');
  const now = state(files);
  await copy.update(now, now, NO_PATH_CONFIG);
  writeFileSync(join(copy.dir, 'dist/index.js'), 'by a check');
  await copy.update(now, now, NO_PATH_CONFIG);
  expect([held('dist/index.js'), readFileSync(join(root, 'dist/index.js'), 'utf8')]).toEqual(['by a check', 'first']);
  rmSync(join(root, 'dist'), { recursive: true });
  put('dist/index.js', 'second');
  utimesSync(join(root, 'dist'), 1_000, 1_000);
  await copy.update(now, now, NO_PATH_CONFIG);
  expect(held('dist/index.js')).toBe('second');
});

test('a file that is gone by the time it is copied is not there', async () => {
  const files = { 'a.js': 'a', '.a.js.tmp': 'being replaced' };
  const { copy, state, root } = place(files);
  const now = state(files);
  rmSync(join(root, '.a.js.tmp'));
  await copy.update(now, now, NO_PATH_CONFIG);
  expect([...(await copy.scan(NO_PATH_CONFIG)).keys()]).toEqual(['a.js']);
});

test('a content that was not kept cannot be restored', async () => {
  const files = { 'a.js': 'a' };
  const { copy, state } = place(files);
  await expect(copy.update(state({ 'a.js': 'never kept' }), state(files), NO_PATH_CONFIG)).rejects.toThrow(ContentGone);
});

test('the hash of a tree is that of its contents, in whichever order', () => {
  const { state } = place({});
  expect(treeHash(state({ a: '1', b: '2' }))).toBe(treeHash(state({ b: '2', a: '1' })));
  expect(treeHash(state({ a: '1' }))).not.toBe(treeHash(state({ a: '2' })));
});
