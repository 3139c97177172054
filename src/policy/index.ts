// policy: one pure policy a file, and how their verdicts combine.
// Invariant: a policy sees an action and facts, nothing else; unknown means no, and says so.
// Refuses: clocks, files, state, names of tools, agents or doors (a remedy may name a tool: it is advice, not a condition).

import { governancePolicy } from './governance.ts';
import { intentPolicy } from './intent.ts';
import { modePolicy } from './mode.ts';
import type { Policy } from './policy.ts';
import { riskPolicy } from './risk.ts';
import { scopePolicy } from './scope.ts';

/** In the order in which their messages lead. */
export const policies: readonly Policy[] = [governancePolicy, modePolicy, intentPolicy, scopePolicy, riskPolicy];

export { admit, refusalOf } from './admit.ts';
export { INTENT_REQUIRED_MESSAGE } from './intent.ts';
export type { Policy, PolicyExample } from './policy.ts';
export { isProofEnough, requiredProof } from './risk.ts';
