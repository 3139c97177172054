// A claim is a statement with its evidence. An agent's opinion never raises its status: the status is computed from citations that
// are still unchanged and from checks that the gate itself ran.

import { z } from 'zod';
import { ClaimId, Instant, ReceiptId, SessionId, Sha256 } from './ids.ts';
import { Human } from './intent.ts';

/** What a memory is. A fact needs evidence, a decision or a constraint a rationale; a claim or a note needs nothing and proves nothing. */
export const ClaimKind = z.enum(['fact', 'decision', 'constraint', 'claim', 'note']);
export type ClaimKind = z.infer<typeof ClaimKind>;

/**
 * VERIFIED: a check tested what the statement says. CITED: what it cites or checked holds; whether it says so was not tested. ASSERTED: it has
 * no evidence. STALE: what it rests on has changed. REFUTED: a check fails.
 */
export const ClaimStatus = z.enum(['VERIFIED', 'CITED', 'STALE', 'ASSERTED', 'REFUTED']);
export type ClaimStatus = z.infer<typeof ClaimStatus>;

const Path = z.string().min(1).max(1024);
const Line = z.int().min(1).max(10_000_000);

/** Lines of a file as they were when they were cited. `sha256` is over their text, joined by line feeds, without a last one. */
export const Citation = z.strictObject({ path: Path, start_line: Line, end_line: Line, sha256: Sha256 });
export type Citation = z.infer<typeof Citation>;

/** What can be checked. Patterns are linear-time regular expressions; commands pass the gate like any other command. */
export const Evidence = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('file_exists'), path: Path }),
  z.strictObject({ type: z.literal('grep_hit'), path: Path, pattern: z.string().min(1).max(1000) }),
  z.strictObject({ type: z.literal('cmd_exit0'), command: z.string().min(1).max(8192) }),
  z.strictObject({ type: z.literal('test_pass'), command: z.string().min(1).max(8192) }),
]);
export type Evidence = z.infer<typeof Evidence>;

/** The result for one piece of evidence. `unchecked`: it could not be determined, which is not a yes. */
export const EvidenceCheck = z.strictObject({
  evidence: Evidence,
  result: z.enum(['passed', 'failed', 'unchecked']),
  /** In words: where it was found, or why it was not. */
  detail: z.string(),
  checked_at: Instant,
  /** Of a command: the commit that was checked out then. Absent in records of earlier versions. */
  revision: z.string().nullable().optional(),
});
export type EvidenceCheck = z.infer<typeof EvidenceCheck>;

export const CLAIM_LIMITS = { statement: 2_000, rationale: 2_000, citations: 20, evidence: 20, scope: 20 } as const;

export const Claim = z.strictObject({
  id: ClaimId,
  kind: ClaimKind,
  statement: z.string().min(1).max(CLAIM_LIMITS.statement),
  rationale: z.string().min(1).max(CLAIM_LIMITS.rationale).nullable(),
  citations: z.array(Citation).max(CLAIM_LIMITS.citations),
  /** Evidence with the result of its last check. */
  checks: z.array(EvidenceCheck).max(CLAIM_LIMITS.evidence),
  receipts: z.array(ReceiptId),
  /** Globs that it is about; empty: the whole workspace. */
  scope: z.array(z.string().min(1).max(1024)).max(CLAIM_LIMITS.scope),
  /** Who wrote it: an agent's session, or a human when that is null. */
  session: SessionId.nullable(),
  agent: z.string(),
  written_at: Instant,
  /** Set when a human countersigned it. */
  approved: Human.nullable(),
});
export type Claim = z.infer<typeof Claim>;
