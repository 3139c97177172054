// Without a sandbox: a command is still limited, its changes are reported, and nothing is reverted that might be another's work.

import { expect, test } from 'vitest';
import { findSandbox } from '../src/sandbox/sandbox.ts';
import { commandTree, traceOf } from './lab/command-tree.ts';
import { verifies } from './verifies.ts';

const findNone = () => findSandbox('/nowhere/bwrap');

test('a program that is not there, or does not work, is no sandbox', async () => {
  expect([(await findNone()).kind, (await findSandbox('/bin/false')).kind]).toEqual(['none', 'none']);
});

verifies('I12', 'without a sandbox, what is outside the scope is reported and stays', async () => {
  const { run, read } = await commandTree({}, findNone);
  const end = await run('echo 1 > src/new.ts; echo 2 > README.md; mkdir -p dist; echo 3 > dist/a.js; echo said; exit 3');
  expect([end.exitCode, end.sandbox, end.output, end.derived]).toEqual([3, 'none', 'said\n', 1]);
  expect(traceOf(end)).toEqual({ changed: ['created src/new.ts'], rolledBack: [], left: ['changed README.md'] });
  expect(end.left[0]?.why).toBe(
    'it is outside the scope of the intent; it was not taken back: without a sandbox it is not certain whose change it is',
  );
  expect(await read('README.md')).toBe('2\n');
});

test('its environment has no tokens', async () => {
  const { run } = await commandTree({}, findNone);
  process.env['COUNTERSIGN_TEST_TOKEN'] = 'top secret';
  const { output } = await run('env');
  delete process.env['COUNTERSIGN_TEST_TOKEN'];
  expect([output.includes('top secret'), output.includes('PATH=')]).toEqual([false, true]);
});
