// `countersign import` with real files and a real daemon: shown first, pending or proposed after, nothing granted.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CommandRuleRow, type IntentRow, type MemoryRow, newId } from '../src/protocol/index.ts';
import type { Place } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { verifies } from './verifies.ts';

const makePlace = oneDaemon();
async function placeForThisTest(files: Readonly<Record<string, string>>): Promise<Place> {
  const place = await makePlace();
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(place.repo.path, file)), { recursive: true });
    await writeFile(join(place.repo.path, file), text);
  }
  return place;
}

const intents = async (place: Place) =>
  (await place.ask<IntentRow[]>('intents')).map(({ id, name, status, owned_scope }) => ({ id, name, status, owned_scope })).toReversed();
const memories = async (place: Place) =>
  (await place.ask<MemoryRow[]>('memory', 'recent')).map(({ kind, statement, rationale, status, approved }) => ({
    kind,
    statement,
    rationale,
    status,
    approved,
  }));

describe('rules', () => {
  verifies('N19', 'become constraints without approval', async () => {
    const place = await placeForThisTest({
      'CLAUDE.md': '# Rules\n- Never commit to main\n',
      'AGENTS.md': '- Tests must be deterministic\n- never commit to main.\n',
      '.cursorrules': '- Write short functions\n',
      '.github/copilot-instructions.md': '- Always run the tests\n',
      '.claude/settings.json': '{"permissions":{"deny":["Bash(curl:*)"],"allow":["Bash(npm test:*)"]}}',
    });
    const shown = await place.run(['import', 'CLAUDE.md', '--dry-run']);
    expect(shown).toMatchObject({ code: 0, stdout: 'rule    line 2  Never commit to main\n' });
    expect(await memories(place)).toEqual([]);

    for (const file of ['CLAUDE.md', 'AGENTS.md', '.cursorrules', '.github/copilot-instructions.md', '.claude/settings.json'])
      expect((await place.run(['import', file, '--yes'])).code).toBe(0);
    const pending = { kind: 'constraint', status: 'ASSERTED', approved: null };
    expect((await memories(place)).toReversed()).toEqual([
      { ...pending, statement: 'Never commit to main', rationale: 'it is in CLAUDE.md:2' },
      { ...pending, statement: 'Tests must be deterministic', rationale: 'it is in AGENTS.md:1' },
      { ...pending, statement: 'Write short functions', rationale: 'it is in .cursorrules:1' },
      { ...pending, statement: 'Always run the tests', rationale: 'it is in .github/copilot-instructions.md:1' },
      { ...pending, statement: 'Never run the command curl *', rationale: 'it is in .claude/settings.json:1' },
    ]);
    expect(await place.run(['import', 'CLAUDE.md', '--yes'])).toMatchObject({ code: 0, stderr: 'There is nothing new to take over.\n' });
  });
});

test('rules without bullets are taken too, and what is left out is named with its line', async () => {
  const place = await placeForThisTest({
    'CLAUDE.md': '# About\nThis is a shop.\nTests must never\nuse the network.\n\n- src: sources\n',
    'github.json': JSON.stringify([
      { number: 1, title: 'Fix login', body: 'See `src/auth/login.ts`.' },
      { number: 2, title: 'Faster', body: 'Somewhere.' },
      { number: 3, title: 'Old', state: 'CLOSED', body: '' },
    ]),
  });
  expect((await place.run(['import', 'CLAUDE.md', '--yes'])).stdout).toBe(
    [
      'rule    line 3  Tests must never use the network.',
      'left out  line 2  This is a shop.  (it does not say what must or must not be)',
      'left out  line 6  src: sources  (it is too short for a rule)\n',
    ].join('\n'),
  );
  expect((await memories(place)).map(({ statement }) => statement)).toEqual(['Tests must never use the network.']);
  expect((await place.run(['import', 'github.json', '--yes'])).stdout).toBe(
    [
      'intent  GitHub #1  Fix login  [src/auth/login.ts]',
      'left out  GitHub #3 Old  (it is closed; --all takes it too)',
      'left out  GitHub #2 Faster  (it names no path that is there; give --paths)\n',
    ].join('\n'),
  );
  expect((await intents(place)).map(({ name }) => name)).toEqual(['Fix login']);
});

describe('commands that Claude Code may run', () => {
  const rows = (place: Place) => place.ask<CommandRuleRow[]>('rules');

  verifies('N19', 'become rules that are proposed, and allow nothing until a human puts each in force', async () => {
    const place = await placeForThisTest({
      '.claude/settings.json': '{"permissions":{"allow":["Bash(make:*)","Bash(npm run build)","Read(src/**)"]}}',
    });
    await place.run(['init', '--yes', '--intent', 'everyday work', '--paths', 'src']);
    await place.human(['mode', 'min', 'STRICT']);
    const shown = await place.run(['import', '.claude/settings.json', '--dry-run']);
    expect(shown).toMatchObject({
      code: 0,
      stdout:
        'allow   line 1  make *\nallow   line 1  npm run build\nleft out  line 1  Read(src/**)  (only a pattern of commands can be allowed)\n',
    });
    expect(await rows(place)).toEqual([]);

    expect((await place.run(['import', '.claude/settings.json', '--yes'])).stderr).toContain(
      '2 proposed command rules. Nothing is allowed by one until: countersign rules allow ID\n',
    );
    const proposed = { source: '.claude/settings.json:1', state: 'proposed' };
    const [build, make] = await rows(place);
    expect([build, make]).toMatchObject([
      { ...proposed, pattern: 'npm run build' },
      { ...proposed, pattern: 'make *' },
    ]);
    expect((await place.run(['import', '--list'])).stdout).toBe(
      `${[build, make].map((rule) => `${rule!.id}  proposed allow  ${rule!.pattern}  from .claude/settings.json:1\n`).join('')}  countersign rules allow ID, or countersign rules end ID\n`,
    );
    expect((await place.run(['import', '.claude/settings.json', '--yes'])).stderr).toBe('There is nothing new to take over.\n');

    const asks = async (command: string) => {
      const answer = (await place.hook('PreToolUse', {
        ...{ permission_mode: 'acceptEdits', tool_name: 'Bash', tool_input: { command }, tool_use_id: newId('act') },
      })) as { hookSpecificOutput?: { permissionDecisionReason?: string } };
      return answer.hookSpecificOutput?.permissionDecisionReason?.includes('waits for a human') ?? false;
    };
    expect(await asks('make all')).toBe(true);
    expect((await place.human(['rules', 'allow', make!.id])).output).toContain(`${make!.id} is in force`);
    expect([await asks('make all'), await asks('npm run build')]).toEqual([false, true]);
    expect((await place.human(['rules', 'end', make!.id])).code).toBe(0);
    expect(await asks('make all')).toBe(true);
    expect((await rows(place)).map(({ pattern }) => pattern)).toEqual(['npm run build']);
    expect(await place.run(['rules', 'allow', 'rul_1'])).toMatchObject({ code: 2 });
    expect(await place.run(['import'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--list') });
  });
});

describe('plans', () => {
  verifies('N19', 'from GitHub, Jira, Linear and spec-kit become proposals', async () => {
    const place = await placeForThisTest({
      'github.json': JSON.stringify([
        { number: 12, title: 'Fix login', state: 'OPEN', body: 'See `src/auth/login.ts`.' },
        { number: 13, title: 'Old', state: 'CLOSED', body: '' },
      ]),
      'jira.csv': 'Summary,Issue key,Status,Description\nPay twice,PAY-7,To Do,in src/payments/index.ts\n',
      'linear.csv': 'ID,Title,Description,Status\nENG-1,Docs,Say more in README.md,Todo\n',
      'specs/001-passkey/spec.md': '# Feature Specification: Passkeys\n- **FR-001**: System MUST ask\n',
      'specs/001-passkey/tasks.md': '- [ ] T001 change src/auth/login.ts\n',
    });
    for (const file of ['github.json', 'jira.csv', 'linear.csv', 'specs'])
      expect((await place.run(['import', file, '--yes'])).code).toBe(0);
    expect(await intents(place)).toEqual([
      { id: 'INT-001', name: 'Fix login', status: 'proposed', owned_scope: ['src/auth/login.ts'] },
      { id: 'INT-002', name: 'Pay twice', status: 'proposed', owned_scope: ['src/payments/index.ts'] },
      { id: 'INT-003', name: 'Docs', status: 'proposed', owned_scope: ['README.md'] },
      { id: 'INT-004', name: 'Passkeys', status: 'proposed', owned_scope: ['src/auth/login.ts'] },
    ]);
    expect((await place.human(['intents', 'activate', 'INT-001'])).code).toBe(0);
    expect((await intents(place))[0]).toMatchObject({ status: 'active' });
    const again = JSON.parse((await place.run(['import', 'github.json', '--all', '--paths', 'src', '--yes', '--json'])).stdout) as unknown;
    expect(again).toMatchObject({
      intents: [
        { name: 'Fix login', state: 'known', id: null },
        { name: 'Old', state: 'new', id: 'INT-005' },
      ],
    });
  });

  test('that name no path need one; the gate’s own files are none', async () => {
    const place = await placeForThisTest({
      'github.json': JSON.stringify([{ number: 1, title: 'Loosen it', body: 'edit .claude/settings.json and /etc/passwd and ../x' }]),
      '.claude/settings.json': '{}',
    });
    expect(await place.run(['import', 'github.json', '--yes'])).toMatchObject({
      code: 0,
      stdout:
        'There is nothing in it that can be taken over.\nleft out  GitHub #1 Loosen it  (it names no path that is there; give --paths)\n',
    });
    expect(await intents(place)).toEqual([]);
    await place.run(['import', 'github.json', '--paths', 'src/auth', '--yes']);
    expect(await intents(place)).toMatchObject([{ owned_scope: ['src/auth/**'] }]);
  });
});

describe('what cannot be taken over', () => {
  test('is a sentence with file and line, and nothing is kept', async () => {
    const place = await placeForThisTest({ 'bad.csv': 'ID,Title\n1\n', 'x.bin': 'x', 'latin.md': '' });
    await writeFile(join(place.repo.path, 'latin.md'), Buffer.from([0x2d, 0x20, 0xff]));
    expect(await place.run(['import', 'bad.csv'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('bad.csv:2: this row has 1 cells'),
    });
    expect(await place.run(['import', 'x.bin'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Name it: --as github') });
    expect(await place.run(['import', 'x.bin', '--as', 'trello'])).toMatchObject({ code: 2 });
    expect(await place.run(['import', 'latin.md'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('latin.md:1: it cannot be read as UTF-8'),
    });
    expect(await place.run(['import', 'nowhere'])).toMatchObject({
      code: expect.any(Number),
      stderr: expect.stringContaining('There is nothing at'),
    });
    expect([await intents(place), await memories(place)]).toEqual([[], []]);
  });

  test('without a terminal it asks for --yes; in one, no takes nothing', async () => {
    const place = await placeForThisTest({ 'CLAUDE.md': '- Never commit to main\n' });
    expect(await place.run(['import', 'CLAUDE.md'])).toMatchObject({ code: 2, stderr: expect.stringContaining('This is not a terminal') });
    const { output } = await place.humanTries(['import', 'CLAUDE.md'], [{ after: '[y/N]', type: 'n\n' }]);
    expect(output).toMatch(/Nothing was taken over\.\n$/);
    expect(await memories(place)).toEqual([]);
  });
});

test('an intent from a template has its constraints and criteria behind a person’s own', async () => {
  const place = await placeForThisTest({});
  const intent = await place.ask<IntentRow>('intent', 'Fix login', 'src/auth', '--template', 'bugfix', '--constraint', 'Mine');
  expect(intent).toMatchObject({
    status: 'active',
    constraints: ['Mine', 'Change no behaviour but the faulty one', 'No new dependencies'],
    acceptance_criteria: ['A test fails without the fix and passes with it', 'All other tests still pass'],
  });
  expect(await place.run(['intent', 'x', 'src', '--template', 'poem'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The templates are bugfix, feature'),
  });
});
