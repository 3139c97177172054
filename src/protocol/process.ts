// Processes as the operating system describes them, and what confines the ones that the gate starts.

export type SandboxKind = 'bubblewrap' | 'none';

export interface ProcessLink {
  readonly pid: number;
  readonly started: string;
}

/** The caller's line of descent, from the calling process up, as the operating system reports it. */
export interface Descent {
  readonly chain: readonly ProcessLink[];
  /** It has a controlling terminal. */
  readonly terminal: boolean;
  /** The chain reaches the terminal session's leader: no process in between was re-parented. */
  readonly unbroken: boolean;
  /** The uppermost process below the system's first one; null: not known. */
  readonly top: TopProcess | null;
  /** It has a variable in its environment that an agent gives its commands. */
  readonly marked: boolean;
}

export interface TopProcess {
  readonly startedAtMs: number;
  /**
   * `outside`: it was started from outside this pid namespace. `login`: a login program of root's is above it, and it is not a connection from
   * this machine. `multiplexer`: it serves terminals to clients, such as tmux. `later`: a program started it that runs what was left with it,
   * such as cron. `other`: any other, also one whose parent has ended.
   */
  readonly kind: 'outside' | 'login' | 'multiplexer' | 'later' | 'other';
  /** Of a multiplexer: the clients that show it on a terminal. */
  readonly attached: readonly Descent[];
  /** The system did not confirm which clients those are. */
  readonly unproven?: true;
}

/** A connection over loopback, as this side sees it. */
export interface Loopback {
  readonly localPort: number;
  readonly remotePort: number;
}
