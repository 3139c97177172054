import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Intent } from '../protocol/index.ts';
import { insertIntent, INTENTS_HEADER } from './insert-intent.ts';
import { parseIntents } from './intents-document.ts';
import { addIntentToFile, readIntentsFile, updateIntentInFile } from './intents-file.ts';
import { makeTree } from './tree.fixture.ts';
import { INTENTS_FILE } from './own-files.ts';

const login: Intent = {
  id: 'INT-001',
  name: 'Fix the login',
  status: 'active',
  owned_scope: ['src/auth/**'],
  constraints: [],
  acceptance_criteria: ['wrong passwords are refused: always', '# not a comment'],
};
const second: Intent = {
  ...login,
  id: 'INT-002',
  name: 'yes',
  owned_scope: ['**/*.md', 'a b'],
  constraints: ['- dash', '"quoted" \u2028 \u0085 tab\t', 'true', '1e3', ' lead'],
  acceptance_criteria: [],
};

const handwritten = `# Our intents. Ask Kim before adding one.
intents:
  # the first one
  - id: INT-001   # login
    name: 'Fix the login'
    status:   active
    owned_scope: [ "src/auth/**" ]   # flow style
    acceptance_criteria:
      - "wrong passwords are refused: always"
      - '# not a comment'
      # - later: lock the account

# the end
`;

verifies('I3', 'the file holds intents with all their fields; the lists that may be empty may be left out', async () => {
  const root = makeTree({ [INTENTS_FILE]: handwritten });
  expect(await readIntentsFile(root)).toEqual([login]);
  expect(await readIntentsFile(makeTree())).toBe(null);
  for (const empty of ['', '# nothing yet\n', 'intents:\n', 'intents: []\n', 'intents: null\n'])
    expect(await readIntentsFile(makeTree({ [INTENTS_FILE]: empty }))).toEqual([]);
});

verifies('I3', 'adding an intent leaves every byte that a human wrote', async () => {
  const root = makeTree({ [INTENTS_FILE]: handwritten });
  chmodSync(join(root, INTENTS_FILE), 0o640);
  await addIntentToFile(root, second);
  const added = `  - id: INT-002
    name: "yes"
    status: active
    owned_scope:
      - "**/*.md"
      - a b
    constraints:
      - "- dash"
      - "\\"quoted\\" \\u2028 \\u0085 tab\\t"
      - "true"
      - "1e3"
      - " lead"
    acceptance_criteria: []
`;
  expect(readFileSync(join(root, INTENTS_FILE), 'utf8')).toBe(handwritten.replace('\n\n# the end', `\n${added}\n# the end`));
  expect(await readIntentsFile(root)).toEqual([login, second]);
  expect(statSync(join(root, INTENTS_FILE)).mode & 0o777).toBe(0o640);
  expect(readdirSync(join(root, '.orchestration'))).toEqual(['active_intents.yaml']);
});

test('a missing file is made with a header', async () => {
  const root = makeTree();
  await addIntentToFile(root, login);
  expect(
    readFileSync(join(root, INTENTS_FILE), 'utf8').startsWith(`${INTENTS_HEADER}intents:\n  - id: INT-001\n    name: Fix the login\n`),
  ).toBe(true);
  expect(await readIntentsFile(root)).toEqual([login]);
});

test('empty lists, odd indents, line ends and markers all take an item', () => {
  const item = (indent: string): string => insertIntent(null, login).split('intents:\n')[1]!.replaceAll(/^ {2}/gm, indent);
  const expected: [before: string, after: string][] = [
    ['intents: []\n', `intents:\n${item('  ')}`],
    ['intents: [ ]  # none yet\n# end', `intents:  # none yet\n${item('  ')}# end`],
    ['intents: ~\nother: 1\n', `intents:\n${item('  ')}other: 1\n`],
    ['other: 1\nintents:', `other: 1\nintents:\n${item('  ')}`],
    ['intents:   # none\n  # but soon\n\nother: [1, 2]\n', `intents:   # none\n  # but soon\n${item('  ')}\nother: [1, 2]\n`],
    ['# only a comment', `# only a comment\nintents:\n${item('  ')}`],
    ['---\nintents: []\n...\n', `---\nintents:\n${item('  ')}...\n`],
    ['\ufeffintents: []\r\n', `\ufeffintents:\r\n${item('  ').replaceAll('\n', '\r\n')}`],
  ];
  for (const [before, after] of expected) expect(insertIntent(before, login)).toBe(after);

  const filled = insertIntent(null, second).split('intents:\n')[1]!;
  for (const indent of ['', '  ', '      ']) {
    const before = `intents:\n${filled.replaceAll(/^ {2}/gm, indent)}`;
    expect(insertIntent(before, login)).toBe(`${before}${item(indent)}`);
    expect(insertIntent(`${before.trimEnd()}   # note`, login)).toBe(`${before.trimEnd()}   # note\n${item(indent)}`);
  }
  const block = `intents:\n  - id: INT-9\n    name: n\n    status: done\n    owned_scope: [a]\n    constraints:\n      - |\n        text\n        # part of the text\n\n      # a note\nlast: x\n`;
  expect(insertIntent(block, login)).toBe(block.replace('last: x', `${item('  ')}last: x`));
});

verifies('I3', 'where a list cannot take an item as it is written, nothing is touched and the fault says what to do', async () => {
  const flow = 'intents: [{id: INT-009, name: n, status: done, owned_scope: [a]}]\n';
  for (const text of [
    flow,
    '{intents: []}\n',
    '? intents\n: - {id: INT-009, name: n, status: done, owned_scope: [a]}\n',
    'intents: [\n  # soon\n]\n',
  ]) {
    const root = makeTree({ [INTENTS_FILE]: text });
    await expect(addIntentToFile(root, login)).rejects.toMatchObject({
      code: 'DOCUMENT_INVALID',
      fix: expect.stringContaining('as an indented list') as string,
    });
    expect(readFileSync(join(root, INTENTS_FILE), 'utf8')).toBe(text);
  }
});

verifies('I3', 'a human’s own keys are kept, and not read', async () => {
  const text = 'intents:\n  - id: INT-001\n    owner: ada\n    name: n\n    status: active\n    owned_scope: [a]\n    ticket: 7 # mine\n';
  const root = makeTree({ [INTENTS_FILE]: text });
  const [intent] = (await readIntentsFile(root)) ?? [];
  expect(intent).toEqual({ id: 'INT-001', name: 'n', status: 'active', owned_scope: ['a'], constraints: [], acceptance_criteria: [] });
  await updateIntentInFile(root, { ...intent!, status: 'paused', constraints: ['c'] });
  const after = readFileSync(join(root, INTENTS_FILE), 'utf8');
  expect(after).toContain('    owner: ada\n    name: n\n    status: paused\n');
  expect(after).toContain('    ticket: 7 # mine\n');
});

verifies('I3', 'a bad file is a fault with the line and the thing', async () => {
  const good = '  - id: INT-001\n    name: n\n    status: active\n    owned_scope: [a]\n';
  const bad: [text: string, message: string][] = [
    ['intents:\n  - id: "INT-001\n', ':3: Missing closing "quote'],
    ['intents:\n\t- a\n', ':2: Tabs are not allowed as indentation'],
    ['intent:\n  - a\n', ':1: the top level has to be a mapping with the key `intents`'],
    ['- a\n', ':1: the top level has to be a mapping with the key `intents`'],
    ['# c\nintents: 7\n', ':2: `intents` has to be a list'],
    ['intents:\n  - just text\n', ':2: intents[0]: Invalid input: expected object, received string'],
    [`intents:\n${good.replace('[a]', '\n      - **')}`, ':6: ** has to be in quotes: "**"'],
    [`intents:\n${good}    constrains: [b]\n`, ':6: intents[0]: constrains is not read; constraints is meant, or another word'],
    [`intents:\n${good}${good}`, ':6: intents[1].id: INT-001 is already the id of intents[0]'],
    [`intents:\n${good.replace('[a]', '[a, ../b]')}`, ':5: intents[0].owned_scope[1]: The glob "../b" has .. in it'],
    [
      `intents:\n${good.replace('active', 'actve')}`,
      ':4: intents[0].status: Invalid option: expected one of "proposed"|"active"|"paused"|"done"|"abandoned"',
    ],
    [`intents:\n${good.replace('    name: n\n', '')}`, ':2: intents[0].name: Invalid input: expected string, received undefined'],
    [`a: 1\nintents: []\na: 2\n`, ':3: Map keys must be unique'],
    [`intents: []\n---\nintents: []\n`, ':2: Source contains multiple documents; please use YAML.parseAllDocuments()'],
  ];
  for (const [text, message] of bad) {
    await expect(readIntentsFile(makeTree({ [INTENTS_FILE]: text }))).rejects.toMatchObject({
      code: 'DOCUMENT_INVALID',
      message: `${INTENTS_FILE}${message}`,
    });
  }
  await expect(readIntentsFile(makeTree({ [INTENTS_FILE]: Buffer.from([105, 10, 0xff]) }))).rejects.toMatchObject({
    message: `${INTENTS_FILE}:2: is not valid UTF-8`,
  });
});

test('a document that would unfold without end is a fault', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g'].map((key, index) => `${key}: &${key} [${Array.from({ length: 9 }, () => `*${'abcdef'[index]}`).join(',')}]`).join('\n')}\nintents: *g\n`;
  expect(() => parseIntents(bomb)).toThrow(expect.objectContaining({ code: 'DOCUMENT_INVALID' }));
});

test('an id that is taken and a file that changed meanwhile are conflicts', async () => {
  const root = makeTree({ [INTENTS_FILE]: handwritten });
  await expect(addIntentToFile(root, login)).rejects.toMatchObject({ code: 'CONFLICT' });
  const results = await Promise.allSettled([
    addIntentToFile(root, second),
    addIntentToFile(root, { ...second, id: 'INT-003' }),
    addIntentToFile(root, { ...second, id: 'INT-004' }),
  ]);
  const added = results.filter(({ status }) => status === 'fulfilled').length;
  expect((await readIntentsFile(root))?.length).toBe(1 + added);
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  expect(reasons).toEqual(reasons.map(() => expect.objectContaining({ code: 'CONFLICT' }) as unknown));
  expect(readdirSync(join(root, '.orchestration'))).toEqual(['active_intents.yaml']);
});

verifies('I9', 'the file is not read or written through a link', async () => {
  const root = makeTree({ 'src/mine.yaml': handwritten, '.orchestration/': '', 'src/folder/active_intents.yaml': handwritten });
  symlinkSync('../src/mine.yaml', join(root, INTENTS_FILE));
  await expect(readIntentsFile(root)).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  await expect(addIntentToFile(root, second)).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  rmSync(join(root, '.orchestration'), { recursive: true });
  symlinkSync('src/folder', join(root, '.orchestration'));
  await expect(readIntentsFile(root)).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  writeFileSync(join(root, 'src/folder/untouched'), '', { flag: 'wx' });
  expect(readFileSync(join(root, 'src/mine.yaml'), 'utf8')).toBe(handwritten);
});

const words = fc
  .array(
    fc.constantFrom(
      'a',
      ' ',
      '#',
      ':',
      '-',
      '"',
      "'",
      '{',
      '}',
      '*',
      '&',
      '!',
      '|',
      '%',
      '@',
      'é',
      '\u{1f600}',
      '\\',
      '\t',
      '\n',
      '0',
      '~',
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((each) => each.join(''));
const intents = fc.record({
  name: words,
  status: fc.constantFrom('proposed', 'active', 'paused', 'done', 'abandoned' as const),
  owned_scope: fc.array(fc.constantFrom('src/**', '**', '*.ts', 'a b/c', '#x', '{a,b}/c', '[ab]'), { minLength: 1, maxLength: 3 }),
  constraints: fc.array(words, { maxLength: 2 }),
  acceptance_criteria: fc.array(words, { maxLength: 2 }),
});
const noise = fc.record({ indent: fc.nat(8), text: fc.stringMatching(/^[a-z#:\- ]{0,12}$/), blank: fc.boolean() });

verifies('I3', 'random comments between any two lines survive any number of additions', () => {
  fc.assert(
    fc.property(
      fc.array(intents, { minLength: 2, maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(), noise), { maxLength: 8 }),
      fc.boolean(),
      (list, comments, windows) => {
        const numbered = list.map((each, index): Intent => ({ ...each, id: `INT-${index + 1}` }));
        const lines = insertIntent(null, numbered[0]!).trimEnd().split('\n');
        for (const [at, { indent, text, blank }] of comments)
          lines.splice(at % (lines.length + 1), 0, blank ? '' : `${' '.repeat(indent)}# ${text}`);
        const before = lines.join(windows ? '\r\n' : '\n');
        let text = before;
        for (const [index, next] of numbered.slice(1).entries()) {
          const added = insertIntent(text, next);
          expect(parseIntents(added).intents).toEqual(numbered.slice(0, index + 2));
          expect(withoutOneBlock(added, text)).toBe(true);
          text = added;
        }
      },
    ),
    { numRuns: 300 },
  );
});

/** Whether `long` is `short` with one block of text put in. */
function withoutOneBlock(long: string, short: string): boolean {
  let head = 0;
  while (head < short.length && long[head] === short[head]) head++;
  return long.endsWith(short.slice(head));
}
