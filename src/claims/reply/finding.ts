// What the check of one part of an Evidence line found out.

import {
  BUCKET_OF_REASON,
  type CandidateQuote,
  type EvidenceProblem,
  type EvidenceReason,
  type ReplyCitation,
} from '../../protocol/index.ts';

export interface PartFinding {
  readonly problems: readonly EvidenceProblem[];
  /** Files that the part rests on, by their real paths. */
  readonly paths: readonly string[];
  readonly citations?: readonly ReplyCitation[];
  readonly candidates?: readonly CandidateQuote[];
  readonly receipt?: { readonly id: string; readonly tool: string };
}

export const problem = (reason: EvidenceReason, message: string): EvidenceProblem => ({
  reason,
  bucket: BUCKET_OF_REASON[reason],
  message,
});

export const refused = (why: EvidenceProblem): PartFinding => ({ problems: [why], paths: [] });
