import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Finding } from '../protocol/index.ts';
import { verifies } from '../../test/verifies.ts';
import { compareFindings } from './compare-findings.ts';

const lint = (line: number, message = 'x is not used', file = 'src/a.js'): Finding => ({
  ...{ check: 'lint', file, line, rule: 'no-unused-vars', message, severity: 'error' },
});
const failing = (rule: string, message: string): Finding => ({
  check: 'test',
  file: 'a.test.js',
  line: 1,
  rule,
  message,
  severity: 'error',
});

verifies('I15', 'a failure that moved with its lines is still the old one', () => {
  expect(compareFindings([lint(12)], [lint(3)])).toEqual({ caused: [], before: [lint(12)] });
});

test('one more of the same kind is new, and the one that stayed in its line is the old one', () => {
  expect(compareFindings([lint(1), lint(3)], [lint(3)])).toEqual({ caused: [lint(1)], before: [lint(3)] });
});

test('another message, another rule and another file are new', () => {
  const now = [lint(3, 'y is not used'), { ...lint(3), rule: 'no-var' }, lint(3, 'x is not used', 'src/b.js')];
  expect(compareFindings(now, [lint(3)])).toEqual({ caused: now, before: [] });
});

test('a test that failed before is not new, whatever it says now', () => {
  const now = [failing('adds', 'expected 2 to be 3'), failing('takes 12ms', 'took 12ms')];
  expect(compareFindings(now, [failing('adds', 'expected 7 to be 3')])).toEqual({ caused: [now[1]], before: [now[0]] });
});

test('a time in a message does not make it new', () => {
  const now = { ...lint(1, 'slow: 13.5 ms'), check: 'lint' } as const;
  expect(compareFindings([now], [lint(1, 'slow: 2ms')]).caused).toEqual([]);
});

const finding = fc.record({ line: fc.nat(5), message: fc.constantFrom('a', 'b') }).map(({ line, message }) => lint(line, message));

test('every finding is judged once, and findings that were there before are not the change’s', () => {
  fc.assert(
    fc.property(fc.array(finding), fc.array(finding), (now, before) => {
      const { caused, before: old } = compareFindings(now, before);
      expect(caused.length + old.length).toBe(now.length);
      expect(old.length).toBeLessThanOrEqual(before.length);
      expect(compareFindings(now, [...now, ...before]).caused).toEqual([]);
    }),
  );
});
