// Who is calling. A principal is a session: one agent's conversation in one work tree; a sub-agent has its own, below its
// parent's. A call over MCP is joined to the hook session that announced it, once: by the agent's own id for the call, or, for
// agents that send none over MCP, by tool and input. What cannot be joined gets an advisory principal that unlocks no hook session.

import { canonicalJson, NotCanonical, sha256Hex } from '../ledger/index.ts';
import { base32, type Mode, type SessionLevel, type StreamEventDraft, streams } from '../protocol/index.ts';
import { isOneCallId } from './given-ids.ts';
import type { Reporter } from './presence.ts';
import type { SessionEntry } from './state-entries.ts';
import type { State } from './state.ts';

export interface SessionIdentity {
  readonly workspace: string;
  readonly root: string;
  readonly agent: string;
  /** The agent's own id of the conversation; for an advisory principal, of the connection. */
  readonly nativeSession: string;
  readonly agentId?: string;
  readonly level: SessionLevel;
}

/** The same conversation gets the same id after a restart of the daemon, without a stored table. */
export function sessionId({ workspace, root, agent, nativeSession, agentId, level }: SessionIdentity): string {
  // As JSON: with a separator character, two identities that contain it could become one.
  const identity = JSON.stringify([workspace, root, agent, nativeSession, agentId ?? '', level]);
  return `ses_${base32(Buffer.from(sha256Hex(identity), 'hex'), 26)}`;
}

/** An announced call waits this long for the same call on another door. */
const JOIN_WITHIN_MS = 60_000;
/**
 * This long where only tool and input identify it: any client of the work tree could send the same. Where both doors name the same process
 * it is that agent's own call, and a busy machine may take its time: a call that is not joined has its work refused.
 */
const JOIN_BY_INPUT_WITHIN_MS = 5_000;

/** A call of one of our own tools, as both doors see it. */
export interface OwnCall {
  readonly root: string;
  readonly tool: string;
  readonly input: unknown;
  /** The agent's process, where it is known. */
  readonly pid: number | null;
}

/** Who claims an announced call, and for what. */
export interface Claimant extends Pick<OwnCall, 'tool' | 'input'> {
  /** The connection that it came over. */
  readonly caller: string;
}

interface Pending {
  readonly key: string;
  readonly root: string;
  readonly session: string;
  readonly pid: number | null;
  readonly at: number;
}

const isWithin = (limit: number, at: number): boolean => performance.now() - at <= limit;

export class Principals {
  private readonly state: State;
  private readonly announced = new Map<string, { session: string; at: number }>();
  /** By the agent's id of the call: who claimed it, and for which call. */
  private readonly claimed = new Map<string, { session: string; by: string; at: number }>();
  private pending: Pending[] = [];

  constructor(state: State) {
    this.state = state;
  }

  /** A pre-hook saw a call of one of our own tools; the call itself comes over MCP. */
  announce(callId: string, session: string): void {
    const now = performance.now();
    for (const [id, { at }] of this.announced) if (now - at > JOIN_WITHIN_MS) this.announced.delete(id);
    // Two sessions that announce the same id: ambiguity binds nothing.
    if (this.announced.has(callId) && this.announced.get(callId)?.session !== session) this.announced.set(callId, { session: '', at: now });
    else this.announced.set(callId, { session, at: now });
  }

  /** Claimed once: a second call with the same id is not the call that was announced, unless the same caller sends the same call again. */
  claim(callId: string, claimant: Claimant | null = null): string | null {
    const by = claimant && isOneCallId(callId) ? canonicalHash([claimant.caller, claimant.tool, claimant.input]) : null;
    const now = performance.now();
    const found = this.announced.get(callId);
    this.announced.delete(callId);
    for (const [id, { at }] of this.claimed) if (now - at > JOIN_WITHIN_MS) this.claimed.delete(id);
    if (!found) {
      const claimed = this.claimed.get(callId);
      return claimed && by !== null && claimed.by === by ? claimed.session : null;
    }
    if (found.session === '' || now - found.at > JOIN_WITHIN_MS) return null;
    if (by !== null) this.claimed.set(callId, { session: found.session, by, at: now });
    return found.session;
  }

  /** The same for agents whose calls over MCP carry no id. */
  announceInput(call: OwnCall, session: string): void {
    const key = keyOf(call);
    if (key !== null) this.pending = [...this.livePending(), { key, session, root: call.root, pid: call.pid, at: performance.now() }];
  }

  /**
   * The oldest announcement of this call, if only one session made it. Of several agents, the one whose process is calling, in whatever work
   * tree: a process with many sessions has one server for all, which stays in the folder of the first.
   */
  claimInput(call: OwnCall): string | null {
    const key = keyOf(call);
    this.pending = this.livePending();
    const same = this.pending.filter((each) => each.key === key);
    const ofProcess = same.filter(({ pid }) => pid !== null && pid === call.pid);
    const ofTree = same.filter(({ root, at }) => root === call.root && isWithin(JOIN_BY_INPUT_WITHIN_MS, at));
    const [first, ...others] = ofProcess.length > 0 ? ofProcess : ofTree;
    if (!first || others.some(({ session }) => session !== first.session)) return null;
    this.pending = this.pending.filter((each) => each !== first);
    return first.session;
  }

  private livePending(): Pending[] {
    return this.pending.filter(({ at }) => isWithin(JOIN_WITHIN_MS, at));
  }

  /** The events that make a session known, or none when it is. A sub-agent takes over its parent's mode and intent as they are now. */
  open(identity: SessionIdentity, declared: Mode | null, reporter: Reporter | null): { session: string; drafts: StreamEventDraft[] } {
    const session = sessionId(identity);
    const stream = streams.session(session);
    const drafts: StreamEventDraft[] = [];
    const known = this.state.sessions.get(session);
    let speaker: Pick<SessionEntry, 'mode' | 'modeBy'> | undefined = known;

    if (!known?.open) {
      const { workspace, root, agent, nativeSession, agentId, level } = identity;
      const parentId = agentId === undefined ? null : sessionId({ workspace, root, agent, nativeSession, level });
      const parent = parentId === null ? undefined : this.state.sessions.get(parentId);
      if (!known?.mode) speaker = parent;
      drafts.push({
        stream,
        event: {
          type: 'session_opened',
          data: {
            session,
            workspace,
            root,
            agent,
            native_session: nativeSession,
            agent_id: agentId ?? null,
            level,
            parent: parentId,
            inherited: parent ? { mode: parent.mode, intent: parent.intent } : null,
          },
        },
      });
    }
    // A mode that a door knows counts as declared by the door, until the agent declares one; going down to PASSIVE always counts.
    const doorSpeaks = declared !== null && speaker?.mode !== declared && (declared === 'PASSIVE' || speaker?.modeBy !== 'agent');
    if (doorSpeaks) drafts.push({ stream, event: { type: 'mode_declared', data: { session, mode: declared, by: 'door' } } });
    const reported = reporter ? this.state.presence.at(reporter) : undefined;
    if (reporter && !(reported?.sessions.has(session) && (reported.proven || !reporter.proven))) {
      const { pid, started, via } = reporter;
      const type = reporter.proven ? 'agent_process_proven' : 'agent_process_reported';
      drafts.push({ stream, event: { type, data: { session, pid, started, via } } });
    }
    return { session, drafts };
  }
}

const keyOf = ({ tool, input }: OwnCall): string | null => canonicalHash([tool, input]);

/** Null for what has no canonical form: it joins nothing. */
function canonicalHash(value: unknown): string | null {
  try {
    return sha256Hex(canonicalJson(value));
  } catch (error) {
    if (error instanceof NotCanonical) return null;
    throw error;
  }
}
