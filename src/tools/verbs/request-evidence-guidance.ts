// request_evidence_guidance: an agent is stuck. It gets what is missing in its state and a plan to start from; what it wants from a human becomes an inbox item,
// and no call waits for the answer here.

import { z } from 'zod';
import { SMALLEST_PLAN } from '../../plan/index.ts';
import type { RunContext, WorkView } from '../../protocol/index.ts';
import { packByRef } from '../plan/review.ts';
import { defineTool, plan } from '../tool.ts';

const Text = z.string().trim().min(1).max(2_000);
const FILES = 5;

export const requestEvidenceGuidance = defineTool({
  name: 'request_evidence_guidance',
  description: 'Says what is missing and how to go on.',
  input: z.strictObject({
    blockingReasons: z.array(Text).min(1).max(20),
    question: Text.optional(),
    contextPackRef: z.string().min(1).max(256).optional(),
    requestScope: z
      .strictObject({ paths: z.array(z.string().min(1).max(1_024)).min(1).max(50), reason: z.string().trim().min(1).max(500) })
      .optional(),
    proposeIntent: z
      .strictObject({ name: z.string().trim().min(1).max(200), owned_scope: z.array(z.string().min(1).max(1_024)).min(1).max(50) })
      .optional(),
  }),
  declare: plan,
  surfaces: [],
  run: async ({ blockingReasons, question, contextPackRef, requestScope, proposeIntent }, context, deps) => {
    const found = contextPackRef === undefined ? null : await packByRef(context, deps, contextPackRef);
    if (found && 'refused' in found) return found.refused;
    const asked = [
      ...(question === undefined ? [] : [await askHuman(context, 'request_human', { question })]),
      ...(requestScope === undefined ? [] : [await askHuman(context, 'request_scope', requestScope)]),
      ...(proposeIntent === undefined ? [] : [await askHuman(context, 'propose_intent', proposeIntent)]),
    ];
    const work = context.work();
    return {
      output: {
        blockingReasons,
        guidance: guidanceFor(context, work),
        ...(work?.plan ? {} : { planTemplate: templateFor(context) }),
        ...(asked.length > 0 ? { asked } : {}),
        ...(found ? { contextPack: found.pack } : {}),
      },
    };
  },
});

async function askHuman({ child }: RunContext, tool: string, input: Record<string, unknown>) {
  const { output, refusal } = await child(tool, input, { wait: false });
  if (refusal?.approval_id !== undefined) return { what: tool, state: 'waits for a human', approval: refusal.approval_id };
  return refusal ? { what: tool, state: 'refused', refusal } : { what: tool, state: 'answered', output };
}

function guidanceFor({ intents, session }: RunContext, work: WorkView | null): string[] {
  const active = intents.filter(({ status }) => status === 'active');
  const cited = active.find(({ id }) => id === session.intent) ?? (active.length === 1 ? active[0] : undefined);
  return [
    ...(active.length === 0
      ? ['No intent is active, so no plan can be accepted. Send proposeIntent with what should change and where; a human confirms it.']
      : []),
    ...(cited ? [`${cited.id} (${cited.name}) may change ${cited.owned_scope.join(', ')}.`] : []),
    ...(active.length > 1 && !cited
      ? [`Several intents are active: ${active.map(({ id, name }) => `${id} (${name})`).join(', ')}. Send intentId with the plan.`]
      : []),
    ...(work?.plan
      ? work.plan.nodes
          .filter(({ status }) => status !== 'done')
          .map(
            ({ nodeId, status, waitsFor }) =>
              `Node ${nodeId} is ${status}${waitsFor.length > 0 ? `: it waits for ${waitsFor.join(', ')}` : ''}.`,
          )
      : [
          'Read the files that you want to change with read_file_lines: what you have read counts as evidence.',
          'Then send submit_execution_plan with a planGraph like planTemplate.',
        ]),
    ...(work?.state === 'BLOCKED_BUDGET' ? ['The budget is spent; a human can grant more: countersign plan grant-budget.'] : []),
  ];
}

/** The smallest plan, with files that this session has read. */
function templateFor({ recent }: RunContext): unknown {
  const files = [...new Set(recent().flatMap(({ reads }) => reads.map(({ path }) => path)))].slice(-FILES);
  const smallest = JSON.parse(SMALLEST_PLAN) as { nodes: Record<string, unknown>[] };
  return files.length === 0 ? smallest : { nodes: files.map((targetFile) => ({ ...smallest.nodes[0], targetFile })) };
}
