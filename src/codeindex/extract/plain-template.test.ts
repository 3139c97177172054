import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SegmentBuilder } from '../segment/builder.ts';
import { unitsOf } from '../text/units.ts';
import { readWithCompiler } from './compiled-template.ts';
import { LineFinder } from './line-finder.ts';
import { readPlainTemplate } from './plain-template.ts';
import { readTemplate } from './template.ts';

/** The segment that comes of it, and what was objected to. */
async function kept(text: string, read: typeof readTemplate): Promise<unknown> {
  const out = new SegmentBuilder();
  out.beginFile();
  const error = await read(out, { path: 'a.html', text, lines: new LineFinder(text), inside: null, of: -1 });
  out.endFile({ path: 'a.html', language: 'html', sha256: Buffer.alloc(32), bytes: text.length, lines: 1, units: unitsOf(text) }, error);
  return [error, Buffer.from(out.finish()).toString('base64')];
}

const expression = fc.constantFrom(
  'a',
  'this.a.b',
  'a?.b.c',
  'a!.b',
  'a[b](c).d',
  'a?.[0]?.(b)',
  "a ? b : 'x}}'",
  '-a + !b * (c - 1.5)',
  "{a, 'b': [c, d,], e: {f: g}}",
  'a | b: c : d | e',
  'a ?? typeof b === "x"',
  'a in b',
  'a & b',
  '`${a}`',
  '',
  '$event',
  'a => b',
  'a // b',
  '[...a]',
  'a &amp;&amp; b',
  'a || b && c',
);
const action = fc.constantFrom('a()', 'a = b; c.d += $event;', 'a[b] = c ? d : e', 'a | b', ' a($event)', '');
const starred = fc.constantFrom('let a of b; trackBy: c; let i = index', 'a as b; else c', 'let a', 'a', '', 'a; b-c: d | e, f', '; a');
const attribute = fc.oneof(
  expression.map((it) => `[a]="${it.replaceAll('"', '')}"`),
  expression.map((it) => `[class.a-b]='${it.replaceAll("'", '')}'`),
  expression.map((it) => `[(a)]="${it.replaceAll('"', '')}"`),
  expression.map((it) => `title="x {{ ${it.replaceAll('"', '')} }} y"`),
  action.map((it) => `(a.b)="${it}"`),
  starred.map((it) => `*a="${it}"`),
  fc.constantFrom(
    '#a',
    '#a="b"',
    'a',
    'a = "  b "',
    "xlink:href='#a'",
    '[style.width.px]="a"',
    '[attr.aria-b]="c"',
    'on-a="b"',
    '@a',
    'a=b',
    'let-a="b"',
    'i18n',
    '*a',
    'a="&nbsp;"',
    'a="&what;"',
  ),
);
const tag = fc.constantFrom(
  'div',
  'p',
  'li',
  'td',
  'pre',
  'svg',
  'input',
  'ng-template',
  'ng-content',
  'ng-container',
  'my-part',
  'title',
  'script',
  'select',
  'option',
);
const { template } = fc.letrec<{ template: string; part: string }>((tie) => ({
  template: fc.array(tie('part'), { maxLength: 4, depthIdentifier: 'it' }).map((parts) => parts.join('')),
  part: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'it' },
    fc.constantFrom('\n  ', ' word ', 'a@b', '<!-- a -->', '<br>', 'a < b', '&copy;', '}', '{a, select, x {y}}', '</p>', '<!doctype html>'),
    expression.map((it) => `\n {{ ${it} }} `),
    fc
      .tuple(tag, fc.array(attribute, { maxLength: 3 }), tie('template'))
      .map(([name, given, inner]) => `<${[name, ...given].join(' ')}>${inner}</${name}>`),
    fc.tuple(tag, fc.array(attribute, { maxLength: 2 })).map(([name, given]) => `<${[name, ...given].join('\n')} />`),
    fc.tuple(expression, tie('template'), tie('template')).map(([it, yes, no]) => `@if (${it}; as x) {${yes}} @else {${no}}`),
    fc.tuple(expression, tie('template')).map(([it, inner]) => `@for (x of ${it}; track x.id; let i = $index) {${inner}} @empty { none }`),
    fc.tuple(expression, tie('template')).map(([it, inner]) => `@switch (${it}) { @case (1) {${inner}} @default {b} }`),
    expression.map((it) => `@let x = ${it};`),
    tie('template').map((inner) => `@defer (on idle) {${inner}}`),
  ),
}));

test('a template that is read plainly says what the compiler says', async () => {
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(
      template,
      fc.option(fc.tuple(fc.nat(200), fc.constantFrom('', '<', '"', '}', '{', '@', ' ', '/')), { freq: 3 }),
      async (whole, broken) => {
        const at = broken === null ? 0 : broken[0] % (whole.length + 1);
        const text = broken === null ? whole : whole.slice(0, at) + broken[1] + whole.slice(at + (broken[1] === '' ? 1 : 0));
        if (text !== '' && readPlainTemplate(text, 0, text.length) !== null) plain++;
        expect(await kept(text, readTemplate)).toEqual(await kept(text, readWithCompiler));
      },
    ),
    { numRuns: 500 },
  );
  // Otherwise it would compare the compiler with itself.
  expect(plain).toBeGreaterThan(50);
}, 60_000);

test('common templates need no compiler', () => {
  for (const text of [
    '<mat-form-field><input matInput [(ngModel)]="name" #field="ngModel" (keyup.enter)="save($event)"></mat-form-field>',
    '@for (row of rows(); track row.id) {\n  <app-row [row]="row" (picked)="pick(row)" />\n} @empty { <p>None</p> }',
    '<tr *ngFor="let row of rows | async; trackBy: byId; let i = index" [class.even]="i % 2 === 0"><td>{{ row?.name ?? "none" }}</td></tr>',
  ])
    expect(readPlainTemplate(text, 0, text.length)).not.toBe(null);
  expect(readPlainTemplate('<p i18n>{{ a }}</p>', 0, 19)).toBe(null);
});
