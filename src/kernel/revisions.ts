// The versions of what the kernel decides by itself, and of the facts that it gathers: from the folded state, and from what humans allowed.

import type { Revision } from '../protocol/index.ts';

const PARTS: readonly Pick<Revision, 'name' | 'version' | 'files'>[] = [
  {
    name: 'kernel/spine',
    version: 2,
    files: ['basis.ts', 'fresh-facts.ts', 'lease-stream.ts', 'native-asks.ts', 'parse-request.ts', 'spine.ts'],
  },
  { name: 'kernel/enforcement-bypass', version: 1, files: ['enforcement-bypass.ts'] },
  { name: 'kernel/only-intent', version: 1, files: ['covering-intent.ts', 'only-intent.ts'] },
  { name: 'kernel/caller', version: 2, files: ['caller.ts', 'present-agents.ts'] },
  { name: 'kernel/event-sender', version: 2, files: ['event-sender.ts', 'principals.ts', 'views.ts'] },
  { name: 'kernel/command-walls', version: 2, files: ['command-walls.ts'] },
  {
    name: 'kernel/turns',
    version: 1,
    files: ['look-at-tasks.ts', 'recall-for-prompt.ts', 'stamp-demands.ts', 'tasks-for-steps.ts', 'turns.ts'],
  },
  { name: 'fact/gathered', version: 4, files: ['gather.ts'] },
  { name: 'fact/plan', version: 2, files: ['plan-facts.ts', 'touched-symbols.ts', 'work-views.ts', 'works.ts'] },
  { name: 'fact/allowance', version: 1, files: ['allowance.ts', 'command-rules.ts', 'grants.ts'] },
  { name: 'fact/mode', version: 2, files: ['document-edits.ts', 'mode-limits.ts'] },
  { name: 'fact/settings-in-force', version: 1, files: ['settings-authority.ts', 'settings-rules.ts'] },
  { name: 'fact/proof', version: 1, files: ['approvers.ts'] },
  { name: 'fact/tasks', version: 1, files: ['task-books.ts'] },
  { name: 'fact/recall', version: 1, files: ['memory-marks.ts', 'turn.ts'] },
  {
    name: 'fact/session',
    version: 4,
    files: [
      'failures.ts',
      'fold-turn.ts',
      'foreign-text.ts',
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

export const KERNEL_REVISIONS: readonly Revision[] = PARTS.map((part) => ({ ...part, from: import.meta.url }));
