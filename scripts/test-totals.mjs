// How many tests passed, failed and were skipped, added up over several runs of vitest.

import fs from 'node:fs';

export const NOTHING = { passed: 0, failed: 0, skipped: 0 };

export function sum(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

export function totalsLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** From vitest's JSON. A file that did not load and an aborted run count as one failure each: neither has a failed test. */
export function readTotals(file, exitCode) {
  if (!fs.existsSync(file)) return { ...NOTHING, failed: exitCode === 0 ? 0 : 1 };
  const results = JSON.parse(fs.readFileSync(file, 'utf8'));
  const notLoaded = results.testResults.filter(
    (result) => result.status === 'failed' && !result.assertionResults.some(({ status }) => status === 'failed'),
  ).length;
  const failed = results.numFailedTests + notLoaded;
  return {
    passed: results.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: results.numPendingTests + (results.numTodoTests || 0),
  };
}
