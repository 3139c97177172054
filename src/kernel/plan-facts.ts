// How an action fits the accepted plan of its session's work: which node it belongs to, what that node waits for, what it touches beyond it,
// and who else has reserved the same.

import {
  type Action,
  type ChangeNode,
  type Collision,
  Fault,
  type FileObservation,
  type Intent,
  type PlanFact,
  type PlanNode,
  type Reservation,
  type StaleEvidence,
  type ToolCall,
} from '../protocol/index.ts';
import { isNamedBy, type SymbolReader, touchedSymbols } from './touched-symbols.ts';
import { approvalOf, waitsOf } from './work-views.ts';
import type { PlanEntry, WorkEntry, Works } from './works.ts';

/** Evidence of these nodes that has changed since. `ownChanges`: files that the plan itself has begun to change. */
export type EvidenceReader = (
  root: string,
  nodes: readonly PlanNode[],
  ownChanges: ReadonlySet<string>,
) => Promise<readonly StaleEvidence[]>;

export interface PlanFactParts {
  readonly works: Works;
  readonly work: WorkEntry;
  readonly plan: PlanEntry;
  readonly action: Action;
  readonly call: Pick<ToolCall, 'leaves'>;
  readonly files: readonly FileObservation[];
  readonly intent: Intent | null;
  /** The content of a file before the action; null: there is no such file, undefined: it was not kept. */
  readonly before: (file: FileObservation) => string | null | undefined;
  readonly symbolsOf: SymbolReader;
  readonly staleIn: EvidenceReader;
  readonly agentOf: (session: string) => string;
  readonly now: Date;
}

type NodeMatch = PlanFact['files'][number]['nodes'][number];

export async function planFact(parts: PlanFactParts): Promise<PlanFact> {
  const { works, work, plan, action } = parts;
  const changes = plan.graph.nodes.filter((node) => node.kind === 'change');
  // Scratch, derived files and companions are covered by other globs than the intent's.
  const governed = parts.files.filter(
    ({ access, real, scope_glob }) =>
      access !== 'read' && real !== null && (scope_glob === null || parts.intent?.owned_scope.includes(scope_glob)),
  );
  const files: PlanFact['files'] = [];
  for (const file of governed) {
    const path = file.real ?? file.path;
    const nodes: NodeMatch[] = [];
    for (const node of changes.filter((each) => each.targetFile === path || each.renameTo === path))
      nodes.push({ node: node.nodeId, waits_for: waitsOf(works, work, plan, node), outside: await outsideOf(parts, node, file) });
    files.push({ path, nodes });
  }
  const chosen = files.map(
    ({ nodes }) => nodes.find(({ waits_for, outside }) => waits_for.length === 0 && outside.length === 0)?.node ?? null,
  );
  const node = chosen.length > 0 && chosen.every((each) => each !== null) ? chosen[0]! : null;
  const commands = action.resources.flatMap((resource) => (resource.kind === 'command' ? [resource.command] : []));
  const hooks = new Set(plan.graph.nodes.flatMap((each) => ('verificationHooks' in each ? each.verificationHooks : [])));
  const theirs = chosen.flatMap((each) => each ?? []);
  const collision = collisionOf(parts, theirs);
  const stale = await staleOf(parts, theirs);
  return {
    work: work.workId,
    version: plan.version,
    approval: approvalOf(works, work, plan),
    node,
    files,
    ...(commands.length > 0 && commands.every((command) => hooks.has(command)) ? { hook: true } : {}),
    ...(commands.length > 0 ? { may_change: mayChange(parts, changes) } : {}),
    targets: [...new Set(changes.map(({ targetFile }) => targetFile))].slice(0, 20),
    ...(collision ? { collision } : {}),
    ...(stale.length > 0 ? { stale } : {}),
  };
}

const mayChange = ({ works, work, plan }: PlanFactParts, changes: readonly ChangeNode[]): string[] =>
  changes.flatMap((node) =>
    waitsOf(works, work, plan, node).length > 0 ? [] : [node.targetFile, ...(node.renameTo === null ? [] : [node.renameTo])],
  );

/** Of nodes that are not done. A file that the plan itself has begun to change is what the plan is for. */
async function staleOf({ plan, work, staleIn }: PlanFactParts, nodes: readonly string[]): Promise<StaleEvidence[]> {
  const open = plan.graph.nodes.filter(({ nodeId }) => nodes.includes(nodeId) && !plan.changed.has(nodeId));
  const begun = plan.graph.nodes.filter(({ nodeId }) => plan.started.has(nodeId));
  const ownChanges = new Set(begun.flatMap((node) => (node.kind === 'change' ? [node.targetFile] : [])));
  return open.length === 0 ? [] : [...(await staleIn(work.root, open, ownChanges))];
}

/** What the action touches in the file that the node does not name. A new file, or one that is deleted as planned, is the node's as a whole. */
async function outsideOf({ call, before, symbolsOf }: PlanFactParts, node: ChangeNode, file: FileObservation): Promise<string[]> {
  const path = file.real ?? file.path;
  if (node.operation !== 'modify') return file.access === 'delete' && node.operation === 'create' ? ['the file itself'] : [];
  if (file.access === 'delete') return ['the file itself'];
  const old = before(file);
  const next: After = old === undefined ? { why: 'the file is too large' } : contentAfter(call, file, old);
  if ('why' in next) return node.targetSymbols.length === 0 ? [] : [`definitions that the gate cannot see (${next.why})`];
  const touched = await touchedSymbols(symbolsOf, path, old ?? null, next.content);
  return touched.filter((symbol) => !node.targetSymbols.some((target) => isNamedBy(symbol, target)));
}

type After = { readonly content: string | null } | { readonly why: string };

/** An edit that does not apply here may still apply where the agent executes it: then nothing is known of what it changes. */
function contentAfter({ leaves }: Pick<ToolCall, 'leaves'>, { path }: FileObservation, before: string | null): After {
  if (!leaves) return { why: 'the call does not say what it leaves' };
  try {
    return { content: leaves(path, before) };
  } catch (error) {
    return { why: error instanceof Fault ? error.message : 'the call cannot be read' };
  }
}

/** Who has reserved what these nodes touch: a file, a definition, the graph or a side effect. */
export function collisionOf(
  { works, work, plan, agentOf, now }: Pick<PlanFactParts, 'works' | 'work' | 'plan' | 'agentOf' | 'now'>,
  nodes: readonly string[],
): Collision | null {
  const wanted = plan.reservations.filter(({ nodeId }) => nodes.includes(nodeId));
  for (const { work: other, held, reservation } of works.heldBeside(work, now)) {
    const { kind, name, nodeId } = reservation;
    if (!wanted.some((each) => excludes(each, reservation, [...wanted, ...held]))) continue;
    return { kind, name, work: other.workId, node: nodeId, session: other.session, agent: agentOf(other.session) };
  }
  return null;
}

/** A file whose definitions both nodes name is shared: then only those definitions are reserved. */
function excludes(wanted: Reservation, held: Reservation, all: readonly Reservation[]): boolean {
  if (wanted.kind !== held.kind) return false;
  if (wanted.kind === 'symbol') {
    const [[file, symbol], [heldFile, heldSymbol]] = [symbolParts(wanted.name), symbolParts(held.name)];
    return file === heldFile && (isNamedBy(symbol, heldSymbol) || isNamedBy(heldSymbol, symbol));
  }
  if (wanted.name !== held.name) return false;
  const names = ({ workId, nodeId }: Reservation) =>
    all.some((each) => each.kind === 'symbol' && each.workId === workId && each.nodeId === nodeId && each.name.startsWith(`${held.name}#`));
  return wanted.kind !== 'file' || !names(wanted) || !names(held);
}

/** `src/a.ts#Order.total`: the file, and the name in it. */
function symbolParts(name: string): readonly [string, string] {
  const at = name.indexOf('#');
  return [name.slice(0, at), name.slice(at + 1).replace(/^.*#/, '')];
}
