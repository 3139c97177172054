// The settings' files as people use them: where each value comes from, setting one with a human's word, and errors that name file and key.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigLayer, DEFAULT_CONFIG, MEMORY_FIELDS } from '../src/protocol/index.ts';
import { configOrigins, configSchema, readConfig, writeSetting } from '../src/workspace/index.ts';
import { makeTree } from '../src/workspace/tree.fixture.ts';
import { verifies } from './verifies.ts';

verifies('G26', 'layers are merged key by key, and each value knows the line that gives it', async () => {
  const root = makeTree({
    '.ai/config/base.json': '{\n  "commands": { "network": true },\n  "memory": { "rejectionThreshold": 5, "contestWindowHours": 1 }\n}\n',
    '.ai/config/repo.json': '{\n  "memory": {\n    "rejectionThreshold": 7\n  }\n}\n',
  });
  const config = await readConfig(root);
  expect(config.memory).toEqual({ ...DEFAULT_CONFIG.memory, rejectionThreshold: 7, contestWindowHours: 1 });
  expect(await configOrigins(root)).toEqual([
    { key: 'commands.network', file: '.ai/config/base.json', line: 2 },
    { key: 'memory.rejectionThreshold', file: '.ai/config/repo.json', line: 3 },
    { key: 'memory.contestWindowHours', file: '.ai/config/base.json', line: 3 },
  ]);
});

verifies('G26', 'a wrong value or an unknown key is an error that names file, line and key', async () => {
  const cases: readonly (readonly [string, string])[] = [
    [
      '{\n  "memory": { "rejectionTreshold": 3 }\n}',
      '.ai/config/repo.json:2: memory.rejectionTreshold: is not a setting; the nearest is memory.rejectionThreshold',
    ],
    ['{\n  "memory": {\n    "contestWindowHours": "48"\n  }\n}', '.ai/config/repo.json:3: memory.contestWindowHours: '],
    ['{ "features": { "browserAutomation": "yes" } }', '.ai/config/repo.json:1: features.browserAutomation: '],
    ['{ "auth": { "jira": "/etc/passwd" } }', '.ai/config/repo.json:1: auth.jira: is a file below .ai/auth'],
    ['{ "dashboard": { "port": 0 } }', '.ai/config/repo.json:1: dashboard.port: '],
    [
      '{ "ingestion": { "includes": [] } }',
      '.ai/config/repo.json:1: ingestion.includes: is not a setting; the nearest is ingestion.include',
    ],
  ];
  for (const [text, message] of cases) await expect(readConfig(makeTree({ '.ai/config/repo.json': text }))).rejects.toThrow(message);
});

verifies('G26', 'the memory settings are the fifteen of the controller, with their defaults', () => {
  expect(Object.keys(MEMORY_FIELDS)).toHaveLength(15);
  expect(DEFAULT_CONFIG.memory).toMatchObject({
    rejectionThreshold: 3,
    contestWindowHours: 48,
    provisionalExpiryHours: 48,
    frictionLedgerMaxEntries: 5000,
  });
  expect(DEFAULT_CONFIG.features.browserAutomation).toBe(false);
});

verifies('G26', 'setting one value leaves every other byte of the file, and the schema for editors is written beside it', async () => {
  const before = '{\n    "mode":   { "minimum": "GUARDED" },\n    "commands": {"allow": ["npm test"]}\n}\n';
  const root = makeTree({ '.ai/config/env.local.json': before });
  await writeSetting(root, { file: '.ai/config/env.local.json', key: 'commands.network', value: true });
  const after = readFileSync(join(root, '.ai/config/env.local.json'), 'utf8');
  expect(after).toContain('"mode":   { "minimum": "GUARDED" }');
  expect((await readConfig(root)).commands).toEqual({ network: true, allow: ['npm test'] });
  expect(readFileSync(join(root, '.ai/config/schema.json'), 'utf8')).toBe(configSchema());
  expect(ConfigLayer.safeParse({ $schema: './schema.json' }).success).toBe(true);
});

test('what is not a setting, or not a value of it, changes no file', async () => {
  const root = makeTree({});
  await expect(writeSetting(root, { file: '.ai/config/repo.json', key: 'commands.networks', value: true })).rejects.toThrow(
    'commands.networks is not a setting; the nearest is commands.network.',
  );
  await expect(writeSetting(root, { file: '.ai/config/repo.json', key: 'commands.network', value: 'yes' })).rejects.toThrow(
    '.ai/config/repo.json',
  );
  mkdirSync(join(root, '.ai/config'), { recursive: true });
  writeFileSync(join(root, '.ai/config/repo.json'), '{ broken');
  await expect(writeSetting(root, { file: '.ai/config/repo.json', key: 'commands.network', value: true })).rejects.toThrow(
    '.ai/config/repo.json:1',
  );
  expect(readFileSync(join(root, '.ai/config/repo.json'), 'utf8')).toBe('{ broken');
});
