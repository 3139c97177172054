// What an Evidence line consists of, and the verdict about a reply. `claims` reads and checks it; whoever shows a reply shows the verdict.

import { z } from 'zod';
import { Citation } from '../claim.ts';
import { ReceiptId } from '../ids.ts';
import { BUCKETS, type Bucket } from './rejections.ts';

const LineRange = z.strictObject({ start_line: z.int().min(1), end_line: z.int().min(1) });
export type LineRange = z.infer<typeof LineRange>;

/** One part of an Evidence line; parts are separated by `;`. */
export const EvidencePart = z.discriminatedUnion('kind', [
  /** `"quote" (path:lines)`; the lines may be left out. */
  z.strictObject({ kind: z.literal('content'), quote: z.string(), path: z.string(), lines: LineRange.nullable() }),
  /** `path:lines` or `path §section`. */
  z.strictObject({ kind: z.literal('structural'), path: z.string(), lines: LineRange.nullable(), section: z.string().nullable() }),
  /** `checked <paths or X–Y>`. */
  z.strictObject({ kind: z.literal('absence'), scope: z.array(z.string()).min(1) }),
  /** `request access <path>`: recorded, proves nothing. */
  z.strictObject({ kind: z.literal('access'), path: z.string() }),
  /** `receipt rcp_…`. */
  z.strictObject({ kind: z.literal('receipt'), receipt_id: z.string() }),
]);
export type EvidencePart = z.infer<typeof EvidencePart>;

/**
 * The form of the evidence decides the type of the claim; the first of these that the line has. `receipt`: it says what a tool answered, and
 * nothing else. `access`: it claims nothing and asks for a source.
 */
export const ClaimForm = z.enum(['content', 'structural', 'absence', 'receipt', 'access']);
export type ClaimForm = z.infer<typeof ClaimForm>;

/** Why a reply is refused. */
export const EVIDENCE_REASONS = [
  'evidence_missing',
  'evidence_multiple',
  'evidence_unreadable',
  'claim_unsupported',
  'quote_too_short',
  'quote_not_found',
  'source_unknown',
  'lines_unknown',
  'section_unknown',
  'absence_unchecked',
  'role_source_missing',
  'receipt_unknown',
  'receipt_proves_nothing',
  'tool_claim_without_receipt',
  'reasoning_preface',
  'tool_syntax',
] as const;
export type EvidenceReason = (typeof EVIDENCE_REASONS)[number];

export const BUCKET_OF_REASON: Readonly<Record<EvidenceReason, Bucket>> = {
  evidence_missing: 'evidence_invalid',
  evidence_multiple: 'evidence_invalid',
  evidence_unreadable: 'evidence_invalid',
  claim_unsupported: 'evidence_invalid',
  quote_too_short: 'evidence_invalid',
  quote_not_found: 'quote_not_found',
  source_unknown: 'evidence_invalid',
  lines_unknown: 'evidence_invalid',
  section_unknown: 'evidence_invalid',
  absence_unchecked: 'evidence_invalid',
  role_source_missing: 'evidence_invalid',
  receipt_unknown: 'evidence_invalid',
  receipt_proves_nothing: 'evidence_invalid',
  tool_claim_without_receipt: 'evidence_invalid',
  reasoning_preface: 'cot_leak',
  tool_syntax: 'tool_syntax',
};

export const EvidenceProblem = z.strictObject({
  reason: z.enum(EVIDENCE_REASONS),
  bucket: z.enum(BUCKETS),
  /** What is wrong, where, and what to do; for the model's one repair attempt and for a person. */
  message: z.string(),
  /** The part of the Evidence line, from 0; absent: the reply as a whole. */
  part: z.int().min(0).optional(),
});
export type EvidenceProblem = z.infer<typeof EvidenceProblem>;

/** Text of a source that the quote may have meant. Offered once, for the repair attempt. */
export const CandidateQuote = z.strictObject({
  path: z.string(),
  start_line: z.int().min(1),
  end_line: z.int().min(1),
  text: z.string(),
  /** 0 to 1: how many words of the quote it has, in order. */
  likeness: z.number(),
});
export type CandidateQuote = z.infer<typeof CandidateQuote>;

/** Of a scene of a manuscript, `source` has the same lines in the manuscript. */
export const ReplyCitation = Citation.extend({ source: Citation.omit({ sha256: true }).optional() });
export type ReplyCitation = z.infer<typeof ReplyCitation>;

export const EvidenceVerdict = z.strictObject({
  /** `accepted`: every part holds. `access`: it claims nothing and asks for a source. `abstained`: the whole reply is ABSTAIN. */
  status: z.enum(['accepted', 'access', 'abstained', 'refused']),
  /** The form of the claim; null: there is no readable Evidence line. */
  form: ClaimForm.nullable(),
  /** The Evidence line as written, without its label; null: none, or several. */
  line: z.string().nullable(),
  parts: z.array(EvidencePart),
  /** Empty unless refused. The first one leads. */
  problems: z.array(EvidenceProblem),
  /** The lines that the quotes were found in, as they are now. */
  citations: z.array(ReplyCitation),
  /** Receipts that the line names and that exist. */
  receipts: z.array(ReceiptId),
  candidates: z.array(CandidateQuote),
  /** Quotations in the text of an accepted reply that are in no file that its Evidence line names. They prove nothing. */
  unchecked_quotes: z.array(z.string()).optional(),
});
export type EvidenceVerdict = z.infer<typeof EvidenceVerdict>;

/** The whole reply of an agent that has nothing to add. */
export const ABSTAIN = 'ABSTAIN';
export const isAbstention = (reply: string): boolean => reply.trim().toUpperCase() === ABSTAIN;

/** A source as it is now, by the path that the reply names. */
export type SourceText =
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly lines: readonly string[];
      /** Of a scene of a manuscript: its line `first_line` is line `source_line` there. */
      readonly source?: { readonly path: string; readonly source_line: number; readonly first_line: number };
    }
  | { readonly kind: 'missing' | 'withheld'; readonly why: string };

/** What a check of a reply may ask for. `checkReply` of `claims` takes it; the conference room fills it. */
export interface ReplySources {
  /** A file of the VFS, split scenes and Canon.md included. */
  readonly read: (path: string) => Promise<SourceText>;
  /** All paths of the VFS, in reading order: for `checked SCN-03–SCN-07`. */
  readonly paths: () => Promise<readonly string[]>;
  /** Receipts of this conference or task; null: there is no such receipt there. */
  readonly receipt: (id: string) => Promise<ReplyReceipt | null>;
  /** Receipts of this turn or round. */
  readonly receipts: () => Promise<readonly ReplyReceipt[]>;
  /** What this role has to rest on: one citation has to match one of the globs. Absent: any source. */
  readonly role?: { readonly name: string; readonly sources: readonly string[] } | undefined;
}

export interface ReplyReceipt {
  readonly receipt_id: string;
  readonly tool_id: string;
  readonly status: 'done' | 'failed';
  /** Its `dry_run` was set: it read nothing. */
  readonly dry: boolean;
  readonly reads: readonly string[];
}
