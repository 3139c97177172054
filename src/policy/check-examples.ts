// Policies are checked against their own examples before they judge anything. One whose examples fail is not the policy that its author
// described: it throws from then on, so every change is refused with that reason, and reads are served.

import { ORDINARY_ACTION, ORDINARY_FACTS } from './ordinary-case.ts';
import type { Policy, PolicyExample } from './policy.ts';

export interface CheckedPolicies {
  readonly policies: readonly Policy[];
  /** The failed examples, in words. Empty: none failed. */
  readonly broken: readonly string[];
}

export function checkExamples(policies: readonly Policy[]): CheckedPolicies {
  const broken: string[] = [];
  const checked = policies.map((policy) => {
    const why = missingIn(policy) ?? firstBroken(policy);
    if (why === null) return policy;
    broken.push(`The policy "${policy.name}" is not what its examples say: ${why}.`);
    return {
      ...policy,
      judge: () => {
        throw new Error(why);
      },
    };
  });
  return { policies: checked, broken };
}

function missingIn({ examples }: Policy): string | null {
  if (!examples.some(({ expect }) => expect !== 'allow')) return 'it has no example that it objects to';
  return examples.some(({ expect }) => expect === 'allow') ? null : 'it has no example that it lets pass';
}

function firstBroken(policy: Policy): string | null {
  for (const example of policy.examples) {
    const heard = hear(policy, example);
    if (heard !== example.expect) return `${example.says}: expected ${example.expect}, heard ${heard}`;
  }
  return null;
}

function hear(policy: Policy, { action, facts }: PolicyExample): string {
  try {
    const verdict = policy.judge({ ...ORDINARY_ACTION, ...action }, { ...ORDINARY_FACTS, ...facts });
    return verdict.outcome === 'allow' ? 'allow' : verdict.code;
  } catch (error) {
    return `a failure (${String(error)})`;
  }
}
