// What a tool is: a name, a schema, what a call would do, and, if the gate executes it, how. One file a tool.
// The shape of a call, of its context and of its result is the kernel's port; rooms below the kernel restate it in types only.

import type { z } from 'zod';
import type { Memory } from '../memory/index.ts';
import type {
  Action,
  CheckName,
  CommandReading,
  Effect,
  Event,
  FileFact,
  Human,
  Intent,
  Mode,
  QualityReport,
  Refusal,
  RefusalCode,
  Remedy,
  Resource,
} from '../protocol/index.ts';
import { CODES } from '../protocol/index.ts';
import type { PathConfig } from '../workspace/index.ts';

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
  /** Reads the command again for the place that it would run in. */
  readonly readIn?: (place: {
    readonly scope: readonly string[] | null;
    readonly paths: { readonly derived: readonly string[]; readonly companions: Readonly<Record<string, readonly string[]>> };
    readonly network: boolean;
  }) => CommandReading;
  /** What the agent says its steps are, where the call is a list of them. */
  readonly steps?: readonly string[];
}

export interface Result {
  readonly output: unknown;
  readonly refusal?: Refusal;
  readonly events?: readonly { readonly stream: string; readonly event: Event }[];
  /** It ran and did not come to a good end; the receipt says so. */
  readonly failed?: true;
  /** Files that it changed beyond those that were named, by real path, as they were before; they go on the receipt like an edit's. */
  readonly files?: readonly ChangedFile[];
  /** Makes the result while the session is locked: what may be done only once is spent here. */
  readonly finish?: (now: Context) => Result;
}

export interface ChangedFile {
  readonly path: string;
  readonly before_sha256: string | null;
  /** Where the gate is not sure that it was this action. */
  readonly attribution?: 'window';
}

export interface Context {
  readonly action: Action;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  /** Tells whoever waits what is going on. */
  readonly report: (text: string) => void;
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
    readonly recall: {
      readonly at: string;
      readonly turn: string;
      readonly found: number;
      readonly how: 'asked' | 'injected';
      readonly stampable: boolean;
    } | null;
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
  /** What a human says about derived files and companions. */
  readonly pathsOf: (root: string) => Promise<PathConfig>;
  /** Runs a command that the gate has admitted, in the work tree, and tells what it wrote there. */
  readonly runCommand: (order: CommandOrder) => Promise<CommandEnd>;
  readonly quality: QualityPort;
}

/** The workspace's own checks. */
export interface QualityPort {
  /** Runs them on a copy of the tree, and takes over what a formatter made of the session's own changes. */
  readonly validate: (wish: {
    readonly action: Action;
    /** Null: all. */
    readonly checks: readonly CheckName[] | null;
  }) => Promise<QualityReport>;
  /** What a formatter made, by its hash. */
  readonly contentOf: (sha256: string) => Promise<Uint8Array | null>;
}

export interface CommandOrder {
  readonly command: string;
  readonly root: string;
  readonly cwd?: string;
  readonly timeoutMs?: number | undefined;
  /** The globs that it may change; what else it changes is taken back. Null: it only looks. */
  readonly scope: readonly string[] | null;
  /** The action that it belongs to, which answers for what it may write until its receipt is there; null: it belongs to none. */
  readonly action: string | null;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
}

interface WrittenFile {
  readonly path: string;
  readonly change: 'created' | 'changed' | 'deleted';
}

export interface CommandEnd {
  /** Null when it was stopped. */
  readonly exitCode: number | null;
  readonly stopped: 'time' | 'memory' | 'processes' | 'cancelled' | null;
  readonly output: string;
  /** Bytes of the output that were left out. */
  readonly truncated: number;
  readonly sandbox: 'bubblewrap' | 'none';
  readonly changed: readonly (WrittenFile & { readonly before_sha256: string | null })[];
  readonly rolled_back: readonly (WrittenFile & { readonly why: string })[];
  /** Changed while it ran, and neither kept as its work nor taken back. */
  readonly left: readonly (WrittenFile & { readonly why: string })[];
  /** Derived files that it made or changed. */
  readonly derived: number;
  /** The tree is too large to tell what changed. */
  readonly unseen?: true;
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
