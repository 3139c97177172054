// Which agents are present: their processes, and when each session last sent an event. A program that the agent started can send any
// event about a session too. So no event ends an agent's presence: the end of its process does, or time.

import type { EventOf, ProcessLink } from '../protocol/index.ts';
import { forgetOldest } from './forget-oldest.ts';
import type { SessionEntry } from './state-entries.ts';

export interface AgentProcess extends ProcessLink {
  /** Sessions that it reported. A report only adds one. */
  readonly sessions: Set<string>;
  /** The operating system confirmed it. An unproven claim adds suspicion, and the end of that process removes none. */
  proven: boolean;
  /** How it was last reported, and when. */
  via: Reporter['via'];
  reportedAt: string;
}

/** What claims that it is an agent's process. */
export interface Reporter extends ProcessLink {
  readonly proven: boolean;
  readonly via: PresenceReport['via'];
}

/** What the machine and the agents' adapters know. */
export interface PresencePorts {
  readonly isAlive: (link: ProcessLink) => boolean;
  /** One process of this agent hosts many sessions, for a whole day: that it is alive proves little. */
  readonly hostsMany: (agent: string) => boolean;
  /** A command of the session is open: it may run for longer than its agent sends events. */
  readonly isBusy: (session: string) => boolean;
}

type PresenceReport = EventOf<'agent_process_reported' | 'agent_process_proven'>['data'];
type PresenceEvent = EventOf<'agent_process_reported' | 'agent_process_proven' | 'agent_processes_ended'>;

/** An agent whose process is unknown, or hosts many sessions, counts as present for this long after its last event. */
export const PRESENT_MS = 30 * 60_000;
const KEEP_GONE = 5_000;

export class Presence {
  /** By pid: two processes that live at the same time never share one. Only those not known to have ended. */
  private readonly processes = new Map<number, AgentProcess>();
  /** By session: when a proven process of it was seen to be gone. */
  private readonly goneBy = new Map<string, string>();
  /** By session: events that left no record. */
  readonly #heard = new Map<string, number>();

  apply({ type, data }: PresenceEvent, at: string): void {
    if (type !== 'agent_processes_ended') return this.report(data, type === 'agent_process_proven', at);
    for (const ended of data.processes) {
      const known = this.at(ended);
      if (!known) continue;
      this.processes.delete(known.pid);
      // A process that ended at once was only a messenger: the agent may still run.
      if (!known.proven || ended.brief) continue;
      for (const session of known.sessions) {
        this.goneBy.delete(session);
        this.goneBy.set(session, data.gone_by);
      }
    }
    forgetOldest(this.goneBy, KEEP_GONE, () => true);
  }

  private report({ pid, started, session, via }: PresenceReport, proven: boolean, at: string): void {
    const known = this.at({ pid, started });
    if (known) {
      known.sessions.add(session);
      known.proven ||= proven;
      Object.assign(known, { via, reportedAt: at });
    } else this.processes.set(pid, { pid, started, sessions: new Set([session]), proven, via, reportedAt: at });
  }

  /** An event of this session came in, recorded or not. */
  hear(session: string, at: Date): void {
    this.#heard.delete(session);
    this.#heard.set(session, at.getTime());
    forgetOldest(this.#heard, KEEP_GONE, (heard) => at.getTime() - heard > PRESENT_MS);
  }

  all(): Iterable<AgentProcess> {
    return this.processes.values();
  }

  at({ pid, started }: ProcessLink): AgentProcess | undefined {
    const known = this.processes.get(pid);
    return known?.started === started ? known : undefined;
  }

  of(session: string): AgentProcess[] {
    return [...this.processes.values()].filter(({ sessions }) => sessions.has(session));
  }

  /** Until when, in milliseconds, the session's agent was or may have been present; Infinity: its process is alive. */
  until({ id, agent, lastAt }: Pick<SessionEntry, 'id' | 'agent' | 'lastAt'>, { isAlive, hostsMany, isBusy }: PresencePorts): number {
    const heard = Math.max(Date.parse(lastAt), this.#heard.get(id) ?? 0);
    const byTime = isBusy(id) ? Infinity : heard + PRESENT_MS;
    const processes = this.of(id);
    // A process whose end is not recorded yet was alive a moment ago.
    if (processes.some((each) => each.proven || isAlive(each))) return hostsMany(agent) ? byTime : Infinity;
    const gone = Date.parse(this.goneBy.get(id) ?? '');
    // An event after its process had ended came from another process that continues in its name.
    return gone >= heard ? gone : byTime;
  }

  /** It has no process and has been silent for long, so it may be forgotten. */
  isOver({ id, open, lastAt }: Pick<SessionEntry, 'id' | 'open' | 'lastAt'>, at: string, idleMs: number): boolean {
    const silence = Date.parse(at) - Date.parse(lastAt);
    return (open ? silence > idleMs : silence > PRESENT_MS) && this.of(id).length === 0;
  }
}
