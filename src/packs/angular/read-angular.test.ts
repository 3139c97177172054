import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { factsWithPack } from '../../codeindex/graph/facts-with-pack.ts';
import { type AngularFacts, NO_ANGULAR_FACTS } from './angular-facts.ts';
import { urlOfText, urlWith } from './literals.ts';
import { angularGraph } from './angular-graph.ts';

const readAngular = (path: string, text: string): AngularFacts => factsWithPack(angularGraph, { path, text });

verifies('G19', 'columns are read from fields, assignments, methods, groups and grid options', () => {
  const { columns } = readAngular(
    'grid.ts',
    `const SHARED: ColDef[] = [{ field: 'shared' }];
export class Grid {
  columnDefs: (ColDef | ColGroupDef)[] = [
    { headerName: 'Group', children: [{ field: 'a' }, { field: 'b', cellRenderer: 'named' }] },
    { colId: 'c', cellRenderer: (p) => '<b>' + p.value + '</b>' },
  ];
  gridOptions = { columnDefs: [{ field: 'd', cellRendererParams: { to: '/d', n: 1 } }] };
  other = [{ field: 'not a column' }];
  ngOnInit() { this.cols = [{ field: 'e', cellRendererFramework: Cell }]; }
  make(): ColDef[] { return [{ field: 'f' }]; }
}`,
  );
  expect(
    columns.map(({ owner, list, field, col_id, renderer, params }) => [owner, list, field ?? col_id, renderer?.kind ?? null, params]),
  ).toEqual([
    [null, 'SHARED', 'shared', null, {}],
    ['Grid', 'columnDefs', 'a', null, {}],
    ['Grid', 'columnDefs', 'b', 'name', {}],
    ['Grid', 'columnDefs', 'c', 'inline', {}],
    ['Grid', 'gridOptions', 'd', null, { to: '/d' }],
    ['Grid', 'cols', 'e', 'class', {}],
    ['Grid', 'make', 'f', null, {}],
  ]);
});

verifies('G19', 'federation is read in the forms that builders use', () => {
  const federations = (path: string, text: string) =>
    readAngular(path, text).federations.map(({ name, remotes, exposes }) => ({ name, remotes, exposes }));
  const nx =
    "const config: ModuleFederationConfig = { name: 'shell', remotes: ['shop', ['billing', 'http://b/'], other] };\nexport default config;";
  expect(federations('apps/shell/module-federation.config.ts', nx)).toEqual([
    {
      name: 'shell',
      remotes: [
        { name: 'shop', entry: null, line: 1 },
        { name: 'billing', entry: 'http://b/', line: 1 },
      ],
      exposes: [],
    },
  ]);
  const plugin =
    "plugins: [\n new ModuleFederationPlugin({ library: {}, name: 'a', remotes: { b: 'b@http://b/e.js' },\n exposes: { './X': { import: './x.ts' } } })]";
  expect(federations('webpack.config.js', `module.exports = { ${plugin} };`)).toEqual([
    { name: 'a', remotes: [{ name: 'b', entry: 'http://b/e.js', line: 2 }], exposes: [{ key: './X', file: './x.ts', line: 3 }] },
  ]);
  const native = "module.exports = withNativeFederation({ name: 'mfe', exposes: { './Component': './src/app/app.component.ts' } });";
  expect(federations('federation.config.js', native)[0]!.exposes).toEqual([
    { key: './Component', file: './src/app/app.component.ts', line: 1 },
  ]);
  expect(federations('assets/federation.manifest.json', '{\n "mfe": "http://m/remoteEntry.json",\n "n": 3\n}')).toEqual([
    { name: null, remotes: [{ name: 'mfe', entry: 'http://m/remoteEntry.json', line: 2 }], exposes: [] },
  ]);
});

verifies('G19', 'routes are read with children, lazy parts and remotes', () => {
  const { routes, lists } = readAngular(
    'app.routes.ts',
    `export const routes: Routes = [
  { path: 'a', component: A, children: [{ path: ':id', loadComponent: () => import('./b') }] },
  { path: 'c', loadChildren: async () => (await import('./c')).routes },
  { path: 'd', loadChildren: () => loadRemoteModule('shop', './Routes').then((m) => m.routes) },
  { path: 'e', loadChildren: () => loadRemote('shop/Module') },
];
provideRouter(routes);
@NgModule({ imports: [RouterModule.forChild(other)] }) export class M {}`,
  );
  expect(
    routes.map(({ path, parent, component, load, remote }) => [
      path,
      parent,
      component,
      load?.specifier ?? null,
      remote?.remote ?? null,
      remote?.exposed ?? null,
    ]),
  ).toEqual([
    ['a', null, 'A', null, null, null],
    [':id', 0, null, './b', null, null],
    ['c', null, null, './c', null, null],
    ['d', null, null, null, 'shop', './Routes'],
    ['e', null, null, null, 'shop', './Module'],
  ]);
  expect(lists).toEqual([
    { name: 'routes', owner: null, root: true },
    { name: 'other', owner: 'M', root: false },
  ]);
});

test('addresses in templates and in calls are patterns with a star for what is computed', () => {
  const texts = [
    "['/orders', order.id, 'lines']",
    "'/orders'",
    "['/drivers/' + data.id]",
    '[link, id]',
    '`/a/${b}/c`',
    "['./x', f(a, 'b')]",
    '',
    "'/a?b=1#c'",
  ];
  expect(texts.map(urlOfText)).toEqual(['/orders/*/lines', '/orders', '/drivers/*', null, '/a/*/c', 'x/*', null, '/a']);
  expect(urlWith('routerLink [params.to,params.value]', { to: '/pipelines' })).toBe('/pipelines/*');
  expect(urlWith('navigate([link])', { to: '/x' })).toBeNull();
});

test('navigation counts on anything that is called a router', () => {
  const { navs } = readAngular(
    'x.ts',
    "export class X { go() { if (c === 'col') this.appRouter.navigate(['/a', 1]); this.history.navigate(['/b']); router.navigateByUrl('/c/' + id); } }",
  );
  expect(navs.map(({ url, member, mentions }) => [url, member, mentions])).toEqual([
    ['/a/*', 'go', ['col', '/a', '/b', '/c/']],
    ['/c/*', 'go', ['col', '/a', '/b', '/c/']],
  ]);
});

test('fuzzed: no text breaks the reader', () => {
  const piece = fc.constantFrom(
    ...[
      'const routes: Routes = [',
      '{ path: ',
      "'a'",
      ', children: [',
      '] }',
      '];',
      '{',
      '}',
      '(',
      ')',
      '=>',
      'import(',
      "loadRemoteModule({ remoteName: 'x' })",
    ],
    ...[
      'columnDefs = [',
      "{ field: 'a' }",
      'class X {',
      'this.router.navigate(',
      '`${',
      '`',
      ',',
      '\n',
      'cellRenderer',
      ': ',
      '...a',
      '[',
      '@Component({',
      '})',
    ],
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.constantFrom('a.ts', 'webpack.config.js', 'x.manifest.json', 'a.py'),
      (pieces, path) => {
        const facts = readAngular(path, pieces.join(''));
        expect(Object.keys(facts)).toEqual(Object.keys(NO_ANGULAR_FACTS));
      },
    ),
    { numRuns: 400 },
  );
});
