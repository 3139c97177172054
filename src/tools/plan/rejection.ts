// The answer to a plan with errors: the first one as a refusal, all of them with their fixes, and, where the server knows every fix, the corrected plan.

import { applyPatch, type PlanReview } from '../../plan/index.ts';
import { type PlanCode, type Remedy, type RunContext, streams, type ToolResult, type WorkView } from '../../protocol/index.ts';
import { eventIn, refuse } from '../tool.ts';

const SHOWN = 20;

export function rejection({ session, action }: RunContext, work: WorkView, review: PlanReview, submitted: unknown): ToolResult {
  const { errors } = review;
  const codes = [...new Set(errors.map(({ code }) => code))];
  const leading: PlanCode = codes[0] ?? 'PACK_INSUFFICIENT';
  const [first] = errors;
  const where = first?.nodeId ? `Node ${first.nodeId}, ${first.field}: ` : first?.field ? `${first.field}: ` : '';
  const { refusal } = refuse(
    leading,
    `${where}${first?.message ?? 'The context pack cannot be assembled.'}`,
    first?.fix ?? 'Submit it again in a moment',
    remedyFor(review, submitted, action.parent !== undefined),
  );
  const also = errors.slice(1, SHOWN).map(({ code, nodeId, field, message }) => ({
    error_code: code,
    message: `${nodeId ? `Node ${nodeId}, ` : ''}${field}: ${message}`,
  }));
  const rejected = { ...refusal!, also_missing: also };
  const { workspace } = session;
  const issued = review.pack ? [review.pack.ref, review.pack.hash, ...(review.plan ? [review.plan.planFingerprint] : [])] : [];
  const data = { workspace, session: work.session, work_id: work.workId, codes, strategy: review.strategy, issued };
  return {
    output: {
      accepted: false,
      ...rejected,
      errors: errors.slice(0, SHOWN),
      ...(errors.length > SHOWN ? { more: errors.length - SHOWN } : {}),
      memoryRuleResults: review.memoryRuleResults,
      contextPackRef: review.pack?.ref ?? null,
      contextPackHash: review.pack?.hash ?? null,
      knowledgeStrategy: review.strategy,
      ...(review.packInsufficiency ? { packInsufficiency: review.packInsufficiency } : {}),
      ...(review.notes.length > 0 ? { notes: review.notes } : {}),
    },
    refusal: rejected,
    events: [eventIn(streams.work(workspace), { type: 'plan_rejected', data })],
  };
}

/** The corrected plan, if every error has a patch; what the first one names; otherwise null, and the message says it. */
function remedyFor({ errors }: PlanReview, submitted: unknown, isVerb: boolean): Remedy {
  const document = typeof submitted === 'string' ? parse(submitted) : submitted;
  const patches = errors.map(({ patch }) => patch);
  if (isRecord(document) && patches.length > 0 && patches.every((patch) => patch !== undefined)) {
    try {
      const planGraph = patches.reduce<unknown>((plan, patch) => applyPatch(plan, patch), document);
      if (isRecord(planGraph)) return { tool: 'submit_execution_plan', args: { planGraph } };
    } catch {
      // Two patches of the same place: the agent applies them one after the other.
    }
  }
  const named = errors.find(({ remedy }) => remedy)?.remedy;
  if (!named) return { tool: 'plan_status', args: {} };
  return isVerb ? { tool: named.verb, args: { ...named.args } } : asTool(named.verb, named.args);
}

/** The tool of the other surfaces that does what the verb does. */
function asTool(verb: string, { targetFile, symbol, pattern, query, blockingReasons }: Remedy['args']): Remedy {
  if (verb === 'lookup_symbol_definition' && symbol !== undefined) return { tool: 'find_symbol', args: { name: symbol } };
  if (verb === 'search_codebase_text' && pattern !== undefined) return { tool: 'search_code', args: { pattern } };
  // Its answer has citations of what is in the file.
  if (targetFile !== undefined) return { tool: 'code_graph', args: { path: targetFile } };
  if (query !== undefined) return { tool: 'code_graph', args: { query } };
  const [reason] = Array.isArray(blockingReasons) ? (blockingReasons as unknown[]) : [];
  return typeof reason === 'string'
    ? { tool: 'request_human', args: { question: reason.slice(0, 500).toWellFormed() } }
    : { tool: 'plan_status', args: {} };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
