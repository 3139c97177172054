import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { DEFAULT_CONFIG } from '../protocol/index.ts';
import { readConfig } from './read-config.ts';

function makeRoot(layers: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-config-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(layers)) {
    const path = join(root, '.ai/config', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return root;
}

test('without files the defaults hold', async () => {
  expect(await readConfig(makeRoot({}))).toEqual(DEFAULT_CONFIG);
  expect(DEFAULT_CONFIG.approvals).toEqual({ ttlSeconds: 900, destructiveProof: null });
});

verifies('G26', 'later layers win key by key, and lists are replaced whole', async () => {
  const root = makeRoot({
    'base.json':
      '{"$schema":"./schema.json","mode":{"minimum":"GUARDED"},"approvals":{"ttlSeconds":60},"commands":{"allow":["npm test","ls"]},"memory":{"rejectionThreshold":4,"contestWindowHours":2}}',
    'repo.json':
      '{"mode":{"pin":"PASSIVE"},"commands":{"allow":["npm test"]},"quality":{"test":"npm test"},"memory":{"contestWindowHours":3}}',
    'env.local.json': '{"mode":{"minimum":"STRICT","pin":null},"paths":{"derived":[]},"ledger":{"retentionDays":30}}',
  });
  expect(await readConfig(root)).toEqual({
    ...DEFAULT_CONFIG,
    mode: { minimum: 'STRICT', pin: null },
    approvals: { ttlSeconds: 60, destructiveProof: null },
    commands: { network: false, allow: ['npm test'] },
    walls: { level: 'on', readable: [], writable: [], hosts: [] },
    quality: { format: true, lint: true, typecheck: true, test: 'npm test' },
    paths: { derived: [], companions: {} },
    ledger: { retentionDays: 30 },
    graph: { neo4j: null },
    memory: { ...DEFAULT_CONFIG.memory, rejectionThreshold: 4, contestWindowHours: 3 },
  });
});

verifies('G26', 'a file that changes, comes or goes counts at once, also with the same size and time', async () => {
  const root = makeRoot({ 'base.json': '{"mode":{"minimum":"GUARDED"}}' });
  const file = join(root, '.ai/config/base.json');
  const minimum = async () => (await readConfig(root)).mode.minimum;
  const long = new Date(Date.now() - 3_600_000);
  const write = (text: string) => {
    writeFileSync(file, text);
    utimesSync(file, long, long);
  };
  for (let round = 0; round < 20; round++) {
    write('{"mode":{"minimum":"STRICT"} }');
    expect(await minimum()).toBe('STRICT');
    write('{"mode":{"minimum":"GUARDED"}}');
    expect(await minimum()).toBe('GUARDED');
  }
  // Until it is old enough to be known by its stamp.
  const before = await readConfig(root);
  while ((await readConfig(root)) !== (await readConfig(root))) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await readConfig(root)).toEqual(before);
  write('{"mode":{"minimum":"STRICT"} }');
  expect(await minimum()).toBe('STRICT');
  rmSync(file);
  expect(await minimum()).toBe(null);
  write('{"mode":');
  await expect(readConfig(root)).rejects.toThrow('base.json');
  await expect(readConfig(root)).rejects.toThrow('base.json');
});

verifies('G26', 'errors name file, line and key', async () => {
  const bad: [layer: string, text: string, message: string][] = [
    [
      'repo.json',
      '{\n  "mode": {\n    "minimun": "STRICT"\n  }\n}',
      '.ai/config/repo.json:3: mode.minimun: is not a setting; the nearest is mode.minimum',
    ],
    ['base.json', '{"approval": {}}', '.ai/config/base.json:1: approval: is not a setting; the nearest is approvals'],
    [
      'base.json',
      '{\n"mode": {"minimum": "PASSIVE"}}',
      '.ai/config/base.json:2: mode.minimum: Invalid option: expected one of "GUARDED"|"STRICT"',
    ],
    [
      'env.local.json',
      '{"approvals": {"ttlSeconds": 0.5}}',
      '.ai/config/env.local.json:1: approvals.ttlSeconds: Invalid input: expected int, received number',
    ],
    [
      'env.local.json',
      '{"commands": {"allow": ["ls",\n7]}}',
      '.ai/config/env.local.json:2: commands.allow.1: Invalid input: expected string, received number',
    ],
    ['repo.json', '[]', '.ai/config/repo.json:1: the file: Invalid input: expected object, received array'],
    [
      'repo.json',
      '{\n"mode": {},\n}',
      '.ai/config/repo.json:3: expected a key in double quotes (a comma before a closing brace is not JSON)',
    ],
    ['repo.json', '{"mode": {}, "mode": {}}', '.ai/config/repo.json:1: the key "mode" is there twice'],
    ['repo.json', '{"memory": {"__proto__": {"a": 1}}}', '.ai/config/repo.json:1: the key "__proto__" is not allowed'],
    ['repo.json', '{"a": 1,\n"b": 2}', '.ai/config/repo.json:1: a: is not a setting\n.ai/config/repo.json:2: b: is not a setting'],
  ];
  for (const [layer, text, message] of bad) {
    await expect(readConfig(makeRoot({ [layer]: text }))).rejects.toMatchObject({ code: 'DOCUMENT_INVALID', message });
  }
});

verifies('N11', 'settings are not read through a link into a scope', async () => {
  const root = makeRoot({ 'base.json': '{}' });
  writeFileSync(join(root, 'innocent.json'), '{"mode":{"minimum":null}}');
  symlinkSync('../../innocent.json', join(root, '.ai/config/repo.json'));
  await expect(readConfig(root)).rejects.toMatchObject({
    code: 'DOCUMENT_INVALID',
    message: '.ai/config/repo.json cannot be used: it leads to innocent.json through a link',
  });
});
