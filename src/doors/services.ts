// What doors need beside the kernel. `app` provides it; a door never reads files, processes or settings by itself.

import type { CallerJudgement, GivenSignature, Kernel, Recorded, Reporter } from '../kernel/index.ts';
import type {
  Ask,
  CheckName,
  Citation,
  Claim,
  GraphExportView,
  GraphSyncView,
  MemoryRow,
  Mode,
  ModeDial,
  QualityReport,
  StreamEvent,
  ToolRegistry,
} from '../protocol/index.ts';

/**
 * Logins of the page. A code is shown on a human's terminal, counts once and for a short time. It buys a cookie, which lets a
 * browser look, and a page token, without which nothing is decided: browsers send a cookie to every port of this machine, and an
 * agent may well serve a page on one of them.
 */
export interface Logins {
  readonly issueCode: () => string;
  readonly exchange: (code: string) => Promise<{ readonly cookie: string; readonly pageToken: string } | null>;
  readonly mayLook: (cookie: string) => boolean;
  readonly mayDecide: (cookie: string, pageToken: string) => boolean;
}

/** A connection over loopback, as this side sees it. */
export interface Loopback {
  readonly localPort: number;
  readonly remotePort: number;
}

export interface DoorServices {
  readonly kernel: Kernel;
  readonly ask: Ask;
  readonly version: string;
  /** The workspace and work tree that a folder belongs to. */
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
  /** The agent's process, as a hook names it. Null: it does not hold the other end of this connection, by a child of its own. */
  readonly reporterOf: (parent: number, connection: Loopback | null) => Promise<Reporter | null>;
  /** The same for an MCP pipe, which proves which process it is: see `challengeProcess`. */
  readonly pipeReporter: (pid: number, proof: string) => Promise<Reporter | null>;
  /** Whether an event that this process reports counts as the session's own. */
  readonly maySpeakFor: (session: string, reporter: Reporter | null) => boolean;
  /** Whether this process may have been started by an agent that is about; null: nobody knows which process it is. */
  readonly isAgents: (reporter: Reporter | null) => boolean;
  /** The human's minimum mode for a work tree; null when none is set or the settings cannot be read. */
  readonly minimumMode: (root: string) => Promise<Mode | null>;
  /**
   * Looks at what humans wrote into the intents file and the settings, before an agent's session begins and while it goes on
   * (`inSession`); a file that cannot be read changes nothing.
   */
  readonly lookAtDocuments: (root: string, inSession: boolean) => Promise<void>;
  /** A file's JSON; null when there is none or it is none. */
  readonly readJsonFile: (file: string) => Promise<unknown>;
  /** The model that an agent's transcript names last; null when it does not. */
  readonly modelInTranscript: (path: string) => Promise<string | null>;
  readonly tools: ToolRegistry;
  /** Rows as they change. */
  readonly subscribe: (listener: (event: StreamEvent) => void) => () => void;
  /** Who is at the other end of the owner's socket: `pid` is the caller's word, `proof` shows that it holds that pid. */
  readonly judgeProcess: (pid: number, proof: string) => Promise<CallerJudgement>;
  readonly logins: Logins;
  /** Where a human finds the page. */
  readonly pageAddress: () => string;
  /** What the paths of `countersign intent TITLE PATH…` mean as globs. */
  readonly scopeOf: (root: string, cwd: string, paths: readonly string[]) => Promise<string[]>;
  /** Makes the index of the record anew; resolves with the number of records. */
  readonly reindex: () => Promise<number>;
  /** Ends the daemon once the answer is out. */
  readonly stop: () => void;
  /** Something that only the process that opens it can show to be its own; see `judgeProcess`. */
  readonly challengeProcess: () => Promise<{ readonly proof: string; readonly open: string }>;
  readonly humanWork: HumanWork;
  /**
   * Compares the tree with the receipts, within the time that a hook has. Answers with what this session may have changed past the
   * gate in this turn, in words for the agent; null when there is nothing.
   */
  readonly reconcile: (where: {
    readonly root: string;
    readonly session: string;
    readonly how: 'whole' | 'quick';
  }) => Promise<string | null>;
  /**
   * Runs the workspace's checks at the end of a turn that changed something. `sendBack` is for the agent, which goes on: at most once
   * a turn. `note` is for whoever reads along. Null when there is nothing to say.
   */
  readonly checkAtStop: (where: {
    readonly root: string;
    readonly session: string;
    readonly withinMs: number;
    /** False when the agent was sent back already, by whomever. */
    readonly maySendBack: boolean;
  }) => Promise<{ readonly sendBack: string | null; readonly note: string | null } | null>;
  /** What the agent was not sent back for and should know with its next prompt; told once. */
  readonly leftByChecks: (session: string) => string | null;
  /** The checks, run for a human; null: all. */
  readonly validateAll: (cwd: string, checks: readonly CheckName[] | null) => Promise<QualityReport>;
  readonly graphWork: GraphWork;
}

/** What is done to the graph of the work tree that a folder is in. */
export interface GraphWork {
  /** Makes it anew from seeds, code and memory. */
  readonly sync: (cwd: string) => Promise<GraphSyncView>;
  /** How that went; starts none. */
  readonly lastSync: (cwd: string) => Promise<GraphSyncView>;
  /** Writes what it says otherwise than the seeds to `.ai/graph/out`. */
  readonly export: (cwd: string) => Promise<GraphExportView>;
}

/** A human's commands that need more rooms than a door may enter. From anybody else each is refused, on the record. */
export interface HumanWork {
  /** What is left out of the wish stays as it is. */
  readonly limitMode: (caller: CallerJudgement, wish: { cwd: string; intent: string | null } & Partial<ModeDial>) => Promise<Recorded>;
  /** Whether verdicts only go on the record in this workspace. */
  readonly setObserving: (caller: CallerJudgement, wish: { cwd: string; observing: boolean }) => Promise<Recorded>;
  /** Every unchecked task of the list of `intent`; null: of all lists. */
  readonly confirmTasks: (caller: CallerJudgement, wish: { cwd: string; intent: string | null }) => Promise<Recorded>;
  readonly addMemory: (caller: CallerJudgement, wish: MemoryWish) => Promise<Recorded>;
  /** The memory that says this now. */
  readonly findMemory: (wish: MemoryWish) => Promise<MemoryRow | undefined>;
  readonly approveMemory: (caller: CallerJudgement, wish: { cwd: string; id: string }) => Promise<Recorded>;
  readonly retireMemory: (caller: CallerJudgement, wish: { cwd: string; id: string; reason: string }) => Promise<Recorded>;
  /** The output says how many were kept, merged and weakened. */
  readonly importMemory: (caller: CallerJudgement, wish: { cwd: string; file: string }) => Promise<Recorded>;
  /** Takes over rules and plans from a foreign file, or shows what that would come to. The output is an `ImportView`. */
  readonly importDrafts: (caller: CallerJudgement, wish: ImportWish) => Promise<Recorded>;
  /** Takes back what agents did to files, or shows what that would come to. The output is an `UndoView`. */
  readonly undo: (caller: CallerJudgement, wish: UndoWish) => Promise<Recorded>;
  /** The output holds the text. */
  readonly exportMemory: (caller: CallerJudgement, wish: { cwd: string }) => Promise<Recorded>;
  /** An edit of an intent that waits: taken over, or put back in the file. `sha256`: of the text that was shown. */
  readonly settleEdit: (
    caller: CallerJudgement,
    wish: { cwd: string; id: string; take: boolean; sha256: string | null } & SignedWish,
  ) => Promise<Recorded>;
  /** The settings say less than before, and a human wants that. */
  readonly confirmDial: (caller: CallerJudgement, wish: { cwd: string; sha256: string | null }) => Promise<Recorded>;
  /** The gate stops nobody until then. */
  readonly pause: (caller: CallerJudgement, wish: { cwd: string; seconds: number; reason: string } & SignedWish) => Promise<Recorded>;
  readonly endPause: (caller: CallerJudgement, wish: { cwd: string }) => Promise<Recorded>;
  /** A human has seen these changes, which no receipt explains. */
  readonly acknowledge: (
    caller: CallerJudgement,
    wish: { cwd: string; files: { path: string; after_sha256: string | null }[] } & SignedWish,
  ) => Promise<Recorded>;
}
export interface SignedWish {
  readonly signed: GivenSignature | null;
}
/** What is to be taken back. Null: of the session that was heard of last. A session's sub-agents belong to it. */
export type UndoTarget =
  | { readonly action: string }
  | { readonly turn: string | null }
  | { readonly session: string | null }
  | { readonly intent: string };
export interface UndoWish {
  readonly cwd: string;
  readonly target: UndoTarget;
  readonly dry_run: boolean;
  /** The plan that was shown: nothing else is done. Null: whatever it comes to now. */
  readonly plan: string | null;
}
export interface UndoView {
  readonly target: string;
  readonly plan: string;
  readonly files: readonly {
    readonly path: string;
    /** `merged`: what happened to the file since stays in it. */
    readonly change: 'restored' | 'removed' | 'changed' | 'merged';
    readonly before_sha256: string | null;
    readonly after_sha256: string | null;
    readonly diff: string;
  }[];
  readonly kept: readonly { readonly path: string; readonly why: string }[];
  /** False for a preview. */
  readonly done: boolean;
}
export interface MemoryWish extends Pick<Claim, 'kind' | 'statement' | 'rationale' | 'scope'> {
  readonly cwd: string;
  readonly citations: readonly Omit<Citation, 'sha256'>[];
}

export interface ImportWish {
  readonly cwd: string;
  readonly file: string;
  /** Null: told from the file. */
  readonly as: 'github' | 'jira' | 'linear' | 'spec-kit' | 'rules' | null;
  /** What the intents may change; empty: what their text names. */
  readonly paths: readonly string[];
  /** Also what is closed. */
  readonly all: boolean;
  readonly dry_run: boolean;
  /** Of the view that the human has seen; null: none. */
  readonly plan: string | null;
}

export interface ImportView {
  readonly dry_run: boolean;
  readonly kind: string;
  readonly intents: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly source: string;
    readonly owned_scope: readonly string[];
    readonly state: 'new' | 'known' | 'no paths';
  }[];
  readonly rules: readonly {
    readonly id: string | null;
    readonly statement: string;
    readonly line: number;
    readonly state: 'new' | 'known';
  }[];
  /** Patterns of commands to allow: proposed, until a human puts each in force. */
  readonly command_rules: readonly {
    readonly id: string | null;
    readonly pattern: string;
    readonly line: number;
    readonly state: 'new' | 'known';
  }[];
  readonly plan: string;
}
