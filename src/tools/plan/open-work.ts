// open_work: begins a piece of work for the session. Only other tools call it. A name that was used before is refused: its plan and a human's yes to it belong to
// the work that had it.

import { z } from 'zod';
import { PathId, type RunContext, streams, type ToolResult } from '../../protocol/index.ts';
import { defineTool, eventIn, plan, refuse } from '../tool.ts';

const Input = z.strictObject({
  workId: PathId,
  runSessionId: PathId,
  agentId: z.string().min(1).max(256),
  prompt: z.string().nullable(),
  metered: z.boolean(),
});

export const openWork = defineTool({
  name: 'open_work',
  description: 'Begins a piece of work.',
  input: Input,
  declare: plan,
  surfaces: [],
  // While the session is locked: two calls at once must not open the same.
  run: async (input) => ({ output: null, finish: (now) => open(now, input) }),
});

function open(
  { session, place, workNamed }: RunContext,
  { workId, runSessionId, agentId, prompt, metered }: z.infer<typeof Input>,
): ToolResult {
  if (workNamed(workId))
    return refuse(
      'PLAN_SCOPE_VIOLATION',
      `There is work ${workId} already, and it is not yours to go on with.`,
      'Send another workId, or none',
      {
        tool: 'list_available_verbs',
        args: {},
      },
    );
  const data = {
    ...{ workspace: session.workspace, root: place.root, session: session.id, metered, prompt },
    ...{ work_id: workId, run_session_id: runSessionId, agent_id: agentId },
  };
  return { output: { workId }, events: [eventIn(streams.work(session.workspace), { type: 'work_opened', data })] };
}
