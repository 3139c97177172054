// Intent: a change serves something that a human asked for. The agent cites it; only a human makes it active.

import { type Facts, mutates, type Remedy } from '../protocol/index.ts';
import { allow, deny, type Policy } from './policy.ts';
import { proposeIntentRemedy } from './propose.ts';

const name = 'intent';

/** Fixed text: agents and other tests match it exactly. */
export const INTENT_REQUIRED_MESSAGE = 'You must cite a valid active Intent ID before mutating tools.';

/** The nearest call that helps: cite an intent that covers the files, else any active one, else propose one. */
function intentRemedy(facts: Facts): { required_action: string; remedy: Remedy } {
  const { active } = facts.intent;
  const choice = active.find((intent) => intent.covers) ?? active[0];
  if (choice) {
    const list = active.map((intent) => `${intent.id} (${intent.name})`).join(', ');
    return {
      required_action: `Call begin_work with one of the active intents, then repeat this call: ${list}`,
      remedy: { tool: 'begin_work', args: { intent: choice.id } },
    };
  }
  const paths = facts.files.flatMap((file) => (file.access === 'read' || file.real === null || file.real === '' ? [] : [file.real]));
  const [waiting] = facts.intent.proposed ?? [];
  return {
    required_action:
      waiting === undefined
        ? 'No intent is active. Propose one; a human confirms it, or runs: countersign intent "what should change" PATH'
        : `${waiting} is proposed for this and waits for a human. Stop and ask them to run: countersign intents activate ${waiting}. Propose another only for other work`,
    remedy: proposeIntentRemedy(paths),
  };
}

export const intentPolicy: Policy = {
  name,
  version: 1,
  judge: (action, facts) => {
    if (!mutates(action.effects)) return allow(name);
    const { selected } = facts.intent;
    if (selected?.status === 'active') return allow(name);
    if (selected === null) return deny(name, { code: 'INTENT_REQUIRED', message: INTENT_REQUIRED_MESSAGE, ...intentRemedy(facts) });
    return deny(name, {
      code: 'INTENT_NOT_ACTIVE',
      message: `${INTENT_REQUIRED_MESSAGE} ${selected.id} is ${selected.status}.`,
      ...intentRemedy(facts),
    });
  },
  examples: [
    { says: 'a write that cites nothing', facts: { intent: { selected: null, active: [] } }, expect: 'INTENT_REQUIRED' },
    {
      says: 'a write that cites an intent a human has paused',
      facts: {
        intent: {
          selected: {
            id: 'INT-001',
            name: 'fix login',
            status: 'paused',
            owned_scope: ['src/**'],
            constraints: [],
            acceptance_criteria: [],
          },
          active: [],
        },
      },
      expect: 'INTENT_NOT_ACTIVE',
    },
    {
      says: 'a write for which an intent is proposed and not confirmed',
      facts: { intent: { selected: null, active: [], proposed: ['INT-002'] } },
      expect: 'INTENT_REQUIRED',
    },
    { says: 'a write that cites an active intent', expect: 'allow' },
    {
      says: 'reading without an intent',
      action: { effects: ['observe'] },
      facts: { intent: { selected: null, active: [] } },
      expect: 'allow',
    },
  ],
};
