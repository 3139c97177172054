// A repeated statement. The second one is merged into the first; only evidence raises it.

import { objectionTo } from '../claims/index.ts';
import { type Citation, type Claim, CLAIM_LIMITS, type ClaimKind, type EvidenceCheck } from '../protocol/index.ts';

/** Strongest first. */
export const KIND_ORDER: readonly ClaimKind[] = ['constraint', 'decision', 'fact', 'claim', 'note'];
const isStronger = (one: ClaimKind, other: ClaimKind): boolean => KIND_ORDER.indexOf(one) < KIND_ORDER.indexOf(other);

/** A fact, a decision and a constraint are different, even in the same words; a claim or a note can become any of them. */
export function mayMerge(into: ClaimKind, addition: ClaimKind): boolean {
  const open = (kind: ClaimKind): boolean => kind === 'claim' || kind === 'note';
  return into === addition || open(into) || open(addition);
}

/** Pure, so that the ledger folds to the same memory everywhere. An approval never moves to a kind that was not approved. */
export function merge(into: Claim, addition: Claim): Claim {
  // What a human countersigned stays what they read.
  if (into.approved && addition.session !== null) {
    const receipts = [...new Set([...into.receipts, ...addition.receipts])];
    return { ...into, receipts, checks: joinChecks(into.checks, withoutNewTroubles(into, addition)) };
  }
  const promoted = isStronger(addition.kind, into.kind) && objectionTo(addition) === null;
  const kind = promoted ? addition.kind : into.kind;
  return {
    ...into,
    kind,
    rationale: promoted ? (addition.rationale ?? into.rationale) : (into.rationale ?? addition.rationale),
    citations: joinCitations(into.citations, addition.citations),
    checks: joinChecks(into.checks, promoted || isOpen(into) ? addition.checks : withoutNewTroubles(into, addition)),
    receipts: [...new Set([...into.receipts, ...addition.receipts])],
    // Without a scope it is about everything.
    scope:
      into.scope.length === 0 || addition.scope.length === 0
        ? []
        : [...new Set([...into.scope, ...addition.scope])].slice(0, CLAIM_LIMITS.scope),
    written_at: into.written_at < addition.written_at ? into.written_at : addition.written_at,
    approved: kind === into.kind ? into.approved : null,
  };
}

const isOpen = (claim: Claim): boolean => claim.kind === 'claim' || claim.kind === 'note';

/** Otherwise anyone could refute a proven claim by repeating it with unrelated evidence. */
function withoutNewTroubles(into: Claim, addition: Claim): readonly EvidenceCheck[] {
  const known = new Set(into.checks.map(checkKey));
  return addition.checks.filter((check) => check.result === 'passed' || known.has(checkKey(check)));
}

/** The newer result of the same evidence counts. */
export function joinChecks(before: readonly EvidenceCheck[], added: readonly EvidenceCheck[]): EvidenceCheck[] {
  const checks = new Map(before.map((check) => [checkKey(check), check]));
  for (const check of added) {
    const known = checks.get(checkKey(check));
    if (known === undefined || known.checked_at <= check.checked_at) checks.set(checkKey(check), check);
  }
  return [...checks.values()].slice(-CLAIM_LIMITS.evidence);
}

const checkKey = ({ evidence }: EvidenceCheck): string =>
  JSON.stringify(
    'command' in evidence
      ? [evidence.type, evidence.command]
      : [evidence.type, evidence.path, 'pattern' in evidence ? evidence.pattern : ''],
  );

/** A new citation of the same lines replaces the old one; otherwise a stale citation could never be fixed. */
function joinCitations(before: readonly Citation[], added: readonly Citation[]): Citation[] {
  const kept = before.filter((old) => !added.some((cited) => overlaps(old, cited)));
  const fresh = new Map(added.map((cited) => [`${cited.path}:${cited.start_line}-${cited.end_line}`, cited]));
  return [...kept, ...fresh.values()].slice(-CLAIM_LIMITS.citations);
}

const overlaps = (one: Citation, other: Citation): boolean =>
  one.path === other.path && one.start_line <= other.end_line && other.start_line <= one.end_line;
