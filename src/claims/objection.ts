// What a memory needs before it may be kept (R5). Evidence is weighed by what the gate found, never by what is said about it.

import type { Citation, Claim, ClaimKind, EvidenceCheck, RefusalCode } from '../protocol/index.ts';

export type ClaimDraft = Pick<Claim, 'kind' | 'rationale' | 'citations' | 'checks'>;

export interface Objection {
  readonly code: Extract<RefusalCode, 'EVIDENCE_REQUIRED' | 'EVIDENCE_FAILED' | 'RATIONALE_REQUIRED'>;
  readonly message: string;
}

type Need = 'evidence' | 'rationale' | 'nothing';
const NEEDS: Readonly<Record<ClaimKind, Need>> = {
  fact: 'evidence',
  decision: 'rationale',
  constraint: 'rationale',
  claim: 'nothing',
  note: 'nothing',
};

export function objectionTo(draft: ClaimDraft): Objection | null {
  const need = NEEDS[draft.kind];
  if (need === 'rationale' && (draft.rationale ?? '').trim() === '')
    return { code: 'RATIONALE_REQUIRED', message: `A ${draft.kind} is kept with the reason for it, and none is given.` };
  return need === 'evidence' ? objectionToEvidence(draft.citations, draft.checks) : null;
}

function objectionToEvidence(citations: readonly Citation[], checks: readonly EvidenceCheck[]): Objection | null {
  const open = checks.filter(({ result }) => result !== 'passed');
  if (open.length > 0) {
    const said = open.map(
      ({ evidence, result, detail }) => `${evidence.type} ${result === 'failed' ? 'failed' : 'could not be checked'}: ${detail}`,
    );
    return { code: 'EVIDENCE_FAILED', message: `A fact is kept when all its evidence holds. ${said.join('; ')}.` };
  }
  if (citations.length === 0 && checks.length === 0)
    return { code: 'EVIDENCE_REQUIRED', message: 'A fact needs at least one citation or one check that passes, and has neither.' };
  return null;
}
