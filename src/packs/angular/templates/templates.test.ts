import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.ts';
import { factsOf, read } from '../../../codeindex/extract/facts.fixture.ts';
import { pack } from '../pack.ts';

verifies('G27', 'Angular templates inside of classes', async () => {
  const text = `@Component({
  selector: 'app-grid', standalone: true, imports: [Grid, Other.forRoot()], providers: [{ provide: Token, useValue: 1 }],
  template: \`
    <ag-grid-angular #grid [rowData]="rows" [(page)]="page" (gridReady)="onReady($event)" *ngIf="shown" class="x">
      {{ title | upper }}
    </ag-grid-angular>\`,
})
export class GridComponent { rows = []; onReady(e: Event) {} }
`;
  const { components, template, references } = await factsOf('grid.component.ts', text, [pack]);
  expect(components).toEqual([
    {
      path: 'grid.component.ts',
      line: 8,
      definition: 'grid.component.ts#GridComponent',
      class_name: 'GridComponent',
      what: 'component',
      selector: 'app-grid',
      template_url: null,
      template_path: null,
      has_inline_template: true,
      imports: ['Grid', 'Other'],
      declarations: [],
      providers: ['Token'],
      exports: [],
      standalone: true,
    },
  ]);
  expect(
    template.map(({ what, name, value, line, element }) => [what, name, value?.trim() ?? null, line, element].join(' ')).toSorted(),
  ).toEqual(
    [
      'element ag-grid-angular  4 ag-grid-angular',
      'reference grid  4 ag-grid-angular',
      'input rowData rows 4 ag-grid-angular',
      'two_way page page 4 ag-grid-angular',
      'output pageChange page 4 ag-grid-angular',
      'output gridReady onReady($event) 4 ag-grid-angular',
      'directive ngIf shown 4 ag-grid-angular',
      'attribute class x 4 ag-grid-angular',
      'text  {{ title | upper }} 5 ag-grid-angular',
      'pipe upper  5 ag-grid-angular',
    ].toSorted(),
  );
  expect(new Set(template.map(({ of }) => of))).toEqual(new Set(['grid.component.ts#GridComponent']));
  expect(new Set(references.filter(({ role }) => role === 'template').map(({ name, of, line }) => `${of}.${name}:${line}`))).toEqual(
    new Set(['this.rows:4', 'this.page:4', 'this.onReady:4', 'this.shown:4', 'this.title:5', 'null.upper:5']),
  );
});

test('Angular templates in files of their own, with blocks', async () => {
  const { facts, event } = await read('a.component.html', '@if (user) {\n  <p (click)="go(user.name)">{{ user.name }}</p>\n}\n', [pack]);
  expect(event).toBe(null);
  expect(facts!.template.map(({ what, name, line, of }) => [what, name, line, of])).toEqual([
    ['element', 'p', 2, null],
    ['output', 'click', 2, null],
    ['text', '', 2, null],
  ]);
  expect(facts!.references.map(({ name, of }) => `${of}.${name}`)).toEqual(expect.arrayContaining(['this.user', 'this.go', 'user.name']));
});

test('a name in a template is found in its place, whatever blanks are before it', async () => {
  const text = '<p (click)="  go()">\n    {{ first }}   and\n\n  {{ second | upper }}\n</p>\n';
  const { facts } = await read('a.component.html', text, [pack]);
  const lines = text.split('\n');
  const places = facts!.references.map(({ name, line, column }) => lines[line - 1]!.slice(column - 1, column - 1 + name.length));
  expect(places.toSorted()).toEqual(['first', 'go', 'second', 'upper']);
  expect(facts!.template.find(({ what }) => what === 'text')).toMatchObject({ line: 2, column: 5 });
});

test('without the pack a template is text, and a class is only a class', async () => {
  const page = await read('a.component.html', '<p>{{ a }}</p>');
  expect([page.event, page.facts!.template, page.facts!.references]).toEqual([null, [], []]);
  const { components, template, definitions } = await factsOf('a.ts', '@Component({ template: `<p>{{ a }}</p>` })\nexport class A {}\n');
  expect([components, template, definitions.map(({ name }) => name)]).toEqual([[], [], ['A']]);
});

const PIECES = [
  '<p',
  '>',
  '</p>',
  '<!--',
  '"',
  '`',
  '{{',
  '}}',
  '${',
  '*a="',
  '[a]="',
  '(b)="',
  '[(c)]="',
  '#d',
  '@if (',
  ') {',
  '}',
  '|',
  '\n',
];

verifies('G27', 'no text breaks the reader of templates', async () => {
  const piece = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom(...PIECES));
  const broken = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(broken, async (text) => {
      const { facts } = await read('a.html', text, [pack]);
      const lines = text.split('\n');
      for (const { line, column } of facts?.template ?? []) {
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeLessThanOrEqual(lines[line - 1]!.length + 1);
      }
    }),
    { numRuns: 300 },
  );
});
