// The envelope: what is given has to be what the server knows. A wrong value is refused with the right one, because it shows that the plan was
// made for another run, commit or pack.

import { type EvidencePolicy, PLAN_SCHEMA_VERSION, type PatchStep, type PlanError } from '../../protocol/index.ts';
import { canonicalHash } from '../canonical.ts';
import { inEnvelope, planError, remove, replace } from './plan-error.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { PlanDraft } from './read-plan.ts';

export function checkEnvelope({ envelope }: PlanDraft, facts: PlanFacts, fingerprint: string | null): readonly PlanError[] {
  const { situation, pack } = facts;
  const errors: PlanError[] = [];
  const expect = (field: string, right: string | null): void => {
    const given = envelope.text(field);
    if (given === undefined || given === right || situation.issued.has(given)) return;
    // Without a right value there is nothing to compare with, and a pack or fingerprint of an unfinished plan proves nothing.
    const says = right === null ? 'it cannot be computed before the other errors are gone' : `it is ${JSON.stringify(right)}`;
    errors.push(
      planError({
        code: 'PLAN_MISSING_REQUIRED_FIELDS',
        at: inEnvelope(field),
        message: `${field} is ${JSON.stringify(shortened(given))}, and ${says}.`,
        fix: `Leave ${field} out: the server fills it in`,
        patch: [remove([field])],
      }),
    );
  };
  expect('workId', situation.workId);
  expect('agentId', situation.agentId);
  expect('runSessionId', situation.runSessionId);
  expect('repoSnapshotId', facts.repoSnapshotId);
  expect('worktreeRoot', situation.worktreeRoot);
  expect('contextPackRef', pack?.ref ?? null);
  expect('contextPackHash', pack?.hash ?? null);
  expect('scopeAllowlistRef', facts.scopeAllowlistRef);
  expect('planFingerprint', fingerprint);
  expect('schemaVersion', PLAN_SCHEMA_VERSION);
  const versions = envelope.record('policyVersionSet');
  if (versions && canonicalHash(versions) !== canonicalHash(situation.policyVersionSet))
    errors.push(
      planError({
        code: 'PLAN_MISSING_REQUIRED_FIELDS',
        at: inEnvelope('policyVersionSet'),
        message: 'policyVersionSet is not the set of policies in force.',
        fix: 'Leave policyVersionSet out: the server fills it in',
        patch: [remove(['policyVersionSet'])],
      }),
    );
  for (const [index, ref] of (envelope.texts('sourceTraceRefs') ?? []).entries())
    if (!situation.traceRefs.has(ref))
      errors.push(
        planError({
          code: 'PLAN_MISSING_REQUIRED_FIELDS',
          at: inEnvelope('sourceTraceRefs', index),
          message: `${JSON.stringify(shortened(ref))} is not the traceRef of a turn of this run.`,
          fix: 'Leave sourceTraceRefs out, or name traceRefs that earlier answers of this run had',
          patch: [remove(['sourceTraceRefs'])],
        }),
      );
  return errors;
}

const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 99)}…` : text);

const MINIMA = ['minRequirementSources', 'minCodeEvidenceSources', 'minPolicySources'] as const;

/** The configured policy, with what the plan raised. A plan that asks for less is refused. */
export function readEvidencePolicy(
  { envelope }: PlanDraft,
  configured: EvidencePolicy,
): { readonly policy: EvidencePolicy; readonly errors: readonly PlanError[] } {
  const given = envelope.record('evidencePolicy') ?? {};
  const errors: PlanError[] = [];
  const complain = (field: string, message: string, fix: string, patch: PatchStep): void =>
    void errors.push(
      planError({ code: 'PLAN_EVIDENCE_INSUFFICIENT', at: inEnvelope('evidencePolicy', field), message, fix, patch: [patch] }),
    );
  const at = (field: string): readonly string[] => ['evidencePolicy', field];
  const policy = { ...configured, lowEvidenceGuardRules: [...configured.lowEvidenceGuardRules] };
  for (const [field, value] of Object.entries(given)) {
    const minimum = MINIMA.find((each) => each === field);
    if (value === null || value === undefined) continue;
    if (minimum) {
      if (Number.isInteger(value) && (value as number) >= configured[minimum] && (value as number) <= 20) policy[minimum] = value as number;
      else
        complain(
          field,
          `${field} is ${JSON.stringify(value)?.slice(0, 40)}; a plan may raise it from ${configured[minimum]} up to 20, not lower it.`,
          `Set ${field} to ${configured[minimum]} or more, or leave it out`,
          replace(at(field), configured[minimum]),
        );
    } else if (field === 'allowSingleSourceWithGuard') {
      if (value === false) policy.allowSingleSourceWithGuard = false;
      else if (value !== configured.allowSingleSourceWithGuard)
        complain(
          field,
          'Only the settings can allow a single source.',
          'Leave it out, and give each change the sources that it needs',
          remove(at(field)),
        );
    } else if (field === 'distinctSourceDefinition') {
      if (value === 'file' || value === configured.distinctSourceDefinition) policy.distinctSourceDefinition = value as 'file';
      else
        complain(
          field,
          `distinctSourceDefinition is ${JSON.stringify(configured.distinctSourceDefinition)} here; a plan may only choose the stricter "file".`,
          'Leave it out',
          remove(at(field)),
        );
    } else if (field !== 'lowEvidenceGuardRules')
      complain(field, `${JSON.stringify(field)} is not a part of evidencePolicy.`, 'Remove it', remove(at(field)));
  }
  return { policy, errors };
}
