// The recall that the gate makes for an agent as a prompt comes in. In GUARDED it counts as the recall of that turn, so that ordinary
// work does not cost a call for it; in STRICT the agent still recalls by itself.

import { RecalledMemories, TURN_TOOLS } from '../protocol/index.ts';
import type { OwnCalls } from './turns.ts';

/** A small part of an agent's context. */
const CHARACTERS = 1_500;
const QUERY_CHARACTERS = 1_500;

/**
 * In words for the agent; null when nothing was found, or nothing could be. An error here must not cost an agent its prompt. Where the
 * gate only observes it still recalls, so that its verdicts are the ones it would give when enforcing, but sends the agent nothing.
 */
export async function recallForPrompt(
  { state, pass, recordDefect }: OwnCalls,
  session: string,
  prompt: string | null,
): Promise<string | null> {
  const entry = state.sessions.get(session);
  if (!entry || entry.mode === null || entry.mode === 'PASSIVE') return null;
  const intent = entry.intent === null ? null : state.intent(entry.workspace, entry.intent)?.intent;
  const query = [prompt ?? '', intent ? `${intent.name} ${intent.owned_scope.join(' ')}` : '']
    .map((part) => part.slice(0, QUERY_CHARACTERS / 2).toWellFormed())
    .join(' ')
    .trim();
  if (query === '') return null;
  try {
    const { data } = RecalledMemories.safeParse(await pass(TURN_TOOLS.recall, { query }));
    return data && data.memories.length > 0 && !state.isObserved(session) ? wordsOf(data.memories) : null;
  } catch (error) {
    await recordDefect('recall for a prompt', error).catch(() => {});
    return null;
  }
}

function wordsOf(memories: ReturnType<typeof RecalledMemories.parse>['memories']): string {
  const head = 'Countersign: known about this, by what humans and agents wrote down (look closer with memory_query):';
  let left = CHARACTERS - head.length;
  const lines = memories.map(({ id, kind, statement, status }) => `- ${statement.replaceAll(/\s+/g, ' ')} [${kind}, ${status}, ${id}]`);
  return [head, ...lines.filter((line) => (left -= line.length + 1) >= 0)].join('\n');
}
