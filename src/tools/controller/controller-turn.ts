// controller_turn: the one tool of the controller's surface. It reads the turn, opens the work with its first one, counts what it costs, and lets the verb pass the
// gate as an action of its own. The answer always has every field of the envelope.

import path from 'node:path';
import { z } from 'zod';
import { subAgentHints } from '../../plan/index.ts';
import {
  BUDGET,
  type BudgetStatus,
  CODES,
  InvalidCall,
  type KnowledgeStrategy,
  newId,
  NO_SUB_AGENTS,
  PLAN_CODES,
  PLAN_SCHEMA_VERSION,
  type Refusal,
  type Remedy,
  type RefusalCode,
  type RunContext,
  streams,
  type StreamEventDraft,
  type ToolResult,
  type WorkState,
  type WorkView,
} from '../../protocol/index.ts';
import { defineTool, eventIn, observe, refuse } from '../tool.ts';
import { scratchFolder } from '../verbs/write-scratch-file.ts';
import { type SuggestedAction, suggestionFor, usable } from './suggestion.ts';
import { keptTurn, missingArgs, readTurn, renamedArgs, sentBytes, type TurnRequest, verbMeant } from './turn-request.ts';
import { argsFit, type ArgsFit } from './verb-tools.ts';
import { BUDGET_SAFE, descriptionsIn, isVerb, statesWith, type Verb, VERB_NAMES, verbEntry, verbsIn } from './verb-catalog.ts';

const Offered = z.strictObject({
  runSessionId: z.string().optional().describe('Leave it out: the answer names it'),
  workId: z.string().optional().describe('Leave it out, or send a new one to begin new work after the last has ended'),
  agentId: z.string().optional(),
  originalPrompt: z.string().optional().describe('What the person asked for, as they wrote it'),
  verb: z.string().describe(`One of ${VERB_NAMES.join(', ')}`),
  args: z.record(z.string(), z.unknown()).optional().describe('The arguments of the verb; verbDescriptions in each answer lists them'),
  traceMeta: z.record(z.string(), z.unknown()).optional(),
});

export const controllerTurn = defineTool({
  name: 'controller_turn',
  description:
    'The one way to work here. Send a verb with its args; begin with {"verb": "list_available_verbs"}. Each answer lists the verbs that may be called now, and a denied one says what to send instead (suggestedAction).',
  input: Offered,
  // A turn that has not this form is answered with the whole envelope, which says what is wrong.
  reads: z.record(z.string(), z.unknown()).transform(keptTurn),
  output: z.looseObject({ state: z.string(), denyReasons: z.array(z.string()) }),
  declare: () => ({ ...observe(), oneAtATime: true }),
  surfaces: ['controller'],
  run: async (input, context, deps) => turn(input, context, argsFit(deps)),
});

async function turn(input: Readonly<Record<string, unknown>>, context: RunContext, fit: ArgsFit): Promise<ToolResult> {
  const request = readTurn(input);
  const opened = await workFor(request, context);
  const tokens = Math.ceil(sentBytes(input) / BUDGET.charactersPerToken);
  const { workspace, id: session } = context.session;
  const charge = (events: readonly StreamEventDraft[]): readonly StreamEventDraft[] => [
    ...events,
    eventIn(streams.work(workspace), { type: 'work_charged', data: { workspace, session, tokens } }),
  ];
  const work = context.work();
  const answer = (given: Answered): ToolResult => ({
    output: envelope(context, request, context.work(), tokens, given),
    events: charge([...prompted(request, context.work()), ...(given.events ?? [])]),
  });
  if (!work || opened) return answer(denied(opened ?? refusalOf('PLAN_SCOPE_VIOLATION', 'The work could not be opened.'), work, fit));
  const denial = check(request, work, afterCharge(work, tokens), fit);
  if (denial) return answer(denial);
  return answer(await callVerb(request.verb as Verb, request, context, fit));
}

interface Answered {
  readonly result: Readonly<Record<string, unknown>>;
  readonly denyReasons: readonly string[];
  readonly outcome?: 'ok' | 'pack_insufficient';
  readonly suggestedAction?: SuggestedAction;
  readonly packInsufficiency?: unknown;
  readonly events?: readonly StreamEventDraft[];
}

/** Opens the work with the first turn, and with a new workId after the last has ended. Null: the turn goes on with the session's work. */
async function workFor(request: TurnRequest, { work, child, action }: RunContext): Promise<Refusal | null> {
  const now = work();
  const isOver = now !== null && now.ended !== null;
  const isOwn = now !== null && now.metered;
  const wantsAnother = request.workId !== null && request.workId !== now?.workId;
  if (isOwn && !(isOver && wantsAnother)) {
    if (wantsAnother)
      return refusalOf(
        'PLAN_SCOPE_VIOLATION',
        `The work ${now.workId} is open, so ${request.workId} cannot begin.`,
        `Go on with ${now.workId}, or end it with signal_task_complete first`,
      );
    if (request.runSessionId !== null && request.runSessionId !== now.runSessionId)
      return refusalOf(
        'PLAN_SCOPE_VIOLATION',
        `This connection's run is ${now.runSessionId}, not ${request.runSessionId}.`,
        'Leave runSessionId out',
      );
    return null;
  }
  const suffix = newId('act').slice(-10).toLowerCase();
  const { refusal } = await child('open_work', {
    workId: request.workId ?? `work-${suffix}`,
    runSessionId: isOwn ? now.runSessionId : (request.runSessionId ?? `run-${suffix}`),
    agentId: request.agentId ?? action.actor.agent,
    prompt: request.originalPrompt,
    metered: true,
  });
  return refusal;
}

/** The first prompt of the work, where it comes after its first turn. */
function prompted({ originalPrompt }: TurnRequest, work: WorkView | null): StreamEventDraft[] {
  if (!work || originalPrompt === null || work.prompt !== null) return [];
  return [
    eventIn(streams.work(work.workspace), {
      type: 'work_prompted',
      data: { session: work.session, work_id: work.workId, prompt: originalPrompt },
    }),
  ];
}

const isEnded = (state: WorkState): boolean => state === 'COMPLETED' || state === 'FAILED';

/** The cost is added first: what would go over the threshold runs only if it is safe. */
const afterCharge = ({ budget, state }: WorkView, tokens: number): WorkState =>
  !isEnded(state) && budget.usedTokens + tokens > budget.thresholdTokens ? 'BLOCKED_BUDGET' : state;

/** What is wrong with the turn before its verb is called; null: nothing. */
function check(request: TurnRequest, work: WorkView, state: WorkState, fit: ArgsFit): Answered | null {
  const { verb: name, args, wrong, meantArgs } = request;
  const at = { ...work, state };
  const missing = (fields: readonly string[], message: string, suggestedAction: SuggestedAction): Answered => ({
    ...denied(refusalOf('PLAN_MISSING_REQUIRED_FIELDS', message, suggestedAction.reason), at, fit),
    result: { refusal: refusalOf('PLAN_MISSING_REQUIRED_FIELDS', message, suggestedAction.reason), missing: fields },
    suggestedAction,
  });
  if (name === null)
    return missing(
      ['verb'],
      'The turn has no verb.',
      usable('list_available_verbs', undefined, 'It lists the verbs that may be called now', at, fit),
    );
  const meant = verbMeant(name);
  if (!isVerb(name))
    return {
      ...denied(refusalOf('PLAN_SCOPE_VIOLATION', `There is no verb ${JSON.stringify(name.slice(0, 100))}.`), at, fit),
      suggestedAction: meant
        ? usable(meant, args, `It is called ${meant}`, at, fit)
        : usable('list_available_verbs', undefined, 'It lists the verbs that may be called now', at, fit),
    };
  if (!verbsIn(state).includes(name)) return { ...denied(notNow(name, state), at, fit) };
  if (wrong !== null) {
    const meantThen = meantArgs ?? args;
    return missing([], `The turn cannot be read: ${wrong}.`, usable(name, meantThen, 'Send it in this form', at, fit));
  }
  const absent = missingArgs(name, args);
  const renamed = renamedArgs(name, args);
  if (absent.length === 0) return null;
  const { requiredArgs, optionalArgs } = verbEntry(name);
  const takes = `${name} needs ${requiredArgs.join(', ')}${optionalArgs.length > 0 ? ` and takes ${optionalArgs.join(', ')}` : ''}`;
  const strange = Object.keys(args).filter((key) => ![...requiredArgs, ...optionalArgs].includes(key));
  const also = strange.length > 0 && verbEntry(name).oneOf === undefined ? `; ${strange.join(', ')} is not an argument of it` : '';
  return missing(
    absent,
    `${name} is missing ${absent.join(', ')}${also}. ${takes}.`,
    renamed
      ? usable(name, renamed, 'The arguments are called so', at, fit)
      : usable('request_evidence_guidance', { blockingReasons: [`${name} needs ${absent.join(', ')}`] }, takes, at, fit),
  );
}

function notNow(verb: Verb, state: WorkState): Refusal {
  if (state === 'BLOCKED_BUDGET')
    return refusalOf(
      'PLAN_SCOPE_VIOLATION',
      `The budget is spent, so ${verb} does not run. ${BUDGET_SAFE.join(', ')} still do.`,
      'Stop and tell the human: countersign plan grant-budget grants more',
    );
  if (isEnded(state))
    return refusalOf(
      'PLAN_SCOPE_VIOLATION',
      `This work is ${state}, so ${verb} does not run.`,
      'Send a turn with a new workId to begin new work',
    );
  return refusalOf(
    'PLAN_SCOPE_VIOLATION',
    `${verb} does not run in ${state}; it runs in ${statesWith(verb).join(', ')}.`,
    'Nothing may be changed before a plan is accepted. Read what you need, then send submit_execution_plan',
    { tool: 'request_evidence_guidance', args: { blockingReasons: [`${verb} needs an accepted plan`] } },
  );
}

async function callVerb(verb: Verb, request: TurnRequest, context: RunContext, fit: ArgsFit): Promise<Answered> {
  let called: Awaited<ReturnType<RunContext['child']>>;
  try {
    called = await context.child(verb, { ...request.args }, { wait: false, last: true });
  } catch (error) {
    if (!(error instanceof InvalidCall)) throw error;
    const work = context.work();
    const renamed = renamedArgs(verb, request.args);
    const refusal = refusalOf(
      'PLAN_MISSING_REQUIRED_FIELDS',
      error.message,
      `Send ${verb} again with ${verbEntry(verb).requiredArgs.join(', ') || 'no arguments'}`,
    );
    return {
      ...denied(refusal, work, fit),
      suggestedAction: renamed
        ? usable(verb, renamed, 'The arguments are called so', work, fit)
        : usable(
            'request_evidence_guidance',
            { blockingReasons: [error.message.slice(0, 500).toWellFormed()] },
            refusal.required_action,
            work,
            fit,
          ),
    };
  }
  const { output, refusal } = called;
  const shown = isRecord(output) ? output : { output };
  // A refusal is shown once, under its own name.
  const result = refusal ? Object.fromEntries(Object.entries(shown).filter(([field]) => !Object.hasOwn(refusal, field))) : shown;
  if (!refusal) return { result, denyReasons: [], outcome: 'ok' };
  const work = context.work();
  const failing = CODES[refusal.error_code as RefusalCode | 'INTERNAL'].kind === 'defect';
  const data = { session: work?.session ?? '', work_id: work?.workId ?? '', reason: `${verb}: ${refusal.error_code}` };
  const events = failing && work ? [eventIn(streams.work(work.workspace), { type: 'work_failed' as const, data })] : [];
  const insufficiency = result['packInsufficiency'];
  const recalled = await recallAfter(refusal, request, context);
  const after = recalled
    ? {
        ...denied(refusal, work, fit, { ...result, recalled: recalled.output }),
        suggestedAction: usable(
          verb,
          request.args,
          'What is known was recalled now: read result.recalled, then send the same again',
          work,
          fit,
        ),
      }
    : denied(refusal, work, fit, result);
  return insufficiency === undefined
    ? { ...after, events }
    : { ...after, events, outcome: 'pack_insufficient', packInsufficiency: insufficiency };
}

const MAX_QUERY = 2_000;

/** This surface has no verb for a recall, so the turn that lacks one makes it. The change itself waits until the agent has read what is known. */
async function recallAfter({ error_code, also_missing }: Refusal, { args }: TurnRequest, { child, work, intentNow }: RunContext) {
  if (error_code !== 'RECALL_REQUIRED' || also_missing.length > 0) return null;
  const node = work()?.plan?.graph.nodes.find(({ nodeId }) => nodeId === args['planNodeId']);
  const about = node?.kind === 'change' ? `${node.targetFile} ${node.editIntent}` : (work()?.prompt ?? 'the plan');
  const intent = intentNow();
  const query = about.slice(0, MAX_QUERY).toWellFormed();
  const { output, refusal } = await child('memory_query', { query, ...(intent === null ? {} : { intent }) }, { wait: false });
  return refusal ? null : { output };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const CODES_OF_PLANS: ReadonlySet<string> = new Set(PLAN_CODES);

function denied(refusal: Refusal, work: WorkView | null, fit: ArgsFit, result: Readonly<Record<string, unknown>> = {}): Answered {
  const codes = [...new Set([refusal.error_code, ...refusal.also_missing.map(({ error_code }) => error_code)])];
  return {
    result: { ...result, refusal },
    denyReasons: [...codes.filter((code) => CODES_OF_PLANS.has(code)), ...codes.filter((code) => !CODES_OF_PLANS.has(code))],
    suggestedAction: suggestionFor(refusal, work, fit),
  };
}

const LIST_VERBS: Remedy = { tool: 'list_available_verbs', args: {} };
const refusalOf = (
  code: RefusalCode,
  message: string,
  action = 'Send list_available_verbs to see what may be called now',
  remedy: Remedy = LIST_VERBS,
): Refusal => refuse(code, message, action, remedy).refusal!;

const NO_STRATEGY: KnowledgeStrategy = {
  strategyId: 'general_code_change',
  reasons: [{ reason: 'No plan was submitted yet; the strategy is chosen with it.', evidenceRefs: [] }],
};

const NO_BUDGET: BudgetStatus = {
  maxTokens: BUDGET.maxTokens,
  usedTokens: 0,
  thresholdTokens: BUDGET.maxTokens * BUDGET.threshold,
  blocked: false,
};

function envelope({ action, place, session }: RunContext, request: TurnRequest, work: WorkView | null, tokens: number, given: Answered) {
  const before = work?.budget ?? NO_BUDGET;
  const used = before.usedTokens + tokens;
  const budgetStatus = { ...before, usedTokens: used, blocked: used > before.thresholdTokens };
  const state: WorkState = work ? afterCharge(work, tokens) : 'PLAN_REQUIRED';
  const workId = work?.workId ?? request.workId ?? 'none';
  const { events: _events, ...answered } = given;
  const note =
    work && request.originalPrompt !== null && work.prompt !== null && work.prompt !== request.originalPrompt
      ? { promptNote: 'The first originalPrompt stays; this one is on the record.' }
      : {};
  return {
    runSessionId: work?.runSessionId ?? request.runSessionId ?? session.id,
    workId,
    agentId: work?.agentId ?? request.agentId ?? action.actor.agent,
    state,
    capabilities: verbsIn(state),
    verbDescriptions: descriptionsIn(state),
    scope: { worktreeRoot: place.root, scratchRoot: path.join(place.root, scratchFolder(workId)) },
    ...answered,
    result: { ...given.result, ...note },
    knowledgeStrategy: work?.strategy ?? NO_STRATEGY,
    budgetStatus,
    traceRef: action.id,
    schemaVersion: PLAN_SCHEMA_VERSION,
    subAgentHints: work?.plan ? subAgentHints(work.plan.graph) : NO_SUB_AGENTS,
  };
}
