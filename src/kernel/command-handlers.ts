// What answers a command. A handler answers with a `Recorded`, so that no command can be done or refused without a record.

import type { ChatProgress, CommandName, CommandOutput, CommandRequest } from '../protocol/index.ts';
import type { CallerJudgement } from './caller.ts';
import type { Recorded } from './settle.ts';

export type CommandAct<N extends CommandName> = (caller: CallerJudgement, request: CommandRequest<N>) => Promise<Recorded>;

export interface CommandHandler<N extends CommandName> {
  readonly act: CommandAct<N>;
  /** What is answered once it was done; without it, what was recorded. Never called after a refusal. */
  readonly show?: (request: CommandRequest<N>, following: CallerFollowing) => Promise<CommandOutput<N> | undefined>;
}

/** The caller while it waits: whether it is still there, and what it hears of a command that takes long. */
export interface CallerFollowing {
  readonly signal: AbortSignal;
  readonly report: (progress: ChatProgress) => void;
}

/** How a door gives a command. */
export interface CommandPort {
  readonly act: <N extends CommandName>(name: N, caller: CallerJudgement, request: CommandRequest<N>) => Promise<Recorded>;
  readonly show: <N extends CommandName>(
    name: N,
    request: CommandRequest<N>,
    following: CallerFollowing,
  ) => Promise<CommandOutput<N> | undefined>;
}

export type CommandHandlers = { readonly [N in CommandName]: CommandHandler<N> };
