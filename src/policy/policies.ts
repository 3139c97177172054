// The policies that hold, in order.

import { authorityPolicy } from './authority.ts';
import { governancePolicy } from './governance.ts';
import { humanPolicy } from './human.ts';
import { intentPolicy } from './intent.ts';
import { lockPolicy } from './lock.ts';
import { loopPolicy } from './loop.ts';
import { modePolicy } from './mode.ts';
import { planPolicy } from './plan.ts';
import type { Policy } from './policy.ts';
import { recallPolicy } from './recall.ts';
import { riskPolicy } from './risk.ts';
import { scopePolicy } from './scope.ts';
import { tasksPolicy } from './tasks.ts';
import { wallsPolicy } from './walls.ts';

/** In the order in which their messages lead: the gate's own files, the four checks of the agent contract in its order, then the rest. */
export const policies: readonly Policy[] = [
  authorityPolicy,
  governancePolicy,
  recallPolicy,
  modePolicy,
  // Before the tasks: the nodes of a plan are the tasks, and one yes confirms them.
  planPolicy,
  tasksPolicy,
  intentPolicy,
  scopePolicy,
  lockPolicy,
  loopPolicy,
  humanPolicy,
  wallsPolicy,
  riskPolicy,
];
