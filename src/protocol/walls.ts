// Walls around agents' own commands, as doors and the sandbox speak of them.

import { z } from 'zod';
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
  /** The texts that it consists of, where each runs by itself. */
  readonly parts?: readonly string[];
  /** The globs of its intent; null: it only looks. */
  readonly scope: readonly string[] | null;
  /** It was judged, or agreed, to need other machines. */
  readonly network: boolean;
  /** A human agreed that it reads secrets. */
  readonly showSecrets: boolean;
  /** The agent itself has put walls around it; it does not ask for them. */
  readonly byAgent?: boolean;
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

/** What the wall program sets before it enters. */
export interface WallLimits {
  readonly processes: number;
  /** Files by which it joins the groups of the session. */
  readonly join: readonly string[];
}

export type WallAnswer =
  /** `prefix` enters the walls; `temp` is the session's folder for temporary files; `command`: what to run, for a call that only named its ticket. */
  | {
      readonly kind: 'walled';
      readonly temp: string;
      readonly limits: WallLimits;
      readonly prefix: readonly string[];
      readonly command?: string;
    }
  /** Without walls: they are switched off, suspended, or do not work here and are not required. */
  | { readonly kind: 'open'; readonly command?: string }
  | { readonly kind: 'refused'; readonly why: string };

/** The call that is asked about. */
export interface WalledCall {
  /** The agent's own process; null: it is not known. */
  readonly process?: ProcessLink | null | undefined;
  /** The agent's own record of its session. */
  readonly transcript?: string | undefined;
  readonly callId?: string | undefined;
}

export interface WallState {
  /** The agent's own walls, which ask for no ticket. */
  readonly byAgent?: true;
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

/** Servers that agents started in a work tree. */
export const PortsView = z.strictObject({
  /** Opened by a human: `inside` is the server's own port, `port` the one of this machine. */
  open: z.array(z.strictObject({ inside: z.int(), port: z.int() })),
  /** What servers listen on, opened or not. */
  listening: z.array(z.int()),
});
export type PortsView = z.infer<typeof PortsView>;

export interface PortService {
  readonly view: (root: string) => Promise<PortsView>;
  /** Throws where no server listens on it. */
  readonly open: (root: string, port: number) => Promise<PortsView>;
  readonly close: (root: string, port: number) => Promise<PortsView>;
}

/** What the kernel and the doors need of them. */
export interface WallService {
  /**
   * Whether the commands of this agent run behind walls in this work tree. `shell`: the program that its hook reports; null: it reports none.
   * Absent: what its settings say.
   */
  readonly stateOf: (agent: string, root: string, shell?: string | null, call?: WalledCall) => Promise<WallState>;
  readonly admit: (ticket: WallTicket) => void;
  /** What an agent that takes no shell of ours runs instead of its commands; null: these. */
  readonly rewritten: (action: string) => readonly string[] | null;
  readonly enter: (call: WallCall) => Promise<WallAnswer>;
  /** Null: the command had no ticket. */
  readonly settled: (action: string) => WallEnd | null;
  readonly end: (agent: string, nativeSession: string) => Promise<void>;
  /** Of the sessions of this work tree. */
  readonly ports: PortService;
  /** Ends boxes whose agent has ended without saying so. */
  readonly sweep: () => void;
}
