// Authority: what a human decides is not asked for by an agent's command, in whatever wrapper. The process that gives such a command is judged
// too; the text is judged first, because a program that leaves its parents behind cannot always be traced to the agent.

import { allow, deny, type Policy } from './policy.ts';

const name = 'authority';

export const authorityPolicy: Policy = {
  name,
  version: 1,
  guardsReads: true,
  judge: (_action, { command }) => {
    const words = command?.authority;
    if (words === undefined) return allow(name);
    return deny(name, {
      code: 'HUMAN_CHANNEL_REQUIRED',
      message: `${words} is a human's command, and this one would run it.`,
      required_action:
        'Say what you need and why; a human decides in a terminal of their own or on the page. New work is proposed with propose_intent',
      remedy: null,
    });
  },
  examples: [
    {
      says: 'a human’s command in a terminal that the agent opened',
      action: { effects: ['execute'] },
      facts: { files: [], command: { class: 'MUTATING', reasons: [], authority: 'countersign intent' } },
      expect: 'HUMAN_CHANNEL_REQUIRED',
    },
    {
      says: 'a command that only mentions one',
      action: { effects: ['execute'] },
      facts: { files: [], command: { class: 'MUTATING', reasons: [] } },
      expect: 'allow',
    },
  ],
};
