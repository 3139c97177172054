// The checks as a person asks for them in a terminal and as an agent does over MCP.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { QualityReport } from '../src/protocol/index.ts';
import { hookedAgent } from './lab/hooked-agent.ts';
import { type Installation, makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

const FILES = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test --test-reporter=spec' } }),
  'src/sum.js': 'export const sum = (a, b) => a + b;\n',
  'src/sum.test.js': [
    `import test from 'node:test';`,
    `import assert from 'node:assert';`,
    `import { sum } from './sum.js';`,
    `test('adds', () => assert.equal(sum(1, 2), 3));`,
    '',
  ].join('\n'),
};

let place: Installation;
beforeAll(async () => {
  place = await makeInstallation();
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(place.repo.path, path)), { recursive: true });
    await writeFile(join(place.repo.path, path), content);
  }
  await place.human(['intent', 'sums', 'src']);
});
afterAll(() => place.dispose());

verifies('I15', 'an agent asks, breaks, fixes, and gets each result', async () => {
  const client = await place.mcpClient({ surface: 'hooked' });
  onTestFinished(() => client.close());
  const agent = await hookedAgent(place, client);
  await agent.prompt('make sums faster');
  expect(await agent.call('validate')).toMatchObject({ isError: true, error_code: 'RECALL_REQUIRED', remedy: { tool: 'begin_work' } });
  await agent.call('begin_work');
  expect(await agent.write('src/sum.js', 'export const sum = (a, b) => a - b;\n')).toBeNull();
  const { isError: _, receipt_id: __, ...broken } = await agent.call('validate', { checks: ['test'] });
  expect(QualityReport.parse(broken)).toMatchObject({
    ok: false,
    checks: [{ check: 'test', outcome: 'failed', findings: [{ file: 'src/sum.test.js', line: 4, rule: 'adds', origin: 'caused' }] }],
  });
  // The gate itself wrote nothing: the agent's content is unchanged.
  expect(await readFile(join(place.repo.path, 'src/sum.js'), 'utf8')).toBe('export const sum = (a, b) => a - b;\n');

  const { output, code } = await place.humanTries(['validate']);
  expect([code, output.replaceAll('\r', '')]).toEqual([
    1,
    [
      'failed      test      npm run --silent test  ℹ fail 1',
      '  src/sum.test.js:4:1  AssertionError [ERR_ASSERTION]: -1 == 3  adds',
      '',
    ].join('\n'),
  ]);

  expect(await agent.write('src/sum.js', FILES['src/sum.js'])).toBeNull();
  expect(await agent.call('validate')).toMatchObject({ isError: false, ok: true, checks: [{ outcome: 'passed', findings: [] }] });
  expect(await place.ask('validate', 'test')).toMatchObject({ ok: true, checks: [{ check: 'test', outcome: 'passed' }] });
});

test('a check that there is not', async () => {
  expect(await place.humanTries(['validate', 'spelling'])).toMatchObject({
    code: 2,
    output: expect.stringContaining('There is no check spelling.') as string,
  });
});

verifies('I15', 'an agent without hooks gets the failures of its changes with the stamp that ends its turn', async () => {
  const client = await place.mcpClient();
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;
  await call('begin_work', { mode: 'GUARDED' });
  await call('read_file', { path: 'src/sum.js' });
  expect(await call('write_file', { path: 'src/sum.js', content: 'export const sum = (a, b) => a * b;\n' })).not.toHaveProperty(
    'error_code',
  );
  const failing = await call('elefanteAssertCompliance');
  expect(failing).toMatchObject({ status: 'PASS', checks: expect.stringContaining('src/sum.test.js') as string });
  await call('begin_work');
  expect(await call('write_file', { path: 'src/sum.js', content: FILES['src/sum.js'] })).not.toHaveProperty('error_code');
  expect(await call('elefanteAssertCompliance')).not.toHaveProperty('checks', expect.stringContaining('src/sum.test.js'));
});
