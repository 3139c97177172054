// What the kernel needs from the other rooms. `app` connects the real ones; the kernel imports none of them.

import type {
  Action,
  ChecksAtStop,
  FileRef,
  FileObservation,
  ImageStore,
  LedgerRecord,
  Mode,
  PathSettings,
  Proof,
  Resource,
  StreamAppend,
  Task,
  TaskList,
  ToolRegistry,
} from '../protocol/index.ts';
import type { WallPort } from './command-walls.ts';
import type { SenderPorts } from './event-sender.ts';
import type { EvidenceReader } from './plan-facts.ts';
import type { Redactor } from './redaction/redactor.ts';
import type { SymbolReader } from './touched-symbols.ts';

export interface EventLog {
  /** Other kernels append here too. */
  readonly isShared?: boolean;
  append(parts: readonly StreamAppend[], options?: { readonly durable?: boolean }): Promise<readonly LedgerRecord[]>;
  /** A stream's last position in the store. State may not have folded as much yet. */
  positions(streams: readonly string[]): Promise<ReadonlyMap<string, number>>;
  subscribe(listener: (records: readonly LedgerRecord[]) => void): () => void;
  putBlob(bytes: Uint8Array, options?: { readonly durable?: boolean }): Promise<string>;
  getBlob(sha256: string): Promise<Uint8Array | null>;
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
  /** The least proof for approving what cannot be undone; null: as enrolled. */
  readonly destructiveProof: Proof | null;
}

export interface WorkspacePort {
  /** Throws a DOCUMENT_INVALID fault when a human's file cannot be read. */
  settings(root: string): Promise<Settings>;
  /** Throws a DOCUMENT_INVALID fault when the file with the intents cannot be read. */
  checkIntents(root: string): Promise<void>;
  /**
   * The list of tasks of an intent, or null. Throws a DOCUMENT_INVALID fault when that file, or the one with the
   * intents, cannot be read.
   */
  tasks(root: string, intent: { readonly id: string; readonly name: string } | null): Promise<TaskList | null>;
  /** All tasks of all lists. Throws like `tasks`. */
  allTasks(root: string): Promise<readonly Task[]>;
  /** Where the files really are and what they hold now. `scope` is the selected intent's. */
  observe(input: {
    readonly root: string;
    readonly cwd: string;
    readonly resources: readonly Resource[];
    readonly scope: readonly string[] | null;
    readonly paths: PathSettings;
  }): Promise<Observed>;
  /** The outcome for the files that `observe` saw. */
  compare(root: string, before: readonly FileObservation[], images: ImageStore): Promise<FileRef[]>;
  /** Keeps what the files of a scope hold now: a command may change any of them. */
  keepImages(root: string, scope: readonly string[], images: ImageStore): Promise<void>;
  /**
   * Files that changed since the last scan while only this action could have done it, and that the scope covers; as they were
   * before. Other changes are recorded as untracked.
   */
  changedBy(action: Action, scope: readonly string[]): Promise<readonly FileObservation[]>;
  /** What changed in a file since a session saw it, in words; null when that is unknown. */
  diffSince(root: string, path: string, seen: string, images: ImageStore): Promise<string | null>;
  covers(scope: readonly string[], files: readonly FileObservation[]): boolean;
  revision(root: string): Promise<string | null>;
}

export interface Observed {
  readonly files: readonly FileObservation[];
  /** Contents before the action, by their hash, kept so that the change can be described line by line afterwards. */
  readonly preImages: readonly Uint8Array[];
}

/** What other rooms do as turns begin and end. */
export interface TurnPorts extends ChecksAtStop {
  /**
   * Reads what humans wrote into the intents file and the settings. `inSession`: an agent's session is open, so the agent may have
   * written it. A file that cannot be read changes nothing.
   */
  readonly syncDocuments: (root: string, inSession: boolean) => Promise<void>;
  /** The same before every action, where a file has changed since: whatever its door reports, no action is judged by what a file said before. */
  readonly noticeEdits: (root: string) => Promise<void>;
  /**
   * Compares the tree with the receipts, within the time that a hook has. Answers with what this session may have changed without
   * the gate in this turn, in words for the agent; null when there is nothing.
   */
  readonly reconcile: (where: {
    readonly root: string;
    readonly session: string;
    readonly how: 'whole' | 'quick';
  }) => Promise<string | null>;
  readonly senders: SenderPorts;
  readonly walls: WallPort;
}

export interface KernelPorts {
  readonly log: EventLog;
  readonly tools: Pick<ToolRegistry, 'describeCall'>;
  readonly workspace: WorkspacePort;
  readonly turns: TurnPorts;
  /** What a file declares, with the lines of each definition; nothing for a language that is not known. */
  readonly symbolsOf: SymbolReader;
  readonly staleIn: EvidenceReader;
  readonly seal: (text: string) => string;
  /** Removes secrets from everything that is recorded. */
  readonly redactor: Redactor;
  readonly now: () => Date;
}
