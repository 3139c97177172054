// Governance: the gate's own files, keys and hook settings. No scope covers them, not even `**`: an agent that could write
// its own intent file or unhook itself would hold the authority that only a human has.

import { allow, deny, type Policy } from './policy.ts';

const name = 'governance';

export const governancePolicy: Policy = {
  name,
  version: 1,
  guardsReads: true,
  judge: (_action, facts) => {
    const touched = facts.files.find((file) => file.governance !== null);
    if (!touched) return allow(name);
    const verb = touched.access === 'read' ? 'read' : 'changed';
    return deny(name, {
      code: 'GOVERNANCE_FILE',
      message: `${touched.path} cannot be ${verb} by an agent: ${touched.governance}.`,
      required_action: 'Leave this file alone; if it has to change, tell a human what and why',
      remedy: null,
    });
  },
  examples: [
    {
      says: 'an edit of the intents, under a scope of everything',
      facts: {
        files: [
          {
            path: '.orchestration/active_intents.yaml',
            access: 'write',
            real: '.orchestration/active_intents.yaml',
            unresolved: null,
            governance: 'it says what humans granted',
            scope_glob: '**',
            sha256: null,
            seen: null,
            since: null,
            lease: null,
          },
        ],
      },
      expect: 'GOVERNANCE_FILE',
    },
    { says: 'an edit of ordinary code', expect: 'allow' },
  ],
};
