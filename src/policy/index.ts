// policy: one pure policy a file, and how their verdicts combine.
// Invariant: a policy sees an action and facts, nothing else; unknown means no, and says so.
// Refuses: clocks, files, state, names of tools, agents or doors (a remedy may name a tool: it is advice, not a condition).

import { governancePolicy } from './governance.ts';
import { humanPolicy } from './human.ts';
import { intentPolicy } from './intent.ts';
import { lockPolicy } from './lock.ts';
import { modePolicy } from './mode.ts';
import { planPolicy } from './plan.ts';
import type { Policy } from './policy.ts';
import { recallPolicy } from './recall.ts';
import { riskPolicy } from './risk.ts';
import { scopePolicy } from './scope.ts';
import { tasksPolicy } from './tasks.ts';

/** In the order in which their messages lead: the gate's own files, the four checks of the agent contract in its order, then the rest. */
export const policies: readonly Policy[] = [
  governancePolicy,
  recallPolicy,
  modePolicy,
  tasksPolicy,
  intentPolicy,
  scopePolicy,
  lockPolicy,
  planPolicy,
  humanPolicy,
  riskPolicy,
];

export { admit, refusalOf } from './admit.ts';
export { checkExamples } from './check-examples.ts';
export { INTENT_REQUIRED_MESSAGE } from './intent.ts';
export type { Policy, PolicyExample } from './policy.ts';
export { isAsStrong, isProofEnough, requiredProof, strongerProof } from './await-human.ts';
