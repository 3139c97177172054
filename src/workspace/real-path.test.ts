import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type RealPath, resolveInRoot } from './real-path.ts';
import { makeTree } from './tree.fixture.ts';

/** A work tree with a neighbour whose name begins the same. */
function makeNeighbours(): { root: string; outside: string } {
  const base = makeTree({
    'work/src/a.ts': 'a',
    'work/src/sub/b.ts': 'b',
    'work/src-evil/c.ts': 'c',
    'work-evil/d.ts': 'd',
    'secret/key': 'k',
  });
  return { root: join(base, 'work'), outside: base };
}
const within = (root: string, real: string): RealPath => ({
  real,
  unresolved: null,
  hardLinked: false,
  absolute: real === '' ? root : join(root, real),
});
const nowhere = (unresolved: string, absolute: string | null = null): RealPath => ({ real: null, unresolved, hardLinked: false, absolute });
const OUTSIDE = 'it leads outside the work tree';

test('absolute and relative paths, existing or not, come to the same place', async () => {
  const { root } = makeNeighbours();
  expect(await resolveInRoot(root, 'src/a.ts', root)).toEqual(within(root, 'src/a.ts'));
  expect(await resolveInRoot(root, join(root, 'src/a.ts'), '/')).toEqual(within(root, 'src/a.ts'));
  expect(await resolveInRoot(root, './a.ts', join(root, 'src'))).toEqual(within(root, 'src/a.ts'));
  expect(await resolveInRoot(root, '../src//sub/./new/file.ts', join(root, 'src'))).toEqual(within(root, 'src/sub/new/file.ts'));
  expect(await resolveInRoot(root, '.', root)).toEqual(within(root, ''));
  expect(await resolveInRoot(root, '..odd/...', root)).toEqual(within(root, '..odd/...'));
});

verifies('I9', 'traversal, absolute paths and prefix twins lead outside', async () => {
  const { root, outside } = makeNeighbours();
  expect(await resolveInRoot(root, '../secret/key', root)).toEqual(nowhere(OUTSIDE, join(outside, 'secret/key')));
  expect(await resolveInRoot(root, 'src/../../secret/key', root)).toEqual(nowhere(OUTSIDE, join(outside, 'secret/key')));
  expect(await resolveInRoot(root, join(outside, 'work-evil/d.ts'), root)).toEqual(nowhere(OUTSIDE, join(outside, 'work-evil/d.ts')));
  expect(await resolveInRoot(root, '/etc/none-such', root)).toEqual(nowhere(OUTSIDE, '/etc/none-such'));
  expect(await resolveInRoot(root, 'src-evil/c.ts', root)).toEqual(within(root, 'src-evil/c.ts'));
});

verifies('I9', 'links to files and folders are judged by where they lead', async () => {
  const { root, outside } = makeNeighbours();
  symlinkSync('../secret/key', join(root, 'file-out'));
  symlinkSync(join(outside, 'secret'), join(root, 'src/folder-out'));
  symlinkSync('src/sub', join(root, 'inside'));
  symlinkSync('folder-out', join(root, 'src/hop'));
  expect(await resolveInRoot(root, 'file-out', root)).toEqual(nowhere(OUTSIDE, join(outside, 'secret/key')));
  expect(await resolveInRoot(root, 'src/folder-out/new.ts', root)).toEqual(nowhere(OUTSIDE, join(outside, 'secret/new.ts')));
  expect(await resolveInRoot(root, 'src/hop/key', root)).toEqual(nowhere(OUTSIDE, join(outside, 'secret/key')));
  expect(await resolveInRoot(root, 'inside/b.ts', root)).toEqual(within(root, 'src/sub/b.ts'));
  expect(await resolveInRoot(root, 'inside/new.ts', root)).toEqual(within(root, 'src/sub/new.ts'));
});

verifies('I9', 'dangling links, circles and links that go through a file are unresolved', async () => {
  const { root } = makeNeighbours();
  symlinkSync('../secret/not-yet', join(root, 'dangling-out'));
  symlinkSync('src/not-yet', join(root, 'dangling-in'));
  symlinkSync('gone/deeper', join(root, 'src/dangling-folder'));
  symlinkSync('two', join(root, 'one'));
  symlinkSync('one', join(root, 'two'));
  const dangling = nowhere('it is a link to something that does not exist');
  expect(await resolveInRoot(root, 'dangling-out', root)).toEqual(dangling);
  expect(await resolveInRoot(root, 'dangling-in', root)).toEqual(dangling);
  expect(await resolveInRoot(root, 'src/dangling-folder/x.ts', root)).toEqual(dangling);
  expect(await resolveInRoot(root, 'one', root)).toEqual(nowhere('it goes through too many links'));
  expect(await resolveInRoot(root, 'src/a.ts/x', root)).toEqual(nowhere('it goes through a file as if that were a folder'));
});

verifies('I9', 'a path that tools and the system read differently is unresolved', async () => {
  const { root, outside } = makeNeighbours();
  mkdirSync(join(outside, 'far/deep'), { recursive: true });
  symlinkSync(join(outside, 'far/deep'), join(root, 'src/link'));
  expect(await resolveInRoot(root, 'src/link/../a.ts', root)).toEqual(nowhere('it goes back through a link, so that it names two places'));
  expect(await resolveInRoot(root, 'src/none/../a.ts', root)).toEqual(nowhere('it goes back through a folder that does not exist'));
  expect(await resolveInRoot(root, '~/x', root)).toEqual(nowhere('it begins with ~, which some tools read as a home folder'));
  expect(await resolveInRoot(root, '~root/x', root)).toEqual(nowhere('it begins with ~, which some tools read as a home folder'));
  expect(await resolveInRoot(root, '~$draft.docx', root)).toEqual(within(root, '~$draft.docx'));
  expect(await resolveInRoot(root, '..\\..\\etc\\passwd', root)).toEqual(nowhere('it has a backslash, which some tools read as a slash'));
  expect(await resolveInRoot(root, 'file:///etc/passwd', root)).toEqual(nowhere('it is an address and not a path'));
  expect(await resolveInRoot(root, '/proc/self/cwd/x', root)).toEqual(
    nowhere('it goes through /proc, which shows every process something else', '/proc/self/cwd/x'),
  );
  symlinkSync('/proc/self/cwd', join(root, 'own'));
  expect(await resolveInRoot(root, 'own/x', root)).toEqual(
    nowhere('it goes through /proc, which shows every process something else', '/proc/self/cwd/x'),
  );
});

verifies('I9', 'empty, over-long, controlling and malformed paths are unresolved', async () => {
  const { root } = makeNeighbours();
  expect(await resolveInRoot(root, '', root)).toEqual(nowhere('it is empty'));
  expect(await resolveInRoot(root, 'a/'.repeat(3000), root)).toEqual(nowhere('it is longer than 4096 bytes'));
  expect(await resolveInRoot(root, 'ü'.repeat(128), root)).toEqual(nowhere('it has a name longer than 255 bytes'));
  for (const path of ['src/a.ts\0.png', 'src/a\r\n.ts', 'src/\u202ets.a', 'src/a\u200b.ts', '\ufeffsrc/a.ts', 'src/\u001b[2J']) {
    expect(await resolveInRoot(root, path, root)).toEqual(nowhere('it has control or invisible characters'));
  }
  expect(await resolveInRoot(root, 'src/\ud800.ts', root)).toEqual(nowhere('it is not valid unicode'));
});

verifies('I9', 'hard links are reported, and FIFOs and devices are unresolved without waiting for them', async () => {
  const { root, outside } = makeNeighbours();
  linkSync(join(outside, 'secret/key'), join(root, 'src/hard'));
  execFileSync('mkfifo', [join(root, 'src/pipe')]);
  symlinkSync('/dev/null', join(root, 'src/null'));
  expect(await resolveInRoot(root, 'src/hard', root)).toEqual({ ...within(root, 'src/hard'), hardLinked: true });
  expect(await resolveInRoot(root, 'src/pipe', root)).toEqual(nowhere('it is a FIFO, a socket or a device', join(root, 'src/pipe')));
  expect(await resolveInRoot(root, 'src/null', root)).toEqual(nowhere(OUTSIDE, '/dev/null'));
});

verifies('I9', 'names differ by case, and unicode twins are never taken for one another', async () => {
  const { root } = makeNeighbours();
  const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
  expect(await resolveInRoot(root, 'SRC/a.ts', root)).toEqual(within(root, 'SRC/a.ts'));
  writeFileSync(join(root, composed), '');
  expect(await resolveInRoot(root, composed, root)).toEqual(within(root, composed));
  const twin = 'another file has the same name in a different unicode form';
  const unusual = 'it is a new name in another unicode form than the composed one (NFC)';
  // Both are covered by a scope that names the composed one: the second would be another file.
  expect(await resolveInRoot(root, decomposed, root)).toEqual(nowhere(unusual, join(root, decomposed)));
  expect(await resolveInRoot(root, `src/new-${decomposed}`, root)).toEqual(nowhere(unusual, join(root, `src/new-${decomposed}`)));
  // A name with letters in both forms is a twin too.
  writeFileSync(join(root, `src/${composed}-${decomposed}`), '');
  const both = `src/${composed}-${composed}`;
  expect(await resolveInRoot(root, both, root)).toEqual(nowhere(twin, join(root, both)));
  mkdirSync(join(root, `src/${decomposed}/x`), { recursive: true });
  expect(await resolveInRoot(root, `src/${decomposed}/x`, root)).toEqual(within(root, `src/${decomposed}/x`));
  mkdirSync(join(root, `src/${composed}`));
  expect(await resolveInRoot(root, `src/${decomposed}/x`, root)).toEqual(nowhere(twin, join(root, `src/${decomposed}/x`)));
});

/** Where the system itself would put a file of that name; null where it would not. */
function systemPlace(path: string): string | null {
  for (const [existing, rest] of [
    [path, []] as const,
    [path.slice(0, path.lastIndexOf('/')), [path.slice(path.lastIndexOf('/') + 1)]] as const,
  ]) {
    try {
      return join(realpathSync.native(existing), ...rest);
    } catch {
      // It does not exist; its folder may.
    }
  }
  return null;
}

verifies('I9', 'in random trees of links, a resolved path is exactly where the system would write', async () => {
  const base = makeTree({ 'outside/a/': '' });
  const name = fc.constantFrom('a', 'b', 'c');
  const target = fc.array(fc.constantFrom('a', 'b', 'c', '..', '.'), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const link = fc.record({ at: fc.array(name, { minLength: 1, maxLength: 3 }), to: fc.oneof(target, fc.constant(join(base, 'outside'))) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(link, { maxLength: 6 }),
      fc.array(fc.oneof(target, fc.constant('c/../b')), { minLength: 1, maxLength: 6 }),
      async (links, paths) => {
        const root = join(base, 'work');
        rmSync(root, { recursive: true, force: true });
        mkdirSync(join(root, 'a/b'), { recursive: true });
        for (const { at, to } of links) {
          try {
            mkdirSync(dirname(join(root, ...at)), { recursive: true });
            symlinkSync(to, join(root, ...at));
          } catch {
            // Taken already.
          }
        }
        for (const path of paths) {
          const { real } = await resolveInRoot(root, path, root);
          const there = systemPlace(`${root}/${path}`);
          const wrong = real !== null && there !== null && join(root, real) !== there;
          const escaped = real !== null && there !== null && there !== root && !there.startsWith(`${root}/`);
          expect({ path, links, wrong, escaped }).toEqual({ path, links, wrong: false, escaped: false });
        }
      },
    ),
    { numRuns: 200 },
  );
});
