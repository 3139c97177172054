// Whether an agent is present: it is as long as its process lives, regardless of the events that arrive. Decides who may speak for a
// session, because any process can send a hook event that names any session.

import { type ProcessLink, sessionTraits, traitsOf } from '../protocol/index.ts';
import type { Kernel } from './kernel.ts';
import type { AgentProcess, PresencePorts } from './presence.ts';
import type { SessionEntry } from './state-entries.ts';
import type { State } from './state.ts';

export interface PresentAgentsOptions {
  readonly state: State;
  readonly hostsMany: PresencePorts['hostsMany'];
  /** When the process with this pid started, as the operating system names it; null: no such process. */
  readonly processStarted: (pid: number) => string | null;
  /** The same in milliseconds. */
  readonly startedAtMs: (pid: number) => number | null;
  /** Processes that agents' commands left running. */
  readonly survivors: { livedAt(atMs: number): boolean };
  /** When the machine started: every process that was reported earlier has ended. */
  readonly bootedAt: () => Date;
  readonly now: () => Date;
}

/** Start times of processes are counted in hundredths of a second, from a clock of their own. */
const SLACK_MS = 1_000;
/** A command whose end was not reported counts as running for this long. */
const UNREPORTED_MS = 10 * 60_000;
/** At most this many go into one record. */
const ENDED_PER_RECORD = 500;
/** A process that ends sooner after its report may have been a messenger between the agent and its hook. */
const BRIEF_MS = 2_000;

export class PresentAgents {
  private readonly options: PresentAgentsOptions;

  constructor(options: PresentAgentsOptions) {
    this.options = options;
  }

  /** Until when each session's agent was, or may have been, present; Infinity: it still is. */
  presenceEnds(): { readonly session: SessionEntry; readonly until: number }[] {
    const { state, hostsMany } = this.options;
    const busy = new Set<string>();
    for (const { action, state: reached } of state.actions.values()) if (reached === 'admitted') busy.add(action.session);
    const ports = { isAlive: this.aliveNow(), hostsMany, isBusy: (session: string) => busy.has(session) };
    const programs = [...state.sessions.values()].filter((session) => sessionTraits(session).isProgram);
    return programs.map((session) => ({ session, until: state.presence.until(session, ports) }));
  }

  isAnyPresent(): boolean {
    const now = this.options.now().getTime();
    return this.presenceEnds().some(({ until }) => until > now);
  }

  /**
   * Whether some agent could have started a command on this machine: one with a live process, or one over MCP without a process, because
   * nothing proves a process over HTTP. An agent whose hooks name no process found here runs elsewhere, such as in a container.
   */
  isAnyOnThisMachine(): boolean {
    return this.onThisMachine().length > 0;
  }

  /** When the oldest living agent began, in milliseconds. */
  oldestStartedAtMs(): number {
    const { state, startedAtMs } = this.options;
    return Math.min(
      ...this.onThisMachine().flatMap(({ id, openedAt }) => {
        const processes = state.presence.of(id).flatMap(({ pid }) => startedAtMs(pid) ?? []);
        return processes.length > 0 ? processes : [Date.parse(openedAt)];
      }),
    );
  }

  /**
   * Whether a command of an agent could have started a process at that time: one ran then, or something lives that one left behind before. An agent
   * whose commands are not reported could have done it at any time.
   */
  couldHaveStarted(atMs: number): boolean {
    const { state, survivors } = this.options;
    const here = this.onThisMachine();
    if (here.some((session) => !sessionTraits(session).reportsPrompts && Date.parse(session.openedAt) - SLACK_MS <= atMs)) return true;
    const ids = new Set(here.map(({ id }) => id));
    const isBelow = (session: string) => ids.has(session) || ids.has(state.sessions.get(session)?.parent ?? '');
    for (const { action, state: reached, receipt } of state.actions.values()) {
      if (!isBelow(action.session) || !action.effects.includes('execute') || Date.parse(action.at) - SLACK_MS > atMs) continue;
      if (reached === 'admitted' || (reached === 'unknown' && atMs <= Date.parse(action.at) + UNREPORTED_MS)) return true;
      if (reached === 'settled' && receipt && atMs <= Date.parse(receipt.timestamp) + SLACK_MS) return true;
    }
    return survivors.livedAt(atMs);
  }

  private onThisMachine(): SessionEntry[] {
    const now = this.options.now().getTime();
    const { presence } = this.options.state;
    const isAlive = this.aliveNow();
    return this.presenceEnds().flatMap(({ session, until }) => {
      const processes = presence.of(session.id);
      const isUnproven = processes.length === 0 && !sessionTraits(session).reportsPrompts;
      return until > now && (processes.some(isAlive) || isUnproven) ? [session] : [];
    });
  }

  /** While a session's own process lives, no other process may speak for the session. `isHuman`: a human started this process. */
  maySpeakFor(session: string, reporter: ProcessLink | null, isHuman: (pid: number) => boolean): boolean {
    const isAlive = this.aliveNow();
    const own = this.options.state.presence.of(session).filter((each) => each.proven && isAlive(each));
    if (own.length === 0) return true;
    if (reporter === null) return false;
    // The session was resumed in another terminal while the first is still open.
    return own.some(({ pid, started }) => pid === reporter.pid && started === reporter.started) || isHuman(reporter.pid);
  }

  /** Records that a process has ended. */
  async noteEnded(kernel: Kernel): Promise<void> {
    const isAlive = this.aliveNow();
    const ended = [...this.options.state.presence.all()].filter((each) => !isAlive(each));
    if (ended.length === 0) return;
    const bootedAt = this.options.bootedAt();
    const { before = [], since = [] } = Object.groupBy(ended, ({ reportedAt }) =>
      Date.parse(reportedAt) < bootedAt.getTime() ? 'before' : 'since',
    );
    await record(kernel, before, bootedAt);
    await record(kernel, since, this.options.now());
  }

  /** Asks the operating system once for each process. */
  private aliveNow(): (link: ProcessLink) => boolean {
    const asked = new Map<string, boolean>();
    return (link) => {
      const key = keyOf(link);
      const known = asked.get(key) ?? this.options.processStarted(link.pid) === link.started;
      asked.set(key, known);
      return known;
    };
  }
}

async function record(kernel: Kernel, ended: readonly AgentProcess[], goneBy: Date): Promise<void> {
  for (let at = 0; at < ended.length; at += ENDED_PER_RECORD) {
    const processes = ended.slice(at, at + ENDED_PER_RECORD).map(({ pid, started, reportedAt, via }) => {
      const isBrief = traitsOf({ door: via }).executes === 'agent' && goneBy.getTime() - Date.parse(reportedAt) < BRIEF_MS;
      return { pid, started, ...(isBrief ? { brief: true as const } : {}) };
    });
    await kernel.recordEndedProcesses(processes, goneBy);
  }
}

const keyOf = ({ pid, started }: ProcessLink): string => `${pid} ${started}`;
