// Programs made at random, written in two hands, and spoilt in one place.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { classifyMutation } from './classify-mutation.ts';

type Expression =
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'text'; readonly value: string }
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'operation'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly is: 'call'; readonly callee: string; readonly given: readonly Expression[] };

type Statement =
  | { readonly is: 'let'; readonly name: string; readonly value: Expression }
  | { readonly is: 'return'; readonly value: Expression }
  | { readonly is: 'do'; readonly value: Expression }
  | { readonly is: 'if'; readonly test: Expression; readonly inside: readonly Statement[] };

interface Declared {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: readonly Statement[];
}

const LOCALS = ['a', 'b', 'c'];
const expression = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    fc.record({ is: fc.constant('number' as const), value: fc.nat(99) }),
    fc.record({ is: fc.constant('text' as const), value: fc.string({ unit: 'grapheme', maxLength: 4 }) }),
    fc.record({ is: fc.constant('name' as const), name: fc.constantFrom(...LOCALS, 'outside') }),
    fc.record({
      is: fc.constant('operation' as const),
      operator: fc.constantFrom('+', '-', '*', '<', '===', '&&'),
      left: tie('expression'),
      right: tie('expression'),
    }),
    fc.record({
      is: fc.constant('call' as const),
      callee: fc.constantFrom('f0', 'f1', 'print'),
      given: fc.array(tie('expression'), { maxLength: 2 }),
    }),
  ),
})).expression;
const statement = fc.letrec<{ statement: Statement }>((tie) => ({
  statement: fc.oneof(
    { maxDepth: 2 },
    fc.record({ is: fc.constant('do' as const), value: expression }),
    fc.record({ is: fc.constant('return' as const), value: expression }),
    fc.record({ is: fc.constant('if' as const), test: expression, inside: fc.array(tie('statement'), { maxLength: 2 }) }),
  ),
})).statement;
const body = fc
  .tuple(fc.subarray(LOCALS), fc.array(statement, { minLength: 1, maxLength: 4 }), expression)
  .map(([names, rest, value]) => [...names.map((name): Statement => ({ is: 'let', name: `${name}2`, value })), ...rest]);
const program = fc
  .array(fc.record({ parameters: fc.subarray(LOCALS), body }), { minLength: 1, maxLength: 3 })
  .map((functions) => functions.map((each, index): Declared => ({ name: `f${index}`, ...each })));

/** How a program is written down. */
interface Hand {
  readonly gap: string;
  readonly quote: (text: string) => string;
  readonly wrap: (text: string) => string;
  readonly name: (name: string) => string;
}

const TIGHT: Hand = { gap: ' ', quote: (text) => JSON.stringify(text), wrap: (text) => `(${text})`, name: (name) => name };
const LOOSE: Hand = {
  gap: '\n /* gap */ ',
  quote: (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  wrap: (text) => `( // wrapped\n (${text}) )`,
  name: (name) => name,
};
/** Swaps two parameters' names everywhere, and renames the rest. */
const RENAMED: Hand = { ...LOOSE, name: (name) => ({ a: 'b', b: 'a', c: 'renamed' })[name] ?? name };

function writeExpression(value: Expression, hand: Hand, bound: ReadonlySet<string>): string {
  switch (value.is) {
    case 'number':
      return hand.wrap(String(value.value));
    case 'text':
      return hand.quote(value.value);
    case 'name':
      // An undeclared name belongs to other code and stays; a name that a new one would capture is excluded.
      return bound.has(value.name) ? hand.name(value.name) : 'outside';
    case 'operation':
      return hand.wrap(
        [writeExpression(value.left, hand, bound), value.operator, writeExpression(value.right, hand, bound)].join(hand.gap),
      );
    case 'call':
      return `${value.callee}(${value.given.map((each) => writeExpression(each, hand, bound)).join(`,${hand.gap}`)})`;
  }
}

function writeStatement(value: Statement, hand: Hand, bound: ReadonlySet<string>): string {
  switch (value.is) {
    case 'let':
      return `const ${value.name} =${hand.gap}${writeExpression(value.value, hand, bound)};`;
    case 'return':
      return `return ${writeExpression(value.value, hand, bound)};`;
    case 'do':
      return `void${hand.gap}${writeExpression(value.value, hand, bound)};`;
    case 'if':
      return `if (${writeExpression(value.test, hand, bound)}) {${hand.gap}${value.inside.map((each) => writeStatement(each, hand, bound)).join(hand.gap)}}`;
  }
}

const write = (functions: readonly Declared[], hand: Hand): string =>
  functions
    .map(({ name, parameters, body: statements }) => {
      const bound = new Set(parameters);
      const lines = statements.map((each) => writeStatement(each, hand, bound));
      return `export function ${name}(${parameters.map(hand.name).join(', ')}) {${hand.gap}${lines.join(hand.gap)}}`;
    })
    .join(hand.gap);

verifies('I14', 'layout, renames and moves of any program refactor', () => {
  fc.assert(
    fc.property(program, (functions) => {
      const before = write(functions, TIGHT);
      const versions = [write(functions, LOOSE), write(functions, RENAMED), write(functions.toReversed(), RENAMED)];
      for (const after of versions) expect(classifyMutation('a.ts', before, after)).toMatchObject({ class: 'AST_REFACTOR' });
    }),
    { numRuns: 300 },
  );
});

type Change = (value: Expression) => Expression | null;
const CHANGES: readonly Change[] = [
  (value) => (value.is === 'number' ? { ...value, value: value.value + 1 } : null),
  (value) => (value.is === 'text' ? { ...value, value: `${value.value}!` } : null),
  (value) => (value.is === 'operation' ? { ...value, operator: value.operator === '+' ? '-' : '+' } : null),
  (value) => (value.is === 'call' ? { ...value, callee: 'other' } : null),
  (value) => (value.is === 'name' ? { is: 'number', value: 0 } : null),
];

/** Every program that differs from this one by one change or one statement less. */
function spoiltBody(statements: readonly Statement[]): (readonly Statement[])[] {
  return statements.flatMap((each, index) => {
    const put = (...instead: readonly Statement[]): readonly Statement[] => statements.toSpliced(index, 1, ...instead);
    const within =
      each.is === 'if'
        ? spoiltExpression(each.test).map((value): Statement => ({ ...each, test: value }))
        : spoiltExpression(each.value).map((value): Statement => ({ ...each, value }));
    const below = each.is === 'if' ? spoiltBody(each.inside).map((inner): Statement => ({ ...each, inside: inner })) : [];
    return [put(), ...[...within, ...below].map((one) => put(one))];
  });
}

function spoiltExpression(value: Expression): Expression[] {
  const here = CHANGES.map((change) => change(value)).filter((each) => each !== null);
  if (value.is === 'operation')
    return [
      ...here,
      ...spoiltExpression(value.left).map((left) => ({ ...value, left })),
      ...spoiltExpression(value.right).map((right) => ({ ...value, right })),
    ];
  if (value.is !== 'call') return here;
  return [
    ...here,
    ...value.given.flatMap((each, index) =>
      spoiltExpression(each).map((one) => ({ ...value, given: value.given.toSpliced(index, 1, one) })),
    ),
  ];
}

verifies('I14', 'one changed literal, operator, callee or statement counts', () => {
  fc.assert(
    fc.property(program, fc.nat(), (functions, which) => {
      const before = write(functions, TIGHT);
      const spoilt = functions.flatMap((each, index) =>
        spoiltBody(each.body).map((statements) => functions.toSpliced(index, 1, { ...each, body: statements })),
      );
      const chosen = spoilt[which % spoilt.length]!;
      expect(classifyMutation('a.ts', before, write(chosen, which % 2 === 0 ? LOOSE : RENAMED))).toMatchObject({
        class: 'INTENT_EVOLUTION',
      });
    }),
    { numRuns: 500 },
  );
});

test('no text makes it throw, and the answer is always the same', () => {
  const words = fc.constantFrom(
    'function f(',
    'class A {',
    '}',
    ')',
    '`${',
    '<a>',
    'export ',
    'import a from "a";',
    '"',
    '/*',
    'let a = ',
    '1',
    ';',
    '\ud800',
    '\0',
    '#a',
    'eval',
    '\n',
    '@d ',
    'type A<T> = ',
  );
  const text = fc.array(words, { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, fc.constantFrom('a.ts', 'a.tsx', 'a.cjs', 'a.json', 'a.d.ts', 'a'), (before, after, path) => {
      const first = classifyMutation(path, before, after);
      expect(classifyMutation(path, before, after)).toEqual(first);
      expect(classifyMutation(path, before, before)).toEqual({ class: 'AST_REFACTOR', because: 'nothing changed' });
    }),
    { numRuns: 1000 },
  );
});
