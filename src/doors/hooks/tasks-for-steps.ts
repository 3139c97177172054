// An agent that keeps a list of its own has said what its steps are. In GUARDED the gate writes them down where they belong, as proposed
// tasks, so that the agent need not say them twice. Completing one is still the agent's to say and the receipts' to prove.

import { z } from 'zod';
import type { ActionRequest, Kernel } from '../../kernel/index.ts';

const Steps = z.looseObject({ steps: z.array(z.string()) });
const Shown = z.looseObject({ current: z.looseObject({}).nullable() });

type Where = Pick<ActionRequest, 'session' | 'workspace' | 'root' | 'cwd' | 'signal'>;

/** Whatever cannot be written is asked for at the first change, as ever: trouble here must not cost anybody their list. */
export async function tasksForSteps(kernel: Kernel, where: Where, input: unknown): Promise<void> {
  const { data } = Steps.safeParse(input);
  const entry = kernel.state.sessions.get(where.session);
  const isCited = kernel.state.intent(where.workspace, entry?.intent ?? '')?.intent.status === 'active';
  if (!data || data.steps.length < 2 || entry?.mode !== 'GUARDED' || !isCited || kernel.state.observing.has(where.workspace)) return;
  const pass = (tool: string, args: Record<string, unknown>) =>
    kernel.spine.pass({ ...where, actor: { agent: 'countersign' }, door: 'hook', tool, input: args, waitTimeoutMs: 0 });
  try {
    const { outcome } = await pass('task_list', {});
    const list = Shown.safeParse(outcome.kind === 'observed' ? outcome.output : null);
    // A list with something to do is what the work is held to already.
    if (list.success && list.data.current === null) await pass('task_add', { titles: data.steps });
  } catch (error) {
    await kernel.recordDefect('tasks for steps', error).catch(() => {});
  }
}
