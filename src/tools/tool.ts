// What a tool is: a name, a schema, what a call would do, and, if the gate executes it, how. One file a tool.
// The shape of a call, of its context and of its result is the kernel's port; rooms below the kernel restate it in types only.

import type { z } from 'zod';
import type { Memory } from '../memory/index.ts';
import type {
  Action,
  CommandReading,
  Effect,
  Event,
  FileFact,
  Human,
  Intent,
  Mode,
  Refusal,
  RefusalCode,
  Remedy,
  Resource,
} from '../protocol/index.ts';
import { CODES } from '../protocol/index.ts';

export interface Tool<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** For the agent that reads the list of tools. */
  readonly description: string;
  readonly input: S;
  readonly declare: (input: z.output<S>, place: Place) => Declaration;
  /** Absent: agents execute it by themselves, under a name of their own. */
  readonly run?: (input: z.output<S>, context: Context & Placed, house: House) => Promise<Result>;
  /** Every call of it is an observation. */
  readonly readOnly?: true;
  /** Called again with the same input it comes to the same. */
  readonly idempotent?: true;
  /** What a call that is not refused answers. */
  readonly output?: z.ZodType;
  /** MCP surfaces that offer it. */
  readonly surfaces: readonly Surface[];
}

export type Surface = 'hooked' | 'contract';

export interface Place {
  readonly root: string;
  readonly cwd: string;
}

/** Where the call was declared, and what was judged there: a path means the same when it runs. */
export interface Placed {
  readonly place: JudgedPlace;
}

export interface JudgedPlace extends Place {
  readonly judged: readonly Pick<FileFact, 'path' | 'access' | 'real' | 'sha256'>[];
}

export interface Declaration {
  readonly effects: readonly Effect[];
  readonly resources: readonly Resource[];
  readonly command?: CommandReading;
  /** What the agent says its steps are, where the call is a list of them. */
  readonly steps?: readonly string[];
}

export interface Result {
  readonly output: unknown;
  readonly refusal?: Refusal;
  readonly events?: readonly { readonly stream: string; readonly event: Event }[];
  /** Makes the result while the session is locked: what may be done only once is spent here. */
  readonly finish?: (now: Context) => Result;
}

export interface Context {
  readonly action: Action;
  readonly receiptId: string;
  /** The files that the decision was about, as it saw them. */
  readonly judged: readonly Pick<FileFact, 'path' | 'access' | 'real' | 'sha256'>[];
  readonly session: {
    readonly id: string;
    readonly workspace: string;
    readonly level: string;
    readonly mode: Mode | null;
    readonly intent: string | null;
    readonly turn: string;
    readonly recall: { readonly at: string; readonly turn: string; readonly found: number; readonly stampable: boolean } | null;
    readonly steps: readonly string[];
    readonly work: { readonly receipts: readonly string[]; readonly actions: number };
  };
  readonly intents: readonly IntentLike[];
  readonly settings: { readonly minimumMode: Mode | null; readonly pinnedMode: 'PASSIVE' | null };
  readonly answer: {
    readonly approval: string;
    readonly human: Human;
    readonly text: string | null;
    readonly intent: string | null;
  } | null;
  readonly recentChanges: (intent: string, limit: number) => readonly Change[];
  readonly confirmedTasks: ReadonlySet<string>;
  readonly lastChange: string | null;
  readonly checklist: (list: 'none' | 'open' | 'done') => readonly { rule: string; ok: boolean; note: string }[] | null;
  readonly seal: (text: string) => string;
  readonly questions: readonly unknown[];
  readonly nextIntentId: () => string;
  readonly child: (
    tool: string,
    input: Record<string, unknown>,
  ) => Promise<{ output: unknown; refusal: Refusal | null; receiptId: string | null }>;
}

export interface Change {
  readonly at: string;
  readonly agent: string;
  readonly tool: string;
  readonly paths: readonly string[];
  readonly receipt: string;
}

/** What the house keeps for its tools. */
export interface House {
  readonly memory: Memory;
  readonly now: () => Date;
  /** Real folders of the daemon, of which nothing may be quoted. */
  readonly privateFolders: readonly string[];
  /** Runs a command that the gate has admitted, in the work tree. */
  readonly runCommand: (command: string, root: string) => Promise<{ exitCode: number | null; output: string; timedOut: boolean }>;
}

type IntentLike = {
  readonly [K in keyof Intent]: Intent[K] extends string[] ? readonly string[] : Intent[K] extends string ? string : Intent[K];
};

export const defineTool = <S extends z.ZodType>(tool: Tool<S>): Tool<S> => tool;

export const refuse = (code: RefusalCode, message: string, required_action: string, remedy: Remedy | null): Result => {
  const refusal: Refusal = {
    error_code: code,
    message,
    recoverable: CODES[code].retry !== 'never',
    required_action,
    // Where no call of the agent helps, asking a human still does.
    remedy: remedy ?? { tool: 'request_human', args: { question: message.slice(0, 500).toWellFormed() } },
    also_missing: [],
  };
  return { output: refusal, refusal };
};

export const eventIn = (stream: string, event: Event): { stream: string; event: Event } => ({ stream, event });

export const observe = (): Declaration => ({ effects: ['observe'], resources: [] });
export const plan = (): Declaration => ({ effects: ['plan'], resources: [] });
