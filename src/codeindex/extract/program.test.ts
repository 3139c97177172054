import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { factsOf, read, summaryOf } from './facts.fixture.ts';

verifies('G27', 'TypeScript: what it defines, uses, calls, imports', async () => {
  const text = `import Base, { helper as h, type Kind } from './base.ts';
import * as all from 'all';
export * from './more.ts';
export { one as two } from './one.ts';
const LIMIT = 3;
@Tag({ a: 1 })
export class Shape<T> extends Base<T> implements Sizer {
  #size = LIMIT;
  constructor(private readonly kind: Kind) { super(); }
  get area(): number { return this.#size * h(LIMIT, all.scale); }
  static make = () => new Shape('x');
}
export interface Sizer { area: number; grow(by: number): void }
enum Color { Red, Green = LIMIT }
type Named = { name: string };
namespace Inner { export const deep = 1; }
function outer(given: Named) {
  const local = given.name;
  function nested() { return local; }
  return nested();
}
export default outer;
`;
  const facts = await factsOf('a.ts', text);
  expect(summaryOf(facts)).toEqual({
    definitions: [
      'const LIMIT 5-5',
      'export class Shape 7-12',
      'field Shape.#size 8-8',
      'constructor Shape.constructor 9-9',
      'field Shape.kind 9-9',
      'method Shape.area 10-10',
      'field Shape.make 11-11',
      'export interface Sizer 13-13',
      'field Sizer.area 13-13',
      'method Sizer.grow 13-13',
      'enum Color 14-14',
      'enum_member Color.Red 14-14',
      'enum_member Color.Green 14-14',
      'type Named 15-15',
      'field Named.name 15-15',
      'namespace Inner 16-16',
      'export const Inner.deep 16-16',
      'export function outer 17-21',
      'function outer.nested 19-19',
    ],
    uses: 'import:default import:helper import:Kind export:one decorator:Tag write:.a extends:Base implements:Sizer read:LIMIT type:Kind read:this.#size call:h read:LIMIT read:all read:all.scale new:Shape read:LIMIT type:Named read:given.name call:nested read:outer',
    calls: ['Shape.area → h(LIMIT, all.scale)', "Shape.make → new Shape('x')", 'outer → nested()'],
    imports: [
      'static ./base.ts default as Base',
      'static ./base.ts helper as h',
      'static type ./base.ts Kind as Kind',
      'static all * as all',
      'reexport ./more.ts * as null',
      'reexport ./one.ts one as null',
    ],
    exports: ['* = null from ./more.ts', 'two = one from ./one.ts', 'Shape = Shape', 'Sizer = Sizer', 'deep = deep', 'default = outer'],
    inherits: ['Shape extends Base', 'Shape implements Sizer'],
    decorators: ['@Tag({ a: 1 }) on Shape'],
  });
  expect(facts.definitions[5]).toEqual({
    id: 'a.ts#Shape.area',
    name: 'area',
    kind: 'method',
    path: 'a.ts',
    range: { start_line: 10, start_column: 3, end_line: 10 },
    line: 10,
    container: 'Shape',
    signature: 'get area(): number',
    exported: false,
  });
});

test('JavaScript with require, JSX and destructuring', async () => {
  const text = `const fs = require('node:fs');
const { join: glue } = require('path');
const load = () => import('./late.js');
export const View = ({ size, ...rest }) => <Panel.Body size={size} {...rest}><div>{fs.read(glue)}</div></Panel.Body>;
`;
  expect(summaryOf(await factsOf('a.jsx', text))).toEqual({
    definitions: ['function load 3-3', 'export function View 4-4'],
    uses: 'import:join read:.join read:.size read:Panel jsx:Panel.Body read:fs call:fs.read read:glue read:Panel jsx:Panel.Body',
    calls: ['View → fs.read(glue)'],
    imports: ['require node:fs * as fs', 'require path join as glue', 'dynamic ./late.js * as null'],
    exports: ['View = View'],
    inherits: [],
    decorators: [],
  });
});

test('a name means what the nearest scope says', async () => {
  const text = `const a = 1;
export function f(a: number) { { const b = a; g(b); } return (x) => x + a; }
export function g(c) { return a + c; }
type T<a> = a | typeof a;
`;
  const { references } = await factsOf('a.ts', text);
  // Parameters, locals and type parameters are not visible outside: of \`a\` only the use of the constant is left.
  expect(references.map(({ name, line, within }) => [name, line, within])).toEqual([
    ['g', 2, 'a.ts#f'],
    ['a', 3, 'a.ts#g'],
  ]);
});

verifies('G27', 'a program that does not parse is still read', async () => {
  const { facts, event } = await read(
    'a.ts',
    'export function ok() {}\nclass A { m() { return ok(; } }\nconst = 3;\nfunction after() {}\n',
  );
  expect(event).toEqual({ kind: 'parse_error', path: 'a.ts', why: expect.stringMatching(/./) });
  expect(summaryOf(facts!).definitions).toEqual(['export function ok 1-1', 'class A 2-2', 'method A.m 2-2', 'function after 4-4']);
  expect(summaryOf(facts!).uses).toBe('call:ok');
  expect(facts!.file.error).toBe(event!.why);
});
