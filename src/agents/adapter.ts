// What an adapter for one agent is: a translation in both directions, and data about the agent. An adapter never decides.

import type { Refusal } from '../protocol/index.ts';

export interface HookAdapter {
  /** The last part of the hook's address and of `countersign hook NAME`. */
  readonly name: string;
  /** As written in records. */
  readonly agent: string;
  /** The name that people use. */
  readonly title: string;
  readonly capabilities: Capabilities;
  /** Its read-only tools: the hook client lets them pass when no daemon is reachable. */
  readonly readTools: readonly string[];
  readonly installed: Installed;
  /** Every file that `countersign init` writes for this agent, hooks and MCP server. */
  readonly wiring: readonly WiredFile[];
  /** A file of the repository with instructions that the agent reads; `init` puts a block into it. Absent: none that `init` writes. */
  readonly instructionsFile?: string;
  /** What the agent demands before it runs hooks; null: nothing. */
  readonly trust: Trust | null;
  /** How its shell commands can be put behind walls of ours; absent: they cannot. */
  readonly wall?: WallSeam;
  /** How the agent puts them behind walls of its own, which settings describe. */
  readonly profile?: WallProfile;
  /** Whether the agent waits for a decision at this event: an unreadable payload is denied there. True for unknown events. */
  readonly decides: (event: string) => boolean;
  /** Native payload to neutral event. Throws a BAD_REQUEST fault for what it cannot read. */
  readonly read: (event: string, payload: unknown) => HookEvent;
  /** The text that the hook prints. One line; an object or nothing at all. */
  readonly write: (event: HookEvent, answer: HookAnswer) => string;
}

/** What the agent's hooks can express. The engine reduces its answers to this, always towards deny. */
export interface Capabilities {
  /** The hook's yes overrides the agent's own permissions. */
  readonly grant: boolean;
  readonly deny: boolean;
  /** The hook can make the agent ask its human, and without a human that means no. False: the hook holds the call open, then denies. */
  readonly ask: boolean;
  readonly rewrite: boolean;
  /** How often in a row the agent can be sent back at the end of a turn before it ends anyway. 0: never. */
  readonly stopBlocks: number;
  /** How the hook client denies by itself in a form that the agent obeys. */
  readonly deniesBy: 'exit-2' | 'answer' | 'throw';
  /** Tool events name the call. False: the adapter makes an id from tool and input, which means the oldest open call with it. */
  readonly toolCallId: boolean;
  /** The field of `_meta` in which its calls over MCP carry the id that its hooks name. Absent: they are joined by tool and input. */
  readonly mcpCallId?: string;
  /** The prompt hook fires on every continuation too, not only for what a human said. */
  readonly promptOnContinuation: boolean;
  /** One process of it, such as an editor, hosts many sessions: a live process does not prove that an agent is working. */
  readonly hostsMany?: true;
  /** Events at which a text reaches the model. */
  readonly context: readonly ('session_start' | 'prompt' | 'before' | 'after' | 'stop')[];
  /** Where the reader's knowledge comes from: payloads of a client that ran, or its documentation only. */
  readonly known: 'recorded' | 'documented';
}

/** A program of ours that the agent starts as its shell. Its text, its rules and its history stay as they are. */
export interface WallSeam {
  /** The command of a tool call in the text that the shell gets; null: the client runs this for itself. */
  readonly commandIn: (line: string) => string | null;
  /** A file that the client reads when the command has ended, where the text names one. */
  readonly readsBack: (line: string) => string | null;
  /** Written by what the client runs for itself before a session begins; below the user's home. */
  readonly startWrites: readonly string[];
  /** In the folder for temporary files: what the client shows to commands. */
  readonly shownInTemp: readonly string[];
  /** The program that these settings name as the agent's shell; null: none. */
  readonly programIn: (settings: unknown) => string | null;
  /** It has to be started with our program in its environment. Absent: its settings name our program. */
  readonly launch?: WallLaunch;
  /** Its commands are replaced by calls of our program, which name a ticket. */
  readonly rewrites?: true;
  /** Its hook reports the shell that it uses. Absent: its settings are read again on each call, by it and by us. */
  readonly reported?: true;
}

/** Places, absolute. The deepest one above a file counts. */
export interface ProfileWalls {
  readonly writable: readonly string[];
  readonly closed: readonly string[];
  readonly hidden: readonly string[];
}

export type WallsInForce = ({ readonly kind: 'walls' } & ProfileWalls) | { readonly kind: 'none'; readonly why: string };

/** Walls of the agent's own. Pure: text in, text out. */
export interface WallProfile {
  /** Of the user, relative to the home. */
  readonly file: string;
  /** Whether these settings have walls for this work tree. */
  readonly isWired: (settings: string, root: string) => boolean;
  /** The settings with these walls for the work tree; null: no such file. */
  readonly write: (settings: string | null, root: string, walls: ProfileWalls) => string | null;
  /** Null: nothing but ours was in it. */
  readonly remove: (settings: string, root: string) => string | null;
  /** What the agent's record of its session says about this call. */
  readonly inForce: (record: string, root: string, callId: string | undefined) => WallsInForce;
}

export interface WallLaunch {
  /** `path`: it takes `bash` from PATH, for hooks and servers too. `bash-env`: its bash reads the file that `BASH_ENV` names. */
  readonly by: 'path' | 'bash-env';
  /** Arguments that it needs for that, before its own. */
  readonly arguments: readonly string[];
  /** The variable that it gives to commands of tools, and to nothing else. */
  readonly mark: string;
  /** The variable that names the session; null: it gives none, and the client's process finds it. */
  readonly session: string | null;
  /** Why a process of it that was started with these words does not take our program; null: it does. Absent: the hook, which it starts the same way, shows it. */
  readonly whyNot?: (words: readonly string[]) => string | null;
}

/** How to detect that an agent is installed on this machine or used in a work tree. Any one is enough. */
export interface Installed {
  /** On PATH. */
  readonly programs: readonly string[];
  /** Files or folders, relative to the user's home. */
  readonly inHome: readonly string[];
  /** Files or folders, relative to the work tree. */
  readonly inWorkspace: readonly string[];
}

export type Json = Record<string, unknown>;

export interface WirePaths {
  /** The small hook client: an absolute path, or the bare name when `optional`. */
  readonly hookClient: string;
  /** The CLI, which serves MCP on stdio; likewise. */
  readonly cli: string;
  /** Null: whatever the machine's own is. */
  readonly home: string | null;
  /** Where bash is. Absent: found on PATH, for files that travel; an agent may be able to put another one there. */
  readonly bash?: string;
  /** The shell that puts commands behind walls. Absent: walls do not work here, or are switched off. */
  readonly wall?: string;
  /** For an agent with walls of its own: the work tree, and where its commands keep temporary files. Absent: as `wall`. */
  readonly profile?: { readonly root: string; readonly temp: string };
  /** The work tree only observes: its hooks stop nothing, even when no daemon is reachable. */
  readonly observe?: true;
  /** For committed files: on a machine without Countersign the agent works as if no hooks were installed. */
  readonly optional?: true;
}

export interface WrittenHooks {
  /** They deny by themselves when the hook client is missing or broken. Earlier versions wrote hooks that did not. */
  readonly failClosed: boolean;
  readonly observe: boolean;
}

/** One file of the agent. Pure: content in, content out; everything that is not ours stays. */
export type WiredFile = {
  /** Relative to the place. */
  readonly file: string;
  readonly place: 'workspace' | 'home';
  readonly holds: readonly ('hooks' | 'mcp')[];
  /** `local`: written by plain init and kept out of git. `shared`: written by `init --shared`. `both`: the same file either way. */
  readonly audience: 'local' | 'shared' | 'both';
  /** How the hooks in it are written; absent: as lines for a shell. */
  readonly written?: (text: string) => WrittenHooks;
} & (
  | {
      readonly form: 'json';
      /** The agent reads comments in it. Where it does not, a file with comments is a file that it ignores, and so are our hooks in it. */
      readonly comments?: true;
      /** It also reads a comma behind the last item. */
      readonly trailingCommas?: true;
      readonly wire: (before: Json, paths: WirePaths) => Json;
      /** An empty object when nothing but ours was in it. */
      readonly unwire: (before: Json) => Json;
      /** The hook that decides is in it (of a file with hooks), or our server is. */
      readonly isWired: (value: unknown) => boolean;
      /** Whether these settings, from whichever file of the agent, switch all hooks off. */
      readonly isSwitchedOffBy: (value: unknown) => boolean;
    }
  | {
      readonly form: 'toml' | 'text';
      /** Null: no such file yet. */
      readonly wire: (before: string | null, paths: WirePaths) => string;
      /** Null: nothing but ours was in it. */
      readonly unwire: (before: string) => string | null;
      readonly isWired: (text: string) => boolean;
      readonly isSwitchedOffBy: (text: string) => boolean;
      /** The agent runs the file itself. */
      readonly executable?: true;
    }
);

export interface Trust {
  /** What a human has to do once, in a sentence. */
  readonly how: string;
  /** Read from the agent's own files. Null: unknown from them; only a recorded hook call proves it. */
  readonly isStored: (look: TrustQuery) => Promise<boolean | null>;
  /** Where `init` can write a human's trust, after showing it. Absent: only the agent itself can ask for it. */
  readonly store?: TrustStore;
}

/** Pure, like the files that are wired. Our part is between marks, one for each work tree. */
export interface TrustStore {
  /** Relative to the user's home. */
  readonly file: string;
  /** Whose hooks are trusted: relative to the work tree. */
  readonly hooksFile: string;
  /**
   * `hooks`: the text of `hooksFile` as it shall be; `hooksBefore`: as it is. `shared`: each user of committed hooks trusts them
   * personally; only existing trust is carried over. What is not ours stays; null: no such file.
   */
  readonly grant: (
    before: string | null,
    trusted: { readonly root: string; readonly hooks: string; readonly hooksBefore?: string | null; readonly shared?: boolean },
  ) => string | null;
  /** Null: nothing but ours was in it. */
  readonly withdraw: (before: string, root: string) => string | null;
}

export interface TrustQuery {
  readonly root: string;
  /** The user's home, not ours. */
  readonly userHome: string;
  readonly paths: WirePaths;
  /** Null when there is none. */
  readonly readText: (file: string) => Promise<string | null>;
}

interface HookBase {
  readonly nativeSession: string;
  readonly cwd: string;
  readonly agentId?: string;
  /** The agent's own plan mode, which only reads. */
  readonly planning: boolean;
  readonly transcript?: string;
  /** Where the payload itself names it. */
  readonly model?: string;
  /** The program that the agent uses as its shell, where it reports one. */
  readonly shell?: string;
  /** The same in every copy of one event, for agents that read several files of hooks and run all they find. */
  readonly copy?: string;
}

export type HookEvent = HookBase &
  (
    | { readonly kind: 'session_start' }
    | { readonly kind: 'prompt'; readonly turn: string | null; /** Null when the agent does not report it. */ readonly text: string | null }
    /** `commands`: of a call that runs several, each by itself. */
    | { readonly kind: 'before'; readonly native: NativeCall; readonly call: TranslatedCall; readonly commands?: readonly string[] }
    | { readonly kind: 'after'; readonly native: NativeCall; readonly output: unknown; readonly failed: boolean }
    /** The agent is about to load changed settings; `file` is the one that changed, where the agent reports it. */
    | { readonly kind: 'settings_change'; readonly file?: string }
    /** `continued`: a hook sent it back before in this turn. */
    | { readonly kind: 'stop'; readonly continued: boolean }
    | { readonly kind: 'session_end'; readonly reason: string }
  );

export interface NativeCall {
  readonly tool: string;
  readonly callId?: string;
}

export type TranslatedCall =
  /** One of the agent's own tools, under its name in the registry. */
  | { readonly kind: 'tool'; readonly tool: string; readonly input: Record<string, unknown> }
  /** A tool of ours that the agent is about to call over MCP: the call itself arrives through MCP. */
  | { readonly kind: 'own'; readonly tool: string; readonly input: Record<string, unknown> };

/** What an answer shows of the record. The hook engine answers only with what the kernel recorded (`HookAnswer<Recorded>`). */
export interface RecordedAnswer {
  readonly outcome:
    | { readonly kind: 'refused' | 'asked'; readonly refusal: Refusal }
    | { readonly kind: 'admitted'; readonly approval: string | null }
    | { readonly kind: 'observed' | 'settled' | 'noted'; readonly refusal: Refusal | null };
}

/** What a person needs who sees only the beginning of a refusal: what waits, and where they answer. */
export interface WaitingCall {
  readonly what: string;
  readonly page: string;
}

export type HookAnswer<R extends RecordedAnswer = RecordedAnswer> =
  /** `waiting`: of a call that a human has yet to answer. `walled`: what the agent runs instead of its commands. */
  | { readonly kind: 'recorded'; readonly recorded: R; readonly waiting?: WaitingCall; readonly walled?: readonly string[] }
  /** Nothing to decide: text for the agent to know, or null. */
  | { readonly kind: 'context'; readonly recorded: R; readonly text: string | null }
  /** The turn is not over yet: what the agent has to do first. */
  | { readonly kind: 'send_back'; readonly recorded: R; readonly reason: string }
  /** A failure before there was an action to record. */
  | { readonly kind: 'trouble'; readonly refusal: Refusal };
