// Pieces of work and their plans, as people are shown them.

import { type State, workView } from '../kernel/index.ts';
import type { PlanNode, WorkRow } from '../protocol/index.ts';

/** The newest first. `workspace` undefined: of all of them. */
export function workRows(state: State, workspace: string | undefined, limit: number): WorkRow[] {
  const { works, sessions } = state;
  return [...works.entries.values()]
    .filter((work) => workspace === undefined || work.workspace === workspace)
    .slice(-limit)
    .toReversed()
    .map((entry) => {
      const { workId, session, root, state: now, prompt, openedAt, turns, metered, budget, plan } = workView(state, entry);
      const nodes = plan?.nodes.map(({ nodeId, kind, status, waitsFor }, at) => ({
        ...{ node: nodeId, kind, status, waits_for: [...waitsFor], what: whatIs(plan.graph.nodes[at]!) },
      }));
      return {
        ...{
          work_id: workId,
          session,
          agent: sessions.get(session)?.agent ?? 'unknown',
          root,
          state: now,
          prompt,
          opened_at: openedAt,
          turns,
        },
        budget: metered ? budget : null,
        plan: plan && nodes ? { version: plan.version, approval: plan.approval, accepted_at: plan.acceptedAt, nodes } : null,
      };
    });
}

function whatIs(node: PlanNode): string {
  switch (node.kind) {
    case 'change':
      return `${node.operation} ${node.targetFile}: ${node.editIntent}`;
    case 'validate':
      return `run ${node.verificationHooks.join(', ')}`;
    case 'escalate':
      return `ask for ${node.requestedEvidence.join('; ')}`;
    case 'side_effect':
      return `${node.sideEffectType} behind ${node.commitGateId}`;
  }
}
