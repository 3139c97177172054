import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceExactly } from './exact-edits.ts';

const TEXT = 'import { a } from "./a.ts";\n\nexport function login(user: string) {\n  return a(user);\n}\n';

test('edits are done one after the other, each on what the one before has made', () => {
  const edits = [
    { old_text: 'login', new_text: 'signIn' },
    { old_text: 'signIn(user', new_text: 'signIn(name' },
    { old_text: 'a', new_text: 'A', replace_all: true },
  ];
  expect(replaceExactly('x.ts', 'login(user)\n', edits.slice(0, 2))).toEqual({ text: 'signIn(name)\n', replaced: 2 });
  expect(replaceExactly('x.ts', 'banana', edits.slice(2))).toEqual({ text: 'bAnAnA', replaced: 3 });
});

test('a text that is not there once is refused with how often it is, and the nearest line', () => {
  const cases: [string, { old_text: string; new_text: string; replace_all?: boolean }, string][] = [
    [TEXT, { old_text: 'user', new_text: 'x' }, 'edits.0: old_text occurs 2 times in x.ts, first at line 3, 4; nothing was changed'],
    ['aaa', { old_text: 'aa', new_text: 'b' }, 'edits.0: old_text occurs 2 times in x.ts, first at line 1, 1; nothing was changed'],
    [
      TEXT,
      { old_text: 'export function logIn(user: string) {', new_text: '' },
      'edits.0: old_text does not occur in x.ts; the nearest is line 3: "export function login(user: string) {"; nothing was changed',
    ],
    [TEXT, { old_text: 'zzz', new_text: '', replace_all: true }, 'edits.0: old_text does not occur in x.ts; nothing was changed'],
    [
      'a\r\nb\r\n',
      { old_text: 'a\nb', new_text: '' },
      'edits.0: old_text does not occur in x.ts: the lines of the file end in CRLF; nothing was changed',
    ],
    [TEXT, { old_text: '', new_text: 'x' }, 'edits.0: old_text is empty; nothing was changed'],
    [TEXT, { old_text: 'a', new_text: 'a' }, 'edits.0: old_text and new_text are the same; nothing was changed'],
    [
      'a'.repeat(500),
      { old_text: 'a', new_text: 'b' },
      'edits.0: old_text occurs 100 times or more in x.ts, first at line 1, 1, 1, 1, 1; nothing was changed',
    ],
  ];
  for (const [text, edit, message] of cases)
    expect(() => replaceExactly('x.ts', text, [edit])).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message }));
});

test('new text is taken as it is, also where it looks like a pattern', () => {
  expect(replaceExactly('x', 'a.b', [{ old_text: '.', new_text: "$& $1 $$ $' \\n" }])).toEqual({ text: "a$& $1 $$ $' \\nb", replaced: 1 });
});

test('one replacement leaves everything before and after as it was', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n') });
  fc.assert(
    fc.property(piece, piece, piece, (before, after, new_text) => {
      const result = replaceExactly('x', `${before}OLD${after}`, [{ old_text: 'OLD', new_text }]);
      expect(result).toEqual({ text: before + new_text + after, replaced: 1 });
    }),
  );
});
