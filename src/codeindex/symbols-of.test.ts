import fc from 'fast-check';
import { expect, test } from 'vitest';
import { symbolsOf } from './symbols-of.ts';

/** One line for a symbol. */
const summaryOf = async (path: string, text: string): Promise<readonly string[]> =>
  (await symbolsOf(path, text)).map(
    ({ name, kind, container, start_line, end_line, exported }) =>
      `${exported ? 'export ' : ''}${kind} ${container === null ? '' : `${container} > `}${name} ${start_line}-${end_line}`,
  );

test('TypeScript is described by its declarations', async () => {
  const text = `export class A<T> {
  #a = 1;
  constructor() {}
  get b() {
    function inner() {}
    const local = 1;
    return () => inner(local);
  }
  static async 'c d'() {}
}
interface B { m(): void }
export type C = 1;
enum D { E }
const { f, g: [h] } = i, j = () => 1;
export let k = class { l() {} };
abstract class M { abstract n(): void }
declare function o(): void;
namespace P { export function q() {} }
export default function () {}
export { B, f as r };
`;
  expect(await summaryOf('a.ts', text)).toEqual([
    'export class A 1-10',
    'method A > constructor 3-3',
    'method A > b 4-8',
    'function A.b > inner 5-5',
    'method A > c d 9-9',
    'export interface B 11-11',
    'export type C 12-12',
    'enum D 13-13',
    'export const f 14-14',
    'const h 14-14',
    'function j 14-14',
    'export class k 15-15',
    'method k > l 15-15',
    'class M 16-16',
    'method M > n 16-16',
    'function o 17-17',
    'export function P > q 18-18',
    'export function default 19-19',
  ]);
});

test('JavaScript, JSX and scripts are described too', async () => {
  expect(await summaryOf('a.jsx', 'export const A = () => <b onClick={function c() {}} />;')).toEqual(['export function A 1-1']);
  expect(await summaryOf('a.cjs', 'var a = 1;\nfunction b() { return; }\nmodule.exports = { b };')).toEqual([
    'variable a 1-1',
    'function b 2-2',
  ]);
  expect(await summaryOf('a.tsx', 'function A() { return <a/>; }\nexport default A;')).toEqual(['export function A 1-1']);
});

test('Markdown is described by its headings, not by what is in its code', async () => {
  expect(await summaryOf('a.md', '# A #\n\n```sh\n# no\n```\n## B\n\n#### C\n## D\n#no\n    # no\n# E\n')).toEqual([
    'heading A 1-11',
    'heading A > B 6-8',
    'heading A › B > C 8-8',
    'heading A > D 9-11',
    'heading E 12-12',
  ]);
});

test('other languages are described as far as their grammars say', async () => {
  expect(await summaryOf('a.py', 'class A:\n    size = 1\n    def b(self): pass\n')).toEqual([
    'export class A 1-3',
    'export method A > b 3-3',
  ]);
  expect(await summaryOf('a.go', 'package a\ntype A struct { B int }\nfunc (a A) c() {}\n')).toEqual([
    'export class A 2-2',
    'method A > c 3-3',
  ]);
});

test('what is not known or cannot be read has no symbols', async () => {
  expect(await Promise.all([summaryOf('a', 'x'), summaryOf('a.ts', ''), summaryOf('a.json', '{"a":1}')])).toEqual([[], [], []]);
  expect(await summaryOf('a.ts', `//${'x'.repeat(1024 * 1024)}\nlet a`)).toEqual([]);
});

test('any text is read without a fault, and every symbol stands inside of it', async () => {
  const words = fc.constantFrom(
    'function f(',
    'class A {',
    '}',
    ')',
    ' m() {',
    '\n',
    'const a = ',
    '# ',
    '```',
    'export ',
    '1;',
    '\ud800',
    '=> ',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(words, { maxLength: 20 }), fc.constantFrom('a.ts', 'a.tsx', 'a.md', 'a.cjs'), async (parts, path) => {
      const text = parts.join('');
      const lines = text.split('\n').length;
      for (const { start_line, end_line } of await symbolsOf(path, text)) {
        expect(start_line).toBeGreaterThan(0);
        expect(end_line).toBeGreaterThanOrEqual(start_line);
        expect(end_line).toBeLessThanOrEqual(lines);
      }
    }),
    { numRuns: 100 },
  );
});
