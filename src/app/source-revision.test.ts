import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { sourceRevision } from './source-revision.ts';

const POLICIES = new URL('../policy/', import.meta.url);

function copyForThisTest() {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-policy-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  cpSync(POLICIES, dir, { recursive: true });
  return { dir, revision: () => sourceRevision([pathToFileURL(`${dir}/`)]) };
}

test('the same sources have the same revision, wherever they are', () => {
  const { revision } = copyForThisTest();
  expect(revision()).toMatch(/^[0-9a-f]{16}$/);
  expect(revision()).toBe(sourceRevision([POLICIES]));
});

test('a changed, added or renamed policy is another revision', () => {
  const { dir, revision } = copyForThisTest();
  const seen = new Set([revision()]);
  writeFileSync(join(dir, 'scope.ts'), ' ', { flag: 'a' });
  seen.add(revision());
  writeFileSync(join(dir, 'new-rule.ts'), '');
  seen.add(revision());
  renameSync(join(dir, 'new-rule.ts'), join(dir, 'other-rule.ts'));
  seen.add(revision());
  expect(seen.size).toBe(4);
});

test('tests and notes beside them change nothing', () => {
  const { dir, revision } = copyForThisTest();
  const before = revision();
  writeFileSync(join(dir, 'scope.test.ts'), 'changed');
  writeFileSync(join(dir, 'NOTES.md'), 'changed');
  expect(revision()).toBe(before);
});
