// Where a host's route leads in another application: Host Route → Federation Mapping → Remote Expose → Remote Module → Destination
// Component.

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

export const FEDERATION_ROLES = ['Host Route', 'Federation Mapping', 'Remote Expose', 'Remote Module', 'Destination Component'] as const;
type Role = (typeof FEDERATION_ROLES)[number];

const ROUTES_MAX = 10_000;
const CONFIGURATIONS = ['**/*webpack*', '**/*federation*', '**/*manifest*.json'];

/** A chain for each route of a host that loads something from elsewhere. */
export async function federationChains(ports: ChainPorts, { file, limit }: ChainRequest): Promise<readonly ProofChain[]> {
  const routes = await ports.graph.find({ label: 'Route', limit: ROUTES_MAX });
  const hosts = routes.filter(({ data, path }) => typeof data['exposed'] === 'string' && (file === undefined || file === path));
  const chains: ProofChain[] = [];
  for (const route of hosts.slice(0, limit)) {
    const first = {
      role: 'Host Route',
      candidate: candidateOf(route, `it loads ${route.data['exposed'] as string} from elsewhere`),
    } as const;
    chains.push(...(await followChain(ports, PLAN, first)));
  }
  return chains.slice(0, limit);
}

const subjectOf = (trail: Trail<Role>): string => `route ${trail.get('Host Route')!.name}`;

const exposed = (trail: Trail<Role>): string => textOf(trail.get('Host Route'), 'exposed') ?? '';

const STEPS: ChainPlan<Role>['steps'] = [
  {
    role: 'Federation Mapping',
    find: {
      graph: (ports, trail) => along(ports, trail.get('Host Route'), 'LOADS_REMOTE', 'it says where the remote of that name is'),
      ast: (ports, trail) => defined(ports, [textOf(trail.get('Host Route'), 'remote')], ['key'], 'a key of that name in a configuration'),
      lexical: async (ports, trail) => {
        const remote = textOf(trail.get('Host Route'), 'remote');
        if (remote === null) return [];
        for (const glob of CONFIGURATIONS) {
          const found = await written(ports, remote, { glob }, 'a configuration mentions the remote');
          if (found.length > 0) return found.slice(0, 1);
        }
        return [];
      },
    },
    missing: (trail) =>
      `no configuration or manifest in this tree says where ${textOf(trail.get('Host Route'), 'remote') ?? 'the remote'} is`,
  },
  {
    role: 'Remote Expose',
    find: {
      graph: async (ports, trail) => {
        const all = await along(ports, trail.get('Federation Mapping'), 'EXPOSED_BY', 'the remote of that name exposes it');
        return all.filter(({ name }) => name === exposed(trail));
      },
      ast: async ({ graph }, trail) => {
        const same = await graph.find({ label: 'RemoteExpose', name: exposed(trail), limit: 2 });
        return same.length === 1 ? same.map((node) => candidateOf(node, 'the only application in this tree that exposes that name')) : [];
      },
      lexical: async (ports, trail) => {
        const isOwn = (path: string): boolean => path === trail.get('Host Route')!.path;
        return (await written(ports, `'${exposed(trail)}'`, {}, 'the name is written there', isOwn)).slice(0, 1);
      },
    },
    missing: (trail) =>
      `no application in this tree exposes ${exposed(trail)} as ${trail.get('Federation Mapping')!.name}: it may live in another repository`,
  },
  {
    role: 'Remote Module',
    find: {
      graph: async (ports, trail) => {
        const all = await alongToHead(ports, trail.get('Remote Expose'), 'EXPOSES', 'the remote exposes it under that name');
        const takes = textOf(trail.get('Host Route'), 'takes');
        const rank = ({ node, name }: Candidate): number => (name === takes ? 0 : node!.label === 'Symbol' ? 1 : 2);
        return all.toSorted((a, b) => rank(a) - rank(b));
      },
      ast: async ({ index }, trail) => {
        const named = textOf(trail.get('Remote Expose'), 'file')
          ?.replace(/^(?:\.\/)+/, '')
          .replace(/\.[jt]s$/, '');
        if (!named) return [];
        const files = (await index.files()).filter(({ path }) => path.replace(/\.[jt]s$/, '').endsWith(named));
        return files
          .map(({ path }) => ({ name: path, node: null, path, line: 1, end_line: 1, because: 'the only file of that name' }))
          .slice(0, 1);
      },
    },
    missing: (trail) => `the file ${textOf(trail.get('Remote Expose'), 'file') ?? ''} that is exposed is not in this tree`,
  },
  {
    role: 'Destination Component',
    find: {
      graph: async (ports, trail) => {
        const module = trail.get('Remote Module')!;
        if (!module.node) return [];
        const trails = await ports.graph.follow(
          module.node.id,
          [
            { type: 'ROUTES', direction: 'out' },
            { type: 'ACTIVATES', direction: 'out' },
          ],
          50,
        );
        const first = await entryPath(ports, module.node.id);
        const rank = (path: unknown): number => (path === first ? 0 : path === '' ? 1 : 2);
        const sorted = trails.toSorted((a, b) => rank(a.nodes[1]!.data['path']) - rank(b.nodes[1]!.data['path']));
        if (sorted.length > 0) return sorted.map(({ nodes }) => headOf(nodes.at(-1)!, `its route ${nodes[1]!.name} activates it`));
        const [facts] = await ports.index.facts([module.path]);
        const isComponent = facts?.components.some(({ class_name, what }) => class_name === module.name && what === 'component');
        return isComponent ? [{ ...module, because: 'what is exposed is the component' }] : [];
      },
      ast: async (ports, trail) => {
        const { path } = trail.get('Remote Module')!;
        const [facts] = await ports.index.facts([path]);
        const names = (facts?.components ?? []).flatMap(({ what, class_name, declarations }) =>
          what === 'component' ? [class_name] : declarations,
        );
        return defined(ports, names, ['class'], 'the module declares it; no route of it says which comes first');
      },
      lexical: async (ports, trail) =>
        (await written(ports, 'Component', { under: trail.get('Remote Module')!.path }, 'the text of the module mentions it')).slice(0, 1),
    },
    missing: (trail) => `${trail.get('Remote Module')!.name} routes to no component that can be found`,
  },
];

const PLAN: ChainPlan<Role> = { kind: 'federation', code: 'PLAN_FEDERATION_PROOF_MISSING', steps: STEPS, subject: subjectOf };

/** Where a redirect at the top of the remote leads. */
async function entryPath({ graph }: ChainPorts, module: string): Promise<string> {
  const routes = await graph.follow(module, [{ type: 'ROUTES', direction: 'out' }], 50);
  const redirect = routes
    .map(({ nodes }) => nodes.at(-1)!.data)
    .find((data) => data['path'] === '' && typeof data['redirect'] === 'string');
  return redirect ? (redirect['redirect'] as string).replace(/^\//, '') : '';
}
