// claims: the evidence for a statement, and whether it is still valid.
// Owns citations of lines, checks of evidence and of the Evidence line of a reply (`reply/`), the summaries of test runners, the computed status, and what a memory needs to be kept.
// Invariant: a status comes from what the gate itself sees in the tree and saw of a command's end; nothing an agent says raises it.
// Refuses: to quote or search governance files and keys, to leave the work tree, to treat unknown as yes, to start anything.

export { type CitedLines, citeLines } from './cite.ts';
export { checkEvidence, type EvidencePorts } from './evidence.ts';
export { type ClaimPaths, isInside, pathInside } from './inside.ts';
export { type ClaimDraft, objectionTo, type Objection } from './objection.ts';
export { findQuoteIn, type FoundQuote } from './reply/find-quote.ts';
export { checkReply, looksLikeToolCall } from './reply/check-reply.ts';
export { type CitationFound, type StatusOptions, type Moved, type StatusFound, statusOf, statusOfCitation } from './status.ts';
export { type Summary, summaryIn } from './test-summaries.ts';
