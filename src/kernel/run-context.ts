// What a running tool may see and do: its session, the workspace's intents, the human's settings, and child actions, which go
// through the whole gate themselves.

import {
  type Action,
  type ChangeView,
  type Collision,
  type Effect,
  LEAST_LEVEL,
  type QuestionView,
  type RunContext,
  type SessionView,
  type WorkView,
} from '../protocol/index.ts';
import { faultsIn, readSettings } from './gather.ts';
import type { IntentNumbers } from './intent-numbers.ts';
import { collisionOf } from './plan-facts.ts';
import type { KernelPorts } from './ports.ts';
import { type ReadByAgent, readByAgent } from './seen-files.ts';
import type { RecordedOutcome } from './settle.ts';
import type { SessionEntry } from './state-entries.ts';
import type { State } from './state.ts';
import { checklistOf } from './turn.ts';
import { workView } from './work-views.ts';
import type { WorkEntry } from './works.ts';

/** The last line of a file whose length is not known. */
const WHOLE = Number.MAX_SAFE_INTEGER;

export interface RunContextParts {
  readonly ports: KernelPorts;
  readonly state: State;
  readonly intentNumbers: IntentNumbers;
  readonly signal: AbortSignal;
  readonly report: (text: string) => void;
  /** The question that let it pass, when there was one. */
  readonly approval: string | null;
  readonly receiptId: string;
  readonly place: RunContext['place'];
  /** Sends a child of the action through the spine. */
  readonly passChild: (
    tool: string,
    input: Record<string, unknown>,
    options?: { readonly wait: false; readonly last?: true },
  ) => Promise<{ readonly outcome: RecordedOutcome }>;
}

export async function makeRunContext(
  action: Action,
  { ports, state, intentNumbers, signal, report, approval, receiptId, place, passChild }: RunContextParts,
): Promise<RunContext> {
  const known = state.sessions.get(action.session);
  const session = known ?? (onlyReads(action) ? unrecorded(action) : null);
  if (!session) throw new Error(`session ${action.session} is not open`);
  const { settings } = await readSettings(ports, action.root);
  return {
    action,
    place,
    receiptId,
    // A copy: the session itself changes while the tool runs.
    session: { ...session, level: state.observing.has(action.workspace) ? 'observing' : session.level },
    intents: [...(state.intents.get(action.workspace)?.values() ?? [])].map(({ intent }) => intent),
    settings: state.modeLimits.applyTo(settings, action.workspace, session.intent, state.documents.dialOf(action.root)),
    faults: () => faultsIn(ports, action.root),
    answer: answerOf(state, approval),
    confirmedTasks: state.confirmedTasks.get(action.root) ?? new Set<string>(),
    tasksFinishedNow: state.taskBooks.isFinishedIn(action.root, session.intent, state.turnOf(action.session)),
    editedTasks: (tasks) => state.taskBooks.edits(action.root, session.intent, tasks),
    recentChanges: (intent, limit) => changesFor(state, action.workspace, intent, limit),
    lastChange: state.memoryMarks.lastChange(action.workspace),
    checklist: (list) => (known ? checklistOf(known, list) : null),
    seal: ports.seal,
    intentNow: () => state.sessions.get(action.session)?.intent ?? null,
    recent: () => recentActions(state, action.session),
    work: () => viewOf(state, state.workOf(action.session)),
    collisionOf: (nodeId) => collisionIn(state, action.session, nodeId, ports.now()),
    workNamed: (workId) => viewOf(state, state.works.named(action.workspace, workId)),
    questions: questionsOf(state, action.session),
    nextIntentId: () => intentNumbers.next(action.workspace),
    signal,
    report,
    child: async (tool, input, options) => {
      const { outcome } = await passChild(tool, input, options);
      if (outcome.kind === 'refused') return { output: null, refusal: outcome.refusal, receiptId: null };
      if (outcome.kind === 'settled') return { output: outcome.output, refusal: outcome.refusal, receiptId: outcome.receipt.receipt_id };
      if (outcome.kind === 'observed')
        return { output: outcome.output, refusal: outcome.refusal, receiptId: outcome.receipt?.receipt_id ?? null };
      throw new Error(`a child action ended as ${outcome.kind}`);
    },
  };
}

const viewOf = (state: State, work: WorkEntry | null): WorkView | null => work && workView(state, work);

function collisionIn(state: State, session: string, nodeId: string, now: Date): Collision | null {
  const { works } = state;
  const work = state.workOf(session);
  const agentOf = (id: string) => state.sessions.get(id)?.agent ?? 'an agent';
  return work?.plan ? collisionOf({ works, work, plan: work.plan, agentOf, now }, [nodeId]) : null;
}

function recentActions({ actions }: State, session: string): ReturnType<RunContext['recent']> {
  return [...actions.values()].flatMap(({ action, decision, receipt }) =>
    action.session === session ? [{ action: action.id, reads: receipt?.reads ?? readByAgent(action, decision).map(toTheEnd) }] : [],
  );
}

const toTheEnd = ({ end_line, ...read }: ReadByAgent) => ({ ...read, end_line: end_line ?? WHOLE });

function answerOf(state: State, approval: string | null): RunContext['answer'] {
  const entry = approval === null ? undefined : state.approvals.get(approval);
  return entry?.human
    ? { approval: entry.approval.id, human: entry.human, text: entry.reason, intent: entry.decision.facts.intent.selected?.id ?? null }
    : null;
}

function changesFor(state: State, workspace: string, intent: string, limit: number): ChangeView[] {
  const found: ChangeView[] = [];
  for (const { action, receipt } of [...state.actions.values()].toReversed()) {
    if (found.length === limit) break;
    if (!receipt || action.workspace !== workspace || receipt.intent !== intent || receipt.file_refs.length === 0) continue;
    const paths = receipt.file_refs.map(({ path }) => path);
    found.push({ at: receipt.timestamp, agent: action.actor.agent, tool: action.tool, paths, receipt: receipt.receipt_id });
  }
  return found;
}

const onlyReads = ({ effects }: Action): boolean => effects.every((effect: Effect) => effect === 'observe');

/** A session that could not be recorded: it may read, and has no state. */
const unrecorded = ({ session, workspace }: Action): SessionView & Pick<SessionEntry, 'intent'> => ({
  id: session,
  workspace,
  level: LEAST_LEVEL,
  mode: null,
  intent: null,
  turn: '0',
  recall: null,
  steps: [],
  work: { receipts: [], actions: 0 },
});

/** Those that can still be answered or used, or were rejected not long ago. */
function questionsOf(state: State, session: string): QuestionView[] {
  return [...state.approvals.values()].flatMap(({ approval, state, reason }) => {
    const ofUse = approval.session === session && (state === 'pending' || state === 'approved' || state === 'rejected');
    return ofUse ? [{ id: approval.id, tool: approval.tool, state, reason, expires_at: approval.expires_at }] : [];
  });
}
