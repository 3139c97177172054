// The tool contract, stated once: what a tool says about itself, what one call of it would do, what it may see while it runs, and what
// it returns. Our own tools, packs and tools of other servers implement it; the kernel judges and runs calls by it; doors offer by it.
// INVARIANT: an input is parsed once, by `describe`. What is declared, judged, recorded and run is that parsed value.

import type { z } from 'zod';
import type { Action, Effect, Mode, Resource } from './action.ts';
import { Fault } from './codes.ts';
import type { SessionLevel } from './doors.ts';
import type { Event } from './events.ts';
import type { CommandReading, FileFact } from './facts.ts';
import type { Human, IntentStatus } from './intent.ts';
import type { Receipt } from './receipt.ts';
import type { EditedTask, Task } from './tasks.ts';
import type { Surface } from './surfaces.ts';
import type { Refusal } from './verdict.ts';
import type { Collision, WorkView } from './work.ts';

/** What an agent is shown of a tool. */
export interface OfferedTool {
  readonly name: string;
  /** For the agent that reads the list of tools. */
  readonly description: string;
  readonly input: z.ZodType;
  /** What a call that is not refused answers. */
  readonly output?: z.ZodType;
  /** Every call of it is an observation. */
  readonly readOnly?: true;
  /** Called again with the same input it has the same result. */
  readonly idempotent?: true;
}

/** A tool as the registry holds it. `makeTool` makes one. */
export interface Tool extends OfferedTool {
  /** MCP surfaces that offer it; none: only doors that translate, and other tools, call it. */
  readonly surfaces: readonly Surface[];
  /** `agent`: agents execute it by themselves, under their own name for it. */
  readonly executedBy: 'gate' | 'agent';
  /** Parses the input and says what the call would do. Throws an `InvalidCall` when the input is invalid. */
  readonly describe: (input: Record<string, unknown>, place: CallPlace) => ToolCall;
}

export type ToolInput = z.ZodType<Record<string, unknown>>;

/** A tool as its author writes it. */
export interface ToolSpec<S extends ToolInput> extends OfferedTool {
  readonly input: S;
  /** What it really takes, where it answers also a call that does not fit `input`. */
  readonly reads?: ToolInput;
  readonly declare: (input: z.output<S>, place: CallPlace) => Declaration;
  /** Absent: agents execute it. */
  readonly run?: (input: z.output<S>, context: RunContext) => Promise<ToolResult>;
  readonly surfaces: readonly Surface[];
}

export function makeTool<S extends ToolInput>({ declare, run, reads, ...offered }: ToolSpec<S>): Tool {
  return {
    ...offered,
    executedBy: run ? 'gate' : 'agent',
    describe: (raw, place) => {
      const parsed = (reads ?? offered.input).safeParse(raw);
      if (!parsed.success) throw new InvalidCall(offered.name, parsed.error.issues);
      const input = parsed.data as z.output<S>;
      return {
        command: null,
        ...declare(input, place),
        tool: offered.name,
        input,
        run: run ? (context) => run(input, context) : null,
      };
    },
  };
}

const MAX_ISSUES = 5;

/** The arguments of a call do not match the tool's schema; the message lists what is wrong. */
export class InvalidCall extends Fault {
  constructor(tool: string, issues: readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[]) {
    const shown = issues.slice(0, MAX_ISSUES).map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message));
    super('BAD_REQUEST', `The arguments of ${tool} do not fit. ${shown.join('; ')}`, {
      fix: `Call ${tool} again with arguments that fit its schema`,
    });
  }
}

/** Tools that come and go together. */
export interface ToolPack {
  readonly name: string;
  readonly tools: readonly Tool[];
}

/** The one set of tools of a daemon, for the kernel and for all doors. */
export interface ToolRegistry {
  readonly toolsOn: (surface: Surface) => readonly OfferedTool[];
  /** What one call would do. A tool that is not registered is declared as able to do anything. */
  readonly describeCall: (request: CallRequest) => ToolCall;
  /** Registers all tools of the pack, or throws a BAD_REQUEST fault and registers none. Returns a function that removes them again. */
  readonly add: (pack: ToolPack) => () => void;
  /** Called after tools were added or removed. Returns a function that unsubscribes. */
  readonly onChange: (listener: () => void) => () => void;
}

export interface CallRequest {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly place: CallPlace;
}

/** Where a call is made: a relative path means the same when it is judged and when it runs. */
export interface CallPlace {
  readonly root: string;
  readonly cwd: string;
}

/** What a tool says about one call, derived from the parsed input only. */
export interface Declaration {
  readonly effects: readonly Effect[];
  readonly resources: readonly Resource[];
  readonly command?: CommandReading | null;
  /** Reads the command again for the place that it would run in: what it writes there, and whether that is outside. */
  readonly readIn?: (place: CommandPlace) => CommandReading;
  /** What the agent says its steps are, where the call is a list of them. */
  readonly steps?: readonly string[];
  /** What a file would hold after the call; null: it is gone. Throws, or absent: that is not known. */
  readonly leaves?: (path: string, before: string | null) => string | null;
  /** Of several calls of one session, one at a time: what one counts must not be counted by another at the same moment. */
  readonly oneAtATime?: true;
  /** Work begins or is stamped with it. Where no prompts are reported, the tree is compared with the receipts before it runs. */
  readonly marksTurn?: true;
  /** A turn ends with it where the agent reports no stop: the workspace's checks run before it. */
  readonly endsTurn?: true;
}

export interface CommandPlace {
  /** The selected intent's globs; null when none is selected. */
  readonly scope: readonly string[] | null;
  readonly paths: PathSettings;
  /** The network is granted. */
  readonly network: boolean;
}

/** A human's settings for derived files and companions, as globs. */
export interface PathSettings {
  /** Git tracks it. Absent: not known. */
  readonly isTracked?: (path: string) => boolean;
  readonly hasTrackedBelow?: (folder: string) => boolean;
  readonly derived: readonly string[];
  readonly companions: Readonly<Record<string, readonly string[]>>;
}

/** One call, parsed and declared, before anything is decided. */
export interface ToolCall extends Declaration {
  /** Why an agent would run it without walls although a human requires them; absent: it would not, or they are not required. */
  readonly wallsMissing?: string;
  readonly tool: string;
  /** Parsed: defaults filled in, unknown fields gone. */
  readonly input: Record<string, unknown>;
  readonly command: CommandReading | null;
  /** Null: the agent executes it and the gate observes. */
  readonly run: ((context: RunContext) => Promise<ToolResult>) | null;
}

export interface ToolResult {
  readonly output: unknown;
  /** Set when the tool itself could not do it; the receipt then says `failed`. */
  readonly refusal?: Refusal;
  /** Further events, written in the same append as the receipt. */
  readonly events?: readonly StreamEventDraft[];
  /** It ran and failed; the receipt then says `failed`. */
  readonly failed?: true;
  /** Files that it changed beyond those that were named, by real path, as they were before. Present: the gate need not look for them. */
  readonly files?: readonly ChangedFile[];
  /** Files that it read, for its receipt. */
  readonly reads?: Receipt['reads'];
  /** Makes the result while the session is locked, from the state at that time: what may be done only once is spent here. */
  readonly finish?: (now: RunContext) => ToolResult;
}

/** An event and the stream that it belongs to; the position is filled in when it is appended. */
export interface StreamEventDraft {
  readonly stream: string;
  readonly event: Event;
}

export interface ChangedFile {
  readonly path: string;
  readonly before_sha256: string | null;
  /** Where it is not certain that it was this action. */
  readonly attribution?: 'window';
}

/** What a running tool may see and do. Child actions go through the whole gate themselves. */
export interface RunContext {
  readonly action: Action;
  readonly place: JudgedPlace;
  /** The receipt that this action will get. */
  readonly receiptId: string;
  readonly session: SessionView;
  readonly intents: readonly IntentView[];
  readonly settings: { readonly minimumMode: Mode | null; readonly pinnedMode: 'PASSIVE' | null };
  /** Why the files of humans cannot be read, with the line: what they take away is not known then. */
  readonly faults: () => Promise<{ readonly intents: Fault | null; readonly settings: Fault | null }>;
  /** The human's answer that let this action pass, and the intent that was cited when they were asked; null when no human was asked. */
  readonly answer: {
    readonly approval: string;
    readonly human: Human;
    readonly text: string | null;
    readonly intent: string | null;
  } | null;
  /** Tasks of this work tree that a human confirmed. */
  readonly confirmedTasks: ReadonlySet<string>;
  /** The last task of the cited intent's list was completed in this turn: what is next is for the user to say. */
  readonly tasksFinishedNow: boolean;
  /** Of these, the tasks of all lists: checked or removed past the task tools. */
  readonly editedTasks: (tasks: readonly Task[]) => readonly EditedTask[];
  /** What was changed last for an intent, newest first. */
  readonly recentChanges: (intent: string, limit: number) => readonly ChangeView[];
  /** When this workspace was last changed through the gate. */
  readonly lastChange: string | null;
  /** The checklist of this turn; null when nothing was changed in it. */
  readonly checklist: (list: 'none' | 'open' | 'done') => readonly ChecklistItem[] | null;
  /** A short seal over a text, by a key that only the daemon holds. */
  readonly seal: (text: string) => string;
  /** The intent that is cited at this moment, also while the tool runs. */
  readonly intentNow: () => string | null;
  /** This session's last actions with what each read, oldest first. */
  readonly recent: () => readonly { readonly action: string; readonly reads: NonNullable<Receipt['reads']> }[];
  /** The session's work as it is at this moment, also while the tool runs; null: it has none. */
  readonly work: () => WorkView | null;
  /** Who else has reserved what a node of its plan touches; null: it is free. */
  readonly collisionOf: (nodeId: string) => Collision | null;
  /** Another piece of work of the workspace, by its id; null: there is none. */
  readonly workNamed: (workId: string) => WorkView | null;
  /** This session's questions to humans that still matter. */
  readonly questions: readonly QuestionView[];
  readonly nextIntentId: () => string;
  readonly child: (
    tool: string,
    input: Record<string, unknown>,
    /** Without it, a child that needs a human waits like its parent would. `last`: its parent ends with it, so their records are one append. */
    options?: { readonly wait: false; readonly last?: true },
  ) => Promise<{ output: unknown; refusal: Refusal | null; receiptId: string | null }>;
  /** Aborted when the caller has gone away. */
  readonly signal: AbortSignal;
  /** Progress, for the caller that waits. */
  readonly report: (text: string) => void;
}

/** Where the call was judged, with the files that the decision was about, as it saw them. */
export interface JudgedPlace extends CallPlace {
  readonly judged: readonly Pick<FileFact, 'path' | 'access' | 'real' | 'sha256'>[];
}

export interface SessionView {
  readonly id: string;
  readonly workspace: string;
  /** `observing`: verdicts about it stop nothing. */
  readonly level: 'observing' | SessionLevel;
  readonly mode: Mode | null;
  readonly intent: string | null;
  readonly turn: string;
  readonly recall: RecallView | null;
  readonly steps: readonly string[];
  /** Since the current task became current. */
  readonly work: { readonly receipts: readonly string[]; readonly actions: number };
}

export interface RecallView {
  readonly at: string;
  readonly turn: string;
  readonly how: 'asked' | 'injected';
  readonly found: number;
  /** Can be used for one stamp, until it is spent. */
  readonly stampable: boolean;
}

export interface ChangeView {
  readonly at: string;
  readonly agent: string;
  readonly tool: string;
  readonly paths: readonly string[];
  readonly receipt: string;
}

export interface ChecklistItem {
  readonly rule: 'R1' | 'R2' | 'R3' | 'R4' | 'R5';
  readonly ok: boolean;
  readonly note: string;
}

export interface IntentView {
  readonly id: string;
  readonly name: string;
  readonly status: IntentStatus;
  readonly owned_scope: readonly string[];
  readonly constraints: readonly string[];
  readonly acceptance_criteria: readonly string[];
}

export interface QuestionView {
  readonly id: string;
  readonly tool: string;
  readonly state: string;
  readonly reason: string | null;
  readonly expires_at: string;
}
