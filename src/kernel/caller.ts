// Who gives a human's command? A same-user agent can run any program that a human can, so the program proves nothing.
// The process tree does, as far as it is known: a process below one that hooks or MCP connections reported as an agent's is
// the agent's, whatever its name. Where the tree is inconclusive and an agent is alive, the answer is no.

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
}

/** `via`: the channel over which a human gives the command. */
export function judgeCaller(descent: Descent | null, agents: KnownAgents, via: Human['via']): CallerJudgement {
  for (const link of descent?.chain ?? []) {
    const session = agents.sessionOf(link);
    if (session !== null) return { kind: 'agent', session, why: `the command runs below process ${link.pid}, which is an agent's` };
  }
  if (descent?.terminal && descent.unbroken) return { kind: 'human', human: { proof: 'login', via } };
  if (!agents.anyAlive) return { kind: 'human', human: { proof: 'none', via } };
  return {
    kind: 'uncertain',
    why: descent?.terminal
      ? 'its parent process is gone, so it is unknown whether an agent started it'
      : 'it has no terminal, and an agent is running that could have started it',
  };
}
