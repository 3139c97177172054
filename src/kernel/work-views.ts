// A piece of work as tools and queries see it: its state, its budget, and what each node of its plan waits for.

import { BUDGET, type NodeView, type PlanApproval, type PlanNode, type WorkView } from '../protocol/index.ts';
import type { State } from './state.ts';
import type { PlanEntry, WorkEntry, Works } from './works.ts';

/** What a human's settings give a workspace before grants. */
export function baseBudget({ documents }: Pick<State, 'documents'>, root: string): number {
  const said = documents.settingsOf(root)?.values['budget.maxTokens'];
  return typeof said === 'number' ? said : BUDGET.maxTokens;
}

export function workView(state: Pick<State, 'works' | 'documents'>, work: WorkEntry): WorkView {
  const { works } = state;
  const { plan, passed: _passed, calls: _calls, failedIn: _failedIn, ...rest } = work;
  const budget = works.budgetOf(work.workspace, baseBudget(state, work.root));
  return {
    ...rest,
    state: works.stateOf(work, budget),
    budget,
    plan: plan && {
      version: plan.version,
      graph: plan.graph,
      approval: approvalOf(works, work, plan),
      nodes: plan.graph.nodes.map((node) => nodeView(works, work, plan, node)),
      reservations: plan.reservations,
      acceptedAt: plan.acceptedAt,
    },
  };
}

export function approvalOf(works: Works, work: WorkEntry, plan: PlanEntry): PlanApproval {
  return plan.confirm ? (works.answerTo(work, plan.version, null) ?? 'waiting') : 'not_needed';
}

function nodeView(works: Works, work: WorkEntry, plan: PlanEntry, node: PlanNode): NodeView {
  const { nodeId, kind } = node;
  if (isDone(works, work, plan, node)) return { nodeId, kind, status: 'done', waitsFor: [] };
  const waitsFor = waitsOf(works, work, plan, node);
  return { nodeId, kind, status: waitsFor.length > 0 ? 'blocked' : plan.started.has(nodeId) ? 'started' : 'ready', waitsFor };
}

/** What holds a node: nodes before it, and humans. In words. */
export function waitsOf(works: Works, work: WorkEntry, plan: PlanEntry, node: PlanNode): string[] {
  const before = plan.graph.nodes.filter(({ nodeId }) => node.dependsOn.includes(nodeId));
  const open = before.filter((each) => !isDone(works, work, plan, each)).map(({ nodeId }) => `node ${nodeId}`);
  const needsHuman = node.kind === 'escalate' || plan.review.includes(node.nodeId);
  const answer = needsHuman ? works.answerTo(work, plan.version, node.nodeId) : 'approved';
  const human = answer === 'approved' ? [] : [answer === 'rejected' ? "a human's yes, which was refused" : "a human's yes to this node"];
  return [...open, ...human];
}

/** Nothing that an agent says makes a node done. A side effect is performed behind a gate that a human opens. */
function isDone(works: Works, work: WorkEntry, plan: PlanEntry, node: PlanNode): boolean {
  switch (node.kind) {
    case 'change':
      return plan.changed.has(node.nodeId);
    case 'validate':
      return works.havePassed(work, node.verificationHooks);
    case 'escalate':
      return works.answerTo(work, plan.version, node.nodeId) === 'approved';
    case 'side_effect':
      return false;
  }
}
