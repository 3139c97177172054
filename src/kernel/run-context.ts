// What a running tool may see and do: its session, the workspace's intents, the human's settings, and child actions, which take the
// whole way through the gate themselves.

import type { Action, Effect } from '../protocol/index.ts';
import { readSettings } from './gather.ts';
import type { IntentNumbers } from './intent-numbers.ts';
import type { KernelPorts, QuestionView, RunContext, SessionView } from './ports.ts';
import type { RecordedOutcome } from './settle.ts';
import type { State } from './state.ts';

export interface RunContextParts {
  readonly ports: KernelPorts;
  readonly state: State;
  readonly intentNumbers: IntentNumbers;
  readonly signal: AbortSignal;
  /** Sends a child of the action through the spine. */
  readonly passChild: (tool: string, input: Record<string, unknown>) => Promise<{ readonly outcome: RecordedOutcome }>;
}

export async function makeRunContext(
  action: Action,
  { ports, state, intentNumbers, signal, passChild }: RunContextParts,
): Promise<RunContext> {
  const session = state.sessions.get(action.session) ?? (onlyLooks(action) ? unrecorded(action) : null);
  if (!session) throw new Error(`session ${action.session} is not open`);
  return {
    action,
    session,
    intents: [...(state.intents.get(action.workspace)?.values() ?? [])].map(({ intent }) => intent),
    settings: (await readSettings(ports, action.root)).settings,
    questions: questionsOf(state, action.session),
    nextIntentId: () => intentNumbers.next(action.workspace),
    signal,
    child: async (tool, input) => {
      const { outcome } = await passChild(tool, input);
      if (outcome.kind === 'refused') return { output: null, refusal: outcome.refusal, receiptId: null };
      if (outcome.kind === 'settled') return { output: outcome.output, refusal: outcome.refusal, receiptId: outcome.receipt.receipt_id };
      if (outcome.kind === 'observed') return { output: outcome.output, refusal: null, receiptId: outcome.receipt?.receipt_id ?? null };
      throw new Error(`a child action ended as ${outcome.kind}`);
    },
  };
}

const onlyLooks = ({ effects }: Action): boolean => effects.every((effect: Effect) => effect === 'observe');

/** A session that could not be written down: it may look, and holds nothing. */
const unrecorded = ({ session, workspace }: Action): SessionView => ({
  id: session,
  workspace,
  level: 'advisory',
  mode: null,
  intent: null,
  turn: '0',
});

/** Those that can still be answered or used, or were rejected not long ago. */
function questionsOf(state: State, session: string): QuestionView[] {
  return [...state.approvals.values()].flatMap(({ approval, state, reason }) => {
    const ofUse = approval.session === session && (state === 'pending' || state === 'approved' || state === 'rejected');
    return ofUse ? [{ id: approval.id, tool: approval.tool, state, reason, expires_at: approval.expires_at }] : [];
  });
}
