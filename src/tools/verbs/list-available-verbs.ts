// list_available_verbs: what may be called now, and what the work waits for. The answer to every turn lists the same verbs; this one explains them.

import { z } from 'zod';
import type { WorkState } from '../../protocol/index.ts';
import { verbsIn } from '../controller/verb-catalog.ts';
import { staleIn, statusOf } from '../plan/plan-status.ts';
import { defineTool, observe } from '../tool.ts';

const NEXT: Readonly<Record<WorkState, string>> = {
  PLAN_REQUIRED: 'Read what you need, then send submit_execution_plan. Nothing may be changed before a plan is accepted.',
  PLAN_ACCEPTED: 'Change the files of the nodes that are ready, with apply_code_patch.',
  EXECUTION_ENABLED:
    'Go on with the nodes that are ready; run_automation_recipe with run_targeted_validation runs the checks of a validate node.',
  BLOCKED_BUDGET: 'The budget is spent. A human can grant more: countersign plan grant-budget. Until then only these verbs run.',
  FAILED: 'This work has failed. Send a turn with a new workId to begin again.',
  COMPLETED: 'This work is done. Send a turn with a new workId to begin another.',
};

export const listAvailableVerbs = defineTool({
  name: 'list_available_verbs',
  description: 'Lists the verbs that may be called now.',
  input: z.strictObject({}),
  declare: observe,
  readOnly: true,
  surfaces: [],
  run: async (_input, { work, place: { root } }, { privateFolders }) => {
    const now = work();
    const stale = await staleIn(now, { root, privateFolders });
    const state = now?.state ?? 'PLAN_REQUIRED';
    return {
      output: {
        state,
        verbs: verbsIn(state),
        next: NEXT[state],
        ...(now?.ended ? { ended: now.ended } : {}),
        ...(now?.plan ? { plan: statusOf(now)['plan'] } : {}),
        ...(stale.length > 0 ? { staleEvidence: stale } : {}),
      },
    };
  },
});
