// An ordinary project: everyday development works inside the sandbox.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { type CommandTree, commandTree, traceOf } from '../lab/command-tree.ts';
import { verifies } from '../verifies.ts';

const FILES = {
  'package.json': `${JSON.stringify({
    name: 'shop',
    version: '1.0.0',
    type: 'module',
    workspaces: ['packages/*'],
    dependencies: { money: 'file:registry/money' },
    scripts: { build: 'node build.js', test: 'node --test', lint: 'node --check src/shop.js' },
  })}\n`,
  'registry/money/package.json': '{"name":"money","version":"2.0.0","main":"index.js"}\n',
  'registry/money/index.js': "exports.euro = (cents) => (cents / 100).toFixed(2) + ' €';\n",
  'packages/web/package.json': '{"name":"web","version":"1.0.0"}\n',
  'src/shop.js': "import money from 'money';\nexport const price = (cents) => money.euro(cents);\n",
  'test/shop.test.js':
    "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { price } from '../src/shop.js';\ntest('a price', () => assert.equal(price(150), '1.50 €'));\n",
  'build.js':
    "import { mkdirSync, writeFileSync } from 'node:fs';\nfor (const d of ['dist', 'packages/web/dist']) { mkdirSync(d, { recursive: true }); writeFileSync(d + '/shop.js', 'built'); }\n",
  '.gitignore': 'node_modules\ndist\n',
};

async function passes({ run }: CommandTree, command: string) {
  const end = await run(command, { scope: ['src/**', 'test/**', 'package.json'] });
  if (end.exitCode !== 0) throw new Error(`${command}: ${JSON.stringify(end)}`);
  return end;
}

verifies('I12', 'install, build, test, lint, add and commit pass in a sandbox', async () => {
  const tree = await commandTree(FILES);
  const install = await passes(tree, 'npm install --no-audit --no-fund');
  expect(traceOf(install)).toEqual({ changed: ['created package-lock.json'], rolledBack: [], left: [] });
  expect(install.derived).toBeGreaterThan(0);
  expect((await passes(tree, 'npm ls money')).output).toContain('money@2.0.0');

  const build = await passes(tree, 'npm run build');
  expect([traceOf(build), build.derived]).toEqual([{ changed: [], rolledBack: [], left: [] }, 2]);
  expect((await passes(tree, 'npm test')).output).toContain('pass 1');
  await passes(tree, 'npm run lint');

  const edit = await passes(tree, "sed -i 's/1.50/2.50/; s/150/250/' test/shop.test.js && npm test");
  expect(traceOf(edit)).toEqual({ changed: ['changed test/shop.test.js'], rolledBack: [], left: [] });
  expect((await passes(tree, 'git status --short')).output).toContain('?? package-lock.json');
  await passes(tree, 'git add package-lock.json test src package.json && git commit -m "Raise the price"');
  await passes(
    tree,
    'git switch -c side && git commit --allow-empty -m empty && git switch main && git merge --no-edit side && git tag v1',
  );
  expect(tree.repo.git('log', '-3', '--format=%s')).toBe('empty\nRaise the price\nAdd the login example\n');
  await passes(tree, 'npm run build && rm -rf dist && npm ci --no-audit --no-fund');
  // A home of its own: nothing of it is left in the user's.
  await passes(tree, 'mkdir -p ~/.countersign-test-cache && echo 1 > ~/.countersign-test-cache/x && echo 2 > /tmp/countersign-test-x');
  expect([existsSync(join(homedir(), '.countersign-test-cache')), existsSync('/tmp/countersign-test-x')]).toEqual([false, false]);
});

verifies('I12', 'a lockfile follows its manifest, and no other', async () => {
  const tree = await commandTree(FILES);
  const scope = ['src/**'];
  const end = await tree.run('npm install --no-audit --no-fund', { scope });
  expect([end.exitCode, traceOf(end)]).toEqual([0, { changed: [], rolledBack: ['created package-lock.json'], left: [] }]);

  await passes(tree, 'npm install --no-audit --no-fund');
  const before = await tree.read('package-lock.json');
  expect(await tree.run('npm install --no-audit --no-fund', { scope })).toMatchObject({ exitCode: 0, changed: [], rolled_back: [] });
  const more = await tree.run('npm pkg set version=1.0.1; npm install --no-audit --no-fund; echo {} > package-lock.json', { scope });
  expect([traceOf(more), await tree.read('package-lock.json')]).toEqual([
    { changed: [], rolledBack: ['changed package-lock.json'], left: [] },
    before,
  ]);
});
