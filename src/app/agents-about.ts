// Whether an agent is present: it is while its process lives, whatever an event says. Tracks the processes known to be agents', and
// decides who may speak for a session: whoever can send a hook's event can write any session's name on it.

import os from 'node:os';
import type { Loopback, ProcessLink } from '../protocol/index.ts';
import type { AgentProcess, Kernel, PresencePorts, Reporter, SessionEntry, State } from '../kernel/index.ts';
import { isHeldByChildOf, processEntry, processStarted } from '../sandbox/index.ts';

export interface AgentsAboutOptions {
  readonly state: State;
  readonly hostsMany: PresencePorts['hostsMany'];
  readonly now: () => Date;
}

/** At most this many go into one record. */
const ENDED_PER_RECORD = 500;
/** A process that ends sooner after its report may have been a messenger between the agent and its hook. */
const BRIEF_MS = 2_000;

export class AgentsAbout {
  private readonly options: AgentsAboutOptions;

  constructor(options: AgentsAboutOptions) {
    this.options = options;
  }

  /** Until when each session's agent was, or may have been, present; Infinity: it still is. */
  untils(): { readonly session: SessionEntry; readonly until: number }[] {
    const { state, hostsMany } = this.options;
    const busy = new Set<string>();
    for (const { action, state: reached } of state.actions.values()) if (reached === 'admitted') busy.add(action.session);
    const ports = { isAlive: aliveNow(), hostsMany, isBusy: (session: string) => busy.has(session) };
    return [...state.sessions.values()].map((session) => ({ session, until: state.presence.until(session, ports) }));
  }

  isAnyAbout(): boolean {
    const now = this.options.now().getTime();
    return this.untils().some(({ until }) => until > now);
  }

  /**
   * Whether some agent could have started a command on this machine: one with a live process, or one over MCP without a process, because
   * nothing proves a process over HTTP. An agent whose hooks name no process found here runs elsewhere, such as in a container.
   */
  isAnyHere(): boolean {
    const now = this.options.now().getTime();
    const { presence } = this.options.state;
    const isAlive = aliveNow();
    return this.untils().some(({ session: { id, level }, until }) => {
      const processes = presence.of(id);
      return until > now && (processes.some(isAlive) || (level === 'advisory' && processes.length === 0));
    });
  }

  /** The process that the event names as its sender: proven, or null where the system could confirm it and does not. */
  async reporterOf(parent: number, connection: Loopback | null): Promise<Reporter | null> {
    const started = processStarted(parent);
    const proven = started === null || connection === null ? false : await isHeldByChildOf(parent, connection);
    // Read again: the pid may have been reused meanwhile.
    return started === null || proven === false || processStarted(parent) !== started
      ? null
      : { pid: parent, started, proven: proven === true, via: 'hook' };
  }

  /** The parent of an MCP pipe that has proven which process it is. */
  parentOf(pipe: number): Reporter | null {
    const parent = processEntry(pipe)?.parent ?? 0;
    const started = parent > 0 ? processStarted(parent) : null;
    return started === null ? null : { pid: parent, started, proven: process.platform === 'linux', via: 'mcp' };
  }

  /** While a session's own process lives, no other process may speak for the session. `isHuman`: a human started this process. */
  maySpeakFor(session: string, reporter: ProcessLink | null, isHuman: (pid: number) => boolean): boolean {
    const isAlive = aliveNow();
    const own = this.options.state.presence.of(session).filter((each) => each.proven && isAlive(each));
    if (own.length === 0) return true;
    if (reporter === null) return false;
    // The session was resumed in another terminal while the first is still open.
    return own.some(({ pid, started }) => pid === reporter.pid && started === reporter.started) || isHuman(reporter.pid);
  }

  /** Records that a process has ended. */
  async noteEnded(kernel: Kernel): Promise<void> {
    const isAlive = aliveNow();
    const ended = [...this.options.state.presence.all()].filter((each) => !isAlive(each));
    if (ended.length === 0) return;
    const bootedAt = Date.now() - os.uptime() * 1000;
    const { before = [], since = [] } = Object.groupBy(ended, ({ reportedAt }) => (Date.parse(reportedAt) < bootedAt ? 'before' : 'since'));
    await record(kernel, before, new Date(bootedAt));
    await record(kernel, since, this.options.now());
  }
}

async function record(kernel: Kernel, ended: readonly AgentProcess[], goneBy: Date): Promise<void> {
  for (let at = 0; at < ended.length; at += ENDED_PER_RECORD) {
    const processes = ended.slice(at, at + ENDED_PER_RECORD).map(({ pid, started, reportedAt, via }) => {
      const isBrief = via === 'hook' && goneBy.getTime() - Date.parse(reportedAt) < BRIEF_MS;
      return { pid, started, ...(isBrief ? { brief: true as const } : {}) };
    });
    await kernel.recordEndedProcesses(processes, goneBy);
  }
}

const keyOf = ({ pid, started }: ProcessLink): string => `${pid} ${started}`;

/** Asks the system once for each process. */
function aliveNow(): (link: ProcessLink) => boolean {
  const asked = new Map<string, boolean>();
  return (link) => {
    const key = keyOf(link);
    const known = asked.get(key) ?? processStarted(link.pid) === link.started;
    asked.set(key, known);
    return known;
  };
}
