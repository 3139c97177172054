import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { rewriteTags } from '../../packs/angular/templates/rewrite-tags.ts';
import { parseSource } from '../parse-source.ts';
import type { Codemod } from './codemod.ts';
import { rewrite } from './rewrite.ts';

const done = (text: string, codemod: Codemod, path = 'src/a.ts'): string => {
  const result = rewrite(path, text, [codemod]);
  return 'declined' in result ? `declined: ${result.declined}` : result.text;
};
const rename = (text: string, path?: string) => done(text, { type: 'rename_identifier_in_file', from: 'a', to: 'b' }, path);

describe('rename_identifier_in_file', () => {
  verifies('G10', 'every meaning of the declaration, and nothing else: comments, texts and layout stay', () => {
    expect(
      rename(`// a is kept, a
const   a = 1; /* a */
export function f(x = a) { return { a, b2: a, 'a': x.a, [a]: "a" + \`\${a} a\` }; }
`),
    ).toBe(`// a is kept, a
const   b = 1; /* a */
export function f(x = b) { return { a: b, b2: b, 'a': x.a, [b]: "a" + \`\${b} a\` }; }
`);
  });

  test.each([
    ['const { a } = x; a();', 'const { a: b } = x; b();'],
    ['const { a = 1, c } = x; use(a);', 'const { a: b = 1, c } = x; use(b);'],
    ['const { x: a } = y; ({ a });', 'const { x: b } = y; ({ a: b });'],
    ["import { a } from 'm'; a();", "import { a as b } from 'm'; b();"],
    ["import { x as a } from 'm'; a();", "import { x as b } from 'm'; b();"],
    ["import a, * as c from 'm'; a;", "import b, * as c from 'm'; b;"],
    ['const a = 1; export { a };', 'const b = 1; export { b as a };'],
    ['const a = 1; export { a as c };', 'const b = 1; export { b as c };'],
    ['type a = 1; let x: a;', 'type b = 1; let x: b;'],
    ['class C { a = 1; m() { return this.a; } } const a = 2;', 'class C { a = 1; m() { return this.a; } } const b = 2;'],
    ['function f(a: number) { return (a) => a; }', 'function f(b: number) { return (b) => b; }'],
    ['a: for (;;) break a; var a;', 'a: for (;;) break a; var b;'],
    ['x.a = 1; const { y: { a: z } } = x; let a = z;', 'x.a = 1; const { y: { a: z } } = x; let b = z;'],
    ['let 𝒳 = "😀"; let a = 𝒳; // 😀\na;', 'let 𝒳 = "😀"; let b = 𝒳; // 😀\nb;'],
    ['let a = 1;\r\n\ta++;\r\n', 'let b = 1;\r\n\tb++;\r\n'],
  ])('%s', (before, after) => {
    expect(rename(before)).toBe(after);
  });

  test('JSX tags are names too', () => {
    expect(done('const A = () => <p/>; <A x="A"><A/></A>;', { type: 'rename_identifier_in_file', from: 'A', to: 'B' }, 'a.tsx')).toBe(
      'const B = () => <p/>; <B x="A"><B/></B>;',
    );
  });

  test.each([
    ['const c = 1;', 'this file declares no a'],
    ['const a = 1, b = 2;', 'b is used in this file already'],
    ['const a = 1; b();', 'b is used in this file already'],
    ['const a = 1; eval("a");', 'what a name means here is known only when it runs: `eval` is used'],
    ['const a = ;', 'src/a.ts has a syntax error: Unexpected token'],
  ])('%s is declined', (text, why) => {
    expect(rename(text)).toBe(`declined: ${why}`);
  });

  test('a word of the language, and a file of another language, are declined', () => {
    for (const to of ['class', 'a-b', '1a', ''])
      expect(done('let a;', { type: 'rename_identifier_in_file', from: 'a', to })).toMatch(/cannot be a name/);
    expect(rename('a', 'a.py')).toBe('declined: a.py is not TypeScript or JavaScript');
  });
});

describe('update_import_specifier', () => {
  const from = './old';
  verifies('G10', 'the module of every kind of import, with its quotes', () => {
    const text = `import a from './old';
import type { T } from "./old";
export * from './old';
export { x } from './old';
const b = await import('./old');
const c = require("./old");
const text = './old'; // './old'
`;
    expect(done(text, { type: 'update_import_specifier', from, to: '../new/x.js' })).toBe(
      text
        .replaceAll("from './old'", "from '../new/x.js'")
        .replace('from "./old"', 'from "../new/x.js"')
        .replace("import('./old')", "import('../new/x.js')")
        .replace('require("./old")', 'require("../new/x.js")'),
    );
  });

  test('a name that is imported from one module, with its uses or behind its alias', () => {
    const codemod = { type: 'update_import_specifier', module: 'm', from: 'a', to: 'b' } as const;
    expect(done("import { a, type c } from 'm'; import { a as x } from 'n'; a({ a });", codemod)).toBe(
      "import { b, type c } from 'm'; import { a as x } from 'n'; b({ a: b });",
    );
    expect(done("import { a as z } from 'm'; z.a;", codemod)).toBe("import { b as z } from 'm'; z.a;");
    expect(done("import { a } from 'n';", codemod)).toMatch(/does not occur as an import/);
  });
});

test.each([
  [
    `const routes: Routes = [{ path: 'old', component: C }, { path: "old", children: [] }];`,
    `const routes: Routes = [{ path: 'new/:id', component: C }, { path: "new/:id", children: [] }];`,
  ],
  [`const file = { path: 'old', size: 3 };`, 'declined: "old" does not occur as the path of a route'],
  [`[{ 'path': 'old', loadChildren: () => import('old') }]`, `[{ 'path': 'new/:id', loadChildren: () => import('old') }]`],
])('update_route_path_literal: %s', (before, after) => {
  expect(done(before, { type: 'update_route_path_literal', from: 'old', to: 'new/:id' })).toBe(after);
});

describe('rewrite_template_tag', () => {
  const html = async (text: string) => {
    const found = await rewriteTags('a.html', text, 'app-old', 'app-new');
    if ('declined' in found) return `declined: ${found.declined}`;
    return found.places
      .toSorted((a, b) => b.start - a.start)
      .reduce((now, { start, end, text: put }) => now.slice(0, start) + put + now.slice(end), text);
  };

  verifies('G10', 'opening and closing, nested, in blocks and by itself; attributes, texts and comments stay', async () => {
    const text = `<!-- <app-old> -->
<app-old   [a]="b"
  (click)="go('app-old')">app-old <app-old-x></app-old-x>
  @if (x) { <app-old/> } @else { <app-old></app-old > }
</app-old>
`;
    expect(await html(text)).toBe(`<!-- <app-old> -->
<app-new   [a]="b"
  (click)="go('app-old')">app-old <app-old-x></app-old-x>
  @if (x) { <app-new/> } @else { <app-new></app-new > }
</app-new>
`);
    expect(await html('<div><app-old></div>')).toMatch(/^declined: a.html has an error in line 1/);
  });

  test('in JSX', () => {
    expect(done('<Old a="Old">Old <Old/></Old>', { type: 'rewrite_template_tag', from: 'Old', to: 'New.Item' }, 'a.jsx')).toBe(
      '<New.Item a="Old">Old <New.Item/></New.Item>',
    );
  });
});

/** Sources of this project. */
function* realFiles(): Generator<[string, string]> {
  const root = join(import.meta.dirname, '..', '..');
  for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' }))
    if (entry.endsWith('.ts')) yield [entry, readFileSync(join(root, entry), 'utf8')];
}

verifies(
  'G10',
  'on 200 real files: a rename and its way back leave every byte, and each result still parses',
  () => {
    let count = 0;
    for (const [path, text] of realFiles()) {
      const [, name] = /^(?:export )?(?:async )?(?:function|const|class) (\w{4,})/m.exec(text) ?? [];
      if (name === undefined) continue;
      const there = rewrite(path, text, [{ type: 'rename_identifier_in_file', from: name, to: 'renamedByTest' }]);
      if ('declined' in there) continue;
      expect(parseSource(path, there.text).error).toBe(null);
      expect(there.text.split('\n').length).toBe(text.split('\n').length);
      // Without short forms, which a rename has to write out, the way back is exact.
      const back = rewrite(path, there.text, [{ type: 'rename_identifier_in_file', from: 'renamedByTest', to: name }]);
      const isPlain = !there.text.includes(`${name}: renamedByTest`) && !/\bas renamedByTest\b|\brenamedByTest as\b/.test(there.text);
      if (isPlain && !('declined' in back)) {
        expect(back.text).toBe(text);
        count++;
      }
      if (count === 200) break;
    }
    expect(count).toBe(200);
  },
  60_000,
);
