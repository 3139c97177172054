// policy: one pure policy a file, and how their verdicts combine.
// Invariant: a policy sees an action and facts, nothing else; unknown means no, with a reason.
// Refuses: clocks, files, state, names of tools, agents or doors (a remedy may name a tool: it is advice, not a condition).

export { admit, refusalOf } from './admit.ts';
export { checkExamples } from './check-examples.ts';
export { INTENT_REQUIRED_MESSAGE } from './intent.ts';
export { policies } from './policies.ts';
export type { Policy, PolicyExample } from './policy.ts';
export { POLICY_REVISIONS } from './revisions.ts';
export { isAsStrong, isProofEnough, requiredProof, strongerProof } from './await-human.ts';
