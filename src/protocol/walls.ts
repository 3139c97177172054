// Walls around agents' own commands, as doors and the sandbox speak of them.

import type { WallLevel } from './config.ts';
import type { ProcessLink } from './process.ts';
import type { Receipt } from './receipt.ts';

/** A command that was admitted, and what it may do behind its walls. It counts once, for this very text. */
export interface WallTicket {
  /** The adapter's name. */
  readonly agent: string;
  readonly nativeSession: string;
  /** The agent's own; its session ends with it. Null: it is not known. */
  readonly process: ProcessLink | null;
  readonly action: string;
  readonly root: string;
  readonly command: string;
  /** The globs of its intent; null: it only looks. */
  readonly scope: readonly string[] | null;
  /** It was judged, or agreed, to need other machines. */
  readonly network: boolean;
  /** A human agreed that it reads secrets. */
  readonly showSecrets: boolean;
  /** Nothing is enforced now: a human has paused the gate, or the workspace only observes. */
  readonly open: boolean;
}

/** The wall program, started by an agent as its shell. */
export interface WallCall {
  readonly agent: string;
  /** Empty: the client did not say. */
  readonly nativeSession: string;
  readonly cwd: string;
  /** Where the client keeps temporary files. */
  readonly tempFolder: string;
  /** The home that the client works with. */
  readonly userHome: string;
  /** What the shell is to run. */
  readonly line: string;
}

export type WallAnswer =
  /** `prefix` enters the walls; `temp` is the session's folder for temporary files. */
  | { readonly kind: 'walled'; readonly temp: string; readonly prefix: readonly string[] }
  /** Without walls: they are switched off, suspended, or do not work here and are not required. */
  | { readonly kind: 'open' }
  | { readonly kind: 'refused'; readonly why: string };

export interface WallState {
  readonly level: WallLevel;
  /** Why they are not in force, in words that complete "because …"; null: they are. */
  readonly missing: string | null;
}

/** How a command ended, as far as walls are concerned. */
export interface WallEnd {
  /** It went through the wall program, and walls were there. */
  readonly walled: boolean;
  /** What it had left behind that no command may leave, in words. */
  readonly takenBack: readonly string[];
  /** What it could write, and whether it could reach other machines. */
  readonly scope: readonly string[] | null;
  readonly network: boolean;
}

export const wallsOnReceipt = ({ walled, takenBack }: WallEnd): NonNullable<Receipt['walls']> => ({
  level: walled ? 'walled' : 'hooked',
  ...(takenBack.length === 0 ? {} : { taken_back: [...takenBack] }),
});

/** What the kernel and the doors need of them. */
export interface WallService {
  /**
   * Whether the commands of this agent run behind walls in this work tree. `shell`: the program that its hook reports; null: it reports none.
   * Absent: what its settings say.
   */
  readonly stateOf: (agent: string, root: string, shell?: string | null) => Promise<WallState>;
  readonly admit: (ticket: WallTicket) => void;
  readonly enter: (call: WallCall) => Promise<WallAnswer>;
  /** Null: the command had no ticket. */
  readonly settled: (action: string) => WallEnd | null;
  readonly end: (agent: string, nativeSession: string) => Promise<void>;
  /** Ends boxes whose agent has ended without saying so. */
  readonly sweep: () => void;
}
