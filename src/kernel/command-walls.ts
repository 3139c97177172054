// Walls around the commands that an agent runs by itself: whether a command may run without them, what it may do behind them, and what
// they did to it.

import { type ProcessLink, type Receipt, wallsOnReceipt, type WallService } from '../protocol/index.ts';
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
}

export interface ShellCall {
  readonly root: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export class CommandWalls {
  readonly #port: WallPort;
  readonly #views: Views;

  constructor(port: WallPort, views: Views) {
    this.#port = port;
    this.#views = views;
  }

  /**
   * Why a command would run without walls although a human requires them; null: it would not, or they are not required. Some agents silently
   * take the ordinary shell when ours is missing, so this is checked for every command.
   */
  async missingFor({ agent, program }: AgentShell, { root, input }: ShellCall): Promise<string | null> {
    if (typeof input['command'] !== 'string') return null;
    const { level, missing } = await this.#port.stateOf(agent, root, program);
    return level === 'required' ? missing : null;
  }

  /** For a command that may run now: what it may do behind its walls. */
  giveTicket({ agent, nativeSession, process }: AgentShell, { root, input }: ShellCall, outcome: RecordedOutcome): void {
    const { command } = input;
    if (typeof command !== 'string' || (outcome.kind !== 'admitted' && outcome.kind !== 'observed')) return;
    const action = outcome.action.id;
    const admitted = outcome.kind === 'admitted' ? this.#views.admittedCommand(action) : null;
    const codes = admitted?.codes ?? [];
    this.#port.admit({
      ...{ agent, nativeSession, process, action, root, command },
      scope: admitted?.scope ?? null,
      // It was admitted: where a human has to agree to it, they did.
      network: codes.includes('NETWORK') || codes.includes('PACKAGE_INSTALL'),
      showSecrets: codes.includes('READS_SECRET'),
      open: admitted !== null && !admitted.enforced,
    });
  }

  /** What the walls did to a command that has ended, for its receipt and for its agent; null: it had no ticket. */
  settled(action: string, output: unknown): { readonly walls: NonNullable<Receipt['walls']>; readonly text: string | null } | null {
    const end = this.#port.settled(action);
    return end && { walls: wallsOnReceipt(end), text: explainWalls(end, output) };
  }

  /** Every process of the session ends. */
  end({ agent, nativeSession }: AgentShell): Promise<void> {
    return this.#port.end(agent, nativeSession);
  }
}
