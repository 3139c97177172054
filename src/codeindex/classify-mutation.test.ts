import { describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { classifyMutation } from './classify-mutation.ts';

type Case = readonly [name: string, before: string, after: string, path?: string | undefined];

const classOf = ([, before, after, path = 'a.ts']: Case): string => classifyMutation(path, before, after).class;
const because = (before: string | null, after: string | null, path = 'a.ts'): string => classifyMutation(path, before, after).because;
/** A module, so that the names at its top are its own. */
const own = (text: string): string => `${text}\nexport {};`;

const REFACTORINGS: readonly Case[] = [
  ['layout', 'export function f(a){return a+1}', 'export function f(a) {\n  return a + 1;\n}\n'],
  ['a comment', 'export const a = 1;', '// the first\nexport const a = 1; /* one */'],
  ['quotes and escapes', `export const a = 'x', b = "it's";`, `export const a = "\\x78", b = 'it\\'s';`],
  ['quotes of keys', `export const a = { 'b': 1 };`, 'export const a = { b: 1 };'],
  ['how a number is written', 'export const a = 0x10;', 'export const a = 16;'],
  ['redundant parentheses', 'export const a = (1 + 2) * (b);', 'export const a = ((1 + 2)) * b;'],
  ['trailing commas and semicolons', 'export const a = [1, 2]\nf(a)', 'export const a = [1, 2,];\nf(a,);;'],
  ['a parameter and all its uses', 'export function f(a) { return () => a; }', 'export function f(b) { return () => b; }'],
  [
    'a local behind a shorthand',
    'export function f() { const a = 1; return { a }; }',
    'export function f() { const b = 1; return { a: b }; }',
  ],
  ['a destructured local', 'export function f({ a }) { return a; }', 'export function f({ a: b }) { return b; }'],
  ['a top-level name of a module', own('const a = 1; use(a);'), own('const b = 1; use(b);')],
  ['an exported thing under its old exported name', 'const a = 1; export { a as x };', 'const b = 1; export { b as x };'],
  ['two names that swap', own('const a = f(), b = g(); use(a, b);'), own('const b = f(), a = g(); use(b, a);')],
  ['a private name', 'export class A { #a = 1; get() { return this.#a; } }', 'export class A { #b = 1; get() { return this.#b; } }'],
  ['a hoisted name before its declaration', own('f(); function f() {}'), own('g(); function g() {}')],
  ['a shadowing name', own('const a = f(); { const a = g(); use(a); } use(a);'), own('const a = f(); { const b = g(); use(b); } use(a);')],
  ['a catch parameter', own('try { f(); } catch (e) { g(e); }'), own('try { f(); } catch (error) { g(error); }')],
  [
    'a type parameter beside a value of its name',
    own('const T = f(); function g<T>(x: T) { return T; }'),
    own('const T = f(); function g<U>(x: U) { return T; }'),
  ],
  ['an inferred type', 'export type A<T> = T extends (infer U)[] ? U : never;', 'export type A<V> = V extends (infer W)[] ? W : never;'],
  ['a mapped type', 'export type A<T> = { [K in keyof T]: K };', 'export type A<T> = { [P in keyof T]: P };'],
  [
    'a predicate',
    'export function f(x: unknown): x is string { return !!x; }',
    'export function f(y: unknown): y is string { return !!y; }',
  ],
  ['a local type', 'interface A { b: 1 } export function f(a: A) {}', 'interface B { b: 1 } export function f(a: B) {}'],
  ['the name of an import here', `import { a } from 'x'; a();export {};`, `import { a as b } from 'x'; b();export {};`],
  ['a component and its tags', own('const A = f(); use(<A b="1">x</A>);'), own("const B = f(); use(<B b='1'>x</B>);"), 'a.tsx'],
  ['functions and types that moved', own('a(); function a() {} type B = 1; c();'), own('type B = 1; a(); c(); function a() {}')],
  [
    'a class without effects that moved',
    own('const f = () => 1; class A { static b = 1; c = d(); } f();'),
    own('class A { static b = 1; c = d(); } const f = () => 1; f();'),
  ],
  [
    'methods that moved',
    'export class A { a() {} b = f(); get c() { return 1; } }',
    'export class A { get c() { return 1; } b = f(); a() {} }',
  ],
  [
    'a getter apart from its setter',
    'export class A { get a() { return 1; } b() {} set a(x) {} }',
    'export class A { set a(x) {} get a() { return 1; } b() {} }',
  ],
  ['members of an interface that moved', 'export interface A { a: 1; b(): 2 }', 'export interface A { b(): 2; a: 1 }'],
  [
    'imports in another order',
    `import a from 'a'; import { b, c } from 'b'; a(b, c);`,
    `import { c } from 'b';\nimport { b } from 'b';\nimport a from 'a'; a(b, c);`,
  ],
  ['a merged import of types', `import type { A } from 'x'; import { b } from 'x'; b as A;`, `import { b, type A } from 'x'; b as A;`],
  [
    'export at the declaration or in a list',
    'export function f() {} export interface T {}',
    'function f() {} interface T {} export { f, type T };',
  ],
  ['a default export by name', 'export default function f() {}', 'function f() {} export { f as default };'],
  [
    'text between tags, broken into lines',
    'export const a = <b>c {d} e</b>;',
    'export const a = (\n  <b>\n    c {d} e\n    {/* f */}\n  </b>\n);',
    'a.tsx',
  ],
  ['names in a file with namespaces that stay', 'namespace N { export const a = 1; }', 'namespace N {\n  export const a = 1\n}'],
  [
    'layout around comments that tools obey',
    "// @ts-ignore\nimport a from 'a';\n/* eslint-disable */ export const b = a( );",
    "// @ts-ignore\nimport a from 'a';\n\n/* eslint-disable */\nexport const b = a();",
  ],
  ['order of keys', '{"a":1,"b":{"c":[1,2],"d":null}}', '{\n  "b": {"d": null, "c": [1, 2]},\n  "a": 1\n}', 'a.json'],
  ['CommonJS keeps its names to itself', 'const a = 1; exports.x = a;', 'const b = 1; exports.x = b;', 'a.cjs'],
];

const EVOLUTIONS: readonly Case[] = [
  ['a literal', 'export const a = 1;', 'export const a = 2;'],
  ['a number too large for exact arithmetic', '[12345678901234567890]', '[12345678901234567891]', 'a.json'],
  ['an operator', 'export const f = (a, b) => a < b;', 'export const f = (a, b) => a <= b;'],
  ['parentheses that matter', 'export const f = (a) => (a?.b).c;', 'export const f = (a) => a?.b.c;'],
  ['a capture', own('const a = f(); export function g(b) { return a + b; }'), own('const a = f(); export function g(a) { return a + a; }')],
  ['a capture by a renamed outer name', own('const a = f(); export const g = (b) => a;'), own('const b = f(); export const g = (b) => b;')],
  ['a global that is captured', 'export function f(a) { return name; }', 'export function f(name) { return name; }'],
  ['a rename that misses a use', 'export function f(a) { return a + a; }', 'export function f(b) { return b + a; }'],
  ['a rename that merges two names', 'export function f(a, b) { return a - b; }', 'export function f(a, a2) { return a - a; }'],
  [
    'a use in a default that the body hides',
    'const x = 1; export function f(a = x) { var y; return y; }',
    'const x = 1; export function f(a = y) { var y; return y; }',
  ],
  [
    'a value in the place of a type parameter',
    own('const T = f(); function g<T>() { return T; }'),
    own('const T = f(); function g<U>() { return U; }'),
  ],
  [
    'a type outside of the branch that infers it',
    own('type U = 1; type A<T> = T extends [infer U, U] ? U : 0;'),
    own('type U = 1; type A<T> = T extends [infer V, V] ? V : 0;'),
  ],
  [
    'a hoisted var that a block seemed to hold',
    own('function f() { { var a = 1; } return a; }'),
    own('function f() { { let a = 1; } return a; }'),
  ],
  ['this', 'export const f = { g() { return this.a; } };', 'export const f = { g: () => this.a };'],
  ['an exported name', 'export function f() {}', 'export function g() {}'],
  ['an export that changes sides', 'const a = 1, b = 2; export { a as x, b as y };', 'const a = 1, b = 2; export { b as x, a as y };'],
  ['a new export', 'const a = 1; export {};', 'export const a = 1;'],
  ['a default export that is copied', 'function f() {} f = g(); export { f as default };', 'function f() {} f = g(); export default f;'],
  ['a property', 'export const f = (a) => a.b;', 'export const f = (a) => a.c;'],
  ['a key behind a shorthand', 'export const f = (a) => ({ a });', 'export const f = (b) => ({ b });'],
  ['a parameter that is a property', 'export class A { constructor(private a: 1) {} }', 'export class A { constructor(private b: 1) {} }'],
  ['a prototype', 'export const f = (__proto__) => ({ __proto__ });', 'export const f = (__proto__) => ({ __proto__: __proto__ });'],
  ['statements with effects in another order', own('a(); b();'), own('b(); a();')],
  ['a value that is made before what it reads', own('const a = 1; const b = a;'), own('const b = a; const a = 1;')],
  ['a class that moves over a statement', own('class A {} use(A);'), own('use(A); class A {}')],
  [
    'a class with effects that moved',
    own('class A { static { f(); } } class B { static { g(); } }'),
    own('class B { static { g(); } } class A { static { f(); } }'),
  ],
  ['a class that extends another', own('class A {} class B extends A {}'), own('class B extends A {} class A {}')],
  ['fields in another order', 'export class A { a = f(); b = g(); }', 'export class A { b = g(); a = f(); }'],
  ['a getter in the place of a field', 'export class A { a = 1; }', 'export class A { get a() { return 1; } }'],
  ['methods with computed keys', 'export class A { [f()]() {} [g()]() {} }', 'export class A { [g()]() {} [f()]() {} }'],
  [
    'a getter and a method of one name',
    'export class A { get a() { return 1; } a() {} }',
    'export class A { a() {} get a() { return 1; } }',
    'a.js',
  ],
  ['a name that a test runner goes by', own('const mockA = 1; jest.mock("a", () => mockA);'), own('const a = 1; jest.mock("a", () => a);')],
  ['a name that the loader declares', 'const a = 1; f(a);', 'const module = 1; f(module);', 'a.cjs'],
  [
    'a private name that an inner class hides',
    'export class A { #a = 1; f() { class B { #b = 2; g(x) { return x.#a; } } } }',
    'export class A { #a = 1; f() { class B { #a = 2; g(x) { return x.#a; } } } }',
  ],
  ['methods of which one is decorated', 'export class A { @d a() {} b() {} }', 'export class A { b() {} @d a() {} }'],
  ['the name of a decorated class', own('@d class A {}'), own('@d class B {}')],
  ['decorators in another order', 'export class A { @a @b c() {} }', 'export class A { @b @a c() {} }'],
  [
    'overloads',
    own('function f(a: 1): 1; function f(a: 2): 2; function f(a) { return a; }'),
    own('function f(a: 2): 2; function f(a: 1): 1; function f(a) { return a; }'),
  ],
  [
    'a function between overloads',
    own('function f(a: 1): 1; function f(a) { return a; } function g() {}'),
    own('function f(a: 1): 1; function g() {} function f(a) { return a; }'),
  ],
  ['keys of an object in another order', 'export const a = { b: 1, c: 2 };', 'export const a = { c: 2, b: 1 };'],
  ['attributes in another order', 'export const a = <b c="1" d="2" />;', 'export const a = <b d="2" c="1" />;', 'a.tsx'],
  ['an attribute that moves over a spread', 'export const a = <b c="1" {...d} />;', 'export const a = <b {...d} c="1" />;', 'a.tsx'],
  ['a space between tags', 'export const a = <b>c {d}</b>;', 'export const a = <b>c{d}</b>;', 'a.tsx'],
  ['a tag that becomes an element of the page', own('const A = f(); use(<A />);'), own('const a = f(); use(<a />);'), 'a.tsx'],
  [
    'an import that JSX may use',
    `import React from 'react'; export const a = <b />;`,
    `import R from 'react'; export const a = <b />;`,
    'a.tsx',
  ],
  ['imports for their effects in another order', `import 'a'; import 'b';`, `import 'b'; import 'a';`],
  ['an import that passes one for its effects', `import 'a'; import b from 'b'; b();`, `import b from 'b'; import 'a'; b();`],
  ['another import', `import { a } from 'x'; a();`, `import { b as a } from 'x'; a();`],
  [
    'an import that is loaded for its type no more',
    `import { type A } from 'x'; export type B = A;`,
    `import type { A } from 'x'; export type B = A;`,
  ],
  ['import attributes', `import a from 'a' with { type: 'json' }; a();`, `import a from 'a'; a();`],
  ['eval', own('function f(a) { return eval("a"); }'), own('function f(b) { return eval("a"); }')],
  ['eval, even where only layout changed', own('eval("a");'), own('eval( "a" );')],
  ['with', 'function f(a) { with (a) { b(); } }', 'function f(a) { with (a) { b() } }', 'a.cjs'],
  ['a name of a script', 'function f() {}', 'function g() {}'],
  ['a function in a block of a script', 'function f() { { function g() {} } g(); }', 'function f() { { function h() {} } h(); }', 'a.cjs'],
  ['a declared name that stands for a global', own('declare const A: 1; use(A);'), own('declare const B: 1; use(B);')],
  ['a declaration file', 'declare function f(a: 1): 2; export {};', 'declare function f(b: 1): 2; export {};', 'a.d.ts'],
  ['a name in a namespace', 'namespace N { const a = 1; export const b = a; }', 'namespace N { const c = 1; export const b = c; }'],
  ['a member of an enum', 'export enum A { B = 1, C = B }', 'export enum A { D = 1, C = D }'],
  [
    'a class whose name is read',
    own('class A { a() { return this.constructor.name; } }'),
    own('class B { a() { return this.constructor.name; } }'),
  ],
  [
    'a declared arguments',
    'function f() { var arguments = 1; return () => arguments; }',
    'function f() { var a = 1; return () => a; }',
    'a.cjs',
  ],
  ['a label', own('a: for (;;) break a;'), own('b: for (;;) break b;')],
  ['a directive', `'use strict'; f();`, `('use strict'); f();`, 'a.cjs'],
  ['a statement that moves before a directive', `'use client'; import a from 'a'; a();`, `import a from 'a'; 'use client'; a();`],
  ['the first line', '#!/usr/bin/env node\nf();', '#!/usr/bin/env bun\nf();', 'a.mjs'],
  ['a tagged template', 'export const a = f`\\x41`;', 'export const a = f`A`;'],
  ['a comment that tools obey', 'export const a = f();', '// @ts-ignore\nexport const a = f();'],
  ['a comment that tools obey, elsewhere', own('// eslint-disable-next-line\na();\nb();'), own('a();\n// eslint-disable-next-line\nb();')],
  [
    'what moves in or out of such a comment',
    own('/* eslint-disable */ function a() {} /* eslint-enable */ function b() {}'),
    own('/* eslint-disable */ function b() {} /* eslint-enable */ function a() {}'),
  ],
  ['such a comment at an import', `import a from 'a'; a();`, `// @ts-expect-error\nimport a from 'a'; a();`],
  ['such a comment in a list of exports', 'const a = 1; export { a };', 'const a = 1; export { /* @__PURE__ */ a };'],
  ['such a comment at the end', 'export const a = 1;', 'export const a = 1;\n//# sourceMappingURL=a.map'],
  ['a type', 'export function f(a: string) {}', 'export function f(a: number) {}'],
  ['optional or not', 'export interface A { a: 1 }', 'export interface A { a?: 1 }'],
  ['order in an array', '[1,2]', '[2,1]', 'a.json'],
  [
    'conditions of a package in another order',
    '{"exports":{"a":"1","default":"2"}}',
    '{"exports":{"default":"2","a":"1"}}',
    'package.json',
  ],
  ['a key that stands twice', '{"a":1,"a":2}', '{"a":2,"a":1}', 'a.json'],
  ['JSON with comments', '{"a":1}', '{"a":1} // b', 'a.json'],
  ['space at the end of a line of Markdown', 'a\nb\n', 'a  \nb\n', 'a.md'],
  ['a language that is not known', 'a = 1', 'a  = 1', 'a.py'],
  ['no longer parsable', 'export const a = 1;', 'export const a = ;'],
  ['a name that is declared twice', own('const a = 1;'), own('const a = 1; const a = 1;')],
];

const titled = (cases: readonly Case[]) => cases.map((each) => ({ title: each[0], each }));
/** There and back: neither side of a change is special. */
const bothWays = (each: Case): readonly string[] => [classOf(each), classOf([each[0], each[2], each[1], each[3]])];

describe('a refactoring is', () => {
  test.each(titled(REFACTORINGS))('$title', ({ each }) => {
    expect(bothWays(each)).toEqual(['AST_REFACTOR', 'AST_REFACTOR']);
  });
});

describe('an evolution of intent is', () => {
  test.each(titled(EVOLUTIONS))('$title', ({ each }) => {
    expect(bothWays(each)).toEqual(['INTENT_EVOLUTION', 'INTENT_EVOLUTION']);
  });
});

verifies('I14', 'syntax trees tell a refactoring from new intent', () => {
  const before = 'export function login(user) {\n  // who\n  return check(user);\n}\n';
  expect(classifyMutation('a.ts', before, 'export function login(who) { return check(who); }')).toEqual({
    class: 'AST_REFACTOR',
    because: 'renamed `user` to `who`',
  });
  expect(classifyMutation('a.ts', before, before.replace('check(user)', 'true'))).toEqual({
    class: 'INTENT_EVOLUTION',
    because: 'the body of `login` changed at line 3',
  });
});

verifies('I14', 'the class says what was seen', () => {
  const f = 'export function f() {\n  return 1;\n}\n';
  expect([
    because(f, f),
    because(null, f),
    because(f, null),
    because(f, `// new\n${f}`),
    because(f, f.replace('  return', '\treturn')),
    because(f, `// new\n${f.replace('  return', '\treturn')}`),
    because('a(); function b() {} export {}', 'function b() {} a(); export {}'),
    because("import a from 'a'; import b from 'b'; a(b)", "import b from 'b'; import a from 'a'; a(b)"),
    because(f, f.replace('f()', 'g()')),
    because(f, `${f}const x = 1;\n`),
    because(`${f}const x = 1;\n`, f),
    because('export class A { m() {\n return 1 } }', 'export class A { m() {\n return 2 } }'),
    because(f, f.replace('}', '')),
    because('a', 'b', 'README.md'),
    because('{"a":1}', '{\n"a":2}', 'a.json'),
    because('function f() {}', 'function g() {}'),
    because("import { a } from 'x';", "import { a, b } from 'x';"),
  ]).toEqual([
    'nothing changed',
    'a new file',
    'the file was deleted',
    'only comments changed',
    'only the layout changed',
    'only comments and the layout changed',
    'moved `b`',
    'imports rearranged',
    'the export `f` is gone at line 1 of the old version',
    '`x` was added at line 4',
    '`x` was removed at line 4 of the old version',
    'the body of `m` changed at line 2',
    'the file after the change cannot be parsed: Expected `}` but found `EOF`',
    'no syntax tree is known for .md files',
    'a value changed at line 2',
    '`f` was renamed to `g`, and other scripts see the names of a script',
    'what is taken from `x` is new at line 1',
  ]);
});

test('what is too large is not parsed', () => {
  const long = `export const a = '${'x'.repeat(1024 * 1024)}';`;
  expect(because(long, `${long} `)).toBe('too large to compare: the file before the change is larger than 1048576 bytes');
  expect(because('a', '['.repeat(100_001))).toBe('too large to compare: the file after the change has more than 100000 opening brackets');
});
