// Whether what is done is what was planned: which node an edit belongs to, and which evidence of an accepted plan has changed since.

import { statusOfCitation } from '../claims/index.ts';
import type { ChangeNode, PlanGraph } from '../protocol/index.ts';
import { readyNodes } from './graph/order.ts';

export interface PlannedEdit {
  /** Relative to the root. */
  readonly path: string;
  /** Existing definitions that it changes or removes, by qualified name; null: not known. New ones and lines outside of definitions count to the file. */
  readonly symbols: readonly string[] | null;
}

export type NodeOfEdit =
  | { readonly node: ChangeNode }
  /** `why` is a whole sentence. */
  | { readonly node: null; readonly why: string; readonly fix: string };

/** The node that an edit belongs to: ready or being worked on, of that file, and with symbols that cover it. */
export function nodeOfEdit(plan: Pick<PlanGraph, 'nodes'>, done: ReadonlySet<string>, edit: PlannedEdit): NodeOfEdit {
  const ofFile = plan.nodes
    .filter((node) => node.kind === 'change')
    .filter((node) => node.targetFile === edit.path || node.renameTo === edit.path);
  if (ofFile.length === 0)
    return { node: null, why: `No node of the plan changes ${edit.path}.`, fix: 'Submit a plan that has a change node for this file' };
  const isReady = new Set(readyNodes(plan, done).map(({ nodeId }) => nodeId));
  // A node that is done may still be corrected, as long as nothing else of the file is meant.
  const open = ofFile.filter(({ nodeId }) => isReady.has(nodeId) || done.has(nodeId));
  const [waiting] = ofFile;
  if (open.length === 0) {
    const missing = waiting!.dependsOn.filter((id) => !done.has(id));
    return {
      node: null,
      why: `The node ${waiting!.nodeId} for ${edit.path} waits for ${missing.join(', ')}.`,
      fix: `Do ${missing.join(', ')} first`,
    };
  }
  const covering = open.filter((node) => coversEdit(node, edit));
  const node = covering.find(({ nodeId }) => isReady.has(nodeId)) ?? covering[0];
  if (node) return { node };
  const outside = (edit.symbols ?? []).filter((symbol) => !open.some((each) => coversSymbol(each, symbol)));
  return {
    node: null,
    why: `The edit changes ${outside.join(', ') || 'more than the node names'} in ${edit.path}; the plan names ${open.flatMap(({ targetSymbols }) => targetSymbols).join(', ')}.`,
    fix: 'Change only these, or submit a plan whose node names the other symbols too',
  };
}

const coversSymbol = ({ targetSymbols }: ChangeNode, symbol: string): boolean =>
  targetSymbols.some((named) => symbol === named || symbol.startsWith(`${named}.`) || symbol.endsWith(`.${named}`));

/** Without named symbols the node is about the file: it has none, or is new. */
function coversEdit(node: ChangeNode, { symbols }: PlannedEdit): boolean {
  if (symbols === null || node.targetSymbols.length === 0 || node.operation !== 'modify') return true;
  return symbols.every((symbol) => coversSymbol(node, symbol));
}

export interface StaleEvidence {
  readonly nodeId: string;
  /** `codeEvidence[0]`. */
  readonly field: string;
  readonly path: string;
  /** In words: which lines, and what became of them. */
  readonly because: string;
}

/**
 * Evidence of nodes that are not done and no longer says what it said. Files that the plan's own nodes changed are left out: that is what the plan
 * is for.
 */
export async function staleEvidence(
  plan: Pick<PlanGraph, 'nodes'>,
  done: ReadonlySet<string>,
  tree: { readonly root: string; readonly privateFolders?: readonly string[] | undefined; readonly ownChanges: ReadonlySet<string> },
): Promise<readonly StaleEvidence[]> {
  const cited = plan.nodes.flatMap((node) =>
    node.kind !== 'change' || done.has(node.nodeId)
      ? []
      : (['citations', 'codeEvidence'] as const).flatMap((field) =>
          node[field].flatMap((source, at) =>
            'path' in source && !tree.ownChanges.has(source.path) ? [{ nodeId: node.nodeId, field: `${field}[${at}]`, source }] : [],
          ),
        ),
  );
  const found = await Promise.all(cited.map(({ source }) => statusOfCitation(source, tree)));
  return cited.flatMap(({ nodeId, field, source }, at) => {
    const { status, because } = found[at]!;
    return status === 'STALE' ? [{ nodeId, field, path: source.path, because }] : [];
  });
}
