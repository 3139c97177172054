import { expect, test } from 'vitest';
import type { Finding } from '../protocol/index.ts';
import type { Check } from './check.ts';
import { verifies } from '../../test/verifies.ts';
import { isFine, judge, resultOf } from './judge.ts';
import type { Ran } from './check-runs.ts';

const CHECK: Check = { check: 'lint', tool: 'make', command: 'make lint', source: 'configured' };
const finding = (line: number, severity: Finding['severity'] = 'error'): Finding => ({
  ...{ check: 'lint', file: 'a.js', line, message: `no ${line}`, severity },
});
const failed = (findings: readonly Finding[], tail = ''): Ran => ({ outcome: 'failed', findings, summary: null, tail });
const PASSED: Ran = { outcome: 'passed', findings: [], summary: null, tail: '' };
const origins = (now: Ran, before: Ran | null) => judge(CHECK, now, before).map(({ message, origin }) => `${message}: ${origin}`);

verifies('I15', 'what passed before is caused, what failed before is not', () => {
  expect(origins(failed([finding(1), finding(2)]), failed([finding(2)]))).toEqual(['no 1: caused', 'no 2: before']);
  expect(origins(failed([finding(1)]), PASSED)).toEqual(['no 1: caused']);
});

verifies('I15', 'a failure without a known cause blames no one', () => {
  expect(origins(failed([finding(1)]), null)).toEqual(['no 1: unclear']);
  expect(origins(failed([finding(1)]), { ...PASSED, outcome: 'timed_out' })).toEqual(['no 1: unclear']);
  expect(origins(failed([finding(1)]), failed([], 'make: *** no rule'))).toEqual(['no 1: unclear']);
  expect(origins(failed([], 'one thing'), failed([], 'another'))).toEqual(['one thing: unclear']);
});

test('a failure without a place is described by the end of the output', () => {
  expect(origins(failed([], 'segmentation fault'), PASSED)).toEqual(['segmentation fault: caused']);
  expect(origins(failed([], 'segmentation fault'), failed([], 'segmentation fault'))).toEqual(['segmentation fault: before']);
});

test('a tool that fails for warnings fails for the new ones', () => {
  const before: Ran = { ...PASSED, findings: [finding(1, 'warning')] };
  expect(origins(failed([finding(1, 'warning'), finding(2, 'warning')]), before)).toEqual(['no 2: caused', 'no 1: before']);
});

test('a result is fine when all that fails was there before', () => {
  const result = (before: Ran | null) => resultOf(CHECK, 'make lint', 'failed', null, judge(CHECK, failed([finding(1)]), before));
  expect([isFine(result(PASSED)), isFine(result(failed([finding(1)]))), isFine(result(null))]).toEqual([false, true, false]);
});
