// A memory for tests with applied events, and the claims of other rooms' tests.

import { makeClaim } from '../claims/claims.fixture.ts';
import type { Claim, Event, LedgerRecord } from '../protocol/index.ts';
import { Memory } from './memory.ts';

export const WORKSPACE = `wsp_${'0'.repeat(26)}`;
export const NOW = new Date('2030-05-02T12:00:00.000Z');

/** Ids that count up, so that answers can be compared whole. */
export const claimId = (at: number): string => `clm_${String(at).padStart(26, '0')}`;

let seq = 0;
export const recordOf = (event: Event): LedgerRecord => ({
  seq: ++seq,
  stream: `memory:${WORKSPACE}`,
  stream_seq: seq,
  at: NOW.toISOString(),
  event,
});
export const kept = (claim: Claim): LedgerRecord => recordOf({ type: 'claim_kept', data: { workspace: WORKSPACE, claim } });
export const merged = (into: string, addition: Claim): LedgerRecord =>
  recordOf({ type: 'claim_merged', data: { workspace: WORKSPACE, into, addition } });
export const retired = (claim: string): LedgerRecord =>
  recordOf({ type: 'claim_retired', data: { workspace: WORKSPACE, claim, reason: 'wrong', human: { proof: 'login', via: 'cli' } } });

/** Statements are numbered from 1. */
export function memoryOf(...claims: readonly (string | Partial<Claim>)[]): Memory {
  const memory = new Memory();
  for (const [at, given] of claims.entries())
    memory.apply(kept(makeClaim({ id: claimId(at + 1), ...(typeof given === 'string' ? { statement: given } : given) })));
  return memory;
}

export const recalled = (memory: Memory, query: string, limit = 10): number[] =>
  memory.recall(WORKSPACE, { query, limit, now: NOW }).map(({ claim }) => Number(claim.id.slice(4)));
