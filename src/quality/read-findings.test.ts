// The output of real tools, kept as they printed it.

import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CHECKS, type CheckName, Finding } from '../protocol/index.ts';
import { verifies } from '../../test/verifies.ts';
import { FINDINGS_MAX, readFindings } from './read-findings.ts';

const ROOT = '/home/ada/shop';
const FILES = ['cart/cart.go', 'cart/cart_test.go'];
const printed = (name: string): string => readFileSync(new URL(`../../test/quality-outputs/${name}.txt`, import.meta.url), 'utf8');
const line = ({ file, line, column, severity, rule, message }: Finding): string =>
  `${file}:${line}:${column ?? '-'} ${severity} [${rule ?? ''}] ${message}`;

/** Each as file:line:column severity [rule] message. */
const OUTPUTS: readonly (readonly [name: string, check: CheckName, found: readonly string[]])[] = [
  [
    'eslint-stylish',
    'lint',
    [
      "src/a.js:1:10 warning [no-unused-vars] 'x' is defined but never used",
      'src/a.js:2:1 error [no-var] Unexpected var, use let or const instead',
      "src/a.js:3:7 error [eqeqeq] Expected '===' and instead saw '=='",
      "src/a.js:3:15 error [no-undef] 'console' is not defined",
      "src/a.js:4:30 error [no-undef] 'undefinedThing' is not defined",
      'src/broken.js:1:14 error [] Parsing error: Unexpected token =',
    ],
  ],
  [
    'eslint-json',
    'lint',
    [
      "src/a.js:1:10 warning [no-unused-vars] 'x' is defined but never used.",
      'src/a.js:2:1 error [no-var] Unexpected var, use let or const instead.',
      "src/a.js:3:7 error [eqeqeq] Expected '===' and instead saw '=='.",
      "src/a.js:3:15 error [no-undef] 'console' is not defined.",
      "src/a.js:4:30 error [no-undef] 'undefinedThing' is not defined.",
      'src/broken.js:1:14 error [] Parsing error: Unexpected token =',
    ],
  ],
  [
    'prettier',
    'format',
    [
      'src/a.js:null:- error [prettier] is not formatted',
      'src/broken.js:1:14 error [] SyntaxError: Unexpected token',
      'src/t.ts:null:- error [prettier] is not formatted',
    ],
  ],
  [
    'biome',
    'lint',
    [
      'src/a.js:1:8 warning [lint/correctness/noUnusedImports] This import is unused.',
      'src/a.js:4:17 warning [lint/correctness/noUnusedVariables] This function f is unused.',
      'src/a.js:1:1 error [parse] Illegal use of an import declaration outside of a module',
      'src/a.js:4:1 error [parse] Illegal use of an export declaration outside of a module',
      'src/a.js:3:7 error [lint/suspicious/noDoubleEquals] Using == may be unsafe if you are relying on type coercion.',
      'src/a.js:4:8 error [lint/correctness/noInnerDeclarations] This function should be declared at the root of the script.',
      "src/broken.js:1:14 error [parse] Expected an identifier, an array pattern, or an object pattern but instead found '= 3'.",
      'src/broken.js:1:17 error [parse] expected `,` but instead found `;`',
      'src/broken.js:1:1 error [parse] Illegal use of an export declaration outside of a module',
    ],
  ],
  [
    'biome-github',
    'lint',
    [
      'src/a.js:1:8 warning [lint/correctness/noUnusedImports] This import is unused.',
      'src/a.js:4:17 warning [lint/correctness/noUnusedVariables] This function f is unused.',
      'src/a.js:1:1 error [parse] Illegal use of an import declaration outside of a module',
      'src/a.js:4:1 error [parse] Illegal use of an export declaration outside of a module',
      'src/a.js:3:7 error [lint/suspicious/noDoubleEquals] Using == may be unsafe if you are relying on type coercion.',
      'src/a.js:4:8 error [lint/correctness/noInnerDeclarations] This function should be declared at the root of the script.',
      "src/broken.js:1:14 error [parse] Expected an identifier, an array pattern, or an object pattern but instead found '= 3'.",
      'src/broken.js:1:17 error [parse] expected `,` but instead found `;`',
      'src/broken.js:1:1 error [parse] Illegal use of an export declaration outside of a module',
    ],
  ],
  [
    'biome-format',
    'format',
    [
      'src/a.js:1:1 error [parse] Illegal use of an import declaration outside of a module',
      'src/a.js:4:1 error [parse] Illegal use of an export declaration outside of a module',
      "src/a.js:null:- error [format] Code formatting aborted due to parsing errors. To format code with errors, enable the 'formatter.formatWithErrors' option.",
      "src/broken.js:1:14 error [parse] Expected an identifier, an array pattern, or an object pattern but instead found '= 3'.",
      'src/broken.js:1:17 error [parse] expected `,` but instead found `;`',
      'src/broken.js:1:1 error [parse] Illegal use of an export declaration outside of a module',
      "src/broken.js:null:- error [format] Code formatting aborted due to parsing errors. To format code with errors, enable the 'formatter.formatWithErrors' option.",
      'src/t.ts:null:- error [format] Formatter would have printed the following content:',
    ],
  ],
  [
    'oxlint',
    'lint',
    [
      'src/broken.js:1:14 error [] Unexpected token',
      "src/a.js:1:10 warning [eslint(no-unused-vars)] Identifier 'x' is imported but never used.",
    ],
  ],
  [
    'oxlint-unix',
    'lint',
    [
      'src/broken.js:1:14 error [] Unexpected token',
      "src/a.js:1:10 warning [eslint(no-unused-vars)] Identifier 'x' is imported but never used.",
    ],
  ],
  [
    'tsc',
    'typecheck',
    [
      "src/t.ts:1:14 error [TS2322] Type 'string' is not assignable to type 'number'.",
      "src/t.ts:3:12 error [TS2339] Property 'c' does not exist on type '{ b: string; }'.",
    ],
  ],
  [
    'tsc-pretty',
    'typecheck',
    [
      "src/t.ts:1:14 error [TS2322] Type 'string' is not assignable to type 'number'.",
      "src/t.ts:3:12 error [TS2339] Property 'c' does not exist on type '{ b: string; }'.",
    ],
  ],
  [
    'ruff-full',
    'lint',
    [
      'mod.py:1:1 error [I001] Import block is un-sorted or un-formatted',
      'mod.py:1:8 error [F401] `os` imported but unused',
      'test_broken.py:1:8 error [F401] `nothing_there` imported but unused',
      'test_mod.py:1:1 error [I001] Import block is un-sorted or un-formatted',
      'test_mod.py:1:8 error [F401] `pytest` imported but unused',
    ],
  ],
  [
    'ruff-concise',
    'lint',
    [
      'mod.py:1:1 error [I001] Import block is un-sorted or un-formatted',
      'mod.py:1:8 error [F401] `os` imported but unused',
      'test_broken.py:1:8 error [F401] `nothing_there` imported but unused',
      'test_mod.py:1:1 error [I001] Import block is un-sorted or un-formatted',
      'test_mod.py:1:8 error [F401] `pytest` imported but unused',
    ],
  ],
  [
    'ruff-syntax',
    'lint',
    [
      'bad.py:1:5 error [invalid-syntax] Expected an identifier',
      'bad.py:1:6 error [invalid-syntax] Expected a parameter or the end of the parameter list',
      'bad.py:2:1 error [invalid-syntax] unexpected EOF while parsing',
      'mod.py:1:1 error [I001] Import block is un-sorted or un-formatted',
      'mod.py:1:8 error [F401] `os` imported but unused',
      'test_broken.py:1:8 error [F401] `nothing_there` imported but unused',
      'test_mod.py:1:1 error [I001] Import block is un-sorted or un-formatted',
      'test_mod.py:1:8 error [F401] `pytest` imported but unused',
    ],
  ],
  [
    'ruff-format',
    'format',
    ['mod.py:2:1 error [unformatted] File would be reformatted', 'test_mod.py:3:1 error [unformatted] File would be reformatted'],
  ],
  ['go-vet', 'lint', ['cart/cart.go:6:14 error [] fmt.Printf format %d has arg "text" of wrong type string']],
  ['go-build-vet', 'lint', ['bad/bad.go:3:23 error [] undefined: undefinedThing']],
  ['go-test', 'test', ['cart/cart_test.go:7:- error [TestAdd] Add(1, 2) = -1', 'cart/cart_test.go:12:- error [TestZero/sub] sub fails']],
  [
    'go-build-test',
    'test',
    [
      'bad/bad.go:3:23 error [] undefined: undefinedThing',
      'cart/cart.go:6:14 error [] fmt.Printf format %d has arg "text" of wrong type string',
    ],
  ],
  ['cargo-check', 'typecheck', ['src/lib.rs:1:21 error [E0308] mismatched types']],
  [
    'cargo-clippy',
    'lint',
    [
      'src/lib.rs:2:9 warning [unused_variables] unused variable: `unused`',
      'src/lib.rs:3:5 warning [clippy::needless_return] unneeded `return` statement',
    ],
  ],
  ['cargo-fmt', 'format', ['src/lib.rs:1:- error [rustfmt] is not formatted']],
  [
    'cargo-test',
    'test',
    [
      'src/lib.rs:2:9 warning [unused_variables] unused variable: `unused`',
      'src/lib.rs:11:9 error [tests::adds] assertion `left == right` failed',
    ],
  ],
  ['pytest-collecting', 'test', ["test_broken.py:1:- error [collecting] ModuleNotFoundError: No module named 'nothing_there'"]],
  [
    'pytest-failures',
    'test',
    ['test_mod.py:4:- error [test_add] assert -1 == 3', 'test_mod.py:9:- error [TestMore.test_raise] ValueError: no way'],
  ],
  [
    'node-test-spec',
    'test',
    ['sum.test.mjs:3:1 error [adds] AssertionError [ERR_ASSERTION]: 2 == 3', 'sum.test.mjs:5:27 error [inner] Error: broken inside'],
  ],
  ['node-test-tap', 'test', ['sum.test.mjs:3:1 error [adds] 2 == 3', 'sum.test.mjs:5:27 error [inner] broken inside']],
  [
    'vitest',
    'test',
    [
      "broken.test.ts:1:1 error [the file itself] Error: Cannot find module './nothing.ts' imported from broken.test.ts",
      'sum.test.ts:2:36 error [adds] AssertionError: expected 2 to be 3 // Object.is equality',
      'sum.test.ts:3:55 error [group > inner] Error: broken inside',
    ],
  ],
  [
    'jest',
    'test',
    [
      'sum.test.js:1:36 error [adds] expect(received).toBe(expected) // Object.is equality',
      'sum.test.js:2:55 error [group › inner] broken inside',
    ],
  ],
];

for (const [name, check, found] of OUTPUTS) {
  verifies('I15', `what ${name} printed`, () =>
    expect(readFindings(check, printed(name), { root: ROOT, files: FILES }).map(line)).toEqual(found),
  );
}

test.each([
  ['a clock', '12:30:45: the server has started'],
  ['a place in a stack', '    at Object.<anonymous> (/home/ada/shop/src/a.js:3:5)'],
  ['a summary', 'Found 2 errors in 1 file.'],
  ['a question of a shell', 'Proceed? [y/N]'],
  ['a URL', 'http://127.0.0.1:8722/ui/'],
  ['JSON that is cut off', '[{"filePath":"/home/ada/shop/src/a.js","messages":[{"ruleId"'],
])('%s is no finding', (_what, output) => {
  expect(readFindings('lint', output, { root: ROOT })).toEqual([]);
});

test('a file outside of the tree is not named', () => {
  const outside = ['/etc/passwd.txt:1:1: one', '../other/a.js:2:1: two', '/home/ada/shopping/a.js:3:1: three'].join('\n');
  expect(readFindings('lint', outside, { root: ROOT }).map(line)).toEqual(
    ['one', 'two', 'three'].map((message) => `null:null:- error [] ${message}`),
  );
});

test('very many findings are cut', () => {
  const output = Array.from({ length: 1_000 }, (_, at) => `src/a.js:${at + 1}:1: no`).join('\n');
  expect(readFindings('lint', output, { root: ROOT })).toHaveLength(FINDINGS_MAX);
});

/** Lines of real outputs, cut and mixed with anything. */
const realLines = OUTPUTS.flatMap(([name]) => printed(name).split('\n'));
const anyLine = fc.oneof(
  fc.constantFrom(...realLines),
  fc.tuple(fc.constantFrom(...realLines), fc.nat(60)).map(([text, at]) => text.slice(at)),
  fc.tuple(fc.constantFrom(...realLines), fc.constantFrom(...realLines)).map(([a, b]) => a + b),
  fc.string({ unit: 'binary' }),
);

test('no output makes it throw, and every finding keeps to its form and to the tree', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 60 }), fc.constantFrom(...CHECKS), (lines, check) => {
      const found = readFindings(check, lines.join('\n'), { root: ROOT, files: FILES });
      for (const finding of found) {
        expect(Finding.parse(finding)).toEqual(finding);
        expect(finding.file === null || !/^\/|(?:^|\/)\.\.(?:\/|$)/.test(finding.file)).toBe(true);
        expect(finding.message.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a long line does not hold anybody up', () => {
  const parts = ['a', ' ', ':', '1', '(', '━', '_', '[', '/', '.js:1:1: '];
  const lines = parts.flatMap((a) => parts.map((b) => (a + b).repeat(50_000)));
  expect(readFindings('test', lines.join('\n'), { root: ROOT }).length).toBeLessThanOrEqual(FINDINGS_MAX);
});
