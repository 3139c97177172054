// The versions of what is judged about files and documents: the rules of places, and the facts that are read from the tree.

import type { Revision } from '../protocol/index.ts';

const PARTS: readonly Pick<Revision, 'name' | 'version' | 'files'>[] = [
  { name: 'workspace/governance', version: 2, files: ['governance.ts', 'own-files.ts'] },
  { name: 'workspace/git-programs', version: 2, files: ['git-index.ts', 'git-programs.ts'] },
  { name: 'workspace/globs', version: 1, files: ['glob.ts'] },
  { name: 'workspace/path-classes', version: 2, files: ['path-class.ts'] },
  { name: 'workspace/real-paths', version: 2, files: ['private-place.ts', 'real-path.ts'] },
  { name: 'fact/settings', version: 1, files: ['read-config.ts'] },
  { name: 'fact/files', version: 2, files: ['file-facts.ts', 'plain-file.ts', 'scratch.ts'] },
  { name: 'fact/documents', version: 1, files: ['document.ts', 'json-lines.ts', 'parse-once.ts'] },
  { name: 'fact/intents-file', version: 2, files: ['edit-distance.ts', 'intents-document.ts', 'intents-file.ts'] },
  { name: 'fact/task-list', version: 1, files: ['task-lines.ts', 'tasks-document.ts', 'tasks-file.ts'] },
  { name: 'fact/work-tree', version: 1, files: ['work-trees.ts'] },
];

export const WORKSPACE_REVISIONS: readonly Revision[] = PARTS.map((part) => ({ ...part, from: import.meta.url }));
