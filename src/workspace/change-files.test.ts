import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, lstatSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { changeFiles, type FileChange, moveFile } from './change-files.ts';
import { openByDescriptor, openByPath } from './open-folder.ts';
import { readInRoot, sha256Of, twinOf } from './tree-file.ts';
import { makeTree } from './tree.fixture.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const hash = (text: string): string => sha256Of(bytes(text));
const text = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');
/** Every file and folder, as text. */
const all = (root: string): Record<string, string | null> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .toSorted()
      .map((path) => [path, lstatSync(join(root, path)).isFile() ? text(root, path) : null]),
  );
const fault = (code: string, message: string) => expect.objectContaining({ code, message: expect.stringContaining(message) });

test('a file is read with its hash, and what is not there is null', async () => {
  const root = makeTree({ 'src/a.ts': 'a\n' });
  expect(await readInRoot(root, 'src/a.ts')).toEqual({ bytes: Buffer.from('a\n'), sha256: hash('a\n'), mode: 0o644 });
  expect(await readInRoot(root, 'src/b.ts')).toBe(null);
  expect(await readInRoot(root, 'gone/deep/b.ts')).toBe(null);
});

test('files are made, replaced and deleted in one change, and folders are made as needed', async () => {
  const root = makeTree({ 'src/a.ts': 'a', 'src/b.ts': 'b' });
  chmodSync(join(root, 'src/a.ts'), 0o750);
  await changeFiles(root, [
    { path: 'src/a.ts', content: bytes('A'), expect: hash('a') },
    { path: 'src/b.ts', content: null, expect: hash('b') },
    { path: 'new/deep/c.ts', content: bytes('c'), expect: null },
    { path: 'new/run.sh', content: bytes('#!'), mode: 0o755 },
    { path: 'gone/x', content: null },
  ]);
  expect(all(root)).toEqual({ new: null, 'new/deep': null, 'new/deep/c.ts': 'c', 'new/run.sh': '#!', src: null, 'src/a.ts': 'A' });
  const modes = ['src/a.ts', 'new/run.sh', 'new/deep/c.ts'].map((path) => lstatSync(join(root, path)).mode & 0o777);
  expect(modes).toEqual([0o750, 0o755, 0o644]);
});

verifies('I10', 'one expectation that fails changes nothing and names the file', async () => {
  const root = makeTree({ 'a.ts': 'a', 'b.ts': 'b' });
  const before = all(root);
  const first: FileChange = { path: 'new/dir/c.ts', content: bytes('c'), expect: null };
  const cases: [FileChange, string][] = [
    [{ path: 'b.ts', content: bytes('B'), expect: hash('other') }, 'b.ts changed since'],
    [{ path: 'b.ts', content: null, expect: hash('other') }, 'b.ts changed since'],
    [{ path: 'b.ts', content: bytes('B'), expect: null }, 'b.ts is there already'],
    [{ path: 'gone.ts', content: bytes('B'), expect: hash('b') }, 'gone.ts is gone'],
    [{ path: 'no/gone.ts', content: null, expect: hash('b') }, 'no/gone.ts is gone'],
  ];
  for (const [change, message] of cases) {
    await expect(changeFiles(root, [first, change])).rejects.toThrow(fault('CONFLICT', message));
    expect(all(root)).toEqual(before);
  }
});

/** Makes every name in the folder unchangeable until the test ends. False: root ignores these permissions. */
function shut(folder: string): boolean {
  if (process.getuid?.() !== 0) {
    chmodSync(folder, 0o555);
    onTestFinished(() => chmodSync(folder, 0o755));
    return true;
  }
  if (spawnSync('chattr', ['+i', folder]).status !== 0) return false;
  onTestFinished(() => void execFileSync('chattr', ['-i', folder]));
  return true;
}

test('a failure after the first rename puts everything back', async ({ skip }) => {
  const root = makeTree({ 'a.ts': 'a', 'gone.ts': 'gone', 'shut/x': 'x' });
  chmodSync(join(root, 'a.ts'), 0o640);
  // A deletion writes nothing into a folder, so only the last step of the change finds it read-only.
  if (!shut(join(root, 'shut'))) skip();
  const before = all(root);
  const inode = lstatSync(join(root, 'gone.ts')).ino;
  const changes: FileChange[] = [
    { path: 'a.ts', content: bytes('A') },
    { path: 'gone.ts', content: null },
    { path: 'new/c.ts', content: bytes('c') },
    { path: 'shut/x', content: null },
  ];
  await expect(changeFiles(root, changes)).rejects.toThrow(fault('CONFLICT', 'shut/x cannot be changed now (E'));
  expect(all(root)).toEqual(before);
  expect([lstatSync(join(root, 'gone.ts')).ino, lstatSync(join(root, 'a.ts')).mode & 0o777]).toEqual([inode, 0o640]);
});

test('a path twice in one change is refused, in any unicode form', async () => {
  const root = makeTree({});
  const twice = ['caf\u00e9', 'cafe\u0301'].map((path) => ({ path, content: bytes('x') }));
  await expect(changeFiles(root, twice)).rejects.toThrow(fault('BAD_REQUEST', 'it is named twice in one change'));
  expect(all(root)).toEqual({});
});

test('a file moves with its content and mode, and never onto another', async () => {
  const root = makeTree({ 'a.sh': 'a', 'b.sh': 'b' });
  chmodSync(join(root, 'a.sh'), 0o755);
  await expect(moveFile(root, 'a.sh', 'b.sh')).rejects.toThrow(fault('CONFLICT', 'b.sh is there already'));
  await expect(moveFile(root, 'a.sh', 'new/c.sh', hash('other'))).rejects.toThrow(fault('CONFLICT', 'a.sh changed since'));
  await expect(moveFile(root, 'none', 'new/c.sh')).rejects.toThrow(fault('NOT_FOUND', 'There is no file none'));
  await expect(moveFile(root, 'a.sh', 'a.sh')).rejects.toThrow(fault('CONFLICT', 'a.sh is there already'));
  expect(all(root)).toEqual({ 'a.sh': 'a', 'b.sh': 'b' });
  await moveFile(root, 'a.sh', 'new/deep/c.sh', hash('a'));
  expect(all(root)).toEqual({ 'b.sh': 'b', new: null, 'new/deep': null, 'new/deep/c.sh': 'a' });
  expect(lstatSync(join(root, 'new/deep/c.sh')).mode & 0o777).toBe(0o755);
});

verifies('I9', 'links, folders, pipes, sockets and paths outside are refused with their reason', async () => {
  const base = makeTree({ 'work/src/a.ts': 'a', 'outside/secret': 's' });
  const root = join(base, 'work');
  symlinkSync('../outside', join(root, 'out'));
  symlinkSync('../outside/secret', join(root, 'file-out'));
  symlinkSync('src', join(root, 'in'));
  symlinkSync('nothing', join(root, 'dangling'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const server = createServer().listen(join(root, 'sock'));
  onTestFinished(() => void server.close());
  const cases: [string, string][] = [
    ['out/secret', 'it leads outside the work tree'],
    ['file-out', 'it leads outside the work tree'],
    ['../outside/secret', 'it leads outside the work tree'],
    [join(base, 'outside/secret'), 'it leads outside the work tree'],
    ['in/a.ts', 'its real path is src/a.ts'],
    ['src/../src/a.ts', 'its real path is src/a.ts'],
    ['dangling', 'it is a link to something that does not exist'],
    ['pipe', 'it is a FIFO, a socket or a device'],
    ['sock', 'it is a FIFO, a socket or a device'],
    ['/dev/null', 'it leads outside the work tree'],
    ['src', 'it is a folder'],
    ['.', 'it is the root'],
    ['src/a.ts/b', 'it goes through a file as if that were a folder'],
    ['a\0b', 'it has control or invisible characters'],
    ['x'.repeat(300), 'it has a name longer than 255 bytes'],
  ];
  const before = all(base);
  for (const [path, why] of cases) {
    await expect(readInRoot(root, path)).rejects.toThrow(fault('BAD_REQUEST', why));
    await expect(changeFiles(root, [{ path, content: bytes('X') }])).rejects.toThrow(fault('BAD_REQUEST', why));
    await expect(moveFile(root, 'src/a.ts', path)).rejects.toThrow(fault('BAD_REQUEST', why));
  }
  expect(all(base)).toEqual(before);
});

verifies('I9', 'writing to one name of a hard-linked file leaves its other names as they were', async () => {
  const base = makeTree({ 'work/keep': '', 'outside/twin': 'old' });
  linkSync(join(base, 'outside/twin'), join(base, 'work/a.ts'));
  await changeFiles(join(base, 'work'), [{ path: 'a.ts', content: bytes('new'), expect: hash('old') }]);
  expect([text(base, 'work/a.ts'), text(base, 'outside/twin')]).toEqual(['new', 'old']);
});

verifies('I9', 'a name that is another spelling of one on disk is refused', async () => {
  const [composed, decomposed] = ['caf\u00e9.ts', 'cafe\u0301.ts'];
  const root = makeTree({ [composed]: 'x' });
  await expect(changeFiles(root, [{ path: decomposed, content: bytes('y') }])).rejects.toThrow(fault('BAD_REQUEST', 'unicode form'));
  const mixed = makeTree({ 'e\u0301\u00e9': 'x' });
  await expect(changeFiles(mixed, [{ path: '\u00e9e\u0301', content: bytes('y') }])).rejects.toThrow(fault('BAD_REQUEST', 'unicode form'));
  expect([all(root), all(mixed)]).toEqual([{ [composed]: 'x' }, { 'e\u0301\u00e9': 'x' }]);
  await changeFiles(root, [{ path: composed, content: bytes('z') }]);
  expect(all(root)).toEqual({ [composed]: 'z' });
});

test('where case is ignored, the spelling on disk is the name', () => {
  expect(twinOf(['README.md'], 'readme.md', true)).toBe('README.md');
  expect(twinOf(['README.md'], 'README.md', true)).toBe(null);
  expect(twinOf(['README.md'], 'readme.md', false)).toBe(null);
  // Two names of one file, in a case-sensitive folder.
  expect(twinOf(['a', 'A'], 'a', true)).toBe(null);
  expect(twinOf(['caf\u00e9', 'CAFE\u0301'], 'caf\u00e9', true)).toBe(null);
});

test.for([
  ['by descriptor', openByDescriptor],
  ['by path', openByPath],
] as const)('a folder %s takes no link and knows when it was moved', async ([, openRoot]) => {
  const base = makeTree({ 'work/src/sub/a': '', 'outside/a': '' });
  const root = join(base, 'work');
  symlinkSync('../outside', join(root, 'link'));
  const folder = await openRoot(root);
  const inner = await folder.enter('src');
  onTestFinished(async () => {
    await inner?.close();
    await folder.close();
  });
  expect(await folder.enter('none')).toBe(null);
  await expect(folder.enter('link')).rejects.toThrow(fault('CONFLICT', 'link is not a folder now: it is a link or a file'));
  for (const name of ['..', '.', '', 'a/b', 'a\0']) expect(() => folder.at(name)).toThrow('no name of a file');
  expect([inner?.path, inner?.isInPlace(), (await inner?.entries())?.map(({ name }) => name)]).toEqual(['src', true, ['sub']]);
  renameSync(join(root, 'src'), join(base, 'outside/src'));
  expect(inner?.isInPlace()).toBe(false);
  await inner?.sync();
});

verifies('I10', 'random changes are done whole or not at all', async () => {
  const names = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/a');
  const contents = fc.constantFrom('one', 'two', '');
  const change = fc.record({
    path: names,
    content: fc.option(contents, { nil: null }),
    expect: fc.oneof(fc.constant(undefined), fc.constant(null), contents),
  });
  await fc.assert(
    fc.asyncProperty(fc.dictionary(names, contents), fc.array(change, { maxLength: 4 }), async (start, changes) => {
      const root = makeTree({ 'd/e/keep': '', ...start });
      const model = new Map(Object.entries(start));
      const fits =
        new Set(changes.map(({ path }) => path)).size === changes.length &&
        changes.every(({ path, expect: expected }) => expected === undefined || (model.get(path) ?? null) === expected);
      const given = changes.map(({ path, content, expect: expected }) => ({
        path,
        content: content === null ? null : bytes(content),
        expect: typeof expected === 'string' ? hash(expected) : expected,
      }));
      const done = await changeFiles(root, given).then(
        () => true,
        () => false,
      );
      for (const { path, content } of fits ? changes : []) {
        if (content === null) model.delete(path);
        else model.set(path, content);
      }
      const files = Object.entries(all(root)).filter(([path, content]) => content !== null && path !== 'd/e/keep');
      expect({ done, files: Object.fromEntries(files) }).toEqual({ done: fits, files: Object.fromEntries(model) });
    }),
    { numRuns: 150 },
  );
});

verifies('I10', 'of many writers with the same expectation exactly one succeeds', async () => {
  const root = makeTree({ 'a.ts': 'start' });
  for (const expected of ['start', null] as const) {
    const path = expected === null ? 'new.ts' : 'a.ts';
    const ends = await Promise.allSettled(
      Array.from({ length: 32 }, (_, writer) =>
        changeFiles(root, [{ path, content: bytes(`writer ${writer}`), expect: expected === null ? null : hash(expected) }]),
      ),
    );
    const winners = ends.flatMap(({ status }, writer) => (status === 'fulfilled' ? [writer] : []));
    expect(winners).toHaveLength(1);
    expect(text(root, path)).toBe(`writer ${winners[0]}`);
  }
  expect(existsSync(join(root, 'a.ts'))).toBe(true);
});
