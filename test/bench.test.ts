// The benches work: with tiny sizes, whose figures mean nothing. Benches that need the package registry are skipped, and say so.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type BenchReport, isMet, tableOf } from '../bench/report/report.ts';
import { ROOT } from './source-files.ts';

const bench = (...args: string[]) =>
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(ROOT, 'bench/index.ts'), ...args], { encoding: 'utf8' });

test('named benches run with tiny sizes, and tell their figures as a table and as JSON', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'figures.json');
  const { status, stdout, stderr } = bench('append', 'verify', '--tiny', '--json', file);
  expect([status, stderr]).toEqual([0, expect.stringMatching(/load average at the start \d+\.\d\d\n/)]);
  const { benches } = JSON.parse(readFileSync(file, 'utf8')) as { benches: BenchReport[] };
  expect(benches.map(({ bench, figures }) => [bench, figures.filter(({ against }) => against !== undefined).length])).toEqual([
    ['append', 2],
    ['verify', 2],
  ]);
  expect(benches.flatMap(({ figures }) => figures).filter(({ value }) => !(value > 0))).toEqual([]);
  expect(stdout.startsWith(tableOf(benches))).toBe(true);
}, 120_000);

test('a bench that does not exist is named, with those that do', () => {
  expect(bench('appendix')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(/^There is no bench appendix\. There are: append, .*walls\n$/) as unknown,
  });
});

test('a figure without a number is no met goal, and what was left out is in the table', () => {
  const figures = [
    { what: 'a', value: Number.NaN, unit: '×', against: 'a peer', atLeast: 2 },
    { what: 'b', value: 1.5, unit: 'ms', atMost: 2 },
  ];
  expect(figures.map(isMet)).toEqual([false, true]);
  expect(tableOf([{ bench: 'x', figures, leftOut: ['a peer: no network'] }])).toBe(
    [
      'bench  what  figure    against  goal',
      'x      a     NaN ×     a peer   ≥ 2   MISSED',
      'x      b     1.500 ms           ≤ 2   met',
      'x: LEFT OUT: a peer: no network',
      '',
    ].join('\n'),
  );
});
