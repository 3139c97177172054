// Who sent an event of a session. Any process can send one that names any session: whether it counts as the session's own is decided here.

import type { Loopback } from '../protocol/index.ts';
import type { Views, NativeCallRef } from './views.ts';
import type { Reporter } from './presence.ts';
import { sessionId, type SessionIdentity } from './principals.ts';

/** What a sender gains where its event is believed. */
export type EventClaim =
  /** Nothing: it only asks whether a tool may run. */
  | { readonly kind: 'question' }
  /** The end of a call. Where the agent asked its own human, that the call ran is their yes. */
  | { readonly kind: 'outcome'; readonly call: Omit<NativeCallRef, 'session'> }
  /** A turn, the end of a session, or a call of one of our tools in its name. */
  | { readonly kind: 'authority' };

export interface SentEvent {
  readonly identity: SessionIdentity;
  readonly claim: EventClaim;
  /** The process that sent it, as the event names it. */
  readonly pid: number | null;
  /** The connection that it came over, where it can prove the process. */
  readonly connection: Loopback | null;
}

export interface SenderPorts {
  /** The process with this number; null: none of its children holds the other end of this connection. */
  readonly reporterOf: (pid: number, connection: Loopback | null) => Promise<Reporter | null>;
  /** Whether an event that this process reports counts as the session's own. */
  readonly maySpeakFor: (session: string, reporter: Reporter | null) => boolean;
}

export interface EventSender {
  readonly reporter: Reporter | null;
  /** The event counts as the session's own. */
  readonly isOwn: boolean;
}

/** Proving a process takes longer than deciding about a tool, so an event that gains nothing is believed without proof. */
export async function senderOfEvent(
  { reporterOf, maySpeakFor }: SenderPorts,
  views: Views,
  { identity, claim, pid, connection }: SentEvent,
): Promise<EventSender> {
  const session = sessionId(identity);
  if (!isWorthForging(views, session, claim)) {
    const known = pid === null ? null : views.reporter(session, pid);
    if (known) return { reporter: known, isOwn: true };
    // A process that resumes the session reports a start or a prompt first.
    if (!maySpeakFor(session, null)) return { reporter: null, isOwn: false };
  }
  const reporter = pid === null ? null : await reporterOf(pid, connection);
  const { agentId, ...parent } = identity;
  const isOwn = maySpeakFor(session, reporter) && (agentId === undefined || maySpeakFor(sessionId(parent), reporter));
  return { reporter, isOwn };
}

const isWorthForging = (views: Views, session: string, claim: EventClaim): boolean =>
  claim.kind === 'authority' || (claim.kind === 'outcome' && views.isAskedNatively({ ...claim.call, session }));
