import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDistinctive, LineForms, linesOfText } from './line-forms.ts';
import { type HistoryChange, type HistoryContent, type HistoryStep, LineHistory, formerNames } from './line-history.ts';
import { verifies } from '../../test/verifies.ts';

const words = {
  first: 'before the record',
  between: (earlier: string | null, later: string | null) => `between ${earlier ?? 'nothing'} and ${later ?? 'now'}`,
};
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const content = (text: string | null): HistoryContent =>
  text === null ? { sha256: null, lines: null } : { sha256: sha(text), lines: linesOfText(text) };
const unkept = (text: string): HistoryContent => ({ sha256: sha(text), lines: null });

function change(origin: string, path: string, before: string | null, after: string | null): HistoryChange<string> {
  return { path, before: content(before), after: content(after), ranges: [], origin, restores: false };
}
function replayLines(steps: readonly HistoryStep<string>[], path: string) {
  const history = new LineHistory(words);
  for (const step of steps) history.apply(step);
  return history.originsOf(path);
}
/** `by`: one name a line; several where it is ambiguous. */
const by = (steps: readonly HistoryStep<string>[], path = 'a.ts') =>
  replayLines(steps, path)?.map(({ among }) => among.map(({ origin }) => origin).join(' or '));

const FUNCTION = `export function total(payments) {
  const amounts = payments.map((payment) => payment.cents);
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
`;
const OTHER = `export function names(payments) {
  const authors = payments.map((payment) => payment.user);
  return authors.toSorted();
}
`;

describe('one change after the other', () => {
  test('a line belongs to the change that brought it, the rest to what was there before', () => {
    const steps = [
      [change('A', 'a.ts', 'one\ntwo\nthree\n', 'one\nzwei\nthree\n')],
      [change('B', 'a.ts', 'one\nzwei\nthree\n', 'zero\none\nzwei\nthree\n')],
    ];
    expect(by(steps)).toEqual(['B', 'before the record', 'A', 'before the record']);
  });

  test('what changed between two of them belongs to neither', () => {
    const steps = [
      [change('A', 'a.ts', null, 'alpha\nbeta\n')],
      [change('B', 'a.ts', 'alpha\nbeta\nby hand\n', 'alpha\nbeta\nby hand\ngamma\n')],
    ];
    expect(by(steps)).toEqual(['A', 'A', 'between A and B', 'B']);
  });

  test('whoever makes a file again that was deleted wrote all of it', () => {
    const steps = [[change('A', 'a.ts', null, FUNCTION)], [change('A2', 'a.ts', FUNCTION, null)], [change('B', 'a.ts', null, FUNCTION)]];
    expect(by(steps)).toEqual(['B', 'B', 'B', 'B']);
  });

  test('a content that comes back comes with the origins it had', () => {
    const steps = [
      [change('A', 'a.ts', null, 'alpha\nbeta\n')],
      [change('B', 'a.ts', 'alpha\nbeta\n', 'alpha\nrewritten\n')],
      [{ ...change('undo', 'a.ts', 'alpha\nrewritten\n', 'alpha\nbeta\n'), restores: true }],
    ];
    expect(by(steps)).toEqual(['A', 'A']);
  });

  test('a file that is gone has no lines', () => {
    expect(by([[change('A', 'a.ts', 'alpha\n', null)]])).toBeUndefined();
  });
});

describe('lines that only look different', () => {
  verifies('N3', 'layout, quotes, semicolons and last commas change no origin', () => {
    const before = `const a = ['one', 'two']\n  if (ready) start('now')\n`;
    const after = `const a = ["one", "two",];\n\tif ( ready ) start(\`now\`);\n`;
    expect(by([[change('A', 'a.ts', null, before)], [change('formatter', 'a.ts', before, after)]])).toEqual(['A', 'A']);
  });

  verifies('N3', 'lines that a formatter split or joined keep their origin', () => {
    const before = `const before = 1;\nconst names = collect(first, second, third);\nconst after = 2;\n`;
    const after = `const before = 10;\nconst names = collect(\n  first,\n  second,\n  third,\n);\nconst after = 20;\n`;
    const steps = [[change('A', 'a.ts', null, before)], [change('B', 'a.ts', before, after)]];
    expect(by(steps)).toEqual(['B', 'A', 'A', 'A', 'A', 'A', 'B']);
    const back = [...steps, [change('C', 'a.ts', after, before)]];
    expect(by(back)).toEqual(['C', 'A', 'C']);
  });

  test('a line joined from two origins names both', () => {
    const one = 'const names = collect(\n  first,\n);\n';
    const two = 'const names = collect(\n  first,\n  second,\n);\n';
    const joined = 'const names = collect(first, second);\n';
    expect(by([[change('A', 'a.ts', null, one)], [change('B', 'a.ts', one, two)], [change('C', 'a.ts', two, joined)]])).toEqual(['A or B']);
  });
});

describe('lines that move', () => {
  verifies('N3', 'a moved block keeps its origin', () => {
    const steps = [
      [change('A', 'a.ts', null, FUNCTION)],
      [change('B', 'a.ts', FUNCTION, FUNCTION + OTHER)],
      [change('C', 'a.ts', FUNCTION + OTHER, `${OTHER}// new\n${FUNCTION}`)],
    ];
    expect(by(steps)).toEqual(['B', 'B', 'B', 'B', 'C', 'A', 'A', 'A', 'A']);
  });

  test('a line that anybody writes is not taken for a moved one', () => {
    const before = `return null;\n${FUNCTION}${OTHER}`;
    const after = `${FUNCTION}${OTHER}return null;\n`;
    expect(by([[change('A', 'a.ts', null, before)], [change('B', 'a.ts', before, after)]])?.at(-1)).toBe('B');
  });

  test('a line that may come from two places names both', () => {
    const line = 'registerEverything(application);';
    const steps = [
      [change('A', 'a.ts', null, `${line}\n${FUNCTION}`)],
      [change('B', 'a.ts', `${line}\n${FUNCTION}`, `${line}\n${FUNCTION}${line}\n`)],
      [change('C', 'a.ts', `${line}\n${FUNCTION}${line}\n`, FUNCTION.replace('}', `  ${line}\n}`))],
    ];
    expect(by(steps)?.[3]).toBe('A or B');
  });

  verifies('N3', 'a renamed file keeps the origins of its lines and their old name', () => {
    const renamed = FUNCTION.replace('total', 'sumOfAll');
    const steps = [[change('A', 'old.ts', null, FUNCTION)], [change('B', 'old.ts', FUNCTION, null), change('B', 'new.ts', null, renamed)]];
    expect(replayLines(steps, 'new.ts')?.map(({ among }) => among)).toEqual([
      [{ origin: 'B', path: 'new.ts' }],
      ...Array.from({ length: 3 }, () => [{ origin: 'A', path: 'old.ts' }]),
    ]);
  });

  test('of two files that may have been renamed both are named', () => {
    const steps = [
      [change('A', 'one.ts', null, FUNCTION)],
      [change('B', 'two.ts', null, FUNCTION)],
      [change('C', 'one.ts', FUNCTION, null), change('C', 'two.ts', FUNCTION, null), change('C', 'a.ts', null, FUNCTION)],
    ];
    expect(new Set(by(steps))).toEqual(new Set(['A or B']));
  });

  test('the names that a file may have had', () => {
    const ref = (path: string, before_sha256: string | null, after_sha256: string | null) => ({ path, before_sha256, after_sha256 });
    const steps = [
      [ref('a', 'x', null), ref('b', null, 'x')],
      [ref('c', 'x', null)],
      [ref('b', 'x', null), ref('d', null, 'x')],
      [ref('e', 'y', null)],
    ];
    expect(formerNames(steps, 'd')).toEqual(new Set(['d', 'b', 'a']));
  });
});

describe('contents that were not kept', () => {
  const large = 'first\nsecond\nby A\nthird\n';
  test('only the lines that a change names are its own', () => {
    const range = { start_line: 3, end_line: 3, sha256: sha('by A\n') };
    const steps = [
      [{ ...change('A', 'a.ts', null, null), before: unkept('first\nsecond\nthird\n'), after: content(large), ranges: [range] }],
    ];
    expect(by(steps)).toEqual(['between nothing and A', 'between nothing and A', 'A', 'between nothing and A']);
  });
  test('the lines of a change are found again by their hash', () => {
    const range = { start_line: 3, end_line: 3, sha256: sha('by A\n') };
    const steps = [
      [change('before', 'a.ts', null, 'first\nsecond\nthird\n')],
      [{ ...change('A', 'a.ts', null, null), before: content('first\nsecond\nthird\n'), after: unkept(large), ranges: [range] }],
      [{ ...change('B', 'a.ts', null, null), before: unkept(large), after: content(`zero\n${large}`), ranges: [] }],
    ];
    expect(by(steps)).toEqual(['between A and B', 'before', 'before', 'A', 'before']);
  });
});

/** Edits of a file by known authors; the model knows who wrote what. */
interface Line {
  readonly text: string;
  readonly author: string;
}
type Edit =
  | { readonly kind: 'insert' | 'change' | 'remove' | 'split' | 'rename'; readonly at: number; readonly count: number }
  | { readonly kind: 'move'; readonly at: number; readonly count: number; readonly to: number }
  | { readonly kind: 'reformat'; readonly style: number };

let made = 0;
const newLine = (author: string): Line => {
  const id = (++made).toString(36);
  return { author, text: `const value${id} = computeResult('argument${id}', otherOf${id});` };
};
const STYLES = [
  (text: string) => text.replaceAll("'", '"'),
  (text: string) => text.replace(/;$/, ''),
  (text: string) => `    ${text.trim()}`,
  (text: string) => text.replace(' = ', '='),
];

function edited(lines: readonly Line[], edit: Edit, author: string): Line[] {
  if (edit.kind === 'reformat') return lines.map((line) => ({ ...line, text: STYLES[edit.style % STYLES.length]!(line.text) }));
  const at = lines.length === 0 ? 0 : edit.at % lines.length;
  const next = [...lines];
  const part = lines.slice(at, at + edit.count);
  switch (edit.kind) {
    case 'insert':
      next.splice(at, 0, ...Array.from({ length: edit.count }, () => newLine(author)), { text: '}', author });
      return next;
    case 'change':
      next.splice(at, part.length, ...part.map(() => newLine(author)));
      return next;
    case 'remove':
      next.splice(at, part.length);
      return next;
    case 'move':
      next.splice(at, part.length);
      next.splice(edit.to % (next.length + 1), 0, ...part);
      return next;
    case 'split':
      return next.flatMap((line, index) =>
        index === at && /\(.*,.*\)/.test(line.text)
          ? line.text
              .replaceAll(/(\(|, )/g, '$1\n')
              .split('\n')
              .map((text) => ({ text, author: line.author }))
          : [line],
      );
    case 'rename':
      return next;
  }
}

const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('insert' as const, 'change' as const, 'remove' as const, 'split' as const, 'rename' as const),
    at: fc.nat(200),
    count: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ kind: fc.constant('move' as const), at: fc.nat(200), count: fc.integer({ min: 1, max: 8 }), to: fc.nat(200) }),
  fc.record({ kind: fc.constant('reformat' as const), style: fc.nat(3) }),
);

verifies('N3', 'whatever happens to a line, it keeps its author', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ edit: edits, seen: fc.boolean() }), { minLength: 1, maxLength: 25 }), (plan) => {
      let path = 'file0.ts';
      let lines: Line[] = Array.from({ length: 12 }, () => newLine('before the record'));
      const textOf = (all: readonly Line[]) => all.map(({ text }) => `${text}\n`).join('');
      const steps: HistoryStep<string>[] = [[change('before the record', path, null, textOf(lines))]];
      plan.forEach(({ edit, seen }, number) => {
        // An unobserved change is found as a change of its own.
        const author = seen ? `author ${number}` : `look ${number}`;
        const after = edited(lines, edit, author);
        if (edit.kind === 'rename') {
          const renamed = `file${number + 1}.ts`;
          steps.push([change(author, path, textOf(after), null), change(author, renamed, null, textOf(after))]);
          path = renamed;
        } else steps.push([change(author, path, textOf(lines), textOf(after))]);
        lines = after;
      });
      const forms = new LineForms();
      const distinctive = lines.map(({ text }) => isDistinctive(forms.of([text])[0]!));
      const expected = lines.map(({ author }, at) => (distinctive[at] ? author : 'whoever'));
      const found = (lines.length === 0 ? [] : by(steps, path))?.map((author, at) => (distinctive[at] ? author : 'whoever'));
      expect(found).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('every line of every content has an origin that is on the record', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '', '}', '});', 'return null;', 'a,', 'a b', 'one of the longer lines', 'a\n(\nb'))
    .map((lines) => lines.join('\n'));
  const side = fc.option(text, { nil: null, freq: 6 });
  const move = fc.record({
    path: fc.constantFrom('a.ts', 'b.ts'),
    before: fc.option(side, { nil: undefined }),
    after: side,
    kept: fc.boolean(),
    restores: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(move, { selector: ({ path }) => path, maxLength: 2 }), { maxLength: 12 }), (plan) => {
      const now = new Map<string, string | null>();
      const steps = plan.map((moves, number) =>
        moves.map(({ path, before = now.get(path) ?? null, after, kept, restores }): HistoryChange<string> => {
          now.set(path, after);
          const found = change(`change ${number}`, path, before, after);
          return { ...found, restores, after: kept || after === null ? found.after : unkept(after) };
        }),
      );
      const last = now.get('a.ts') ?? null;
      const all = [...steps, [change('the end', 'a.ts', last, 'a\nb\none of the longer lines\n')]];
      const origins = by(all) ?? [];
      expect(origins).toHaveLength(3);
      for (const origin of origins.flatMap((each) => each.split(' or ')))
        expect(origin).toMatch(/^(?:before the record|the end|change \d+|between .*)$/);
    }),
    { numRuns: 500 },
  );
});
