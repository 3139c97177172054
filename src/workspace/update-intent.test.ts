import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { Fault, type Intent } from '../protocol/index.ts';
import { insertIntent } from './insert-intent.ts';
import { parseIntents } from './intents-document.ts';
import { readIntentsFile, updateIntentInFile } from './intents-file.ts';
import { makeTree } from './tree.fixture.ts';
import { updateIntent } from './update-intent.ts';
import { INTENTS_FILE } from './own-files.ts';

const handwritten = `# Ours.
intents:
  # the first one
  - id: INT-001   # login
    name: 'Fix the login'  # as Kim says
    status:   active # since May
    owned_scope: [ "src/auth/**", 'docs/*.md' ]   # flow
    acceptance_criteria:
      # before
      - "one: always" # why
      - two

      # - later
      - |
        three
        lines
    # last words
  - {id: INT-002, name: n, status: proposed, owned_scope: [a]}
other: 1
`;
const login = parseIntents(handwritten).intents[0]!;
const flow = parseIntents(handwritten).intents[1]!;

verifies('I3', 'only the values that differ change', () => {
  const changes: [change: Partial<Intent>, from: string, to: string][] = [
    [{}, '', ''],
    [{ status: 'done' }, 'active #', 'done #'],
    [{ name: 'yes: "no"' }, "'Fix the login'", '"yes: \\"no\\""'],
    [{ owned_scope: ['src/auth/**', 'lib/**'] }, "'docs/*.md' ]", 'lib/** ]'],
    [{ owned_scope: ['docs/*.md'] }, '"src/auth/**", ', ''],
    [{ owned_scope: ['src/auth/**'] }, `, 'docs/*.md'`, ''],
    [{ owned_scope: ['x', ...login.owned_scope] }, '[ "src', '[ x, "src'],
    [{ owned_scope: [...login.owned_scope, '**/*.md', 'x'] }, "md' ]", `md', "**/*.md", x ]`],
    [
      { constraints: ['no cookies', '# c'] },
      '    # last words\n',
      '    constraints:\n      - no cookies\n      - "# c"\n    # last words\n',
    ],
    [{ acceptance_criteria: ['0', ...login.acceptance_criteria] }, '      - "one', '      - "0"\n      - "one'],
    [{ acceptance_criteria: ['one: always', 'two', 'new', 'three\nlines\n'] }, '- two\n', '- two\n      - new\n'],
    [{ acceptance_criteria: ['one: always', 'three\nlines\n'] }, '      - two\n', ''],
    [{ acceptance_criteria: ['two', 'three\nlines\n'] }, '      - "one: always" # why\n', '      # why\n'],
    [{ acceptance_criteria: ['one: always', 'two'] }, '      - |\n        three\n        lines\n', ''],
    [{ acceptance_criteria: ['one: always', 'two', 'four'] }, '- |\n        three\n        lines\n', '- four\n'],
  ];
  for (const [change, from, to] of changes) {
    expect(handwritten.split(from).length).toBe(from === '' ? handwritten.length : 2);
    expect(updateIntent(handwritten, { ...login, ...change })).toBe(handwritten.replace(from, to));
  }
  expect(updateIntent(handwritten, { ...login, acceptance_criteria: ['one: always', '2', 'three\nlines\n', 'four'] })).toBe(
    handwritten.replace('- two', '- "2"').replace('        lines\n', '        lines\n      - four\n'),
  );
  const long = handwritten.replace(/\[ "src.* \]/, `[ a, 'b', "c", d, 'e' ]`);
  expect(updateIntent(long, { ...login, owned_scope: ['b', 'x', 'd', 'z', 'e'] })).toBe(long.replace(/\[ a.* \]/, `[ 'b', x, d, z, 'e' ]`));
  expect(updateIntent(handwritten, { ...login, acceptance_criteria: [] })).toBe(
    handwritten
      .replace('criteria:\n', 'criteria: []\n')
      .replace('      - "one: always" # why\n      - two\n', '      # why\n')
      .replace('      - |\n        three\n        lines\n', ''),
  );
  expect(updateIntent(handwritten, { ...flow, status: 'active', owned_scope: ['b', 'c'], constraints: ['d'] })).toBe(
    handwritten.replace('status: proposed, owned_scope: [a]', 'status: active, owned_scope: [b, c], constraints: [d]'),
  );
});

verifies('I3', 'empty lists take values wherever they are', () => {
  const item = (lists: string, eol = '\n'): string =>
    ['intents:', '- id: A-1', '  name: n', '  status: active', '  owned_scope: [a]', lists].join(eol);
  const intent: Intent = { id: 'A-1', name: 'n', status: 'active', owned_scope: ['a'], constraints: ['b'], acceptance_criteria: [] };
  const expected: [before: string, after: string][] = [
    ['  constraints: []\n', '  constraints:\n    - b\n'],
    ['  constraints: [ ] # none\n', '  constraints: # none\n    - b\n'],
    ['  constraints: ~\n# end', '  constraints:\n    - b\n# end'],
    ['  constraints:', '  constraints:\n    - b\n'],
    ['  constraints:   # soon\n    # really\n', '  constraints:   # soon\n    # really\n    - b\n'],
    ['', '  constraints:\n    - b\n'],
    ['  acceptance_criteria:\n', '  acceptance_criteria:\n  constraints:\n    - b\n'],
  ];
  for (const [before, after] of expected) {
    expect(updateIntent(item(before), intent)).toBe(item(after));
    expect(updateIntent(item(before, '\r\n').replaceAll(/(?<!\r)\n/g, '\r\n'), intent)).toContain('constraints:');
  }
});

verifies('I3', 'what would need rewriting is a fault that says what to write', async () => {
  const head = 'intents:\n  - id: A-1\n    name: n\n    status: active\n';
  const cases: [text: string, change: Partial<Intent>, message: string, fix: string][] = [
    [`${head}    owned_scope: [a, # mine\n      b]\n`, { owned_scope: ['b'] }, ':5: owned_scope', 'owned_scope: [b]'],
    [
      `${head}    owned_scope: [a]\n    constraints: [\n      # soon\n    ]\n`,
      { constraints: ['c'] },
      ':6: constraints',
      'constraints: [c]',
    ],
    [`${head}    owned_scope:\n      - &a a\n      - *a\n`, { owned_scope: ['b', 'a'] }, ':5: owned_scope', 'owned_scope: [b, a]'],
    [`${head.replace('name: n', 'name: | # note\n      n')}    owned_scope: [a]\n`, { name: 'm' }, ':3: name', 'name: m'],
  ];
  for (const [text, change, message, fix] of cases) {
    const root = makeTree({ [INTENTS_FILE]: text });
    await expect(updateIntentInFile(root, { ...parseIntents(text).intents[0]!, ...change })).rejects.toMatchObject({
      code: 'DOCUMENT_INVALID',
      message: `${INTENTS_FILE}${message} of A-1 cannot be changed without rewriting what is there`,
      fix: `Write there: ${fix}`,
    });
    expect(readFileSync(join(root, INTENTS_FILE), 'utf8')).toBe(text);
  }
});

verifies('I3', 'the file takes an update, or a new intent', async () => {
  const root = makeTree();
  expect(await updateIntentInFile(root, login)).toBe('written');
  expect(await updateIntentInFile(root, login)).toBe('unchanged');
  expect(await updateIntentInFile(root, { ...login, id: 'INT-7' })).toBe('written');
  expect(await updateIntentInFile(root, { ...login, status: 'paused' })).toBe('written');
  expect(await readIntentsFile(root)).toEqual([
    { ...login, status: 'paused' },
    { ...login, id: 'INT-7' },
  ]);
  writeFileSync(join(root, INTENTS_FILE), 'intents: 7\n');
  await expect(updateIntentInFile(root, login)).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  expect(() => updateIntent(handwritten, { ...login, id: 'INT-9' })).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }) as Error);
});

test('of updates at the same time, the later one is a conflict', async () => {
  const root = makeTree({ [INTENTS_FILE]: handwritten });
  const results = await Promise.allSettled(
    (['done', 'paused', 'abandoned'] as const).map((status, index) =>
      updateIntentInFile(root, { ...(index === 1 ? flow : login), status }),
    ),
  );
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  expect(reasons).toEqual(reasons.map(() => expect.objectContaining({ code: 'CONFLICT' }) as unknown));
  expect(reasons.length).toBeLessThan(3);
});

const words = fc
  .array(fc.constantFrom('a', 'b c', '#', ':', '-', '"', "'", '{', ']', ', ', '*', '&', '!', '|', 'é', '\\', '\n', '0', '~', ' # '), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(''));
const fields = fc.record({
  name: words,
  status: fc.constantFrom('proposed', 'active', 'paused', 'done', 'abandoned' as const),
  owned_scope: fc.array(fc.constantFrom('src/**', '**', '*.ts', 'a b/c', '#x', '{a,b}/c', '[ab]'), { minLength: 1, maxLength: 4 }),
  constraints: fc.array(words, { maxLength: 3 }),
  acceptance_criteria: fc.array(words, { maxLength: 3 }),
});
const flowOf = (list: readonly string[], gap: string): string =>
  `[${gap}${list.map((value) => JSON.stringify(value)).join(`, ${gap}`)}${gap}]`;

verifies('I3', 'in random files, every other line is as it was', () => {
  let updated = 0;
  fc.assert(
    fc.property(
      fc.array(fields, { minLength: 1, maxLength: 3 }),
      fields,
      fc.nat(),
      fc.array(fc.tuple(fc.nat(), fc.nat(8)), { maxLength: 8 }),
      fc.record({ windows: fc.boolean(), flow: fc.constantFrom(null, '', ' '), remarks: fc.boolean(), ended: fc.boolean() }),
      (list, change, which, comments, style) => {
        const intents = list.map((each, index): Intent => ({ ...each, id: `INT-${index + 1}` }));
        const changed: Intent = { ...change, id: `INT-${(which % intents.length) + 1}` };
        let plain = '';
        for (const intent of intents) plain = insertIntent(plain === '' ? null : plain, intent);
        let lines = plain.trimEnd().split('\n');
        if (style.flow !== null) {
          // The lists of each item on one line.
          const kept = lines.filter((text) => !/^ {6}- |^ {4}(?:owned|constr|accept)/.test(text));
          lines = kept.flatMap((text) => {
            const intent = intents.find(({ id }) => text === `  - id: ${id}`);
            if (!intent) return [text];
            const gap = style.flow ?? '';
            return [
              text,
              ...(['owned_scope', 'constraints', 'acceptance_criteria'] as const).map((key) => `    ${key}: ${flowOf(intent[key], gap)}`),
            ];
          });
        }
        if (style.remarks) lines = lines.map((text, index) => `${text} # remark ${index}`);
        for (const [at, indent] of comments)
          lines.splice(at % (lines.length + 1), 0, indent === 0 ? '' : `${' '.repeat(indent)}# ${indent}`);
        const eol = style.windows ? '\r\n' : '\n';
        const before = lines.join(eol) + (style.ended ? eol : '');
        expect(parseIntents(before).intents).toEqual(intents);

        const present = intents.find(({ id }) => id === changed.id)!;
        const status = updateIntent(before, { ...present, status: changed.status }).split('\n');
        const differing = before.split('\n').filter((each, index) => each !== status[index]);
        expect([differing.length, status.length]).toEqual([present.status === changed.status ? 0 : 1, before.split('\n').length]);

        const after = updateIntent(before, changed);
        updated++;
        expect(parseIntents(after).intents).toEqual(intents.map((each) => (each.id === changed.id ? changed : each)));
        // Comments are all there, in their order; so is each line of the other items.
        const remarks = (text: string): string[] =>
          text
            .split(/\r?\n/)
            .flatMap((each) => / ?# (?:remark )?\d+$/.exec(each) ?? [])
            .map((each) => each.trim());
        expect(remarks(after)).toEqual(remarks(before));
        const others = (text: string): string[] => {
          const all = text.split('\n');
          const from = all.findIndex((each) => each.startsWith(`  - id: ${changed.id}`));
          const next = all.findIndex((each, index) => index > from && each.startsWith('  - id: '));
          return [...all.slice(0, from + 1), ...(next < 0 ? [] : all.slice(next))];
        };
        expect(others(after)).toEqual(others(before));
      },
    ),
    { numRuns: 200 },
  );
  expect(updated).toBe(200);
});

test('whatever is in the file, an update is right or a fault', () => {
  const piece = fc.constantFrom(
    '  - id: A-1\n',
    '    name: n\n',
    '    status: active\n',
    '    owned_scope: [a, b]\n',
    '    owned_scope:\n    - a\n    - b\n',
    '    constraints:\n',
    '      - |\n        x\n\n',
    '      - >-\n       y\n',
    '      -\n        z\n',
    '      - &a q\n',
    '      - *a\n',
    '      - !!str w\n',
    '    constraints: {}\n',
    '    ? status\n    : done\n',
    '    "name": |+\n      m\n\n',
    '    # c\n',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fields, (pieces, change) => {
      const text = `intents:\n  - id: A-1\n    name: n\n${pieces.join('')}`;
      try {
        const [present] = parseIntents(text).intents;
        const intent = { ...present!, ...change };
        expect(parseIntents(updateIntent(text, intent)).intents).toEqual([intent]);
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'DOCUMENT_INVALID') throw error;
      }
    }),
    { numRuns: 1500 },
  );
});
