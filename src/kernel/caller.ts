// Who gives a human's command? A same-user agent can run any program that a human can, so the program proves nothing.
// The process tree does, as far as it is known. In this order:
//
//   1. an agent's process, or an agent's mark, is above the caller: the agent
//   2. no terminal, or a parent is gone: nothing is known
//   3. cron, at or the like started it: nothing is known
//   4. its line of processes came from outside, or from a login program of root's: a human
//   5. it runs in a terminal multiplexer: as the clients that the system confirms to be attached to it
//   6. its line is older than every agent that lives: a human
//   7. its line began while a command of an agent ran, or while something lives that such a command left behind: nothing is known
//   otherwise: a human
//
// Where nothing is known and an agent lives, the answer is no, and says which ways a human has.

import type { Descent, Human, ProcessLink } from '../protocol/index.ts';

export type CallerJudgement =
  /** `challenge`: what this very call may sign, once. Other than a human's process, only a client with its own enrolled key may. */
  | { readonly kind: 'human'; readonly human: Human; readonly challenge?: string }
  | { readonly kind: 'agent'; readonly session: string; readonly why: string; readonly challenge?: string }
  | { readonly kind: 'uncertain'; readonly why: string; readonly challenge?: string };

export interface KnownAgents {
  /** The session of an agent's process, if this is one and still the same process. */
  readonly sessionOf: (link: ProcessLink) => string | null;
  readonly anyAlive: boolean;
  /** When the oldest living agent began, in milliseconds. */
  readonly oldestStartedAtMs: number;
  /** An agent's command could have started a process at this time. */
  readonly couldHaveStarted: (atMs: number) => boolean;
}

/** `via`: the channel over which a human gives the command. */
export function judgeCaller(descent: Descent | null, agents: KnownAgents, via: Human['via']): CallerJudgement {
  for (const link of descent?.chain ?? []) {
    const session = agents.sessionOf(link);
    if (session !== null) return { kind: 'agent', session, why: `the command runs below process ${link.pid}, which is an agent's` };
  }
  if (descent?.marked && agents.anyAlive) return { kind: 'uncertain', why: 'it has the environment that an agent gives its commands' };
  if (descent?.terminal && descent.unbroken) return judgeLine(descent, agents, via);
  if (!agents.anyAlive) return { kind: 'human', human: { proof: 'none', via } };
  return {
    kind: 'uncertain',
    why: descent?.terminal
      ? 'its parent process is gone, so it is unknown whether an agent started it'
      : 'it has no terminal, and an agent is running that could have started it',
  };
}

/** On a terminal, with all parents up to the top. */
function judgeLine({ top }: Descent, agents: KnownAgents, via: Human['via']): CallerJudgement {
  const human: CallerJudgement = { kind: 'human', human: { proof: 'login', via } };
  if (!agents.anyAlive || top === null || top.kind === 'outside' || top.kind === 'login') return human;
  if (top.kind === 'later') return { kind: 'uncertain', why: 'it was left with a program that runs it later, such as cron or at' };
  // An agent could have started a server that only looks like the one that a human is attached to.
  const mayBeAgents = top.unproven === true && top.startedAtMs >= agents.oldestStartedAtMs;
  if (top.kind === 'multiplexer') return judgeAttached(mayBeAgents ? [] : top.attached, agents, via);
  if (top.startedAtMs < agents.oldestStartedAtMs) return human;
  if (!agents.couldHaveStarted(top.startedAtMs)) return human;
  return {
    kind: 'uncertain',
    why: 'its terminal was opened while a command of an agent ran, or something that such a command left behind, so it cannot be known who opened it',
  };
}

function judgeAttached(clients: readonly Descent[], agents: KnownAgents, via: Human['via']): CallerJudgement {
  const judged = clients.map((client) => judgeCaller(client, agents, via));
  const found = judged.find(({ kind }) => kind === 'agent') ?? judged.find((each) => each.kind === 'human' && each.human.proof === 'login');
  return found ?? { kind: 'uncertain', why: 'it runs in a terminal multiplexer to which no terminal of a human is attached' };
}
