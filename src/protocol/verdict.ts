// What policies return and what a door gets: a Verdict per policy, a Decision over all of them, a Refusal for the agent.

import { z } from 'zod';
import { codeNames } from './codes.ts';
import { ApprovalId } from './ids.ts';
import { Facts } from './facts.ts';

export const Outcome = z.enum(['allow', 'ask', 'deny']);
export type Outcome = z.infer<typeof Outcome>;

const CodeName = z.enum(codeNames as [string, ...string[]]);

/**
 * A call that the agent can make in its current state. Null: no call of the agent helps, a human has to act. `fill`: arguments that only
 * the agent knows, and what goes there; without them the call is refused.
 */
export const Remedy = z.strictObject({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  fill: z.record(z.string(), z.string()).optional(),
});
export type Remedy = z.infer<typeof Remedy>;

export const Verdict = z.discriminatedUnion('outcome', [
  z.strictObject({ policy: z.string(), outcome: z.literal('allow') }),
  z.strictObject({
    policy: z.string(),
    outcome: z.enum(['ask', 'deny']),
    code: CodeName,
    message: z.string(),
    required_action: z.string(),
    remedy: Remedy.nullable(),
  }),
]);
export type Verdict = z.infer<typeof Verdict>;
export type Objection = Exclude<Verdict, { outcome: 'allow' }>;

/** Everything needed to judge again: the facts, the policies' revision, what each of them said. */
export const Decision = z.strictObject({
  outcome: Outcome,
  verdicts: z.array(Verdict),
  facts: Facts,
  policy_revision: z.string(),
});
export type Decision = z.infer<typeof Decision>;

export const Refusal = z.strictObject({
  error_code: CodeName,
  message: z.string(),
  recoverable: z.boolean(),
  required_action: z.string(),
  remedy: Remedy.nullable(),
  also_missing: z.array(z.strictObject({ error_code: CodeName, message: z.string() })),
  approval_id: ApprovalId.optional(),
});
export type Refusal = z.infer<typeof Refusal>;
