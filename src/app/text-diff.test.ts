import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { textDiff } from './text-diff.ts';

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Lines that differ from each other, and the same after some were dropped and others put in. */
const edited = fc
  .array(fc.record({ keep: fc.integer({ min: 0, max: 5 }), insert: fc.array(fc.stringMatching(/^[a-z@ +-]{0,6}$/), { maxLength: 2 }) }), {
    maxLength: 30,
  })
  .map((steps) => ({
    old: steps.map((_, index) => `line ${index}`),
    next: steps.flatMap(({ keep, insert }, index) => [
      ...insert.map((text, at) => `new ${index}.${at} ${text}`),
      ...(keep === 0 ? [] : [`line ${index}`]),
    ]),
  }));

/** As a person would: every run of shown lines goes where its old lines stand. */
function applied(old: readonly string[], diff: string): string[] {
  const result: string[] = [];
  let at = 0;
  for (const hunk of diff.split('\n').slice(2).join('\n').split(/^@@$/m)) {
    const lines = hunk.split('\n').filter((line) => line !== '');
    const before = lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
    const start = before.length === 0 ? at : old.indexOf(before[0]!, at);
    expect(old.slice(start, start + before.length)).toEqual(before);
    result.push(...old.slice(at, start), ...lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1)));
    at = start + before.length;
  }
  return [...result, ...old.slice(at)];
}

test('applying what is shown to the old text gives the new one', () => {
  fc.assert(
    fc.property(edited, ({ old, next }) => {
      expect(applied(old, textDiff('file', textOf(old), textOf(next)))).toEqual(next);
    }),
  );
});

test('it is as small as the smallest that diff finds', () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-diff-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
  const sizeOf = (diff: string) => diff.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line)).length;
  fc.assert(
    fc.property(lines, lines, (old, next) => {
      const [before, after] = [join(dir, 'before'), join(dir, 'after')];
      writeFileSync(before, textOf(old));
      writeFileSync(after, textOf(next));
      // diff ends with 1 when the files differ.
      const real = execFileSync('sh', ['-c', 'diff -u --minimal "$0" "$1" || test $? = 1', before, after], { encoding: 'utf8' });
      expect(sizeOf(textDiff('file', textOf(old), textOf(next)))).toBe(sizeOf(real));
    }),
    { numRuns: 40 },
  );
});

test('a new file, a removed one, and no change at all', () => {
  expect(textDiff('a.json', null, '{\n}\n')).toBe('--- (new file)\n+++ a.json\n+{\n+}');
  expect(textDiff('a.json', '{\n}\n', null)).toBe('--- a.json\n+++ (removed)\n-{\n-}');
  expect([textDiff('a.json', 'x\n', 'x\n'), textDiff('a.json', null, null)]).toEqual(['', '']);
});

test('three lines of context, and a mark where lines were left out', () => {
  const old = textOf(Array.from({ length: 20 }, (_, index) => String(index)));
  expect(textDiff('n', old, old.replace('\n10\n', '\nten\n'))).toBe('--- n\n+++ n\n@@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13');
});
