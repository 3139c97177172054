// Mode: how much is asked. PASSIVE may look and talk; GUARDED and STRICT may change things. Undeclared behaves as PASSIVE.

import { leavesMark } from '../protocol/index.ts';
import { allow, deny, type Policy } from './policy.ts';

const name = 'mode';

export const modePolicy: Policy = {
  name,
  version: 1,
  judge: (action, { mode }) => {
    if (!leavesMark(action.effects) || mode.effective !== 'PASSIVE') return allow(name);
    if (mode.pinned) {
      return deny(name, {
        code: 'MODE_PINNED',
        message: 'A human pinned this workspace to PASSIVE: observation only.',
        required_action: 'Ask a human to lift the pin; say what you would change and why',
        remedy: null,
      });
    }
    if (mode.declared === null) {
      return deny(name, {
        code: 'MODE_REQUIRED',
        message: 'No mode is declared, so this session behaves as PASSIVE: observation only.',
        required_action: 'Call begin_work once, then repeat this call',
        remedy: { tool: 'begin_work', args: { mode: mode.minimum ?? 'GUARDED' } },
      });
    }
    return deny(name, {
      code: 'MODE_FORBIDS',
      message: 'This session declared PASSIVE: observation only.',
      required_action: 'Call begin_work with a mode that may change things, then repeat this call',
      remedy: { tool: 'begin_work', args: { mode: mode.minimum ?? 'GUARDED' } },
    });
  },
  examples: [
    {
      says: 'a write with no mode declared',
      facts: { mode: { declared: null, minimum: 'GUARDED', pinned: null, effective: 'PASSIVE' } },
      expect: 'MODE_REQUIRED',
    },
    {
      says: 'a write in PASSIVE',
      facts: { mode: { declared: 'PASSIVE', minimum: null, pinned: null, effective: 'PASSIVE' } },
      expect: 'MODE_FORBIDS',
    },
    {
      says: 'a write under a pin',
      facts: { mode: { declared: 'STRICT', minimum: null, pinned: 'PASSIVE', effective: 'PASSIVE' } },
      expect: 'MODE_PINNED',
    },
    {
      says: 'a memory written in PASSIVE',
      action: { effects: ['remember'] },
      facts: { mode: { declared: 'PASSIVE', minimum: null, pinned: null, effective: 'PASSIVE' } },
      expect: 'MODE_FORBIDS',
    },
    { says: 'a write in GUARDED', expect: 'allow' },
    {
      says: 'reading in PASSIVE: observation is free',
      action: { effects: ['observe'] },
      facts: { mode: { declared: null, minimum: null, pinned: 'PASSIVE', effective: 'PASSIVE' } },
      expect: 'allow',
    },
  ],
};
