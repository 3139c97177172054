// signal_task_complete: the work is over. The stamp comes with it, if a recall can still be spent on one; nothing else ends work by an agent's word, and
// that it ended says nothing about whether it was done.

import { z } from 'zod';
import { type RunContext, streams, type ToolResult, type WorkView } from '../../protocol/index.ts';
import { defineTool, eventIn, plan } from '../tool.ts';

export const signalTaskComplete = defineTool({
  name: 'signal_task_complete',
  description:
    'Ends the work by your plan and returns the compliance stamp. With abandoned: true it gives the work up. Nodes that are not done are listed.',
  input: z.strictObject({ summary: z.string().trim().max(4_000).optional(), abandoned: z.boolean().optional() }),
  declare: () => ({ ...plan(), marksTurn: true, endsTurn: true }),
  surfaces: ['hooked', 'contract'],
  run: async ({ summary, abandoned = false }, context): Promise<ToolResult> => {
    const work = context.work();
    const last = work ?? null;
    const stamp = abandoned ? null : await stampOf(context);
    if (abandoned) await context.child('abandon', { reason: (summary ?? 'abandoned').slice(0, 500) || 'abandoned' });
    const isOpen = last !== null && last.ended === null;
    const data = { session: last?.session ?? '', work_id: last?.workId ?? '', abandoned, summary: summary ?? null };
    return {
      output: {
        ended: isOpen,
        ...(last ? { workId: last.workId, ...progressOf(last) } : { note: 'There was no work by a plan to end.' }),
        abandoned,
        stamp: stamp?.stamp ?? null,
        ...(stamp && stamp.status !== 'PASS' ? { stampRefused: stamp.message } : {}),
        statistics: last ? { turns: last.turns, plansAccepted: last.versions, plansRejectedSince: last.rejections.length } : null,
      },
      events: isOpen ? [eventIn(streams.work(context.session.workspace), { type: 'work_ended', data })] : [],
    };
  },
});

interface Stamped {
  readonly status: string;
  readonly stamp?: string;
  readonly message?: string;
}

async function stampOf({ child }: RunContext): Promise<Stamped | null> {
  const { output, refusal } = await child('elefanteAssertCompliance', {}, { wait: false });
  return refusal ? null : (output as Stamped);
}

function progressOf({ plan: accepted }: WorkView) {
  if (!accepted) return { nodes: null };
  const open = accepted.nodes.filter(({ status }) => status !== 'done').map(({ nodeId, status }) => ({ nodeId, status }));
  return { nodes: { done: accepted.nodes.length - open.length, open } };
}
