// The recall that the gate makes for an agent as a prompt comes in. In GUARDED it counts as the recall of that turn, so that ordinary
// work does not cost a call for it; in STRICT the agent still recalls by itself.

import { z } from 'zod';
import type { ActionRequest, Kernel } from '../../kernel/index.ts';

const Found = z.looseObject({
  found: z.number(),
  memories: z.array(z.looseObject({ id: z.string(), kind: z.string(), statement: z.string(), status: z.string() })),
});

/** What an agent's context can spare. */
const CHARACTERS = 1_500;
const QUERY_CHARACTERS = 1_500;

type Where = Pick<ActionRequest, 'session' | 'workspace' | 'root' | 'cwd' | 'signal'>;

/**
 * In words for the agent; null when nothing was found, or nothing could be. Trouble here must not cost anybody their prompt. Where the
 * gate only observes it recalls all the same, so that what it would say is what it would say later, and tells the agent nothing.
 */
export async function recallForPrompt(kernel: Kernel, where: Where, prompt: string | null): Promise<string | null> {
  const entry = kernel.state.sessions.get(where.session);
  if (!entry || entry.mode === null || entry.mode === 'PASSIVE') return null;
  const intent = entry.intent === null ? null : kernel.state.intent(entry.workspace, entry.intent)?.intent;
  const query = [prompt ?? '', intent ? `${intent.name} ${intent.owned_scope.join(' ')}` : '']
    .map((part) => part.slice(0, QUERY_CHARACTERS / 2).toWellFormed())
    .join(' ')
    .trim();
  if (query === '') return null;
  try {
    const { outcome } = await kernel.spine.pass({
      ...where,
      actor: { agent: 'countersign' },
      door: 'hook',
      tool: 'recall_for_prompt',
      input: { query },
      waitTimeoutMs: 0,
    });
    const { data } = Found.safeParse(outcome.kind === 'observed' ? outcome.output : null);
    return data && data.memories.length > 0 && !kernel.state.isObserved(where.session) ? wordsOf(data.memories) : null;
  } catch (error) {
    await kernel.recordDefect('recall for a prompt', error).catch(() => {});
    return null;
  }
}

function wordsOf(memories: z.output<typeof Found>['memories']): string {
  const head = 'Countersign: known about this, by what humans and agents wrote down (look closer with memory_query):';
  let left = CHARACTERS - head.length;
  const lines = memories.map(({ id, kind, statement, status }) => `- ${statement.replaceAll(/\s+/g, ' ')} [${kind}, ${status}, ${id}]`);
  return [head, ...lines.filter((line) => (left -= line.length + 1) >= 0)].join('\n');
}
