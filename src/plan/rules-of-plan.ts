// The rules that apply to the files of a plan: out of lessons, policy rows and the constraints of the intent.

import type { AppliedLesson, RuleOfPlans } from '../memory/index.ts';
import type { IntentView } from '../protocol/index.ts';
import type { PolicyRow } from './look-up.ts';

export const lessonRules = (applied: readonly AppliedLesson[]): readonly RuleOfPlans[] =>
  applied.flatMap(({ lesson: { id, enforcementType, planRule }, anchor, files }) =>
    enforcementType === 'plan_rule' && planRule
      ? [
          {
            id,
            condition: planRule.condition,
            requiredSteps: planRule.requiredSteps,
            denyCode: planRule.denyCode,
            files: anchor === null ? null : files,
          },
        ]
      : [],
  );

export function isAbout({ folders }: Pick<PolicyRow, 'folders'>, file: string): boolean {
  return folders.length === 0 || folders.some((folder) => folder === '.' || file === folder || file.startsWith(`${folder}/`));
}

/** A row with `condition` or `requiredSteps` is a rule; one with words alone is for reading. */
export const policyRules = (rows: readonly PolicyRow[], files: readonly string[]): readonly RuleOfPlans[] =>
  rows.flatMap((row) => {
    const { condition, requiredSteps, denyCode } = row.node.data;
    const steps = Array.isArray(requiredSteps) ? requiredSteps.filter((step) => typeof step === 'string') : [];
    if (typeof condition !== 'string' && steps.length === 0) return [];
    const about = files.filter((file) => isAbout(row, file));
    if (about.length === 0) return [];
    return [
      {
        id: `The policy ${row.id} (${row.name})`,
        condition: typeof condition === 'string' ? condition : 'always',
        requiredSteps: steps,
        denyCode: typeof denyCode === 'string' ? denyCode : 'PLAN_POLICY_VIOLATION',
        files: row.folders.length === 0 ? null : about,
      },
    ];
  });

const FORBIDS = /^(?:deny|forbid|never):\s*(?<condition>.+)$/i;
const REQUIRES = /^require:\s*(?<step>.+?)(?:\s+when\s+(?<condition>.+))?$/i;

/** A constraint in the words of rules is checked; any other is for people and for the context pack. */
export const constraintRules = (intent: IntentView | null): readonly RuleOfPlans[] =>
  (intent?.constraints ?? []).flatMap((text, at) => {
    const id = `The constraint ${at + 1} of ${intent!.id}`;
    const common = { id, denyCode: 'PLAN_POLICY_VIOLATION', files: null };
    const forbids = FORBIDS.exec(text.trim())?.groups;
    if (forbids) return [{ ...common, condition: forbids['condition']!, requiredSteps: [] }];
    const requires = REQUIRES.exec(text.trim())?.groups;
    return requires ? [{ ...common, condition: requires['condition'] ?? 'always', requiredSteps: [requires['step']!] }] : [];
  });
