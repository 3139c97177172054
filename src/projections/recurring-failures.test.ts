import { expect, test } from 'vitest';
import type { Receipt } from '../protocol/index.ts';
import { failedCommands } from './recurring-failures.ts';

const receipt = (id: string, status: Receipt['status'], command?: string, ...changed: string[]): Receipt =>
  ({
    receipt_id: id,
    status,
    inputs: command === undefined ? {} : { command },
    file_refs: changed.map((path) => ({ path })),
  }) as unknown as Receipt;

test('a command that failed three times and then passed names what was changed in between', () => {
  const all = [
    ...['r1', 'r2'].map((id) => receipt(id, 'failed', 'npm test')),
    receipt('r3', 'done', undefined, 'src/before.ts'),
    receipt('r4', 'failed', 'npm test'),
    receipt('r5', 'done', undefined, 'src/a.ts'),
    receipt('r6', 'done', 'npm test', 'src/gen.ts'),
  ];
  expect(failedCommands(all)).toEqual([
    { what: '`npm test` failed again and again', count: 3, fix: 'after a change of src/a.ts, src/gen.ts', shownBy: 'r6' },
  ]);
});

test('one that still fails has no fix, one that failed twice is no habit, and long texts are cut', () => {
  const failing = (command: string, times: number) => Array.from({ length: times }, (_, at) => receipt(`r${at}`, 'failed', command));
  expect(failedCommands([...failing('make', 4), ...failing('ls x', 2), receipt('p', 'done', 'ls x')])).toEqual([
    { what: '`make` failed again and again', count: 4, fix: null, shownBy: 'r3' },
  ]);
  expect(failedCommands(failing(`x\n${'y'.repeat(200)}`, 3))[0]?.what).toBe(`\`x ${'y'.repeat(78)}…\` failed again and again`);
  expect(failedCommands([...failing('a', 3), receipt('p', 'done', 'a')])[0]?.fix).toBe('with no file changed in between');
});
