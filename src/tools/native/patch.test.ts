import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { Fault } from '../../protocol/index.ts';
import { applyHunks } from './apply-hunks.ts';
import { parsePatch } from './patch.ts';
import type { FilePatch } from './patch-lines.ts';

const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');

/** What the only file of a patch becomes. */
function patched(patch: string, text: string): string {
  const [file] = parsePatch(patch);
  if (file?.kind !== 'update') throw new Error(`not an update: ${JSON.stringify(file)}`);
  return applyHunks(file.path, text, file.hunks, file.knowsEnd);
}

test('both dialects are read to the same thing', () => {
  const unified = lines(
    'diff --git a/src/a.ts b/src/a.ts',
    'index 1..2 100644',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '@@ -1,2 +1,2 @@ function a()',
    ' one',
    '-two',
    '+TWO',
    'diff --git a/new.sh b/new.sh',
    'new file mode 100755',
    'index 0..2',
    '--- /dev/null',
    '+++ b/new.sh',
    '@@ -0,0 +1 @@',
    '+#!',
    'diff --git a/old.ts b/old.ts',
    'deleted file mode 100644',
    '--- a/old.ts',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-x',
    'diff --git a/from.ts b/to.ts',
    'similarity index 100%',
    'rename from from.ts',
    'rename to to.ts',
  );
  const shape = (file: FilePatch) => [file.kind, file.path, file.kind === 'update' ? file.to : null];
  expect(parsePatch(unified).map(shape)).toEqual([
    ['update', 'src/a.ts', null],
    ['add', 'new.sh', null],
    ['delete', 'old.ts', null],
    ['update', 'from.ts', 'to.ts'],
  ]);
  expect(parsePatch(unified)[1]).toEqual({ kind: 'add', path: 'new.sh', content: '#!\n', executable: true });
  const begin = lines(
    '*** Begin Patch',
    '*** Update File: src/a.ts',
    '@@ function a()',
    ' one',
    '-two',
    '+TWO',
    '*** Add File: new.sh',
    '+#!',
    '*** Delete File: old.ts',
    '*** Update File: from.ts',
    '*** Move to: to.ts',
    '*** End Patch',
  );
  expect(parsePatch(begin).map(shape)).toEqual(parsePatch(unified).map(shape));
});

const update = (...hunks: string[]): string => lines('*** Begin Patch', '*** Update File: a', ...hunks, '*** End Patch');
const diff = (...hunks: string[]): string => lines('--- a/a', '+++ b/a', ...hunks);

test('hunks are found by their lines, their numbers and their anchors', () => {
  const text = lines('class A {', '  run() {', '    return 1;', '  }', '}', 'class B {', '  run() {', '    return 1;', '  }', '}');
  const second = text.replace(/return 1;(?=[^]*\}\n$)(?![^]*return 1)/, 'return 2;');
  expect(patched(update('@@ class B {', '   run() {', '-    return 1;', '+    return 2;'), text)).toBe(second);
  expect(patched(update('@@ class B {', '@@ run() {', '-    return 1;', '+    return 2;'), text)).toBe(second);
  expect(patched(diff('@@ -8 +8 @@', '-    return 1;', '+    return 2;'), text)).toBe(second);
  // A wrong line number is harmless if the lines occur once.
  expect(patched(diff('@@ -1,2 +1,2 @@', '-class B {', '+class C {', '   run() {'), text)).toBe(text.replace('class B', 'class C'));
  expect(patched(update(' }', '+// end', '*** End of File'), text)).toBe(`${text}// end\n`);
  expect(patched(update('-class A {', '+class X {', '@@', '-class B {', '+class Y {'), text)).toBe(
    text.replace('class A', 'class X').replace('class B', 'class Y'),
  );
});

test('what is not there exactly, or more than once, is refused with the reason', () => {
  const text = lines('a', 'b', 'a', 'b', 'c  d');
  const cases: [string, string][] = [
    [update(' a', '-b'), 'a, hunk 1: its lines are there 2 times, at line 1, 3; nothing was changed'],
    [update('-c d'), 'a, hunk 1: its first line "c d\\n" is not in the rest of the file; nothing was changed'],
    [update(' a', ' b', '-x'), 'a, hunk 1: line 3 is "a\\n" and not "x\\n"; nothing was changed'],
    [update('@@ a', '-c  d'), 'a, hunk 1: the line "a" after @@ is there 2 times; nothing was changed'],
    [update('+new'), 'a, hunk 1: it only adds lines and has none around them; nothing was changed'],
    [diff('@@ -9 +9 @@', '-b', '+x'), 'a, hunk 1: its lines are there 2 times, at line 2, 4; nothing was changed'],
    [update('-c  d', '@@', '-a'), 'a, hunk 2: its lines are at line 1, but not where they have to be; nothing was changed'],
    [update(' a', '-b', '*** End of File'), 'a, hunk 1: its lines are at line 1, but not where they have to be; nothing was changed'],
  ];
  for (const [patch, message] of cases)
    expect(() => patched(patch, text)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message }));
});

test('the end of the last line is what the patch says, or stays', () => {
  expect(patched(update('-b', '+c'), 'a\nb')).toBe('a\nc');
  expect(patched(diff('@@ -2 +2 @@', '-b', '\\ No newline at end of file', '+c'), 'a\nb')).toBe('a\nc\n');
  expect(patched(diff('@@ -2 +2 @@', '-b', '+c', '\\ No newline at end of file'), 'a\nb\n')).toBe('a\nc');
  expect(() => patched(diff('@@ -2 +2 @@', '-b', '+c'), 'a\nb')).toThrow('the last line of the file has no line end');
  expect(patched(update('-b\r', '+c\r'), 'a\r\nb\r\n')).toBe('a\r\nc\r\n');
});

test('a patch that could be read in two ways is not read', () => {
  const cases: [string, string][] = [
    ['', 'line 1: there is no file in it'],
    ['hello', 'line 1: expected "diff --git", "--- " or "*** Begin Patch"'],
    [lines('*** Begin Patch', '*** End Patch'), 'there is no file in it'],
    [lines('*** Begin Patch', '*** Update File: a', '-x'), 'expected *** Add File'],
    [lines('*** Begin Patch', '*** Delete File: a', '*** End Patch', 'rm -rf'), 'something follows *** End Patch'],
    [lines('*** Begin Patch', '*** Add File: a', 'x', '*** End Patch'), 'line 3: expected *** Add File'],
    [lines('*** Begin Patch', '*** Add File:  ', '*** End Patch'), 'expected *** Add File'],
    [update('@@', ' a'), 'a part that starts with @@ changes nothing'],
    [update(), 'nothing is said about a'],
    [diff('@@ -1,2 +1,2 @@', '-x', '+y'), 'the hunk has 1 old and 1 new lines less than it says'],
    [diff('@@ -1 +1 @@', '-x', '-y', '+z'), 'the hunk has more lines than it says'],
    [diff('@@ @@', '-x'), 'expected @@ -line,count +line,count @@'],
    [diff('@@ -1 +1 @@', '-x', '+y', '+z'), 'expected "diff --git"'],
    [lines('--- a/x', '+++ b/y', '@@ -1 +1 @@', '-x', '+y'), 'it names x and y'],
    [lines('--- /dev/null', '+++ /dev/null', '@@ -1 +1 @@', '-x', '+y'), 'there is no name of a file'],
    [lines('diff --git a/x b/x', 'new file mode 120000', '--- /dev/null', '+++ b/x'), 'only plain files can be made'],
    [lines('diff --git a/x b/x', 'old mode 100644', 'new mode 100755'), 'is not applied here'],
    [lines('diff --git a/x b/x', 'Binary files a/x and b/x differ'), 'is not applied here'],
    [lines('diff --git a/x b/x', 'copy from x', 'copy to y'), 'is not applied here'],
    [lines('diff --git a/x b/x', 'new file mode 100644', '--- a/x', '+++ b/x', '@@ -1 +1 @@', '-x', '+y'), 'say different things'],
    [lines('*** Begin Patch', '*** Delete File: a', '*** Delete File: a', '*** End Patch'), 'a is named twice'],
  ];
  for (const [patch, message] of cases)
    expect(() => parsePatch(patch)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringContaining(message) }));
});

test('names in quotes are read as git writes them', () => {
  const quoted = lines('--- "a/caf\\303\\251 \\"x\\".ts"', '+++ "b/caf\\303\\251 \\"x\\".ts"', '@@ -1 +1 @@', '-x', '+y');
  expect(parsePatch(quoted)[0]?.path).toBe('caf\u00e9 "x".ts');
  expect(parsePatch(lines('--- a.ts\t2026-01-01', '+++ a.ts\t2026-01-02', '@@ -1 +1 @@', '-x', '+y'))[0]?.path).toBe('a.ts');
  expect(parsePatch(lines('diff --git a/x y b/x y', 'new file mode 100644', 'index 0..0'))[0]).toEqual({
    kind: 'add',
    path: 'x y',
    content: '',
    executable: false,
  });
});

const texts = fc
  .array(fc.constantFrom('a', 'b', '', 'c c', '-- x', '++ y', '@@ -1 +1 @@', '\\ n', '*** End Patch'), { maxLength: 12 })
  .chain((all) => fc.boolean().map((ended) => all.join('\n') + (ended ? '\n' : '')));

test('a diff that git makes turns the one text into the other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-patch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  fc.assert(
    fc.property(texts, texts, fc.integer({ min: 1, max: 3 }), (before, after, context) => {
      fc.pre(before !== after && before !== '');
      writeFileSync(join(folder, 'a'), before);
      writeFileSync(join(folder, 'b'), after);
      const made = diffOf(folder, context).replaceAll('b/b', 'b/a');
      expect(patched(made, before)).toBe(after);
    }),
    { numRuns: 100 },
  );
});

function diffOf(cwd: string, context: number): string {
  try {
    return execFileSync('git', ['diff', '--no-index', `-U${context}`, 'a', 'b'], {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: cwd },
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

test('whatever is sent is read or refused, and what is applied changes only what it says', () => {
  const part = fc.constantFrom(
    '*** Begin Patch',
    '*** Update File: a',
    '*** End Patch',
    '@@',
    ' a',
    '-a',
    '+a',
    '@@ -1 +1 @@',
    '--- a/a',
    '+++ b/a',
    '',
    'diff --git a/a b/a',
    '\\ x',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (all) => {
      try {
        for (const file of parsePatch(all.join('\n'))) if (file.kind === 'update') applyHunks('a', 'a\nb\n', file.hunks, file.knowsEnd);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
      }
    }),
    { numRuns: 3000 },
  );
});
