import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { unifiedDiff } from './line-diff.ts';

const bytes = (text: string) => Buffer.from(text);

test('git applies what is shown to the old content and gets the new one', () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-diff-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'file');
  const line = fc.constantFrom('a\n', 'b\n', '  c\n', '\n', '@@ -1 +1 @@\n', '--- d\n', '+\n', 'é\r\n');
  const content = fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 20 }), fc.constantFrom('', 'no newline'))
    .map(([lines, last]) => lines.join('') + last);
  fc.assert(
    fc.property(content, content, (before, after) => {
      fc.pre(before !== after);
      writeFileSync(file, before);
      const input = `${unifiedDiff('file', bytes(before), bytes(after))}\n`;
      execFileSync('git', ['apply', '-p0', '--whitespace=nowarn', '-'], { cwd: dir, input });
      expect(readFileSync(file, 'utf8')).toBe(after);
    }),
    { numRuns: 60 },
  );
});

test('three lines of context, with the places of each part', () => {
  const before = Array.from({ length: 20 }, (_, at) => `${at + 1}\n`).join('');
  const after = before.replace('5\n', 'five\n').replace('20\n', '20');
  expect(unifiedDiff('n.txt', bytes(before), bytes(after))).toBe(
    `--- n.txt\n+++ n.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -17,4 +17,4 @@\n 17\n 18\n 19\n-20\n+20\n\\ No newline at end of file`,
  );
});

test('made, removed, the same, and no text', () => {
  expect([
    unifiedDiff('a', null, bytes('x\n')),
    unifiedDiff('a', bytes('x\n'), null),
    unifiedDiff('a', bytes('x\n'), bytes('x\n')),
    unifiedDiff('a', bytes('x\0'), bytes('y')),
  ]).toEqual(['--- /dev/null\n+++ a\n@@ -0,0 +1 @@\n+x', '--- a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x', '', '--- a\n+++ a\nBinary content.']);
});
