// begin_work: everything the gate asks of an agent before its first change, in one call. Recall, mode, intent and tasks are child
// actions with receipts of their own. Tasks come last: each intent has a task list of its own.

import { z } from 'zod';
import { IntentId, Mode, ownWords, type RunContext, streams, type ToolResult } from '../../protocol/index.ts';
import { defineTool, eventIn, plan, proposeRemedy, refuse } from '../tool.ts';

type Child = Awaited<ReturnType<RunContext['child']>>;
type KnownIntent = RunContext['intents'][number];

/** What is read of the answers of `memory_set_mode`, of `select_active_intent`, and of `task_list` and `task_add`; the rest is passed on. */
const ModeOutput = z.looseObject({ mode: Mode });
const IntentOutput = z.looseObject({});
const TaskList = z.looseObject({
  exists: z.boolean(),
  current: z.looseObject({ title: z.string() }).nullable(),
  tasks: z.array(z.looseObject({ title: z.string(), checked: z.boolean() })),
});
type TaskList = z.output<typeof TaskList>;

const MAX_QUERY = 2_000;
const PASSIVE_NEXT = 'PASSIVE: look and talk; nothing may be changed.';

export const beginWork = defineTool({
  name: 'begin_work',
  description:
    'Call once before your first change for a prompt. Recalls what is known, declares the mode, writes your steps into tinyTasks.md when there are several, cites the intent, and returns what it allows: paths, constraints, acceptance criteria. Without `intent` it takes the only active one.',
  input: z.strictObject({
    intent: IntentId.optional().describe('Id of the active intent to work on, such as INT-001'),
    mode: Mode.optional().describe('PASSIVE, GUARDED or STRICT; without it, the minimum that a human set'),
    query: z.string().trim().min(1).max(MAX_QUERY).optional().describe('What to recall by; without it, what the intent is about'),
    steps: z
      .array(
        z
          .string()
          .trim()
          .min(1)
          .max(500)
          .refine(...ownWords),
      )
      .max(100)
      .optional()
      .describe('Your steps, in order, when there are several'),
  }),
  declare: () => ({ ...plan(), marksTurn: true }),
  surfaces: ['hooked', 'contract'],
  run: async (input, context) => {
    const { intents: unreadable } = await context.faults();
    if (unreadable) throw unreadable;
    const intent = chosenIntent(context, input.intent);
    const observed = observedSteps(context, input.steps ?? []);
    const receipts: (string | null)[] = [];
    const call = async (tool: string, args: Record<string, unknown>): Promise<Child> => {
      const child = await context.child(tool, args);
      receipts.push(child.receiptId);
      return child;
    };

    const query = input.query ?? (intent ? `${intent.name} ${intent.owned_scope.join(' ')}` : 'begin work');
    const recall = await call('memory_query', {
      query: query.slice(0, MAX_QUERY).toWellFormed(),
      ...(intent ? { intent: intent.id } : {}),
    });
    if (recall.refusal) return refusedBy(recall);
    const mode = await call('memory_set_mode', { mode: input.mode ?? defaultMode(context) });
    if (mode.refusal) return refusedBy(mode);
    const declared = ModeOutput.parse(mode.output);
    const isPassive = declared.mode === 'PASSIVE';
    const strict = declared.mode === 'STRICT' || context.settings.minimumMode === 'STRICT';
    if (!intent) return { ...(isPassive ? passiveResult(recall, receipts) : refusalWithoutIntent(context, input.intent)), ...observed };

    const selected = await call('select_active_intent', { intent_id: intent.id });
    if (selected.refusal) return refusedBy(selected);
    const before = await call('task_list', {});
    if (before.refusal) return refusedBy(before);
    const steps = isPassive ? [] : stepsToWrite(TaskList.parse(before.output), input.steps ?? [], strict);
    const list = steps.length > 0 ? await call('task_add', { titles: steps }) : before;
    if (list.refusal) return refusedBy(list);

    return {
      output: {
        ...declared,
        ...IntentOutput.parse(selected.output),
        recall: recall.output,
        tasks: list.output,
        receipts,
        next: isPassive ? PASSIVE_NEXT : nextStep(TaskList.parse(list.output)),
      },
      ...observed,
    };
  },
});

/** Work with several steps needs a task list: the record shows that this work has several. */
function observedSteps({ session: { id: session } }: RunContext, steps: readonly string[]): Pick<ToolResult, 'events'> {
  if (steps.length < 2) return {};
  const data = { session, steps: [...steps], by: 'begin_work' };
  return { events: [eventIn(streams.session(session), { type: 'steps_observed', data })] };
}

/** Steps that are not in the list yet. A single step needs no list, except in STRICT or when every task of an existing list is checked. */
function stepsToWrite({ exists, current, tasks }: TaskList, steps: readonly string[], strict: boolean): string[] {
  const needed = steps.length > 1 || strict || (exists && tasks.length > 0 && current === null);
  // A finished list is history: the same step may be written again.
  const listed = new Set(tasks.flatMap(({ title, checked }) => (checked && current === null ? [] : [title])));
  return needed ? steps.filter((step) => !listed.has(step)) : [];
}

function nextStep({ exists, current }: TaskList): string {
  if (!exists) return 'Go on with your work inside these paths. Each change is recorded.';
  return current
    ? `Work on the current task, "${current.title}", inside these paths; then call task_complete. Each change is recorded.`
    : 'Every task of the list is checked. If the user asked for something new, write it down with task_add before you change anything.';
}

const refusedBy = ({ refusal, output }: Child): ToolResult => ({ output: refusal ?? output, ...(refusal ? { refusal } : {}) });

/** An earlier declaration stays in force: a call without a mode never lowers STRICT. */
const defaultMode = ({ settings, session }: RunContext): Mode =>
  session.mode === 'STRICT' ? 'STRICT' : (settings.minimumMode ?? 'GUARDED');

/** The named one, else the cited one, else the only one. */
function chosenIntent({ intents, session }: RunContext, named: string | undefined): KnownIntent | null {
  const active = intents.filter(({ status }) => status === 'active');
  const cited = active.find(({ id }) => id === (named ?? session.intent));
  return cited ?? (named === undefined && active.length === 1 ? active[0]! : null);
}

const passiveResult = (recall: Child, receipts: readonly (string | null)[]): ToolResult => ({
  output: { mode: 'PASSIVE', recall: recall.output, receipts, next: PASSIVE_NEXT },
});

function refusalWithoutIntent({ intents }: RunContext, named: string | undefined): ToolResult {
  const active = intents.filter(({ status }) => status === 'active');
  const list = active.map(({ id, name }) => `${id} (${name})`).join(', ');
  const known = intents.find(({ id }) => id === named);
  if (named !== undefined) {
    return refuse(
      'INTENT_NOT_ACTIVE',
      known ? `${named} is ${known.status}, not active.` : `There is no intent ${named} in this workspace.`,
      active[0] ? `Choose one of: ${list}` : 'No intent is active; propose one, a human confirms it',
      active[0] ? { tool: 'begin_work', args: { intent: active[0].id } } : proposeRemedy(known),
    );
  }
  if (active[0]) {
    return refuse(
      'INTENT_AMBIGUOUS',
      `Several intents are active: ${list}.`,
      'Call begin_work again with `intent` set to the one that you work on',
      { tool: 'begin_work', args: { intent: active[0].id } },
    );
  }
  return refuse(
    'INTENT_REQUIRED',
    'No intent is active, so nothing may be changed yet.',
    'Propose one with propose_intent, then stop and ask a human to confirm it; or ask them to run: countersign intent "what should change" PATH',
    proposeRemedy(undefined),
  );
}
