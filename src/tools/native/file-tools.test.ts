// The file tools as the gate runs them: parsed, declared, run against a real tree.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { NO_PATH_CONFIG, sha256Of } from '../../workspace/index.ts';
import type { RunContext } from '../../protocol/index.ts';
import { describeCall, ownRegistry } from '../registry.fixture.ts';

function makeTree(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-files-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

async function run(
  root: string,
  tool: string,
  input: Record<string, unknown>,
  privateFolders: readonly string[] = [],
  cwd = root,
  judged: RunContext['place']['judged'] = [],
): Promise<unknown> {
  const pathsOf = async () => NO_PATH_CONFIG;
  const call = ownRegistry({ privateFolders, pathsOf }).describeCall({ tool, input, place: { root, cwd } });
  const context = { action: { root }, place: { root, cwd, judged } } as unknown as RunContext;
  return (await call.run?.(context))?.output;
}

const hash = (text: string): string => sha256Of(Buffer.from(text));
const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');
const names = (root: string): string[] => readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();
const fault = (code: string, message: string) => expect.objectContaining({ code, message: expect.stringContaining(message) });

verifies('I9', 'a relative path is the one that was judged, also in a subfolder', async () => {
  const root = makeTree({ 'README.md': 'outer', 'src/a.ts': 'a', 'src/README.md': 'inner' });
  const inSub = (tool: string, input: Record<string, unknown>) => run(root, tool, input, [], join(root, 'src'));
  expect(await inSub('read_file', { path: 'README.md' })).toMatchObject({ path: 'src/README.md', content: 'inner' });
  expect(await inSub('list_files', {})).toEqual({ files: ['src/README.md', 'src/a.ts'] });
  expect(await inSub('search_files', { pattern: 'er' })).toEqual({ matches: [{ path: 'src/README.md', line: 1, text: 'inner' }] });
  expect(await inSub('write_file', { path: 'README.md', content: 'new' })).toMatchObject({ path: 'src/README.md' });
  expect(await inSub('edit_file', { path: 'a.ts', edits: [{ old_text: 'a', new_text: 'b' }] })).toMatchObject({ path: 'src/a.ts' });
  const patch = '*** Begin Patch\n*** Update File: a.ts\n-b\n+c\n*** End Patch\n';
  expect(await inSub('apply_patch', { patch })).toMatchObject({ files: [{ path: 'src/a.ts' }] });
  expect(await inSub('move_file', { from: 'a.ts', to: 'b.ts' })).toMatchObject({ from: 'src/a.ts', path: 'src/b.ts' });
  expect(await inSub('delete_file', { path: 'b.ts' })).toMatchObject({ path: 'src/b.ts' });
  expect([names(root), read(root, 'README.md')]).toEqual([['README.md', 'src', 'src/README.md'], 'outer']);
});

test('read_file gives lines, and the hash of the whole file', async () => {
  const root = makeTree({ 'a.ts': 'one\ntwo\nthree', empty: '', 'a.bin': Buffer.from([0, 1, 2]), 'long.txt': 'x\n'.repeat(2500) });
  const sha256 = hash('one\ntwo\nthree');
  expect(await run(root, 'read_file', { path: 'a.ts' })).toEqual({ path: 'a.ts', content: 'one\ntwo\nthree', sha256, lines: 3 });
  expect(await run(root, 'read_file', { path: join(root, 'a.ts'), start_line: 2, end_line: 2 })).toEqual({
    path: 'a.ts',
    content: 'two\n',
    sha256,
    lines: 3,
    start_line: 2,
    end_line: 2,
  });
  expect(await run(root, 'read_file', { path: 'empty' })).toEqual({ path: 'empty', content: '', sha256: hash(''), lines: 0 });
  expect(await run(root, 'read_file', { path: 'a.bin' })).toEqual({
    path: 'a.bin',
    content: '',
    sha256: sha256Of(Buffer.from([0, 1, 2])),
    binary: true,
    bytes: 3,
  });
  expect(await run(root, 'read_file', { path: 'long.txt' })).toEqual({
    path: 'long.txt',
    content: 'x\n'.repeat(2000),
    sha256: hash('x\n'.repeat(2500)),
    lines: 2500,
    start_line: 1,
    end_line: 2000,
    hint: 'Call again with start_line 2001 for more',
  });
  await expect(run(root, 'read_file', { path: 'none' })).rejects.toThrow(fault('NOT_FOUND', 'There is no file none'));
});

test('list_files shows a folder, or what a glob covers', async () => {
  const root = makeTree({ 'a.ts': '', 'src/b.ts': '', 'src/deep/c.ts': '', 'node_modules/x/d.ts': '', '.git/e.ts': '', 'src/f.md': '' });
  symlinkSync('src', join(root, 'link'));
  expect(await run(root, 'list_files', {})).toEqual({ files: ['.git/', 'a.ts', 'link', 'node_modules/', 'src/'] });
  expect(await run(root, 'list_files', { path: 'src' })).toEqual({ files: ['src/b.ts', 'src/deep/', 'src/f.md'] });
  expect(await run(root, 'list_files', { glob: '*.ts' })).toEqual({ files: ['a.ts', 'src/b.ts', 'src/deep/c.ts'] });
  expect(await run(root, 'list_files', { path: 'src', glob: 'deep/*' })).toEqual({ files: ['src/deep/c.ts'] });
  expect(await run(root, 'list_files', { path: 'node_modules', glob: '**' })).toEqual({ files: ['node_modules/x/d.ts'] });
  await expect(run(root, 'list_files', { path: 'none' })).rejects.toThrow(fault('NOT_FOUND', 'There is no folder none'));
});

test('search_files finds lines by text or by pattern, and leaves out what is binary or derived', async () => {
  const root = makeTree({
    'src/a.ts': 'const login = 1;\nlogout();\n',
    'src/b.md': 'login (.*)\r\n',
    'dist/a.js': 'login',
    '.git/config': 'login',
    'a.bin': Buffer.from('login\0'),
  });
  const a = { path: 'src/a.ts', line: 1, text: 'const login = 1;' };
  const b = { path: 'src/b.md', line: 1, text: 'login (.*)' };
  expect(await run(root, 'search_files', { pattern: 'login' })).toEqual({ matches: [a, b] });
  expect(await run(root, 'search_files', { pattern: '(.*)' })).toEqual({ matches: [b] });
  expect(await run(root, 'search_files', { pattern: '^log(in|out).*\\)', regex: true, glob: '*.md' })).toEqual({ matches: [b] });
  expect(await run(root, 'search_files', { pattern: 'log', limit: 1 })).toEqual({ matches: [a], incomplete: 'more than 1 matches' });
  expect(await run(root, 'search_files', { pattern: 'login', path: 'src/a.ts' })).toEqual({ matches: [a] });
  expect(await run(root, 'search_files', { pattern: 'login', path: 'dist' })).toEqual({
    matches: [{ path: 'dist/a.js', line: 1, text: 'login' }],
  });
  await expect(run(root, 'search_files', { pattern: '(', regex: true })).rejects.toThrow(
    fault('BAD_REQUEST', 'The pattern cannot be read'),
  );
  await expect(run(root, 'search_files', { pattern: 'x', path: 'no/such' })).rejects.toThrow(
    fault('NOT_FOUND', 'There is nothing at no/such'),
  );
  await expect(run(root, 'search_files', { pattern: '' })).rejects.toThrow(fault('BAD_REQUEST', 'The pattern has to have 1 to'));
  // Back references and look-around make other engines hang.
  await expect(run(root, 'search_files', { pattern: '(a+)+\\1', regex: true })).rejects.toThrow(fault('BAD_REQUEST', 'cannot be read'));
});

verifies('N11', 'credentials and keys are neither listed nor quoted', async () => {
  const root = makeTree({ '.ai/auth/jira.token': 'secret', '.ai/tmp/a.md': 'secret', 'home/keys/k': 'secret', 'src/.AI/Auth/x': 'secret' });
  symlinkSync('.ai/auth', join(root, 'link'));
  const keys = [join(root, 'home')];
  expect(await run(root, 'search_files', { pattern: 'secret' }, keys)).toEqual({
    matches: [{ path: '.ai/tmp/a.md', line: 1, text: 'secret' }],
  });
  expect(await run(root, 'list_files', { glob: '**' }, keys)).toEqual({ files: ['.ai/tmp/a.md'] });
  expect(await run(root, 'list_files', { path: '.ai' }, keys)).toEqual({ files: ['.ai/tmp/'] });
  expect(await run(root, 'list_files', {}, keys)).toEqual({ files: ['.ai/', 'link', 'src/'] });
  for (const path of ['.ai/auth', 'link', 'home', 'src/.AI/Auth']) {
    for (const [tool, input] of [
      ['list_files', {}],
      ['list_files', { glob: '**' }],
      ['search_files', { pattern: 'secret' }],
    ] as const)
      await expect(run(root, tool, { ...input, path }, keys)).rejects.toThrow(fault('FORBIDDEN', 'is not for agents'));
  }
  for (const path of ['.ai/auth/jira.token', 'link/jira.token', 'home/keys/k'])
    await expect(run(root, 'read_file', { path }, keys)).rejects.toThrow(fault('FORBIDDEN', 'is not for agents'));
});

verifies('I10', 'write_file replaces what was read, or fails', async () => {
  const root = makeTree({ 'a.sh': 'old' });
  chmodSync(join(root, 'a.sh'), 0o755);
  await expect(run(root, 'write_file', { path: 'a.sh', content: 'x', base_sha256: hash('other') })).rejects.toThrow(
    fault('CONFLICT', `a.sh changed since you read it; its sha256 is ${hash('old')} now`),
  );
  await expect(run(root, 'write_file', { path: 'new', content: 'x', base_sha256: hash('other') })).rejects.toThrow(
    fault('CONFLICT', 'new changed since you read it: it is gone'),
  );
  expect(read(root, 'a.sh')).toBe('old');
  expect(await run(root, 'write_file', { path: 'a.sh', content: 'new', base_sha256: hash('old') })).toEqual({
    path: 'a.sh',
    sha256: hash('new'),
    created: false,
  });
  expect([read(root, 'a.sh'), lstatSync(join(root, 'a.sh')).mode & 0o777]).toEqual(['new', 0o755]);
  expect(await run(root, 'write_file', { path: 'x/y/z.ts', content: 'é' })).toEqual({ path: 'x/y/z.ts', sha256: hash('é'), created: true });
  await expect(run(root, 'write_file', { path: 'a.sh', content: '\ud800' })).rejects.toThrow(fault('BAD_REQUEST', 'is not valid unicode'));
});

verifies('I10', 'rewriting a large file whole draws the advice to edit it', async () => {
  const root = makeTree({ 'large.ts': 'x\n'.repeat(401), 'small.ts': 'x\n'.repeat(10) });
  expect(await run(root, 'write_file', { path: 'large.ts', content: 'y' })).toEqual({
    path: 'large.ts',
    sha256: hash('y'),
    created: false,
    hint: 'large.ts had 402 lines; prefer edit_file, which changes only what has to change',
  });
  expect(await run(root, 'write_file', { path: 'small.ts', content: 'y' })).toEqual({
    path: 'small.ts',
    sha256: hash('y'),
    created: false,
  });
});

test('edit_file replaces exact texts, all or none', async () => {
  const root = makeTree({ 'a.ts': 'let a = 1;\nlet b = 2;\n', 'a.bin': Buffer.from([0xff, 0xfe]) });
  const edit = (old_text: string, new_text: string) => ({ old_text, new_text });
  await expect(run(root, 'edit_file', { path: 'a.ts', edits: [edit('a = 1', 'a = 3'), edit('let', 'const')] })).rejects.toThrow(
    fault('BAD_REQUEST', 'edits.1: old_text occurs 2 times in a.ts'),
  );
  expect(read(root, 'a.ts')).toBe('let a = 1;\nlet b = 2;\n');
  expect(
    await run(root, 'edit_file', { path: 'a.ts', edits: [edit('a = 1', 'a = 3'), { ...edit('let', 'const'), replace_all: true }] }),
  ).toEqual({
    path: 'a.ts',
    sha256: hash('const a = 3;\nconst b = 2;\n'),
    replaced: 3,
  });
  expect(read(root, 'a.ts')).toBe('const a = 3;\nconst b = 2;\n');
  const stale = { path: 'a.ts', edits: [edit('a = 3', '')], base_sha256: hash('old') };
  await expect(run(root, 'edit_file', stale)).rejects.toThrow(fault('CONFLICT', 'a.ts changed since you read it'));
  await expect(run(root, 'edit_file', { path: 'a.bin', edits: [edit('a', 'b')] })).rejects.toThrow(
    fault('BAD_REQUEST', 'is binary or not UTF-8'),
  );
  await expect(run(root, 'edit_file', { path: 'none', edits: [edit('a', 'b')] })).rejects.toThrow(
    fault('NOT_FOUND', 'There is no file none'),
  );
});

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
-one
+ONE
*** Add File: src/new/b.ts
+b
*** Delete File: old.ts
*** Update File: run.sh
*** Move to: bin/run.sh
 #!
+exit
*** End Patch
`;

test('apply_patch declares every path that it touches, and changes all of them', async () => {
  const root = makeTree({ 'src/a.ts': 'one\ntwo\n', 'old.ts': 'x', 'run.sh': '#!\n' });
  chmodSync(join(root, 'run.sh'), 0o755);
  const { effects, resources } = describeCall('apply_patch', { patch: PATCH }, { root, cwd: root });
  const file = (path: string, access: string) => ({ kind: 'file', path, access, targeted: true });
  expect({ effects, resources }).toEqual({
    effects: ['write'],
    resources: [
      file('src/a.ts', 'write'),
      file('src/new/b.ts', 'write'),
      file('old.ts', 'delete'),
      file('run.sh', 'delete'),
      file('bin/run.sh', 'write'),
    ],
  });
  expect(await run(root, 'apply_patch', { patch: PATCH })).toEqual({
    files: [
      { path: 'src/a.ts', sha256: hash('ONE\ntwo\n') },
      { path: 'src/new/b.ts', sha256: hash('b\n') },
      { path: 'old.ts', sha256: null },
      { path: 'run.sh', sha256: null },
      { path: 'bin/run.sh', sha256: hash('#!\nexit\n') },
    ],
  });
  expect([read(root, 'src/a.ts'), read(root, 'src/new/b.ts'), existsSync(join(root, 'old.ts')), existsSync(join(root, 'run.sh'))]).toEqual([
    'ONE\ntwo\n',
    'b\n',
    false,
    false,
  ]);
  expect([read(root, 'bin/run.sh'), lstatSync(join(root, 'bin/run.sh')).mode & 0o777]).toEqual(['#!\nexit\n', 0o755]);
});

verifies('I10', 'a patch of which one part fails changes nothing', async () => {
  const cases: [Record<string, string>, string][] = [
    [{ 'src/a.ts': 'other\n', 'old.ts': 'x', 'run.sh': '#!\n' }, 'src/a.ts, hunk 1'],
    [{ 'src/a.ts': 'one\n', 'run.sh': '#!\n' }, 'There is no file old.ts'],
    [{ 'src/a.ts': 'one\n', 'src/new/b.ts': '', 'old.ts': 'x', 'run.sh': '#!\n' }, 'src/new/b.ts is there already'],
    [{ 'src/a.ts': 'one\n', 'old.ts': 'x', 'run.sh': '#!\n', 'bin/run.sh': '' }, 'bin/run.sh is there already'],
    [{ 'src/a.ts': 'one\n', 'old.ts': 'x', 'run.sh': '' }, 'run.sh, hunk 1'],
  ];
  for (const [files, message] of cases) {
    const root = makeTree(files);
    const before = names(root);
    await expect(run(root, 'apply_patch', { patch: PATCH })).rejects.toThrow(message);
    expect(names(root)).toEqual(before);
    for (const [path, content] of Object.entries(files)) expect(read(root, path)).toBe(content);
  }
});

test('a unified diff deletes only what it shows', async () => {
  const root = makeTree({ 'a.ts': 'x\n', 'b.ts': 'x\ny\n' });
  const removal = (path: string) => `--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`;
  expect(await run(root, 'apply_patch', { patch: removal('a.ts') })).toEqual({ files: [{ path: 'a.ts', sha256: null }] });
  await expect(run(root, 'apply_patch', { patch: removal('b.ts') })).rejects.toThrow(
    fault('BAD_REQUEST', 'b.ts holds more than the patch deletes'),
  );
  expect(readdirSync(root)).toEqual(['b.ts']);
});

test('delete_file and move_file act on one file each', async () => {
  const root = makeTree({ 'a.ts': 'a', 'b.ts': 'b' });
  await expect(run(root, 'delete_file', { path: 'a.ts', base_sha256: hash('x') })).rejects.toThrow(fault('CONFLICT', 'a.ts changed since'));
  expect(await run(root, 'delete_file', { path: 'a.ts', base_sha256: hash('a') })).toEqual({ path: 'a.ts', was_sha256: hash('a') });
  await expect(run(root, 'delete_file', { path: 'a.ts' })).rejects.toThrow(fault('NOT_FOUND', 'There is no file a.ts'));
  expect(await run(root, 'move_file', { from: 'b.ts', to: 'c/d.ts' })).toEqual({ from: 'b.ts', path: 'c/d.ts', sha256: hash('b') });
  expect(names(root)).toEqual(['c', 'c/d.ts']);
  await expect(run(root, 'move_file', { from: 'b.ts', to: 'x' })).rejects.toThrow(fault('NOT_FOUND', 'There is no file b.ts'));
  const { effects, resources } = describeCall('move_file', { from: 'a', to: 'b' }, { root, cwd: root });
  expect([effects, resources]).toEqual([
    ['write'],
    [
      { kind: 'file', path: 'a', access: 'delete', targeted: true },
      { kind: 'file', path: 'b', access: 'write' },
    ],
  ]);
});

test('a path that leads elsewhere than when it was judged is not followed', async () => {
  const root = makeTree({ 'a.ts': 'a\n', 'b.ts': 'b\n' });
  const judged = [{ path: 'a.ts', access: 'write', real: 'b.ts', sha256: null }] as const;
  await expect(run(root, 'write_file', { path: 'a.ts', content: 'x' }, [], root, judged)).rejects.toThrow(
    fault('CONFLICT', 'a.ts leads to another file than it did when it was judged'),
  );
  expect([read(root, 'a.ts'), read(root, 'b.ts')]).toEqual(['a\n', 'b\n']);
});
