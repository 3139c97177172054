// What the kernel needs from the rest of the house. `app` plugs real rooms in; the kernel imports none of them.

import type {
  Action,
  CommandReading,
  Effect,
  Event,
  FileFact,
  FileSight,
  FileRef,
  Human,
  IntentStatus,
  LedgerRecord,
  Mode,
  Proof,
  Refusal,
  Resource,
  StreamAppend,
  TaskList,
} from '../protocol/index.ts';
import type { Redactor } from './redaction/redactor.ts';
import type { Recall } from './turn.ts';

export interface EventLog {
  append(parts: readonly StreamAppend[], options?: { readonly durable?: boolean }): Promise<readonly LedgerRecord[]>;
  streamSeq(stream: string): number;
  subscribe(listener: (records: readonly LedgerRecord[]) => void): () => void;
  putBlob(bytes: Uint8Array, options?: { readonly durable?: boolean }): Promise<string>;
  getBlob(sha256: string): Promise<Uint8Array | null>;
}

/** An event and the stream that it belongs to; the position is filled in when it is appended. */
export interface StreamEventDraft {
  readonly stream: string;
  readonly event: Event;
}

/** What a tool says about one call before anything is decided. */
export interface ToolCall {
  readonly tool: string;
  /** Parsed: defaults filled in, unknown fields gone. */
  readonly input: Record<string, unknown>;
  readonly effects: readonly Effect[];
  readonly resources: readonly Resource[];
  readonly command: CommandReading | null;
  /** Reads the command again for the place that it would run in: what it writes there, and whether that is outside. */
  readonly readIn?: (place: CommandPlace) => CommandReading;
  /** What the agent says its steps are, where the call is a list of them. */
  readonly steps?: readonly string[];
  /** Null: the agent executes it and the gate observes. */
  readonly run: ((context: RunContext) => Promise<ToolResult>) | null;
}

export interface CommandPlace {
  /** The selected intent's globs; null when none is selected. */
  readonly scope: readonly string[] | null;
  readonly paths: PathSettings;
  /** The network is granted. */
  readonly network: boolean;
}

/** What a human says about derived files and companions, as globs. */
export interface PathSettings {
  readonly derived: readonly string[];
  readonly companions: Readonly<Record<string, readonly string[]>>;
}

export interface ToolResult {
  readonly output: unknown;
  /** Set when the tool itself could not do it; the receipt then says `failed`. */
  readonly refusal?: Refusal;
  /** Changes of the books, written in the same append as the receipt. */
  readonly events?: readonly StreamEventDraft[];
  /** It ran and did not come to a good end; the receipt says so. */
  readonly failed?: true;
  /** Files that it changed beyond those that were named, by real path, as they were before. Present: the tool knows, nobody need look. */
  readonly files?: readonly ChangedFile[];
  /** Makes the result while the session is locked, from how things stand then: what may be done only once is spent here. */
  readonly finish?: (now: RunContext) => ToolResult;
}

export interface ChangedFile {
  readonly path: string;
  readonly before_sha256: string | null;
  /** Where it is not certain that it was this action. */
  readonly attribution?: 'window';
}

/** What a running tool may see and do. Child actions take the whole way through the gate themselves. */
export interface RunContext {
  readonly action: Action;
  /** The files that the decision was about, as it saw them. */
  readonly judged: readonly FileFact[];
  /** The receipt that this action will get. */
  readonly receiptId: string;
  readonly session: SessionView;
  readonly intents: readonly IntentView[];
  readonly settings: Settings;
  /** The human's answer that let this action pass, and the intent that was cited when they were asked; null when nobody was. */
  readonly answer: {
    readonly approval: string;
    readonly human: Human;
    readonly text: string | null;
    readonly intent: string | null;
  } | null;
  /** Tasks of this work tree that a human confirmed. */
  readonly confirmedTasks: ReadonlySet<string>;
  /** What was changed last for an intent, newest first. */
  readonly recentChanges: (intent: string, limit: number) => readonly ChangeView[];
  /** When this workspace was last changed through the gate. */
  readonly lastChange: string | null;
  /** The checklist of this turn; null when nothing was changed in it. */
  readonly checklist: (list: 'none' | 'open' | 'done') => readonly ChecklistItem[] | null;
  /** A short seal over a text, by a key that only the daemon holds. */
  readonly seal: (text: string) => string;
  /** This session's questions to humans that are still of use. */
  readonly questions: readonly QuestionView[];
  readonly nextIntentId: () => string;
  readonly child: (
    tool: string,
    input: Record<string, unknown>,
  ) => Promise<{ output: unknown; refusal: Refusal | null; receiptId: string | null }>;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  /** Tells whoever waits what is going on. */
  readonly report: (text: string) => void;
}

export interface SessionView {
  readonly id: string;
  readonly workspace: string;
  /** `observing`: verdicts about it stop nothing. */
  readonly level: 'observing' | 'hooked' | 'advisory';
  readonly mode: Mode | null;
  readonly intent: string | null;
  readonly turn: string;
  readonly recall: Recall | null;
  readonly steps: readonly string[];
  /** Since the current task became current. */
  readonly work: { readonly receipts: readonly string[]; readonly actions: number };
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

export interface ToolPort {
  /** Throws a BAD_REQUEST fault when the input does not fit. A tool it does not know is declared as able to do anything. */
  describe(tool: string, input: Record<string, unknown>, place: { readonly root: string; readonly cwd: string }): ToolCall;
}

/** A human's settings for a work tree. */
export interface Settings {
  readonly minimumMode: Mode | null;
  readonly pinnedMode: 'PASSIVE' | null;
  readonly approvalTtlSeconds: number;
  readonly paths: PathSettings;
  /** Commands may use the network. */
  readonly network: boolean;
  /** Patterns of commands that STRICT does not ask about. */
  readonly allowedCommands: readonly string[];
  /** What a human has to be proven by at least who approves what cannot be undone; null: as enrolled. */
  readonly destructiveProof: Proof | null;
}

export interface WorkspacePort {
  /** Throws a DOCUMENT_INVALID fault when a human's file cannot be read. */
  settings(root: string): Promise<Settings>;
  /**
   * The list of tasks that holds for an intent, or null. Throws a DOCUMENT_INVALID fault when that file, or the one with the
   * intents, cannot be read.
   */
  tasks(root: string, intent: { readonly id: string; readonly name: string } | null): Promise<TaskList | null>;
  /** Where the files really are and what they hold now. `scope` is the selected intent's. */
  look(input: {
    readonly root: string;
    readonly cwd: string;
    readonly resources: readonly Resource[];
    readonly scope: readonly string[] | null;
    readonly paths: PathSettings;
  }): Promise<Sighting>;
  /** What became of files that `look` saw. */
  compare(root: string, before: readonly FileSight[], images: ImageStore): Promise<FileRef[]>;
  /** Keeps what the files of a scope hold now: a command may change any of them. */
  keepImages(root: string, scope: readonly string[], images: ImageStore): Promise<void>;
  /**
   * Files that changed since the last look while only this action could have done it, and that the scope covers; as they were
   * before. What else changed goes on the record as untracked.
   */
  changedBy(action: Action, scope: readonly string[]): Promise<readonly FileSight[]>;
  /** What changed in a file since somebody saw it, in words; null when that cannot be told. */
  diffSince(root: string, path: string, seen: string, images: ImageStore): Promise<string | null>;
  covers(scope: readonly string[], files: readonly FileSight[]): boolean;
  revision(root: string): Promise<string | null>;
}

/** Contents of files by their hash. */
export type ImageStore = Pick<EventLog, 'putBlob' | 'getBlob'>;

export interface Sighting {
  readonly files: readonly FileSight[];
  /** Contents before the action, by their hash, kept so that the change can be told line by line afterwards. */
  readonly preImages: readonly Uint8Array[];
}

export interface KernelPorts {
  readonly log: EventLog;
  readonly tools: ToolPort;
  readonly workspace: WorkspacePort;
  readonly seal: (text: string) => string;
  /** Takes secrets out of whatever is recorded. */
  readonly redactor: Redactor;
  readonly now: () => Date;
}
