// What to send next after a denial. INVARIANT: a suggestion is a verb that the state offers, with all arguments that it needs: sent back as it is, it is not
// denied for its form or its state. Where only the agent knows a value, the suggestion is a verb that needs none.

import type { Refusal, Remedy, WorkView } from '../../protocol/index.ts';
import { missingArgs } from './turn-request.ts';
import type { ArgsFit } from './verb-tools.ts';
import { isVerb, type Verb, verbsIn } from './verb-catalog.ts';

export interface SuggestedAction {
  readonly verb: string;
  readonly reason: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

const LIST: Verb = 'list_available_verbs';
const MAX_REASON = 500;

/** Which verb does what a tool of the other surfaces does. Null: none; guidance says what a human has to do. */
const AS_VERB: Readonly<
  Record<string, (args: Remedy['args'], work: WorkView | null) => { verb: Verb; args?: Record<string, unknown> } | null>
> = {
  begin_work: (_args, work) => resubmit(work),
  memory_query: (_args, work) => resubmit(work),
  memory_set_mode: (_args, work) => resubmit(work),
  select_active_intent: (_args, work) => resubmit(work),
  task_add: (_args, work) => resubmit(work),
  read_file: ({ path }) => ({ verb: 'read_file_lines', args: { targetFile: path } }),
  list_files: ({ path }) => ({ verb: 'list_directory_contents', args: { targetDir: path ?? '.' } }),
  request_scope: ({ paths, reason }) => ({
    verb: 'request_evidence_guidance',
    args: { blockingReasons: [said(reason)], requestScope: { paths, reason } },
  }),
  request_human: ({ question }) => ({ verb: 'request_evidence_guidance', args: { blockingReasons: [said(question)], question } }),
  propose_intent: ({ name, owned_scope }) =>
    name === undefined || owned_scope === undefined
      ? null
      : { verb: 'request_evidence_guidance', args: { blockingReasons: [said(name)], proposeIntent: { name, owned_scope } } },
  countersign_status: () => ({ verb: LIST }),
  plan_status: () => ({ verb: LIST }),
  task_list: () => ({ verb: LIST }),
  abandon: () => ({ verb: 'signal_task_complete', args: { abandoned: true } }),
};

const said = (text: unknown): string => (typeof text === 'string' && text !== '' ? text : 'I do not know how to go on');

/** The same plan again: it recalls, declares the mode and cites the intent. */
function resubmit(work: WorkView | null): { verb: Verb; args: Record<string, unknown> } | null {
  return work?.plan ? { verb: 'submit_execution_plan', args: { planGraph: { nodes: work.plan.graph.nodes } } } : null;
}

export function suggestionFor(refusal: Refusal, work: WorkView | null, fit: ArgsFit): SuggestedAction {
  const { remedy, message, required_action } = refusal;
  const found =
    remedy && (isVerb(remedy.tool) ? { verb: remedy.tool, args: remedy.args } : (AS_VERB[remedy.tool]?.(remedy.args, work) ?? null));
  return usable(
    found?.verb ?? 'request_evidence_guidance',
    found ? found.args : { blockingReasons: [message] },
    required_action,
    work,
    fit,
  );
}

/** The suggestion itself where it can be sent as it is; otherwise the next best. */
export function usable(
  verb: Verb,
  args: Readonly<Record<string, unknown>> | undefined,
  reason: string,
  work: WorkView | null,
  fit: ArgsFit,
): SuggestedAction {
  const offered = verbsIn(work?.state ?? 'PLAN_REQUIRED');
  const text = reason.slice(0, MAX_REASON).toWellFormed();
  if (!offered.includes(verb) || missingArgs(verb, args ?? {}).length > 0 || !fit(verb, args ?? {})) {
    const guidance: Verb = 'request_evidence_guidance';
    return offered.includes(guidance) && verb !== guidance
      ? { verb: guidance, reason: text, args: { blockingReasons: [text || 'I do not know how to go on'] } }
      : { verb: LIST, reason: text };
  }
  return { verb, reason: text, ...(args && Object.keys(args).length > 0 ? { args } : {}) };
}
