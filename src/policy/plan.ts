// Plan: STRICT changes nothing without an accepted plan. Plans cannot be submitted yet, so in STRICT every change needs a human.

import { mutates } from '../protocol/index.ts';
import { allow, deny, type Policy } from './policy.ts';

const name = 'plan';

export const planPolicy: Policy = {
  name,
  version: 1,
  judge: (action, { mode }) => {
    if (!mutates(action.effects) || mode.effective !== 'STRICT') return allow(name);
    const chosen = mode.minimum !== 'STRICT';
    return deny(name, {
      code: 'NEEDS_HUMAN',
      message: 'STRICT: a change has to belong to an accepted plan, and this gate does not take plans yet.',
      required_action: chosen
        ? 'Go down to PASSIVE and begin again in GUARDED, or ask a human'
        : 'Tell the human what you would change; they can lower the minimum with: countersign mode min GUARDED',
      remedy: chosen
        ? { tool: 'begin_work', args: { mode: 'PASSIVE' } }
        : {
            tool: 'request_human',
            args: { question: 'STRICT needs a plan, which this gate does not take yet. May the minimum be GUARDED?' },
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
