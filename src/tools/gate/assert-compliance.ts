// elefanteAssertCompliance: the stamp that an agent fetches at the end of its work and cannot write itself. Each needs a recall of its own.

import { z } from 'zod';
import { newId, type RunContext, sealedText, stampText, streams, type ToolResult } from '../../protocol/index.ts';
import { readTasks, taskListFor } from '../../workspace/index.ts';
import { defineTool, eventIn, plan } from '../tool.ts';

/** Fixed text: agents and external tests match it exactly. */
export const GATE_CLOSED =
  "⛔ GATE CLOSED. You have not searched Elefante in this turn. You MUST call 'elefanteMemorySearch' before I can issue the Compliance Stamp.";

export const assertCompliance = defineTool({
  name: 'elefanteAssertCompliance',
  description:
    'Issues the compliance stamp for this turn. Put it at the end of your response exactly as it is; you cannot write it yourself. Fails until you have searched memory; each search is good for one stamp.',
  input: z.strictObject({}),
  output: z.looseObject({ status: z.enum(['PASS', 'FAIL']) }),
  declare: () => ({ ...plan(), marksTurn: true, endsTurn: true }),
  surfaces: ['hooked', 'contract'],
  run: async (_input, context) => {
    const list = await listState(context);
    // While the session is locked: two calls at once must not get two stamps for one recall.
    return { output: null, finish: (now) => issue(now, list) };
  },
});

function issue({ action, session, settings, seal, checklist }: RunContext, list: 'none' | 'open' | 'done'): ToolResult {
  const { recall, turn, id, mode } = session;
  // In STRICT, what the gate showed by itself does not count as the agent's recall.
  const isOwed = recall?.how === 'injected' && (mode === 'STRICT' || settings.minimumMode === 'STRICT');
  if (!recall?.stampable || recall.turn !== turn || isOwed) {
    return {
      output: { status: 'FAIL', message: GATE_CLOSED, remedy: { tool: 'memory_query', args: { query: 'what is known about this work' } } },
    };
  }
  const stamp = newId('stp');
  const { found } = recall;
  const mark = seal(sealedText({ stamp, session: id, turn, action: action.id, found }));
  const done = checklist(list);
  return {
    output: { status: 'PASS', stamp: `${stampText(found)}\n${stamp} ${mark}`, ...(done === null ? {} : { checklist: done }) },
    events: [
      eventIn(streams.session(id), { type: 'stamp_issued', data: { stamp, session: id, turn, action: action.id, found, seal: mark } }),
    ],
  };
}

async function listState({ action, session, intents }: RunContext): Promise<'none' | 'open' | 'done'> {
  const intent = intents.find(({ id }) => id === session.intent) ?? null;
  // The tools that need the list report that it is unreadable; a stamp is about recall.
  const read = await readTasks(action.root).catch(() => null);
  const list = read && taskListFor(read.lists, intent);
  if (!list || list.tasks.length === 0) return 'none';
  return list.current === null ? 'done' : 'open';
}
