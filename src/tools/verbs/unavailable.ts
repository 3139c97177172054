// Verbs whose work this version cannot do. They are checked like the others, and then refused with a code and the reason: an agent must never take
// a refusal for a result.

import { z } from 'zod';
import { PathId, SideEffectType } from '../../protocol/index.ts';
import { nodeNamed } from '../plan/plan-node.ts';
import { defineTool, observe, refuse } from '../tool.ts';

export const executeGatedSideEffect = defineTool({
  name: 'execute_gated_side_effect',
  description: 'Performs the side effect of a node behind its gate.',
  input: z.looseObject({ planNodeId: PathId, sideEffectType: SideEffectType }),
  declare: observe,
  surfaces: [],
  run: async ({ planNodeId, sideEffectType }, context) => {
    const { node, refusal } = nodeNamed(context, planNodeId, 'side_effect');
    if (!node || refusal) return refusal!;
    const mismatch = node.sideEffectType === sideEffectType ? '' : ` The plan says ${node.sideEffectType}, not ${sideEffectType}.`;
    return refuse(
      'EXEC_UNGATED_SIDE_EFFECT',
      `No human has opened the gate ${node.commitGateId} of node ${planNodeId}, and this version cannot open gates yet; nothing was done.${mismatch}`,
      'Tell the human what is to be done; they do it themselves',
      { tool: 'list_available_verbs', args: {} },
    );
  },
});
