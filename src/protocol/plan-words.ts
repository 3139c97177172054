// A node of a plan in words: for the human who is asked about it, and as a task.

import type { PlanNode } from './plan.ts';

const TASK_MAX = 300;
/** What cannot be seen has no place in a line that people read. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

export function nodeLine(node: PlanNode): string {
  switch (node.kind) {
    case 'change':
      return `${node.nodeId}: ${node.operation} ${node.targetFile}${node.targetSymbols.length > 0 ? ` (${node.targetSymbols.join(', ')})` : ''}: ${node.editIntent}`;
    case 'validate':
      return `${node.nodeId}: run ${node.verificationHooks.join(', ')}: ${node.successCriteria}`;
    case 'escalate':
      return `${node.nodeId}: ask for ${node.requestedEvidence.join('; ')}`;
    case 'side_effect':
      return `${node.nodeId}: ${node.sideEffectType} behind the gate ${node.commitGateId}`;
  }
}

/** On one line, and nothing in it that the task file would read as something else. */
export const nodeTask = (node: PlanNode): string =>
  nodeLine(node).replaceAll(UNSEEN, ' ').replaceAll('<!', '<').replaceAll(/\s+/gu, ' ').slice(0, TASK_MAX).toWellFormed().trim();

/** The task that the nodes of an accepted plan are parts of. */
export const planTask = (workId: string, version: number): string => `${planTasksOf(workId)}${version}`;
export const planTasksOf = (workId: string): string => `Plan ${workId}, version `;
