import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Resource } from '../protocol/index.ts';
import { FileFact, type FileObservation } from '../protocol/index.ts';
import { compareFiles, gatherFileFacts, PRE_IMAGE_MAX_BYTES } from './file-facts.ts';
import { makeTree } from './tree.fixture.ts';

const sha = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
const file = (path: string, access: 'read' | 'write' | 'delete' = 'write'): Resource => ({ kind: 'file', path, access });
const nothing: FileObservation = {
  path: '',
  access: 'write',
  real: null,
  unresolved: null,
  governance: null,
  scope_glob: null,
  sha256: null,
};

test('a file in scope: its real place, the glob that covers it, its hash and its content', async () => {
  const root = makeTree({ 'src/auth/login.ts': 'old\n' });
  const { facts, preImages } = await gatherFileFacts({
    root,
    cwd: join(root, 'src'),
    resources: [
      file('auth/login.ts'),
      file('auth/new.ts'),
      file('auth/login.ts', 'read'),
      file('auth', 'delete'),
      { kind: 'command', command: 'ls', cwd: root },
    ],
    scope: ['docs/**', 'src/auth/**'],
  });
  expect(facts.map((fact) => FileFact.omit({ seen: true, since: true, lease: true }).parse(fact))).toEqual([
    { ...nothing, path: 'auth/login.ts', real: 'src/auth/login.ts', scope_glob: 'src/auth/**', sha256: sha('old\n') },
    { ...nothing, path: 'auth/new.ts', real: 'src/auth/new.ts', scope_glob: 'src/auth/**' },
    { ...nothing, path: 'auth/login.ts', access: 'read', real: 'src/auth/login.ts', scope_glob: 'src/auth/**', sha256: sha('old\n') },
    { ...nothing, path: 'auth', access: 'delete', real: 'src/auth' },
  ]);
  expect(preImages).toEqual(new Map([['src/auth/login.ts', Buffer.from('old\n')]]));
});

test('without an intent nothing is in scope', async () => {
  const root = makeTree({ a: '' });
  const { facts } = await gatherFileFacts({ root, cwd: root, resources: [file('a')], scope: null });
  expect(facts).toEqual([{ ...nothing, path: 'a', real: 'a', sha256: sha('') }]);
});

verifies('I9', 'no way out of the work tree is in scope, even of everything', async () => {
  const root = makeTree({ 'work/src/a.ts': 'a', 'work-evil/b': 'b', 'secret/key': 'k' });
  const work = join(root, 'work');
  symlinkSync('../secret', join(work, 'out'));
  symlinkSync('not-yet', join(work, 'dangling'));
  linkSync(join(root, 'secret/key'), join(work, 'hard'));
  execFileSync('mkfifo', [join(work, 'pipe')]);
  const paths = [
    '../secret/key',
    join(root, 'work-evil/b'),
    'out/key',
    'out/new',
    'dangling',
    'hard',
    'pipe',
    '/dev/null',
    'a\0b',
    'x'.repeat(5000),
  ];
  const { facts, preImages } = await gatherFileFacts({ root: work, cwd: work, resources: paths.map((path) => file(path)), scope: ['**'] });
  expect(facts).toEqual(paths.map((path) => ({ ...nothing, path, unresolved: expect.any(String) as string })));
  expect(preImages.size).toBe(0);
});

verifies('I9', 'a hard link may be read and deleted, not written', async () => {
  const root = makeTree({ one: 'x' });
  linkSync(join(root, 'one'), join(root, 'two'));
  const { facts } = await gatherFileFacts({
    root,
    cwd: root,
    resources: [file('two'), file('two', 'read'), file('two', 'delete')],
    scope: ['**'],
  });
  expect(facts).toEqual([
    { ...nothing, path: 'two', unresolved: 'it has other hard links, so that writing to it would change another file too' },
    { ...nothing, path: 'two', access: 'read', real: 'two', scope_glob: '**', sha256: sha('x') },
    { ...nothing, path: 'two', access: 'delete', real: 'two', scope_glob: '**', sha256: sha('x') },
  ]);
});

verifies('N11', 'governance holds for any scope, through links too, and keys cannot be read', async () => {
  const root = makeTree({ 'work/.git/config': '', 'work/src/': '', 'home/keys/ed25519': 'secret' });
  const work = join(root, 'work');
  symlinkSync('../.git', join(work, 'src/innocent'));
  const { facts } = await gatherFileFacts({
    root: work,
    cwd: work,
    resources: [file('src/innocent/config'), file('.git/config', 'read'), file('../home/keys/ed25519', 'read'), file('../home', 'delete')],
    scope: ['**'],
    privateFolders: [join(root, 'home')],
  });
  const keys = "it belongs to the gate's keys and records";
  const outside = 'it leads outside the work tree';
  expect(facts).toEqual([
    {
      ...nothing,
      path: 'src/innocent/config',
      real: '.git/config',
      governance: 'git keeps its hooks, settings and history there',
      scope_glob: '**',
      sha256: sha(''),
    },
    { ...nothing, path: '.git/config', access: 'read', real: '.git/config', scope_glob: '**', sha256: sha('') },
    { ...nothing, path: '../home/keys/ed25519', access: 'read', unresolved: outside, governance: keys },
    { ...nothing, path: '../home', access: 'delete', unresolved: outside, governance: keys },
  ]);
});

test('a file that is too large is hashed and not kept', async () => {
  const root = makeTree({ big: '' });
  truncateSync(join(root, 'big'), PRE_IMAGE_MAX_BYTES + 1);
  const { facts, preImages } = await gatherFileFacts({ root, cwd: root, resources: [file('big')], scope: ['**'] });
  expect(facts).toEqual([{ ...nothing, path: 'big', real: 'big', scope_glob: '**', sha256: sha(new Uint8Array(PRE_IMAGE_MAX_BYTES + 1)) }]);
  expect(preImages.size).toBe(0);
});

test.skipIf(process.getuid?.() === 0)('a file that cannot be read is not taken for a missing one', async () => {
  const root = makeTree({ closed: 'x' });
  chmodSync(join(root, 'closed'), 0);
  const { facts } = await gatherFileFacts({ root, cwd: root, resources: [file('closed')], scope: ['**'] });
  expect(facts).toEqual([{ ...nothing, path: 'closed', unresolved: 'it cannot be opened (EACCES)' }]);
});

test('what became of the files: changed, made, deleted, swapped for a link; the untouched are left out', async () => {
  const root = makeTree({ changed: 'a\nb\n', deleted: 'x\n', same: 's\n', swapped: 'y\n', looked: 'l\n', forgotten: 'f\n' });
  const resources = [
    file('changed'),
    file('made'),
    file('deleted', 'delete'),
    file('same'),
    file('swapped'),
    file('looked', 'read'),
    file('forgotten'),
    file('changed'),
  ];
  const { facts, preImages } = await gatherFileFacts({ root, cwd: root, resources, scope: ['**'] });
  writeFileSync(join(root, 'changed'), 'a\nB\n');
  writeFileSync(join(root, 'made'), 'new\n');
  writeFileSync(join(root, 'looked'), 'L\n');
  writeFileSync(join(root, 'forgotten'), 'F\n');
  rmSync(join(root, 'deleted'));
  rmSync(join(root, 'swapped'));
  symlinkSync('/etc/hostname', join(root, 'swapped'));
  const bySha = new Map([...preImages].filter(([path]) => path !== 'forgotten').map(([, content]) => [sha(content), content]));
  const compared = await compareFiles(root, facts, async (hash) => bySha.get(hash) ?? null);
  expect(compared.map(({ ref }) => ref)).toEqual([
    {
      path: 'changed',
      before_sha256: sha('a\nb\n'),
      after_sha256: sha('a\nB\n'),
      ranges: [{ start_line: 2, end_line: 2, sha256: sha('B\n') }],
    },
    { path: 'made', before_sha256: null, after_sha256: sha('new\n'), ranges: [{ start_line: 1, end_line: 1, sha256: sha('new\n') }] },
    { path: 'deleted', before_sha256: sha('x\n'), after_sha256: null, ranges: [] },
    { path: 'swapped', before_sha256: sha('y\n'), after_sha256: null, ranges: [] },
    { path: 'forgotten', before_sha256: sha('f\n'), after_sha256: sha('F\n'), ranges: [] },
  ]);
});
