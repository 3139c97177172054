// The versions of the shell reader's sets of rules. Every file of this folder that reads a command is in one of them.

import type { Revision } from '../protocol/index.ts';

const SETS: readonly Pick<Revision, 'name' | 'version' | 'files'>[] = [
  {
    name: 'shell/reading',
    version: 5,
    files: [
      ...['definitions.ts', 'exact-text.ts', 'piped.ts', 'hidden-characters.ts', 'read-command.ts', 'read-expansion.ts', 'spellings.ts'],
      ...['statement-shapes.ts', 'strictest.ts', 'variables.ts', 'walk.ts', 'words.ts', 'working-folder.ts'],
    ],
  },
  {
    name: 'shell/rules',
    version: 7,
    files: [
      ...[
        'argument-checks.ts',
        'condition.ts',
        'construct-rules.ts',
        'filled-words.ts',
        'inner-commands.ts',
        'inner-folder.ts',
        'judge-arguments.ts',
        'judgement.ts',
        'mutating-rules.ts',
        'options.ts',
      ],
      ...['rule.ts', 'rules-by-name.ts', 'safe-rules.ts', 'wrapper-rules.ts'],
    ],
  },
  { name: 'shell/authority-commands', version: 3, files: ['authority-commands.ts'] },
  {
    name: 'shell/destructive',
    version: 4,
    files: ['destructive-git-rules.ts', 'destructive-rules.ts', 'milder.ts', 'network-rules.ts', 'only-looks.ts', 'package-names.ts'],
  },
  { name: 'shell/git-looks', version: 2, files: ['git-reads.ts'] },
  { name: 'shell/secrets', version: 6, files: ['find-secrets.ts', 'secret-places.ts', 'secret-rules.ts'] },
  {
    name: 'shell/writes',
    version: 8,
    files: [
      ...['code-writes.ts', 'command-text.ts', 'find-writes.ts', 'lenient-options.ts', 'output-options.ts', 'writer-table.ts'],
      ...['resolve-writes.ts', 'scan-archives.ts', 'scan-arguments.ts', 'scan-copy.ts'],
      ...['scan-fetch.ts', 'scan-git.ts', 'scan-pieces.ts', 'scan-sed.ts', 'write-rules.ts', 'write-target.ts'],
    ],
  },
];

export const SHELL_REVISIONS: readonly Revision[] = SETS.map((set) => ({ ...set, from: import.meta.url }));
