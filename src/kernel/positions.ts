// How far each stream was folded. An append that rests on what was folded names these positions: where another kernel wrote first, the
// store refuses it, and it is decided again.

import { type Action, type LedgerRecord, mutates, streams } from '../protocol/index.ts';
import type { ApprovalEntry } from './state-entries.ts';
import type { State } from './state.ts';

/** The streams that an append rests on, and how far each was folded. Null: no longer known here, and not checked. */
export type Basis = ReadonlyMap<string, number | null>;

/** More streams than are in use at once. */
const KEEP_STREAMS = 10_000;

export class Positions {
  /** The stream that moved last is the last one. */
  readonly at = new Map<string, number>();

  apply({ stream, stream_seq }: LedgerRecord): void {
    this.at.delete(stream);
    this.at.set(stream, stream_seq);
    if (this.at.size > KEEP_STREAMS * 2) this.forgetOldest();
  }

  of(...wanted: readonly string[]): Basis {
    return new Map(wanted.map((stream) => [stream, this.at.get(stream) ?? (isForgotten(stream) ? null : 0)]));
  }

  private forgetOldest(): void {
    for (const stream of this.at.keys()) {
      if (this.at.size <= KEEP_STREAMS) return;
      if (isForgotten(stream)) this.at.delete(stream);
    }
  }
}

/** There are ever more of these. All others stay few. */
const isForgotten = (stream: string): boolean => stream.startsWith('session:') || stream.startsWith('approval:');

/** What the facts of an action are folded from. Taken before they are gathered: what moves meanwhile is noticed. */
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
  // A yes is spent only while it is the last word about its question.
  return approval === null || approval.fence === null
    ? basis
    : new Map([...basis, [streams.approval(approval.approval.id), approval.fence]]);
}

/** What a tool's last step reads: its session and the intents of the workspace. */
export function basisOfBooks(state: State, { workspace, session }: Action): Basis {
  const intents = [...(state.intents.get(workspace)?.keys() ?? [])].map((intent) => streams.intent(workspace, intent));
  return state.positions.of(streams.session(session), ...intents);
}
