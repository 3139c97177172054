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
}

/** A connection over loopback, as this side sees it. */
export interface Loopback {
  readonly localPort: number;
  readonly remotePort: number;
}
