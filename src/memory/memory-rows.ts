// Memories as people and agents see them: the claim, and its status as of now.

import { statusOf } from '../claims/index.ts';
import type { Memory } from './memory.ts';
import type { Claim, MemoryRow } from '../protocol/index.ts';

export interface MemoryPlace {
  readonly workspace: string;
  readonly root: string;
  /** When the workspace was last changed through the gate; null: never. */
  readonly lastChange: string | null;
  readonly privateFolders: readonly string[];
}

export function rowsOf(
  memory: Memory,
  { workspace, root, lastChange, privateFolders }: MemoryPlace,
  hits: readonly { readonly claim: Claim; readonly times: number; readonly score: number | null; readonly why: readonly string[] }[],
): Promise<MemoryRow[]> {
  const options = { root, privateFolders, changedSince: (at: string) => lastChange !== null && lastChange > at };
  return Promise.all(
    hits.map(async ({ claim, times, score, why }) => ({
      ...claim,
      ...(await statusOf(claim, options)),
      contradicts: memory.contradictionsOf(workspace, claim),
      times,
      score,
      why: [...why],
    })),
  );
}
