// What doors need besides the kernel. `app` provides it; a door never reads files, processes or settings by itself.

import type { CallerJudgement, CommandPort, Kernel, Reporter } from '../kernel/index.ts';
import type { Ask, StreamEvent, ToolRegistry, WallService } from '../protocol/index.ts';

/**
 * Logins of the page. A code is shown on a human's terminal, counts once and for a short time. It buys a cookie, which lets a
 * browser look, and a page token, without which nothing is decided: browsers send a cookie to every port of this machine, and an
 * agent may well serve a page on one of them.
 */
export interface Logins {
  readonly issueCode: () => string;
  readonly exchange: (code: string) => Promise<{ readonly cookie: string; readonly pageToken: string } | null>;
  readonly mayRead: (cookie: string) => boolean;
  readonly mayDecide: (cookie: string, pageToken: string) => boolean;
}

export interface DoorServices {
  readonly kernel: Kernel;
  readonly ask: Ask;
  readonly version: string;
  /** The workspace and work tree that a folder belongs to. */
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
  /** The process that started an MCP pipe, which proves which process it is: see `challengeProcess`. */
  readonly pipeReporter: (pid: number, proof: string) => Promise<Reporter | null>;
  /** Whether an agent that is present may have started this process; null: the process is unknown. */
  readonly isAgents: (reporter: Reporter | null) => boolean;
  /** A file's JSON; null when the file is missing or not JSON. */
  readonly readJsonFile: (file: string) => Promise<unknown>;
  /** The model that an agent's transcript names last; null when it does not. */
  readonly modelInTranscript: (path: string) => Promise<string | null>;
  readonly tools: ToolRegistry;
  readonly walls: Pick<WallService, 'enter' | 'rewritten'>;
  /** Rows as they change. */
  readonly subscribe: (listener: (event: StreamEvent) => void) => () => void;
  /** Who is at the other end of the owner's socket: `pid` is the caller's claim, `proof` shows that it is true. */
  readonly judgeProcess: (pid: number, proof: string) => Promise<CallerJudgement>;
  readonly logins: Logins;
  /** Where a human finds the page. */
  readonly pageAddress: () => string;
  /** A challenge that only the process that opens it can prove to hold; see `judgeProcess`. */
  readonly challengeProcess: () => Promise<{ readonly proof: string; readonly open: string }>;
  readonly commands: CommandPort;
}
