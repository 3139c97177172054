// Where a cell of an ag-Grid leads: Table → ColumnDef → CellRenderer → NavTrigger → Route → Component → Service → Definition.

import {
  along,
  alongToHead,
  type Candidate,
  candidateOf,
  type ChainPlan,
  type ChainPorts,
  type ChainRequest,
  defined,
  followChain,
  headOf,
  type ProofChain,
  textOf,
  type Trail,
  written,
} from '../../../plan/index.ts';

export const AGGRID_ROLES = ['Table', 'ColumnDef', 'CellRenderer', 'NavTrigger', 'Route', 'Component', 'Service', 'Definition'] as const;
type Role = (typeof AGGRID_ROLES)[number];

const TABLES_MAX = 1_000;
const CALLS_MAX = 50;

/**
 * A chain for each column with a renderer or a click, and for each place that it navigates to. `file`: a template, or the class of a
 * component. `field`: that column, also when nothing can be clicked in it.
 */
export async function originChains(ports: ChainPorts, { file, field, limit }: ChainRequest): Promise<readonly ProofChain[]> {
  const chains: ProofChain[] = [];
  for (const table of await ports.graph.find({ label: 'Table', limit: TABLES_MAX })) {
    if (chains.length >= limit) break;
    const component = (await ports.graph.follow(table.id, [{ type: 'SHOWS', direction: 'in' }], 1))[0]?.nodes.at(-1);
    if (file !== undefined && file !== table.path && file !== component?.path) continue;
    const because = `an ag-Grid in the template of ${component?.name ?? 'a component'}`;
    const found = await followChain(ports, PLAN, { role: 'Table', candidate: candidateOf(table, because) });
    chains.push(...found.filter((chain) => isWanted(chain, field)));
  }
  return chains.slice(0, limit);
}

const subjectOf = (trail: Trail<Role>): string =>
  [trail.get('Table')?.name, trail.has('ColumnDef') ? `column ${trail.get('ColumnDef')!.name}` : null]
    .filter((part) => part !== null && part !== undefined)
    .join(', ');

/** A plain column leads nowhere, and is only a gap if it was requested. */
function isWanted({ links }: ProofChain, field: string | undefined): boolean {
  const column = links.find(({ role }) => role === 'ColumnDef');
  if (field !== undefined) return column?.name === field;
  const renderer = links.find(({ role }) => role === 'CellRenderer');
  return column === undefined || renderer?.name !== DEFAULT_RENDERER || links.some(({ role }) => role === 'NavTrigger');
}

const DEFAULT_RENDERER = 'the default renderer';

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const STEPS: ChainPlan<Role>['steps'] = [
  {
    role: 'ColumnDef',
    branches: true,
    find: {
      graph: (ports, trail) => along(ports, trail.get('Table'), 'HAS_COLUMN', 'the list of columns that the grid is bound to has it'),
      lexical: async (ports, trail) => {
        const [owner] = trail.get('Table')!.node
          ? await ports.graph.follow(trail.get('Table')!.node!.id, [{ type: 'SHOWS', direction: 'in' }], 1)
          : [];
        const path = owner?.nodes.at(-1)?.path;
        return path ? (await written(ports, 'columnDefs', { under: path }, 'the only mention of columns in the class')).slice(0, 1) : [];
      },
    },
    missing: (trail) => `no list of columns for ${trail.get('Table')!.name} is written down: it may be computed or come from a server`,
  },
  {
    role: 'CellRenderer',
    find: {
      graph: async (ports, trail) => {
        const column = trail.get('ColumnDef')!;
        const found = await alongToHead(ports, column, 'RENDERED_BY', 'the column names it as its renderer');
        const kind = textOf(column, 'renderer_kind');
        if (found.length > 0 || column.node === null || kind === 'name' || kind === 'class') return found;
        const name = kind === 'inline' ? 'a renderer on the spot' : DEFAULT_RENDERER;
        return [{ ...column, name, because: kind === 'inline' ? 'the column draws the cell itself' : 'the column names none' }];
      },
      ast: (ports, trail) => {
        const name = textOf(trail.get('ColumnDef'), 'renderer');
        const guesses =
          name === null ? [] : [name, pascal(name), ...['Renderer', 'CellRenderer', 'Component'].map((end) => `${pascal(name)}${end}`)];
        return defined(ports, guesses, ['class', 'function', 'const'], `a class of the name under which the column asks for it`);
      },
    },
    missing: (trail) => {
      const name = textOf(trail.get('ColumnDef'), 'renderer');
      return name === null
        ? 'which columns there are is computed, so the renderer is unknown'
        : `no class is registered as ${JSON.stringify(name)}, and none has a name like it`;
    },
  },
  {
    role: 'NavTrigger',
    branches: true,
    find: {
      graph: async (ports, trail) => {
        const own = await along(ports, trail.get('ColumnDef'), 'TRIGGERS', 'a click in the column runs it');
        const renderer = trail.get('CellRenderer')!;
        const drawn =
          renderer.node?.id === trail.get('ColumnDef')!.node?.id ? [] : await along(ports, renderer, 'TRIGGERS', 'the renderer runs it');
        return [...drawn, ...own];
      },
      ast: async (ports, trail) => callsThatNavigate(ports, trail.get('CellRenderer')!),
      lexical: async (ports, trail) => {
        const renderer = trail.get('CellRenderer')!;
        if (renderer.node?.label !== 'Symbol') return [];
        for (const pattern of ['routerLink', 'location.href', 'window.open']) {
          const found = await written(ports, pattern, { under: renderer.path }, 'the text of the renderer mentions it');
          if (found.length > 0) return found.slice(0, 1);
        }
        return [];
      },
    },
    missing: (trail) => `neither the column nor ${trail.get('CellRenderer')!.name} navigates anywhere`,
  },
  {
    role: 'Route',
    find: {
      graph: (ports, trail) =>
        along(ports, trail.get('NavTrigger'), 'NAVIGATES_TO', `it has the address ${textOf(trail.get('NavTrigger'), 'url') ?? ''}`),
      ast: (ports, trail) => routesThatEndLike(ports, textOf(trail.get('NavTrigger'), 'url')),
      lexical: async (ports, trail) => {
        const url = textOf(trail.get('NavTrigger'), 'url');
        if (url === null) return [];
        const pattern = url.replace(/^\//, '').split('*')[0]!;
        const routeText = url.includes('*') ? `path: '${pattern}:` : `path: '${pattern}'`;
        return pattern === '' ? [] : (await written(ports, routeText, {}, 'the text reads like a route of that address')).slice(0, 1);
      },
    },
    missing: (trail) => {
      const url = textOf(trail.get('NavTrigger'), 'url');
      return url === null ? 'the address is computed, so the route is unknown' : `no route has the address ${url}`;
    },
  },
  {
    role: 'Component',
    find: {
      graph: async (ports, trail) => {
        const route = trail.get('Route');
        const own = await alongToHead(ports, route, 'ACTIVATES', 'the route activates it');
        if (own.length > 0 || !route?.node) return own;
        const trails = await ports.graph.follow(
          route.node.id,
          [
            { type: 'CHILD', direction: 'out' },
            { type: 'ACTIVATES', direction: 'out' },
          ],
          10,
        );
        const atTop = trails.filter(({ nodes }) => nodes[1]!.data['path'] === '');
        return atTop.map(({ nodes }) => headOf(nodes.at(-1)!, 'the first route below it activates it'));
      },
      ast: (ports, trail) => defined(ports, [textOf(trail.get('Route'), 'component')], ['class'], 'the class that the route names'),
    },
    missing: (trail) => `the route ${trail.get('Route')!.name} activates no component that can be found`,
  },
  {
    role: 'Service',
    find: {
      graph: async (ports, trail) => {
        const component = trail.get('Component');
        const injected = await alongToHead(ports, component, 'INJECTS', 'the component is given it');
        const asked = await calledBy(ports, component);
        const order = ({ name }: Candidate): number => asked.findIndex(({ node }) => node!.data['container'] === name);
        return [
          ...injected.filter((each) => order(each) >= 0).toSorted((a, b) => order(a) - order(b)),
          ...injected.filter((each) => order(each) < 0),
        ];
      },
      ast: async (ports, trail) => {
        const { path } = trail.get('Component')!;
        const [facts] = await ports.index.facts([path]);
        const names = (facts?.imports ?? []).map(({ local }) => local).filter((local) => /Service$|Store$|Facade$|Api$/.test(local ?? ''));
        return defined(ports, names, ['class'], 'the file of the component imports it');
      },
      lexical: async (ports, trail) =>
        (await written(ports, 'Service', { under: trail.get('Component')!.path }, 'the text of the component mentions it')).slice(0, 1),
    },
    missing: (trail) => `${trail.get('Component')!.name} is given no service`,
  },
  {
    role: 'Definition',
    find: {
      graph: async (ports, trail) => {
        const service = trail.get('Service')!;
        const asked = await calledBy(ports, trail.get('Component'));
        return asked.filter(({ node }) => node!.data['container'] === service.name && node!.path === service.path);
      },
      ast: async (ports, trail) => {
        const members = await along(
          ports,
          trail.get('Service'),
          'HAS_MEMBER',
          'a method of the service; which one the component calls is unknown',
        );
        return members.filter(({ node }) => node!.data['kind'] === 'method');
      },
    },
    missing: (trail) => `no definition of ${trail.get('Service')!.name} can be found`,
  },
];

const PLAN: ChainPlan<Role> = { kind: 'aggrid_origin', code: 'PLAN_ORIGIN_UNKNOWN', steps: STEPS, subject: subjectOf };

/** Methods of services, in the order in which the component calls them. */
async function calledBy({ graph }: ChainPorts, component: Candidate | undefined): Promise<readonly Candidate[]> {
  if (!component?.node) return [];
  const trails = await graph.follow(component.node.id, [{ type: 'ASKS', direction: 'out' }], CALLS_MAX);
  const sorted = trails.toSorted((a, b) => (a.edges[0]!.line ?? 0) - (b.edges[0]!.line ?? 0));
  return sorted.map(({ nodes }) => candidateOf(nodes[1]!, 'the component calls it'));
}

/** Calls of `navigate` on something that is not called a router. */
async function callsThatNavigate({ index }: ChainPorts, { node, path }: Candidate): Promise<readonly Candidate[]> {
  if (node?.label !== 'Symbol') return [];
  const [facts] = await index.facts([path]);
  const own = node.id.slice('symbol:'.length);
  return (facts?.calls ?? [])
    .filter(({ callee, caller }) => /^navigate(?:ByUrl|To)?$/.test(callee) && (caller === own || caller?.startsWith(`${own}.`)))
    .map(({ line, callee, arguments: given }) => ({
      name: `${callee}(${given})`,
      node: null,
      path,
      line,
      end_line: line,
      because: 'a method of the renderer calls it',
    }));
}

/** An address that is relative, or whose beginning is not known here. */
async function routesThatEndLike({ graph }: ChainPorts, url: string | null): Promise<readonly Candidate[]> {
  const wanted = url?.split('/').filter((part) => part !== '' && part !== '..') ?? [];
  if (wanted.every((part) => part === '*')) return [];
  const routes = await graph.find({ label: 'Route', limit: TABLES_MAX });
  return routes
    .filter(({ data }) =>
      (data['urls'] as readonly string[]).some((each) => {
        const end = each.split('/').slice(-wanted.length);
        return (
          end.length === wanted.length &&
          wanted.every((part, index) => part === end[index] || ((part === '*') === (end[index] ?? '').startsWith(':') && part === '*'))
        );
      }),
    )
    .map((node) => candidateOf(node, `its address ends like ${url}`));
}
