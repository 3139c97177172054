// Which evidence of an accepted plan has changed since. Which node an edit belongs to is the kernel's to say (`kernel/plan-facts.ts`).

import { statusOfCitation } from '../claims/index.ts';
import type { PlanGraph, StaleEvidence } from '../protocol/index.ts';

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
