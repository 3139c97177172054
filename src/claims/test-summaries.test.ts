import fc from 'fast-check';
import { expect, test } from 'vitest';
import { summaryIn, TEST_SUMMARIES } from './test-summaries.ts';

for (const rule of TEST_SUMMARIES) {
  test(`${rule.runner}: its examples match and the others are left`, () => {
    expect(rule.examples.match.map(([line]) => [line, rule.counts(rule.pattern.exec(line)?.groups ?? { passed: '-1' })])).toEqual(
      rule.examples.match,
    );
    expect(rule.examples.match.filter(([line]) => !rule.pattern.test(line))).toEqual([]);
    expect(rule.examples.left.filter((line) => rule.pattern.test(line))).toEqual([]);
  });
}

test('every example is counted the same by all rules together', () => {
  for (const [line, counts] of TEST_SUMMARIES.flatMap(({ examples }) => examples.match))
    expect(summaryIn(`noise\n${line}\n`)).toEqual({ ...counts, line: line.trim() });
});

test('summaries of one output are added up, and a failure is what is shown', () => {
  const output = [
    'test result: ok. 5 passed; 0 failed; 0 ignored',
    '\u001b[31mtest result: FAILED. 2 passed; 1 failed; 0 ignored\u001b[0m',
    'test result: ok. 0 passed; 0 failed; 0 ignored',
  ];
  expect(summaryIn(output.join('\r\n'))).toEqual({
    passed: 7,
    failed: 1,
    line: 'test result: FAILED. 2 passed; 1 failed; 0 ignored',
  });
});

test('an output without a summary says nothing, however long', () => {
  expect(summaryIn('')).toEqual({ passed: 0, failed: 0, line: null });
  expect(summaryIn(`${'9 passed '.repeat(100_000)}\nok\nBUILD SUCCESSFUL`)).toEqual({ passed: 0, failed: 0, line: null });
});

test('no text makes it throw or run away', () => {
  const pieces = fc.constantFrom(
    ' ',
    '\n',
    '1',
    '22 ',
    'passed',
    'failed',
    ', ',
    ' | ',
    'Tests',
    ':',
    '(',
    ')',
    'ok ',
    '=',
    'in 3s',
    '# pass ',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 120 }), (parts) => {
      const { passed, failed } = summaryIn(parts.join(''));
      expect([passed >= 0, failed >= 0]).toEqual([true, true]);
    }),
    { numRuns: 500 },
  );
});
