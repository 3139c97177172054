// Recall: what is known about the work was looked at in this turn, before anything that lasts is changed (R1).

import { leavesMark } from '../protocol/index.ts';
import { allow, deny, type Policy } from './policy.ts';

const name = 'recall';

export const recallPolicy: Policy = {
  name,
  version: 1,
  judge: (action, { mode, recall, intent }) => {
    // A session that is PASSIVE by choice or by a pin may change nothing anyway; the mode policy refuses that.
    const onlyReads = mode.pinned !== null || mode.declared === 'PASSIVE';
    if (!leavesMark(action.effects) || onlyReads || recall.missing === null) return allow(name);
    return deny(name, {
      code: 'RECALL_REQUIRED',
      message: `Recall what is known before you change anything: ${recall.missing}.`,
      required_action: 'Call begin_work once (or memory_query), then repeat this call',
      remedy: { tool: 'begin_work', args: intent.selected?.status === 'active' ? { intent: intent.selected.id } : {} },
    });
  },
  examples: [
    {
      says: 'a write before any recall',
      facts: { recall: { last: null, missing: 'nothing was recalled yet' } },
      expect: 'RECALL_REQUIRED',
    },
    {
      says: 'a memory written before any recall',
      action: { effects: ['remember'] },
      facts: { recall: { last: null, missing: 'nothing was recalled yet' } },
      expect: 'RECALL_REQUIRED',
    },
    {
      says: 'a write with no mode declared: the contract asks for recall first',
      facts: {
        mode: { declared: null, minimum: 'GUARDED', pinned: null, effective: 'PASSIVE' },
        recall: { last: null, missing: 'nothing was recalled yet' },
      },
      expect: 'RECALL_REQUIRED',
    },
    {
      says: 'a write in PASSIVE, which the mode policy refuses',
      facts: {
        mode: { declared: 'PASSIVE', minimum: null, pinned: null, effective: 'PASSIVE' },
        recall: { last: null, missing: 'nothing was recalled yet' },
      },
      expect: 'allow',
    },
    {
      says: 'a write after a recall that found nothing',
      facts: { recall: { last: { at: '2026-01-01T00:00:00.000Z', found: 0, how: 'asked' }, missing: null } },
      expect: 'allow',
    },
    {
      says: 'reading before any recall',
      action: { effects: ['observe'] },
      facts: { recall: { last: null, missing: 'nothing was recalled yet' } },
      expect: 'allow',
    },
    {
      says: 'proposing an intent before any recall',
      action: { effects: ['plan'] },
      facts: { recall: { last: null, missing: 'nothing was recalled yet' } },
      expect: 'allow',
    },
  ],
};
