// The quality loop with the real Claude Code client: an agent that breaks a test is sent back by its own stop hook, once, fixes it, and may
// then stop.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Receipt } from '../../src/protocol/index.ts';
import { makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';

const SUM = 'export const sum = (a, b) => a + b;\n';
const FILES = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test --test-reporter=spec' } }),
  'src/sum.js': SUM,
  'src/sum.test.js': `import test from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from './sum.js';\ntest('adds', () => assert.equal(sum(1, 2), 3));\n`,
};

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(world.repo.path, path)), { recursive: true });
    await writeFile(join(world.repo.path, path), content);
  }
  await world.human(['init', '--yes']);
  await world.human(['intent', 'sums', 'src']);
});
afterAll(() => world.dispose());

verifies('I15', 'a real agent is sent back once, and mends it', async () => {
  const sum = join(world.repo.path, 'src/sum.js');
  const edit = (old_string: string, new_string: string) => ({ tool: 'Edit', args: { file_path: sum, old_string, new_string } });
  const { model } = await world.agent('Make sums faster', [
    { tool: 'mcp__countersign__begin_work', args: {} },
    { tool: 'Read', args: { file_path: sum } },
    edit('a + b', 'a - b'),
    { text: 'Done.' },
    edit('a - b', 'a + b'),
    { text: 'Mended.' },
  ]);
  expect(await readFile(sum, 'utf8')).toBe(SUM);
  const shown = JSON.stringify(model.requests.map(({ messages }) => messages.at(-1)));
  expect(shown).toContain('Countersign: a check fails that did not before your changes:');
  expect(shown).toContain('- test src/sum.test.js:4 [adds]: AssertionError [ERR_ASSERTION]: -1 == 3');
  const receipts = await world.ask<Receipt[]>('receipts');
  expect(receipts.filter(({ tool_id }) => tool_id === 'validate').map(({ agent_id, status }) => [agent_id, status])).toEqual([
    ['countersign', 'done'],
    ['countersign', 'failed'],
  ]);
});
