// The versions of the facts that the kernel gathers: from the folded state, and from what humans allowed.

import type { Revision } from '../protocol/index.ts';

const FACTS: readonly Pick<Revision, 'name' | 'version' | 'files'>[] = [
  { name: 'fact/gathered', version: 1, files: ['gather.ts'] },
  { name: 'fact/allowance', version: 1, files: ['allowance.ts', 'command-rules.ts', 'grants.ts'] },
  { name: 'fact/mode', version: 2, files: ['document-edits.ts', 'mode-limits.ts'] },
  { name: 'fact/settings-in-force', version: 1, files: ['settings-authority.ts', 'settings-rules.ts'] },
  { name: 'fact/proof', version: 1, files: ['approvers.ts'] },
  { name: 'fact/tasks', version: 1, files: ['task-books.ts'] },
  { name: 'fact/recall', version: 1, files: ['memory-marks.ts', 'turn.ts'] },
  {
    name: 'fact/session',
    version: 2,
    files: [
      'failures.ts',
      'fold-turn.ts',
      'forget-oldest.ts',
      'leases.ts',
      'newest-question.ts',
      'opened-session.ts',
      'presence.ts',
      'seen-files.ts',
      'state.ts',
    ],
  },
];

export const KERNEL_REVISIONS: readonly Revision[] = FACTS.map((fact) => ({ ...fact, from: import.meta.url }));
