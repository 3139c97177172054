// Plan: STRICT changes nothing without an accepted plan. Plans cannot be submitted yet, so in STRICT every change needs a human.

import { mutates } from '../protocol/index.ts';
import { allow, deny, type Policy } from './policy.ts';

const name = 'plan';

export const planPolicy: Policy = {
  name,
  version: 1,
  judge: (action, { mode }) => {
    if (!mutates(action.effects) || mode.effective !== 'STRICT') return allow(name);
    return deny(name, {
      code: 'NEEDS_HUMAN',
      message: 'STRICT: a change has to belong to an accepted plan, and this gate does not take plans yet.',
      required_action: 'Stop and tell the human what you would change and why; how strict the work is stays with them',
      remedy: {
        tool: 'request_human',
        args: { question: 'STRICT asks for an accepted plan, and plans cannot be submitted here yet. How do you want to go on?' },
      },
    });
  },
  examples: [
    {
      says: 'a write in STRICT',
      facts: { mode: { declared: 'STRICT', minimum: 'STRICT', pinned: null, effective: 'STRICT' } },
      expect: 'NEEDS_HUMAN',
    },
    { says: 'a write in GUARDED', expect: 'allow' },
    {
      says: 'a task added in STRICT',
      action: { effects: ['task'] },
      facts: { mode: { declared: 'STRICT', minimum: 'STRICT', pinned: null, effective: 'STRICT' } },
      expect: 'allow',
    },
  ],
};
