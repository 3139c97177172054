// Whether a change rests on enough: so many distinct sources of each category. A source counts in one category only, and one that was changed
// since it was cited counts in none.

import type { ChangeNode, EvidencePolicy, PlanSource } from '../protocol/index.ts';

export const EVIDENCE_CATEGORIES = ['requirement', 'code', 'policy'] as const;
export type EvidenceCategory = (typeof EVIDENCE_CATEGORIES)[number];

export interface EvidenceCount {
  readonly category: EvidenceCategory;
  readonly has: number;
  readonly needs: number;
}

export interface EvidenceFinding {
  readonly counts: readonly EvidenceCount[];
  readonly lacking: readonly EvidenceCount[];
  /** The guarded single-source path: it lets a node pass that lacks sources, and a human has to say yes to it before it runs. */
  readonly guard: 'not asked for' | 'not allowed' | 'incomplete' | 'holds';
  /** What the guard still needs. */
  readonly guardMissing: readonly string[];
}

export function weighEvidence(
  node: Pick<
    ChangeNode,
    'operation' | 'citations' | 'codeEvidence' | 'policyRefs' | 'lowEvidenceGuard' | 'uncertaintyNote' | 'requiresHumanReview'
  >,
  policy: EvidencePolicy,
  { hasCode }: { readonly hasCode: boolean },
): EvidenceFinding {
  const requirement = distinctSources(node.citations, policy);
  // The same lines cannot be both the reason for a change and the code that it rests on.
  const code = distinctSources(
    node.codeEvidence.filter((source) => 'path' in source),
    policy,
    requirement,
  );
  const counts: readonly EvidenceCount[] = [
    { category: 'requirement', has: requirement.length, needs: policy.minRequirementSources },
    // In a tree without code, the first file has nothing to rest on.
    { category: 'code', has: code.length, needs: node.operation === 'create' && !hasCode ? 0 : policy.minCodeEvidenceSources },
    { category: 'policy', has: new Set(node.policyRefs).size, needs: policy.minPolicySources },
  ];
  const lacking = counts.filter(({ has, needs }) => has < needs);
  const guardMissing = [
    ...(requirement.length + code.length > 0 ? [] : ['one source']),
    ...(node.lowEvidenceGuard ? [] : ['lowEvidenceGuard: true']),
    ...(node.uncertaintyNote?.trim() ? [] : ['uncertaintyNote']),
    ...(node.requiresHumanReview ? [] : ['requiresHumanReview: true']),
  ];
  const isAskedFor = node.lowEvidenceGuard || node.requiresHumanReview || node.uncertaintyNote !== null;
  const guard = !isAskedFor
    ? 'not asked for'
    : !policy.allowSingleSourceWithGuard
      ? 'not allowed'
      : guardMissing.length > 0
        ? 'incomplete'
        : 'holds';
  return { counts, lacking, guard, guardMissing };
}

/** One of each; `but` are sources that count elsewhere already. */
export function distinctSources(
  sources: readonly PlanSource[],
  { distinctSourceDefinition }: Pick<EvidencePolicy, 'distinctSourceDefinition'>,
  but: readonly PlanSource[] = [],
): readonly PlanSource[] {
  const same = (a: PlanSource, b: PlanSource): boolean => {
    if ('ref' in a || 'ref' in b) return 'ref' in a && 'ref' in b && a.ref === b.ref;
    if (a.path !== b.path) return false;
    return distinctSourceDefinition === 'file' || (a.start_line <= b.end_line && b.start_line <= a.end_line);
  };
  const kept: PlanSource[] = [];
  for (const source of sources) if (![...but, ...kept].some((other) => same(source, other))) kept.push(source);
  return kept;
}
