import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nodeCheck } from './installation.ts';
import { checkProgram } from './program.ts';

const AGAIN = 'Install the package again: npm install -g countersign-VERSION.tgz';
const MAIN = 'main';

/** A package as npm lays it out: what it needs is beside it, in the folder that holds it. */
function packageForThisTest() {
  const base = mkdtempSync(join(tmpdir(), 'countersign-program-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, 'node_modules/countersign');
  const write = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const put = (name: string, text: string) => write(join(root, name), text);
  put('package.json', '{"dependencies":{"@a/b":"1.0.0","c":"2.0.0"}}');
  put('lib/app/main.js', MAIN);
  put('lib/manifest.json', JSON.stringify({ files: { 'lib/app/main.js': createHash('sha256').update(MAIN).digest('hex') } }));
  put('clients/web/dist/index.html', '');
  put('bin/countersign-hook', '#!/bin/bash\n');
  chmodSync(join(root, 'bin/countersign-hook'), 0o755);
  write(join(base, 'node_modules/@a/b/package.json'), '{"version":"1.0.0"}');
  put('node_modules/c/package.json', '{"version":"2.0.0"}');
  const look = async (searchPath = '/usr/bin:/bin') => {
    const checks = await checkProgram({ root, searchPath });
    return checks.filter(({ state }) => state !== 'ok').map(({ name, says, fix }) => ({ name, says, fix }));
  };
  return { base, root, put, look, remove: (name: string) => rmSync(join(root, name), { recursive: true }) };
}

test('a whole package is well', async () => {
  const { root, look } = packageForThisTest();
  expect(await look()).toEqual([]);
  expect((await checkProgram({ root, searchPath: '/usr/bin:/bin' })).map(({ name, says }) => [name, says])).toEqual([
    ['package', `1 files as packed, at ${root}`],
    ['packages', '2, each in its version'],
    ['page', 'built'],
    ['hook client', join(root, 'bin/countersign-hook')],
  ]);
});

test('a file that was changed, a file that is gone', async () => {
  const { put, look, remove } = packageForThisTest();
  put('lib/app/main.js', 'other');
  expect(await look()).toEqual([{ name: 'package', says: 'Not as it was packed: lib/app/main.js was changed.', fix: AGAIN }]);
  remove('lib/app/main.js');
  expect(await look()).toEqual([{ name: 'package', says: 'Not as it was packed: lib/app/main.js is missing.', fix: AGAIN }]);
});

test('neither a clone nor a package', async () => {
  const { root, look, remove } = packageForThisTest();
  remove('lib/manifest.json');
  expect(await look()).toEqual([
    {
      name: 'package',
      says: `${root} is neither a clone nor a whole package: lib/manifest.json cannot be read.`,
      fix: `Run npm start in ${root}`,
    },
  ]);
});

test('packages that are missing or of another version', async () => {
  const { base, put, look } = packageForThisTest();
  put('node_modules/c/package.json', '{"version":"2.0.1"}');
  rmSync(join(base, 'node_modules/@a'), { recursive: true });
  expect(await look()).toEqual([
    { name: 'packages', says: '@a/b 1.0.0 is wanted and nothing is there; c 2.0.0 is wanted and 2.0.1 is there.', fix: AGAIN },
  ]);
});

test('a page that is not built, a hook client that cannot be run, tools that it lacks', async () => {
  const { base, root, look, remove } = packageForThisTest();
  remove('clients');
  const page = { name: 'page', says: 'The page is not built: approvals can only be answered in the terminal.', fix: AGAIN };
  expect(await look()).toEqual([page]);
  expect(await look(base)).toEqual([
    page,
    {
      name: 'hook client',
      says: 'It needs bash, cat, env, mkdir, sleep, not on PATH.',
      fix: 'Install bash, cat, env, mkdir, sleep, or put them on PATH',
    },
  ]);
  remove('bin');
  expect((await look())[1]).toEqual({
    name: 'hook client',
    says: `${join(root, 'bin/countersign-hook')} is missing, or cannot be run.`,
    fix: AGAIN,
  });
});

test('a Node that is too old', () => {
  expect(['24.14.9', '20.20.2', '24.15.0', '24.21.0', '25.0.0'].map((version) => nodeCheck(version).state)).toEqual([
    ...['bad', 'bad', 'ok', 'ok', 'ok'],
  ]);
});
