// Walls around the commands that an agent runs by itself: whether a command may run without them, what it may do behind them, and what
// they did to it.

import { type EventOf, type ProcessLink, type Receipt, wallsOnReceipt, type WallService, type WallState } from '../protocol/index.ts';
import type { Views } from './views.ts';
import { explainWalls } from './explain-walls.ts';
import type { RecordedOutcome } from './settle.ts';

export type WallPort = Pick<WallService, 'stateOf' | 'admit' | 'settled' | 'end'>;

/** The shell in which an agent runs its commands, as its door reports it. */
export interface AgentShell {
  /** The agent, as the walls know it. */
  readonly agent: string;
  readonly nativeSession: string;
  /** The agent's own; null: it is not known. */
  readonly process: ProcessLink | null;
  /** The program that it says it starts as its shell; null: it says nothing. */
  readonly program: string | null;
  /** The texts of a call that runs several commands, each by itself. */
  readonly parts?: readonly string[];
  /** Its own record of the session. */
  readonly transcript?: string;
}

export interface SettledWalls {
  readonly walls: NonNullable<Receipt['walls']>;
  readonly text: string | null;
  /** Whether it came for the walls that it was given; null: it was given none. */
  readonly used: boolean | null;
}

export interface ShellCall {
  readonly root: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly native?: { readonly call_id?: string | undefined } | undefined;
}

export class CommandWalls {
  readonly #port: WallPort;
  readonly #views: Views;
  /** Commands that were given walls, and have not ended. */
  readonly #expected = new Set<string>();
  /** Calls that only look leave no open action: which one a call is. */
  readonly #observed = new Map<string, string>();

  constructor(port: WallPort, views: Views) {
    this.#port = port;
    this.#views = views;
  }

  /**
   * Whether a command would run behind walls; null: it is no command. Some agents silently take the ordinary shell when ours is missing, so
   * this is checked for every command. Where nothing shows it beforehand, the last command does: one that never asked for its walls ran
   * without.
   */
  async stateFor(session: string, shell: AgentShell, { root, input, native }: ShellCall): Promise<WallState | null> {
    if (typeof input['command'] !== 'string') return null;
    const call = { process: shell.process, transcript: shell.transcript, callId: native?.call_id };
    const state = await this.#port.stateOf(shell.agent, root, shell.program, call);
    return { ...state, missing: state.missing ?? (this.#views.bypassesWalls(session) ? BYPASSED : null) };
  }

  /** For a command that may run now: what it may do behind its walls. */
  giveTicket(shell: AgentShell, { root, input, native }: ShellCall, state: WallState | null, outcome: RecordedOutcome): void {
    const { agent, nativeSession, process, parts } = shell;
    const { command } = input;
    if (typeof command !== 'string' || (outcome.kind !== 'admitted' && outcome.kind !== 'observed')) return;
    const action = outcome.action.id;
    const admitted = outcome.kind === 'admitted' ? this.#views.admittedCommand(action) : null;
    const codes = admitted?.codes ?? [];
    const open = (admitted !== null && !admitted.enforced) || state?.level === 'off';
    this.#port.admit({
      ...{ agent, nativeSession, process, action, root, command, open },
      ...(parts && { parts }),
      ...(state?.byAgent && state.missing === null ? { byAgent: true } : {}),
      scope: admitted?.scope ?? null,
      // It was admitted: where a human has to agree to it, they did.
      network: codes.includes('NETWORK') || codes.includes('PACKAGE_INSTALL'),
      showSecrets: codes.includes('READS_SECRET'),
    });
    if (!open && state !== null && (state.missing === null || state.missing === BYPASSED)) this.#expected.add(action);
    forgetBeyond(this.#expected);
    if (outcome.kind === 'observed' && native?.call_id !== undefined) this.#observed.set(`${keyOf(shell)} ${native.call_id}`, action);
    forgetBeyond(this.#observed);
  }

  /** The action of a call that only looked; null: it is not known. */
  observed(shell: AgentShell, callId: string | undefined): string | null {
    const key = `${keyOf(shell)} ${callId}`;
    const action = this.#observed.get(key) ?? null;
    this.#observed.delete(key);
    return action;
  }

  /** What the walls did to a command that has ended, for its receipt and for its agent; null: it had no ticket. */
  settled(action: string, output: unknown): SettledWalls | null {
    const end = this.#port.settled(action);
    const isExpected = this.#expected.delete(action);
    if (end === null) return null;
    const text = explainWalls(end, output);
    if (!isExpected) return { walls: wallsOnReceipt(end), text, used: null };
    return { walls: { ...wallsOnReceipt(end), ...(end.walled ? {} : { bypassed: true }) }, text, used: end.walled };
  }

  /** What is to be recorded of it; null: nothing has changed. `action`: null when the agent was started again and has read its settings since. */
  changed(session: string, action: string | null, used: boolean): EventOf<'walls_used'> | null {
    if (this.#views.bypassesWalls(session) === !used) return null;
    return { type: 'walls_used', data: { session: this.#views.shellOf(session), ...(action !== null && { action }), used } };
  }

  /** Every process of the session ends. */
  end(shell: AgentShell): Promise<void> {
    return this.#port.end(shell.agent, shell.nativeSession);
  }
}

const BYPASSED = 'the last command of this session did not ask for its walls, so it ran without; start the agent again';

/** What has not ended after so many others is not waited for. */
const MAX_REMEMBERED = 1_000;

function forgetBeyond(remembered: Map<string, string> | Set<string>): void {
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MAX_REMEMBERED) return;
    remembered.delete(oldest);
  }
}

const keyOf = ({ agent, nativeSession }: Pick<AgentShell, 'agent' | 'nativeSession'>): string => `${agent} ${nativeSession}`;
