// Human: a question, or a request for more than was granted. It waits until a human has answered, whatever the mode.

import { allow, type Policy } from './policy.ts';
import { awaitHuman } from './await-human.ts';

const name = 'human';

export const humanPolicy: Policy = {
  name,
  version: 1,
  judge: (action, facts) => {
    const asked = action.resources.find((resource) => resource.kind === 'human');
    if (!asked) return allow(name);
    return awaitHuman(name, facts, {
      message: `A human is asked: ${asked.question}`,
      required_action: 'Stop and tell the user that this waits for them; repeat exactly this call to hear the answer',
    });
  },
  examples: [
    {
      says: 'a question without an answer',
      action: { effects: ['plan'], resources: [{ kind: 'human', question: 'Which database?', options: [] }] },
      facts: { files: [] },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'a request that a human rejected',
      action: { effects: ['plan'], resources: [{ kind: 'human', question: 'More scope?', options: [] }] },
      facts: { files: [], approval: { id: 'apr_00000000000000000000000000', state: 'rejected', reason: 'no', proof: 'login' } },
      expect: 'APPROVAL_REJECTED',
    },
    {
      says: 'a question that a human answered',
      action: { effects: ['plan'], resources: [{ kind: 'human', question: 'Which database?', options: [] }] },
      facts: { files: [], approval: { id: 'apr_00000000000000000000000000', state: 'approved', reason: 'SQLite', proof: 'login' } },
      expect: 'allow',
    },
    { says: 'an edit, which asks nothing', expect: 'allow' },
  ],
};
