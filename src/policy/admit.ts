// How verdicts combine. All policies run; the strictest verdict wins; order only chooses which message leads.
// A policy that throws denies every change.

import {
  type Action,
  type Code,
  CODES,
  type Decision,
  type Facts,
  leavesMark,
  type Objection,
  type Outcome,
  type Refusal,
  type Verdict,
} from '../protocol/index.ts';
import { allow, deny, type Policy } from './policy.ts';

const STRICTNESS: Record<Outcome, number> = { allow: 0, ask: 1, deny: 2 };

function judge(policy: Policy, action: Action, facts: Facts): Verdict {
  try {
    return policy.judge(action, facts);
  } catch (error) {
    // Reads are served while a policy is broken, unless it is one that guards reads.
    if (!leavesMark(action.effects) && !policy.guardsReads) return allow(policy.name);
    return deny(policy.name, {
      code: 'POLICY_ERROR',
      message: `The policy "${policy.name}" failed${error instanceof Error ? ` (${error.message})` : ''}; uncertain means no.`,
      required_action: 'Tell a human: this is a defect of the gate, not of your call',
      remedy: null,
    });
  }
}

/** `trouble` are objections met while the facts were gathered: they count like any policy's. */
export function admit(
  policies: readonly Policy[],
  policyRevision: string,
  action: Action,
  facts: Facts,
  trouble: readonly Objection[] = [],
): Decision {
  const verdicts = [...trouble, ...policies.map((policy) => judge(policy, action, facts))];
  const outcome = verdicts.reduce<Outcome>((worst, { outcome }) => (STRICTNESS[outcome] > STRICTNESS[worst] ? outcome : worst), 'allow');
  return { outcome, verdicts, facts, policy_revision: policyRevision };
}

/** The agent's answer for a decision that is not `allow`. */
export function refusalOf(decision: Decision): Refusal {
  const objections = decision.verdicts.filter((verdict): verdict is Objection => verdict.outcome !== 'allow');
  const leading = objections.find(({ outcome }) => outcome === decision.outcome);
  if (!leading) throw new Error('refusalOf: this decision allows');
  return {
    error_code: leading.code,
    message: leading.message,
    recoverable: CODES[leading.code as Code].retry !== 'never',
    required_action: leading.required_action,
    // Where no call of the agent helps, asking a human still does.
    remedy: leading.remedy ?? { tool: 'request_human', args: { question: leading.message.slice(0, 500).toWellFormed() } },
    also_missing: objections.filter((other) => other !== leading).map(({ code, message }) => ({ error_code: code, message })),
  };
}
