// submit_execution_plan: a plan is recalled for, reviewed and, where nothing is wrong with it, accepted. What the gate asks before a change (recall, mode,
// intent) is done here as child actions, so that an accepted plan can be executed. In STRICT a human is asked about all of it; nodes that escalate, or rest
// on a single source, are asked about one by one.

import { z } from 'zod';
import {
  type EscalateNode,
  IntentId,
  Mode,
  newId,
  nodeLine,
  type PlanGraph,
  type RunContext,
  streams,
  type StreamEventDraft,
  type ToolResult,
  type WorkView,
} from '../../protocol/index.ts';
import type { PlanReview } from '../../plan/index.ts';
import { defineTool, eventIn, plan } from '../tool.ts';
import { artifactRefs } from './artifact-refs.ts';
import { rejection } from './rejection.ts';
import { reviewFor } from './review.ts';

/** Some clients send nested objects as text. */
function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

export const submitExecutionPlan = defineTool({
  name: 'submit_execution_plan',
  description:
    'Submits a plan of the work, before it is done: nodes with targetFile, whyThisFile, editIntent and verificationHooks are enough. The server fills in the rest and returns what is wrong, with its fix. STRICT needs one, and a human says yes to it once; from then on your changes are held to its nodes.',
  input: z.strictObject({
    planGraph: z
      .union([z.record(z.string(), z.unknown()), z.string().refine(isObject)], { error: 'a plan is a JSON object with "nodes", not prose' })
      .describe('{"nodes": [...]}'),
    mode: Mode.optional(),
    intentId: IntentId.optional(),
  }),
  declare: () => ({ ...plan(), marksTurn: true }),
  surfaces: ['hooked', 'contract'],
  run: async ({ planGraph, mode, intentId }, context, deps) => {
    const begun = await begin(context, mode, intentId);
    if ('refused' in begun) return begun.refused;
    const work = context.work();
    const open = work !== null && work.ended === null ? work : await openFor(context);
    if ('output' in open) return open;
    const review = await reviewFor(context, deps, open, planGraph);
    // Also a rejected plan is answered with what it should have known.
    if (review.pack) await deps.plans.keepPack(review.pack.bytes);
    if (!review.accepted || !review.plan) return rejection(context, open, review, planGraph);
    return accept(context, open, review, review.plan, begun.mode === 'STRICT');
  },
});

/** What a change needs besides the plan. `begin_work` without steps: the nodes are the steps. */
async function begin(
  { child, session, settings, intents }: RunContext,
  mode: Mode | undefined,
  intentId: string | undefined,
): Promise<{ readonly refused: ToolResult } | { readonly mode: unknown }> {
  const active = intents.filter(({ status }) => status === 'active');
  const intent = intentId ?? session.intent ?? (active.length === 1 ? active[0]!.id : undefined);
  const wanted = mode ?? (session.mode === 'STRICT' ? 'STRICT' : (settings.minimumMode ?? 'GUARDED'));
  const { output, refusal } = await child('begin_work', { mode: wanted, ...(intent === undefined ? {} : { intent }) }, { wait: false });
  return refusal ? { refused: { output: refusal, refusal } } : { mode: (output as { mode?: unknown }).mode };
}

/** An agent that has no work yet, on a surface without turns: its turns are not counted. */
async function openFor(context: RunContext): Promise<WorkView | ToolResult> {
  const suffix = newId('act').slice(-10).toLowerCase();
  const { agent } = context.action.actor;
  const { refusal } = await context.child('open_work', {
    workId: `work-${suffix}`,
    runSessionId: `run-${suffix}`,
    agentId: agent,
    prompt: null,
    metered: false,
  });
  return refusal ? { output: refusal, refusal } : context.work()!;
}

async function accept(context: RunContext, work: WorkView, review: PlanReview, graph: PlanGraph, isStrict: boolean): Promise<ToolResult> {
  const version = review.version ?? work.versions + 1;
  const { settings, session } = context;
  const confirm = isStrict || settings.minimumMode === 'STRICT';
  const escalations = graph.nodes.filter((node): node is EscalateNode => node.kind === 'escalate');
  const reviewed = [...review.needsHumanReview];
  const questions: { node: string | null; approval: string | null }[] = [];
  const ask = async (node: string | null, question: string, says: readonly string[]) => {
    const asked = {
      work: work.workId,
      opened: work.openedAt,
      version,
      node,
      question: question.slice(0, 2_000).toWellFormed(),
      says: says.slice(0, 500),
    };
    const { refusal } = await context.child('confirm_plan', asked, { wait: false });
    questions.push({ node, approval: refusal?.approval_id ?? null });
  };
  if (confirm) await ask(null, `May this plan be carried out? ${summary(graph)}`, graph.nodes.map(nodeLine));
  for (const node of escalations)
    await ask(node.nodeId, node.requestedEvidence.join('; ') || node.blockingReasons.join('; '), [...node.blockingReasons]);
  for (const node of reviewed)
    await ask(
      node,
      `Node ${node} rests on a single source. May it be carried out?`,
      graph.nodes.filter(({ nodeId }) => nodeId === node).map(nodeLine),
    );
  const { workspace } = session;
  const data = {
    ...{ workspace, root: context.place.root, session: work.session, work_id: work.workId, version, plan: graph, confirm },
    ...{ review: reviewed, reservations: [...review.reservations], strategy: review.strategy },
  };
  const events: StreamEventDraft[] = [eventIn(streams.work(workspace), { type: 'plan_accepted', data })];
  return {
    output: {
      accepted: true,
      version,
      workId: work.workId,
      planFingerprint: graph.planFingerprint,
      contextPackRef: graph.contextPackRef,
      contextPackHash: graph.contextPackHash,
      plan: graph,
      filledIn: review.filledIn,
      memoryRuleResults: review.memoryRuleResults,
      reservations: review.reservations,
      subAgentHints: review.subAgentHints,
      nodes: graph.nodes.map(({ nodeId, kind }) => ({ nodeId, kind, ...artifactRefs(work.workId, nodeId) })),
      ...(questions.length > 0 ? { waitsFor: questions } : {}),
      ...(review.notes.length > 0 ? { notes: review.notes } : {}),
      next: confirm
        ? "The plan is accepted and waits for a human's yes. Stop and tell them: countersign approvals shows it."
        : 'The plan is accepted. Work on the nodes that are ready; plan_status shows them.',
    },
    events,
  };
}

const summary = (graph: PlanGraph): string => {
  const files = graph.nodes.flatMap((node) => (node.kind === 'change' ? [node.targetFile] : []));
  return `${graph.nodes.length} nodes, ${files.length} changes: ${[...new Set(files)].slice(0, 20).join(', ')}`;
};
