import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { factsOf, read, summaryOf } from './facts.fixture.ts';

interface Expected {
  readonly text: string;
  readonly definitions: readonly string[];
  readonly calls: readonly string[];
  readonly imports: readonly string[];
  readonly inherits: readonly string[];
  readonly decorators: readonly string[];
}

const LANGUAGES: Readonly<Record<string, Expected>> = {
  'a.py': {
    text: 'import os, sys as system\nfrom .b import helper as h\n\nLIMIT = 3\n\n@tag(a=1)\nclass Shape(models.Model, Base):\n    size = 1\n    def area(self, x: int) -> int:\n        return self.grow(x) + h(LIMIT)\n\ndef _make():\n    return Shape().area(2)\n',
    definitions: [
      'export variable LIMIT 4-4',
      'export class Shape 7-10',
      'export field Shape.size 8-8',
      'export method Shape.area 9-10',
      'function _make 12-13',
    ],
    calls: ['Shape.area → self.grow(x)', 'Shape.area → h(LIMIT)', '_make → Shape()', '_make → Shape().area(2)'],
    imports: ['static os * as os', 'static sys * as system', 'static .b helper as h'],
    inherits: ['Shape extends Model', 'Shape extends Base'],
    decorators: ['@tag(a=1) on Shape'],
  },
  'a.go': {
    text: 'package main\n\nimport (\n\t"fmt"\n\tstr "strings"\n)\n\nconst Limit = 3\n\ntype Shape struct {\n\tBase\n\tSize int\n}\n\ntype Sizer interface {\n\tArea() int\n}\n\nfunc (s *Shape) Area() int { return helper(s.Size) }\n\nfunc helper(x int) int { fmt.Println(str.ToUpper("a")); return x }\n',
    definitions: [
      'export const Limit 8-8',
      'export struct Shape 10-13',
      'export field Shape.Size 12-12',
      'export interface Sizer 15-17',
      'export method Sizer.Area 16-16',
      'export method Shape.Area 19-19',
      'function helper 21-21',
    ],
    calls: ['Shape.Area → helper(s.Size)', 'helper → fmt.Println(str.ToUpper("a"))', 'helper → str.ToUpper("a")'],
    imports: ['static fmt * as fmt', 'static strings * as str'],
    inherits: ['Shape extends Base'],
    decorators: [],
  },
  'a.rs': {
    text: 'use std::{fmt, io::{self, Read as R}};\n#[derive(Debug)]\npub struct Shape { size: u32 }\npub trait Sizer { fn area(&self) -> u32; }\nimpl Sizer for Shape { fn area(&self) -> u32 { helper(self.size) } }\nfn helper(x: u32) -> u32 { Shape::make(x) }\nenum Color { Red }\nmod inner { pub fn go() {} }\n',
    definitions: [
      'export struct Shape 3-3',
      'field Shape.size 3-3',
      'export trait Sizer 4-4',
      'method Sizer.area 4-4',
      'class Shape~2 5-5',
      'method Shape.area 5-5',
      'function helper 6-6',
      'enum Color 7-7',
      'enum_member Color.Red 7-7',
      'namespace inner 8-8',
      'export function inner.go 8-8',
    ],
    calls: ['Shape.area → helper(self.size)', 'helper → Shape.make(x)'],
    imports: ['static std fmt as fmt', 'static std io as io', 'static std::io Read as R'],
    inherits: ['Shape~2 implements Sizer'],
    decorators: ['@derive(Debug) on Shape'],
  },
  'A.java': {
    text: 'package x;\nimport java.util.List;\nimport static x.B.*;\n@Entity(name = "shape")\npublic class Shape extends Base implements Sizer, Other<String> {\n  private int size = 1;\n  public Shape(int s) { this.size = s; }\n  @Override\n  public int area(List<String> x) { return helper(x.size()) + new Shape(2).size; }\n  enum Color { RED }\n}\n',
    definitions: [
      'export class Shape 4-11',
      'field Shape.size 6-6',
      'export constructor Shape.Shape 7-7',
      'export method Shape.area 8-9',
      'enum Shape.Color 10-10',
      'enum_member Shape.Color.RED 10-10',
    ],
    calls: ['Shape.area → helper(x.size())', 'Shape.area → x.size()', 'Shape.area → new Shape(2)'],
    imports: ['static java.util List as List', 'static x.B * as null'],
    inherits: ['Shape extends Base', 'Shape implements Sizer', 'Shape implements Other'],
    decorators: ['@Entity(name = "shape") on Shape', '@Override on Shape.area'],
  },
  'a.cs': {
    text: 'using System;\nusing L = System.Collections.Generic;\nnamespace X.Y {\n  [Serializable, Table("a")]\n  public class Shape : Base, ISizer {\n    public int Size { get; set; }\n    public Shape(int s) { Size = s; }\n    public int Area(int x) { return Helper(x) + new Shape(2).Area(1); }\n  }\n  enum Color { Red }\n}\n',
    definitions: [
      'namespace X.Y 3-11',
      'export class X.Y.Shape 4-9',
      'export field X.Y.Shape.Size 6-6',
      'export constructor X.Y.Shape.Shape 7-7',
      'export method X.Y.Shape.Area 8-8',
      'enum X.Y.Color 10-10',
      'enum_member X.Y.Color.Red 10-10',
    ],
    calls: ['X.Y.Shape.Area → Helper(x)', 'X.Y.Shape.Area → new Shape(2)', 'X.Y.Shape.Area → new Shape(2).Area(1)'],
    imports: ['static System * as null', 'static System.Collections.Generic * as L'],
    inherits: ['X.Y.Shape extends Base', 'X.Y.Shape extends ISizer'],
    decorators: ['@Serializable on X.Y.Shape', '@Table("a") on X.Y.Shape'],
  },
  'a.cpp': {
    text: '#include "b.h"\n#include <vector>\n#define LIMIT 3\nnamespace ns {\nclass Shape : public Base {\n public:\n  int area(int x) { return helper(x); }\n  int size;\n};\n}\nint ns::Shape::later() { return this->area(LIMIT); }\nstatic int helper(int x) { return std::max(x, 1); }\n',
    definitions: [
      'export macro LIMIT 3-3',
      'export namespace ns 4-10',
      'export class ns.Shape 5-9',
      'export method ns.Shape.area 7-7',
      'export field ns.Shape.size 8-8',
      'export method ns.Shape.later 11-11',
      'function helper 12-12',
    ],
    calls: ['ns.Shape.area → helper(x)', 'ns.Shape.later → this.area(LIMIT)', 'helper → std.max(x, 1)'],
    imports: ['static ./b.h * as null', 'static vector * as null'],
    inherits: ['ns.Shape extends Base'],
    decorators: [],
  },
  'a.rb': {
    text: "require 'json'\nrequire_relative 'b/c'\nmodule Geo\n  LIMIT = 3\n  class Shape < Base\n    def area(x)\n      helper(x) + LIMIT\n    end\n    def self.make = Shape.new(2)\n  end\nend\n",
    definitions: [
      'export namespace Geo 3-11',
      'export const Geo.LIMIT 4-4',
      'export class Geo.Shape 5-10',
      'export method Geo.Shape.area 6-8',
      'export method Geo.Shape.make 9-9',
    ],
    calls: ['- → require(json)', '- → require_relative(b/c)', 'Geo.Shape.area → helper(x)', 'Geo.Shape.make → Shape.new(2)'],
    imports: ['static json null as null', 'static ./b/c null as null'],
    inherits: ['Geo.Shape extends Base'],
    decorators: [],
  },
  'a.php': {
    text: '<?php\nnamespace App\\Geo;\nuse App\\Base;\nuse App\\{One, Two as Three};\n#[Entity(name: "x")]\nfinal class Shape extends Base implements Sizer {\n  const LIMIT = 3;\n  private int $size = 1;\n  public function area(int $x): int { return helper($x) + self::make(); }\n  public static function make() { return new Shape(2); }\n}\nfunction helper($x) { return $x; }\n',
    definitions: [
      'export namespace App\\Geo 2-2',
      'export class Shape 5-11',
      'export const Shape.LIMIT 7-7',
      'field Shape.size 8-8',
      'export method Shape.area 9-9',
      'export method Shape.make 10-10',
      'export function helper 12-12',
    ],
    calls: ['Shape.area → helper($x)', 'Shape.area → self.make()', 'Shape.make → new Shape(2)'],
    imports: ['static App Base as Base', 'static App One as One', 'static App Two as Three'],
    inherits: ['Shape extends Base', 'Shape implements Sizer'],
    decorators: ['@Entity(name: "x") on Shape'],
  },
};

describe('languages that are read with a grammar', () => {
  for (const [path, { text, ...expected }] of Object.entries(LANGUAGES)) {
    verifies('G27', `facts of ${path}`, async () => {
      const { definitions, calls, imports, inherits, decorators } = summaryOf(await factsOf(path, text));
      expect({ definitions, calls, imports, inherits, decorators }).toEqual(expected);
    });
  }
});

verifies('G27', 'outlines of JSON, YAML and Markdown', async () => {
  const outline = async (path: string, text: string) => summaryOf(await factsOf(path, text)).definitions;
  expect(await outline('a.json', '{"a": 1, /* c */\n "b": {"c": [ {"d": 1} ],}}')).toEqual([
    'key a 1-1',
    'key b 2-2',
    'key b.c 2-2',
    'key b.c.d 2-2',
  ]);
  expect(await outline('a.yaml', 'a: 1\nb:\n  - c: 2\n    d: {e: 1}\n---\nf: g\n')).toEqual([
    'key a 1-1',
    'key b 2-4',
    'key b.c 3-3',
    'key b.d 4-4',
    'key b.d.e 4-4',
    'key f 6-6',
  ]);
  expect(await outline('a.md', '# One\ntext\n## Two\n```\n# no\n```\n# Three\n')).toEqual([
    'heading One 1-6',
    'heading One.Two 3-6',
    'heading Three 7-7',
  ]);
});

verifies('G27', 'what is left out says why', async () => {
  const why = async (path: string, content: string | Uint8Array) => (await read(path, content)).event;
  expect(await why('a.ts', Uint8Array.of(97, 0, 98))).toEqual({ kind: 'skipped', path: 'a.ts', why: 'is binary: it has a zero byte' });
  expect(await why('a.ts', Uint8Array.of(0xff, 0xfe, 0x20))).toEqual({ kind: 'skipped', path: 'a.ts', why: 'is not text in UTF-8' });
  expect(await why('a.js', `var a=${'1+'.repeat(9_000)}1`)).toEqual({
    kind: 'skipped',
    path: 'a.js',
    why: 'is minified: its lines have 18007 characters on average',
  });
  expect(await why('a.ts', `const a = [\n${'1,\n'.repeat(600_000)}];\n`)).toEqual({
    kind: 'parse_error',
    path: 'a.ts',
    why: 'is larger than 1048576 bytes: it is searched, and not parsed',
  });
  expect(await why('a.json', '{"a": ')).toMatchObject({ kind: 'parse_error', path: 'a.json' });
  expect(await why('a.py', 'def (:\n')).toEqual({ kind: 'parse_error', path: 'a.py', why: 'line 1 cannot be read' });
});

const ENDINGS = [
  '.ts',
  '.tsx',
  '.js',
  '.d.ts',
  '.json',
  '.yaml',
  '.md',
  '.html',
  '.py',
  '.go',
  '.rs',
  '.java',
  '.cs',
  '.cpp',
  '.rb',
  '.php',
  '.txt',
];

const readRandomBytes = async (): Promise<void> => {
  const pieces = Object.values(LANGUAGES).flatMap(({ text }) => text.split(/(?<=\n)/));
  const shredded = fc.array(
    fc.oneof(
      fc.constantFrom(...pieces),
      fc.string({ maxLength: 12 }),
      fc.constantFrom('{', '}', '(', '<', '"', '`', '${', '*/', '@if (', '{{'),
    ),
    { maxLength: 20 },
  );
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    shredded.map((parts) => Buffer.from(parts.join(''))),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ENDINGS), content, async (ending, bytes) => {
      const { facts, event } = await read(`a${ending}`, bytes);
      expect(facts === null).toBe(event?.kind === 'skipped');
      const lines = bytes.toString().split('\n').length;
      for (const { range, line } of facts?.definitions ?? []) {
        expect(range.start_line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(range.end_line);
        expect(range.end_line).toBeLessThanOrEqual(lines);
      }
    }),
    { numRuns: 200 },
  );
};
verifies('G27', 'random bytes never break a parser’s front', readRandomBytes, 60_000);

test('the worst nesting that is let through does not end the process', async () => {
  const { facts } = await read('a.py', `x = ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`);
  expect(facts?.definitions.length).toBe(1);
});
