// Memories as people and agents see them: the claim, and its status as of now.

import { type StatusFound, statusOf } from '../claims/index.ts';
import type { Memory } from './memory.ts';
import type { Claim, ClaimStatus, MemoryRow } from '../protocol/index.ts';

export interface MemoryPlace {
  readonly workspace: string;
  readonly root: string;
  /** When a file of the workspace last changed, as far as is known; null: never. */
  readonly lastChange: string | null;
  /** The commit that is checked out. */
  readonly revision?: () => Promise<string | null>;
  readonly privateFolders?: readonly string[];
}

export function rowsOf(
  memory: Memory,
  place: MemoryPlace,
  hits: readonly { readonly claim: Claim; readonly times: number; readonly score: number | null; readonly why: readonly string[] }[],
): Promise<MemoryRow[]> {
  return Promise.all(
    hits.map(async ({ claim, times, score, why }) => ({
      ...claim,
      ...(await statusAmongOthers(memory, place, claim)),
      times,
      score,
      why: [...why],
    })),
  );
}

/** What holds by itself, each against a contradicting fact that is at least as strong, goes one step down. */
const LOWERED: Partial<Readonly<Record<ClaimStatus, ClaimStatus>>> = { VERIFIED: 'CITED', CITED: 'ASSERTED' };
const isAsStrong = (one: ClaimStatus, other: ClaimStatus): boolean => one === other || (one === 'VERIFIED' && other === 'CITED');

/** The status of a claim among the others: facts that contradict each other lower each other. */
export async function statusAmongOthers(
  memory: Memory,
  place: MemoryPlace,
  claim: Claim,
): Promise<StatusFound & { readonly contradicts: string[] }> {
  const { workspace, root, lastChange, revision, privateFolders } = place;
  const options = {
    ...{ root, privateFolders, changedSince: (at: string) => lastChange !== null && lastChange > at },
    ...(revision ? { revision } : {}),
  };
  const found = await statusOf(claim, options);
  const contradicts = memory.contradictionsOf(workspace, claim);
  const lowered = claim.kind === 'fact' ? LOWERED[found.status] : undefined;
  if (lowered === undefined) return { ...found, contradicts };
  for (const id of contradicts) {
    const other = memory.get(workspace, id);
    if (other?.kind !== 'fact' || !isAsStrong((await statusOf(other, options)).status, found.status)) continue;
    return { ...found, status: lowered, because: `${found.because}; but ${id} says otherwise, with evidence as good`, contradicts };
  }
  return { ...found, contradicts };
}
