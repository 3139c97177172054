import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
// @ts-expect-error: a script without types
import { expectedTime, rememberTime } from './test-times.mjs';

test('a run says how long it takes: in general at first, then as the last time', () => {
  const root = mkdtempSync(join(tmpdir(), 'countersign-times-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const parts = [['plain'], ['page', 'mcp']];
  expect(expectedTime(root, parts)).toMatch(/^The plain suite takes about five minutes on two cores\. The suites with real agents/);
  rememberTime(root, ['plain'], 100_000);
  expect(expectedTime(root, [['plain']])).toBe('This takes about 2 minutes, as the last time on this machine.');
  expect(expectedTime(root, parts)).toMatch(/^The plain suite/);
  rememberTime(root, ['page', 'mcp'], 100_000);
  expect(expectedTime(root, parts)).toBe('This takes about 4 minutes, as the last time on this machine.');
});
