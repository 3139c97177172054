// What the code index looks at: the settings say which folders and files, and which languages it leaves out.

import { globsOfLanguage } from '../codeindex/index.ts';
import type { Config } from '../protocol/index.ts';
import type { PathConfig } from '../workspace/index.ts';

export const indexedPaths =
  (configOf: (root: string) => Promise<Config>) =>
  async (root: string): Promise<PathConfig> => {
    const { paths, roots, ingestion, parsers } = await configOf(root);
    const below = roots.worktree?.map((folder) => `${folder.replace(/\/+$/, '')}/**`) ?? [];
    const only = [below, ingestion.include].filter((globs) => globs.length > 0);
    const derived = [...paths.derived, ...ingestion.exclude, ...parsers.disabled.flatMap(globsOfLanguage)];
    return { ...paths, derived, ...(only.length > 0 ? { only } : {}) };
  };
