// The streams that a decision, and the last step of a tool, depend on.

import { type Action, mutates, streams } from '../protocol/index.ts';
import type { Basis } from './positions.ts';
import type { ApprovalEntry } from './state-entries.ts';
import type { State } from './state.ts';

/** What the facts of an action are folded from. Taken before they are gathered: a change meanwhile is noticed. */
export function basisOf(state: State, action: Action, approval: ApprovalEntry | null, lease: string | null): Basis {
  const { workspace, session, effects } = action;
  const cited = state.sessions.get(session)?.intent;
  const intents = new Set(state.activeIntents(workspace).map(({ intent }) => intent.id));
  if (cited) intents.add(cited);
  const basis = state.positions.of(
    streams.session(session),
    ...[...intents].map((intent) => streams.intent(workspace, intent)),
    ...[streams.modes(workspace), streams.gaps(workspace), streams.grants(workspace), streams.commandRules(workspace)],
    ...(mutates(effects) ? [streams.tasks(workspace), streams.memory(workspace)] : []),
    // Which proof is enough depends on the keys that are enrolled.
    ...(approval === null ? [] : [streams.approval(approval.approval.id), streams.authority]),
    ...(lease === null ? [] : [lease]),
  );
  // A yes is spent only while it is the newest event of its question.
  return approval === null || approval.fence === null
    ? basis
    : new Map([...basis, [streams.approval(approval.approval.id), approval.fence]]);
}

/** What a tool's last step reads: its session and the intents of the workspace. */
export function basisOfBooks(state: State, { workspace, session }: Action): Basis {
  const intents = [...(state.intents.get(workspace)?.keys() ?? [])].map((intent) => streams.intent(workspace, intent));
  return state.positions.of(streams.session(session), ...intents);
}
