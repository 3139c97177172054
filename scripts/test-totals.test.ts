import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}
interface Module {
  readonly readTotals: (file: string, exitCode: number) => Totals;
  readonly totalsLine: (totals: Totals) => string;
}

// The scripts have no types, so the module comes in by its address.
const { readTotals, totalsLine } = (await import(new URL('./test-totals.mjs', import.meta.url).href)) as Module;

const folder = mkdtempSync(join(tmpdir(), 'countersign-totals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function results(
  counts: { passed: number; failed: number; pending: number },
  files: readonly { status: string; assertionResults: { status: string }[] }[] = [],
): string {
  const file = join(folder, 'results.json');
  writeFileSync(
    file,
    JSON.stringify({
      numPassedTests: counts.passed,
      numFailedTests: counts.failed,
      numPendingTests: counts.pending,
      numTodoTests: 1,
      testResults: files,
    }),
  );
  return file;
}

test('tests that passed, failed, were skipped or are still to be written are counted', () => {
  const failing = { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] };
  expect(readTotals(results({ passed: 4, failed: 1, pending: 2 }, [failing]), 1)).toEqual({ passed: 4, failed: 1, skipped: 3 });
});

test('a file that did not load is a failure', () => {
  expect(readTotals(results({ passed: 4, failed: 0, pending: 0 }, [{ status: 'failed', assertionResults: [] }]), 1)).toEqual({
    passed: 4,
    failed: 1,
    skipped: 1,
  });
});

test('a run that broke off is a failure even when every test passed, or when it wrote nothing', () => {
  expect(readTotals(results({ passed: 4, failed: 0, pending: 0 }), 1)).toEqual({ passed: 4, failed: 1, skipped: 1 });
  expect(readTotals(join(folder, 'absent.json'), 125)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('the last line names what was skipped only when something was', () => {
  expect(totalsLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
  expect(totalsLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
});
