import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../protocol/index.ts';
import { readClaudePermissions } from './claude-permissions.ts';
import { readCsv } from './csv.ts';
import { LIMITS } from './draft.ts';
import { readRules } from './rules-file.ts';
import { readSpec } from './spec-kit.ts';
import { readGitHub, readJira, readLinear } from './trackers.ts';

const names = (drafts: { intents: readonly { name: string; source: string; closed: boolean }[] }) =>
  drafts.intents.map(({ name, source, closed }) => ({ name, source, closed }));

describe('comma-separated values', () => {
  test('quotes, commas and line ends inside cells; names that are there twice', () => {
    const { columns, rows } = readCsv('x.csv', '\ufeffID,Labels,Labels\r\n1,"a, ""b""\nc",d\r\n\r\n2,,\n');
    expect(columns).toEqual(['ID', 'Labels', 'Labels']);
    expect(rows.map((row) => [row.line, row.get('id'), row.all('labels')])).toEqual([
      [2, '1', ['a, "b"\nc', 'd']],
      [5, '2', []],
    ]);
  });

  test.each([
    ['', 'x.csv:1: there is no row with the names of the columns'],
    ['a,b\n1\n', 'x.csv:2: this row has 1 cells, and there are 2 columns'],
    ['a,b\n"1\n2",x"y\n', 'x.csv:3: a quote is inside a cell without quotes around it'],
    ['a\n"1\n', 'x.csv:2: a quote is opened here and never closed'],
    [`a\n${'1\n'.repeat(20_000)}`, 'x.csv:20001: there are more than 20000 rows; export it in parts'],
    ['a\r\n"1\r\n2"\r\nx,y\r\n', 'x.csv:4: this row has 2 cells, and there are 1 columns'],
    ['a\n"1\n2"x\n', 'x.csv:3: there is something behind a closing quote'],
  ])('%# is refused with its line', (text, message) => expect(() => readCsv('x.csv', text)).toThrow(message));

  test('what is written by the rules is read as it was', () => {
    const cell = fc.string({ maxLength: 12 }).map((text) => text.replaceAll('\r', ''));
    const spell = (value: string) => `"${value.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 8 }), (rows) => {
        const text = [['a', 'b'], ...rows].map((row) => row.map(spell).join(',')).join('\r\n');
        const kept = rows.filter((row) => row.some((each) => each !== ''));
        expect(readCsv('x.csv', text).rows.map((row) => [row.get('a'), row.get('b')])).toEqual(kept);
      }),
      { numRuns: 200 },
    );
  });
});

describe('trackers', () => {
  test('GitHub: issues, not pull requests; checkboxes are what it is done by', () => {
    const issues = [
      { number: 1, title: '  Fix\nlogin ', state: 'OPEN', body: 'It fails.\r\n- [ ] says why\n- [x] logs\n' },
      { number: 2, title: 'A change', state: 'open', body: null, pull_request: { url: 'x' } },
      { number: 3, title: 'Old', state: 'CLOSED' },
    ];
    const drafts = readGitHub('issues.json', JSON.stringify(issues));
    expect(names(drafts)).toEqual([
      { name: 'Fix login', source: 'GitHub #1', closed: false },
      { name: 'Old', source: 'GitHub #3', closed: true },
    ]);
    expect(drafts.intents[0]!.acceptance_criteria).toEqual(['says why', 'logs']);
    expect(names(readGitHub('one.json', JSON.stringify({ items: [issues[0]] })))).toHaveLength(1);
    expect(() => readGitHub('issues.json', '[\n  {"number": 1, "title": "a"},\n  {"number": "2", "title": "b"}\n]')).toThrow(
      /^issues\.json:3: number: .*it is no GitHub issue$/,
    );
    expect(() => readGitHub('issues.json', '[\n{]')).toThrow(/^issues\.json:2: /);
  });

  test('Jira: CSV with a column for criteria, JSON with a document for a description', () => {
    const csv =
      'Summary,Issue key,Status,Description,Custom field (Acceptance Criteria)\nPay,PAY-7,In Progress,"see src",* one\nDone,PAY-8,Done,,\n';
    expect(names(readJira('jira.csv', csv))).toEqual([
      { name: 'Pay', source: 'Jira PAY-7', closed: false },
      { name: 'Done', source: 'Jira PAY-8', closed: true },
    ]);
    expect(readJira('jira.csv', csv).intents[0]!.acceptance_criteria).toEqual(['one']);
    const document = {
      type: 'doc',
      content: [
        { type: 'heading', content: [{ type: 'text', text: 'Acceptance criteria' }] },
        {
          type: 'bulletList',
          content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'it pays' }] }] }],
        },
      ],
    };
    const json = { issues: [{ key: 'PAY-9', fields: { summary: 'Pay more', description: document, status: { name: 'To Do' } } }] };
    expect(readJira('jira.json', JSON.stringify(json)).intents).toMatchObject([
      { name: 'Pay more', source: 'Jira PAY-9', acceptance_criteria: ['it pays'], closed: false },
    ]);
    expect(() => readJira('jira.csv', 'Summary,Key\na,b\n')).toThrow('jira.csv:1: there is no column Issue key');
    expect(() => readJira('jira.json', '{\n"issues": [{\n"key": 1}]}')).toThrow(/^jira\.json:3: key: /);
  });

  test('Linear: what is completed or cancelled is closed', () => {
    const csv = 'ID,Team,Title,Description,Status,Completed,Canceled\nENG-1,Eng,Login,,Todo,,\nENG-2,Eng,Old,,Backlog,2026-01-01,\n';
    expect(names(readLinear('linear.csv', csv))).toEqual([
      { name: 'Login', source: 'Linear ENG-1', closed: false },
      { name: 'Old', source: 'Linear ENG-2', closed: true },
    ]);
  });
});

test('spec-kit: requirements are constraints, scenarios and measures what it is done by', () => {
  const spec = `# Feature Specification: Log in with a passkey
**Status**: Draft
<!-- - **FR-000**: a hint for the writer -->
1. **Given** a user, **When** they log in, **Then** they are in
- **FR-001**: System MUST ask for a passkey
- **SC-001**: 95% log in at the first try
`;
  expect(readSpec({ name: 'specs/001-passkey', spec, beside: 'src/auth' })).toMatchObject({
    name: 'Log in with a passkey',
    source: 'spec-kit specs/001-passkey',
    constraints: ['System MUST ask for a passkey'],
    acceptance_criteria: ['Given a user, When they log in, Then they are in', '95% log in at the first try'],
    closed: false,
  });
  expect(() => readSpec({ name: 'specs/1', spec: 'words', beside: '' })).toThrow(
    'specs/1/spec.md:1: there is no heading that names the feature',
  );
});

describe('rules', () => {
  test('items that say what must be, and items below a heading that says so; not code, comments or the gate’s own block', () => {
    const text = `---
description: x
---
# About
- src: where the sources are
- Tests must be **deterministic**
## Conventions
1. Use [pnpm](https://pnpm.io)
   for all installs
- two words
\`\`\`
- never in code
\`\`\`
<!-- - never in a comment -->
<!-- countersign:begin (kept by Countersign) -->
- constraint: never this
<!-- countersign:end -->
- Tests must be deterministic
`;
    expect(readRules('CLAUDE.md', text).rules).toEqual([
      { statement: 'Tests must be deterministic', start_line: 6, end_line: 6 },
      { statement: 'Use pnpm for all installs', start_line: 8, end_line: 9 },
    ]);
  });

  test('in a file of rules only every item counts', () => {
    expect(readRules('.cursorrules', '- Write short functions\nprose\n').rules.map(({ statement }) => statement)).toEqual([
      'Write short functions',
    ]);
  });

  test('sentences without bullets count where they say what must be, or in a file of rules; the rest is left out with its line', () => {
    const text = '# Shop\nWe sell shoes. They\nare red.\nNever log\na password.\n\nThese hold:\n## Style\nShort functions win\n| a | b |\n';
    expect(readRules('AGENTS.md', text)).toEqual({
      rules: [
        { statement: 'Never log a password.', start_line: 4, end_line: 5 },
        { statement: 'Short functions win', start_line: 9, end_line: 9 },
      ],
      leftOut: [
        { line: 2, text: 'We sell shoes. They are red.', why: 'it does not say what must or must not be' },
        { line: 7, text: 'These hold:', why: 'it only introduces what follows' },
      ],
    });
    expect(readRules('.cursorrules', 'Use functional components.\nName files in kebab-case.\n').rules).toHaveLength(2);
    expect(readRules('AGENTS.md', 'a\n\n'.repeat(1_003)).leftOut.slice(-1)).toEqual([
      { line: 2001, text: 'a', why: 'it is too short for a rule; 2 later ones are not listed' },
    ]);
  });

  test('Claude’s permissions: deny and ask are constraints, allowed commands are patterns', () => {
    const text =
      '{\n"permissions": {\n"allow": ["Bash(npm run test:*)", "Read"],\n"ask": ["WebFetch"],\n"deny": ["Bash(curl:*)", "Read(.env)"]\n}}';
    expect(readClaudePermissions('settings.json', text)).toEqual({
      intents: [],
      rules: [
        { statement: 'Never run the command curl *', start_line: 5, end_line: 5 },
        { statement: 'Never read .env', start_line: 5, end_line: 5 },
        { statement: 'Ask a human before you fetch', start_line: 4, end_line: 4 },
      ],
      commandRules: [{ pattern: 'npm run test *', line: 3 }],
      leftOut: [{ line: 3, text: 'Read', why: 'only a pattern of commands can be allowed' }],
    });
    expect(() => readClaudePermissions('settings.json', '{\n"permissions": {"deny": "all"}}')).toThrow(
      /^settings\.json:2: permissions\.deny: /,
    );
  });
});

test('whatever is in a file, a reader answers with drafts within limits or with a sentence that names the line', () => {
  const readers = [
    (text: string) => readGitHub('f', text),
    (text: string) => readJira('f', text),
    (text: string) => readLinear('f', text),
    (text: string) => readClaudePermissions('f', text),
    (text: string) => ({ intents: [], ...readRules('AGENTS.md', text) }),
    (text: string) => ({ intents: [readSpec({ name: 'f', spec: text, beside: '' })], rules: [] }),
  ];
  const near = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc
      .array(
        fc.constantFrom(
          '- never x y',
          '# T',
          '```',
          '<!--',
          '-->',
          '"',
          ',',
          '\n',
          'ID,Title\n',
          'Summary,Issue key\n',
          '{"issues":[',
          ']}',
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(near, fc.constantFrom(...readers), (text, read) => {
      try {
        const { intents, rules } = read(text);
        for (const { name, acceptance_criteria } of intents) {
          expect(name.length).toBeLessThanOrEqual(LIMITS.name);
          expect(name.isWellFormed()).toBe(true);
          expect(acceptance_criteria.length).toBeLessThanOrEqual(LIMITS.lines);
        }
        for (const { start_line, end_line } of rules) expect(end_line).toBeGreaterThanOrEqual(start_line);
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
        expect((error as Fault).message).toMatch(/^f(?:\/spec\.md)?:\d+: /);
      }
    }),
    { numRuns: 150 },
  );
});
