import { expect, test } from 'vitest';
import { git, makeTree } from '../workspace/tree.fixture.ts';
import { scopeOffers } from './scope-offers.ts';

const FILES = {
  ...{ 'src/a.ts': '', 'test/a.test.ts': '', 'tools/gen.ts': '', 'py/x.py': '' },
  ...{ 'package.json': '{}', 'package-lock.json': '{}', '.gitignore': 'build/\n', 'CHANGELOG.md': '', 'tsconfig.json': '{}' },
  ...{ '.github/workflows/ci.yml': '', 'scripts/release.sh': '', Makefile: '', 'deploy.sh': '' },
  ...{ '.claude/settings.json': '{}', 'build/out.js': '', 'node_modules/x/index.js': '' },
};

test('from what git tracks: sources, then everything but what runs code; each says what it leaves out', async () => {
  const root = makeTree(FILES);
  git(root, 'init');
  git(root, 'add', '--all', ':!node_modules');
  const top = ['.gitignore', 'CHANGELOG.md', 'package-lock.json', 'package.json', 'tsconfig.json'];
  const runs = ['.github', 'Makefile', 'deploy.sh', 'scripts'];
  expect(await scopeOffers(root)).toEqual([
    { what: 'source and tests', paths: ['py', 'src', 'test', 'tools'], leavesOut: [...top, ...runs] },
    {
      what: 'everything in git but CI and scripts that run code',
      paths: ['.gitignore', 'CHANGELOG.md', 'package-lock.json', 'package.json', 'py', 'src', 'test', 'tools', 'tsconfig.json'],
      leavesOut: runs,
    },
  ]);
});

test('without git, from what is there and no tool made; an empty folder is offered whole', async () => {
  const [first] = await scopeOffers(makeTree({ 'lib/a.js': '', 'node_modules/x.js': '', '.env': '', 'README.md': '' }));
  expect(first).toEqual({ what: 'source and tests', paths: ['lib'], leavesOut: ['README.md'] });
  expect(await scopeOffers(makeTree())).toEqual([{ what: 'the whole work tree', paths: ['.'], leavesOut: [] }]);
  expect((await scopeOffers(makeTree({ 'a.c': '', Makefile: '' })))[0]).toMatchObject({ paths: ['a.c'], leavesOut: ['Makefile'] });
});
