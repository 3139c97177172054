// A proof chain: from what a person sees to the code that it comes from, link by link, each with lines that can be cited. A missing link is
// a gap that says what was tried.

import type { CodeCitation, Graph, GraphNode, TreeIndex } from '../../codeindex/index.ts';
import type { ProofChainKind, ProofChainRow } from '../../protocol/index.ts';

/** `graph`: an edge leads there. `ast`: the syntax trees name it. `lexical`: only the text does. */
export type Way = 'graph' | 'ast' | 'lexical';
export const WAYS: readonly Way[] = ['graph', 'ast', 'lexical'];

export interface ChainLink {
  /** What it is in the chain: `Table`, `Route`. */
  readonly role: string;
  readonly name: string;
  /** The node of the graph; null for what only the text shows. */
  readonly node: string | null;
  readonly via: Way;
  /** Why this follows from the link before. */
  readonly because: string;
  readonly citation: CodeCitation;
  /** Others that the same step found. */
  readonly also: readonly string[];
}

export interface ChainGap {
  readonly role: string;
  readonly why: string;
  readonly attempted: readonly Way[];
}

export interface ProofChain {
  readonly kind: ProofChainKind;
  /** What it is about, for people: `OrdersPageComponent grid, column id`. */
  readonly subject: string;
  readonly complete: boolean;
  readonly links: readonly ChainLink[];
  readonly gaps: readonly ChainGap[];
  /** The code with which a plan that needs this chain is refused; null when it is complete. */
  readonly code: ProofChainRow['code'];
}

export interface ChainPorts {
  readonly graph: Graph;
  readonly index: Pick<TreeIndex, 'cite' | 'definitions' | 'search' | 'facts' | 'files'>;
}

/** Every chain of one kind. Packs bring them. */
export interface ChainProver {
  /** Of a plan that needs such a chain, while it has a gap. */
  readonly code: NonNullable<ProofChainRow['code']>;
  readonly prove: (ports: ChainPorts, request: ChainRequest) => Promise<readonly ProofChain[]>;
}

export interface ChainRequest {
  /** Only chains that begin in this file. */
  readonly file?: string | undefined;
  /** Only the column of this field, where chains begin in columns. */
  readonly field?: string | undefined;
  readonly limit: number;
}

/** What all chains of a kind have in common. */
export interface ChainPlan<Role extends string> {
  readonly kind: ProofChainKind;
  /** The code of a chain with a gap. */
  readonly code: NonNullable<ProofChainRow['code']>;
  readonly steps: readonly Step<Role>[];
  readonly subject: (trail: Trail<Role>) => string;
}

/** A candidate for the next link. */
export interface Candidate {
  readonly name: string;
  /** Null: the chain cannot go on by the graph from here. */
  readonly node: GraphNode | null;
  readonly path: string;
  readonly line: number;
  readonly end_line: number;
  readonly because: string;
}

/** How a step finds the next link, one way after the other; a text says why it cannot exist. */
export interface Step<Role extends string> {
  readonly role: Role;
  readonly find: Readonly<Partial<Record<Way, (ports: ChainPorts, trail: Trail<Role>) => Promise<readonly Candidate[]>>>>;
  readonly missing: (trail: Trail<Role>) => string;
  /** Whether each candidate begins a chain of its own. */
  readonly branches?: true;
}

export type Trail<Role extends string> = ReadonlyMap<Role, Candidate>;

const CITED_LINES_MAX = 40;

export const candidateOf = (node: GraphNode, because: string, end = node.data['end_line']): Candidate => ({
  name: node.name,
  node,
  path: node.path ?? '',
  line: node.line ?? 1,
  end_line: typeof end === 'number' && end >= (node.line ?? 1) ? Math.min(end, (node.line ?? 1) + CITED_LINES_MAX - 1) : (node.line ?? 1),
  because,
});

/** For a class only the line with its name: citing all of it would make every change inside stale. */
export const headOf = (node: GraphNode, because: string): Candidate => candidateOf(node, because, null);

/** Every chain that starts with this candidate. A missing link ends a chain; all later links are gaps too. */
export async function followChain<Role extends string>(
  ports: ChainPorts,
  plan: ChainPlan<Role>,
  first: { readonly role: Role; readonly candidate: Candidate },
): Promise<readonly ProofChain[]> {
  const { kind, steps, subject } = plan;
  const walk = async (at: number, trail: Trail<Role>, links: readonly ChainLink[]): Promise<readonly ProofChain[]> => {
    const step = steps[at];
    if (!step) return [{ kind, subject: subject(trail), complete: true, links, gaps: [], code: null }];
    const { found, via, attempted } = await search(ports, step, trail);
    const [best, ...others] = found;
    if (!best) return [broken(plan, at, trail, links, attempted)];
    const taken = step.branches ? found : [best];
    const also = step.branches
      ? []
      : others.map(({ name }) => name).filter((name, index, all) => name !== best.name && all.indexOf(name) === index);
    const chains: ProofChain[] = [];
    for (const candidate of taken) {
      const link = await linkOf(ports, step.role, candidate, via!, also);
      const next = new Map([...trail, [step.role, candidate] as const]);
      chains.push(...(link ? await walk(at + 1, next, [...links, link]) : [broken(plan, at, trail, links, attempted)]));
    }
    return chains;
  };
  const link = await linkOf(ports, first.role, first.candidate, 'graph', []);
  return link ? walk(0, new Map([[first.role, first.candidate]]), [link]) : [];
}

async function search<Role extends string>(ports: ChainPorts, step: Step<Role>, trail: Trail<Role>) {
  const attempted: Way[] = [];
  for (const via of WAYS) {
    const find = step.find[via];
    if (!find) continue;
    attempted.push(via);
    const found = await find(ports, trail);
    if (found.length > 0) return { found, via, attempted };
  }
  return { found: [], via: null, attempted };
}

function broken<Role extends string>(
  { kind, code, steps, subject }: ChainPlan<Role>,
  at: number,
  trail: Trail<Role>,
  links: readonly ChainLink[],
  attempted: readonly Way[],
): ProofChain {
  const [first, ...after] = steps.slice(at);
  const gaps = [
    { role: first!.role, why: first!.missing(trail), attempted },
    ...after.map(({ role }) => ({ role, why: `not reached: ${first!.role} is missing`, attempted: [] })),
  ];
  return { kind, subject: subject(trail), complete: false, links, gaps, code };
}

async function linkOf(
  { index }: ChainPorts,
  role: string,
  candidate: Candidate,
  via: Way,
  also: readonly string[],
): Promise<ChainLink | null> {
  const { name, node, path, line, end_line, because } = candidate;
  const citation = await index.cite(path, line, end_line);
  return citation && { role, name, node: node?.id ?? null, via, because, citation, also };
}
