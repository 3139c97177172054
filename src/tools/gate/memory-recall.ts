// Recall: what is known about the work, found by words and identifiers. Reading is free in every mode. A successful recall, even an empty
// one, makes the session fresh for this intent and turn, and is good for one stamp.

import { z } from 'zod';
import { ClaimId, IntentId, type MemoryRow, type RunContext, streams, type ToolResult } from '../../protocol/index.ts';
import { rowsOf } from '../../memory/index.ts';
import { headRevision } from '../../workspace/index.ts';
import { defineTool, eventIn, type ToolDeps, observe } from '../tool.ts';

const DEFAULT_LIMIT = 8;
const MAX_PASSAGES = 5;
const Limit = z.int().min(1).max(50).optional().describe(`How many at most; ${DEFAULT_LIMIT} without it`);

/** An answer that fills the agent's context is useless. */
const ANSWER_CHARACTERS = 12_000;

const query = z.strictObject({
  query: z.string().min(1).max(2_000).describe('Words, identifiers or paths'),
  limit: Limit,
  intent: IntentId.optional().describe('The intent that you are about to work on, when you have not cited it yet'),
});

const RecallOutput = z.looseObject({
  found: z.int(),
  /** Passages of the work tree's own documents, with file and line. */
  documents: z.array(z.looseObject({ at: z.string(), text: z.string() })).optional(),
  memories: z.array(z.looseObject({ id: ClaimId, kind: z.string(), statement: z.string(), status: z.string(), why: z.array(z.string()) })),
});

const recall = (name: string, description: string, surfaces: readonly ('hooked' | 'contract')[], how: 'asked' | 'injected' = 'asked') =>
  defineTool({
    name,
    description,
    input: query,
    output: RecallOutput,
    declare: observe,
    readOnly: true,
    surfaces,
    run: async (input, context, deps) => {
      const intent = input.intent ?? context.session.intent;
      const scope = context.intents.find(({ id }) => id === intent)?.owned_scope;
      const hits = deps.memory.recall(context.session.workspace, {
        query: input.query,
        limit: input.limit ?? DEFAULT_LIMIT,
        ...(scope === undefined ? {} : { scope }),
        now: deps.now(),
      });
      const result = await answer(context, deps, { hits, query: input.query, intent, how });
      // The recall for a prompt and the one of begin_work come with all work: they must not start the index.
      if (how === 'injected' || context.action.parent !== undefined) return result;
      return { ...result, output: { ...(result.output as object), ...(await inDocuments(deps, context, input.query)) } };
    },
  });

export const memoryQuery = recall(
  'memory_query',
  'Recalls what is known about the work: facts, decisions, constraints, claims and notes, ranked, each saying why it was found. Always allowed; required once a turn before changing anything.',
  ['hooked', 'contract'],
);

export const elefanteMemorySearch = recall(
  'elefanteMemorySearch',
  'Searches memory, and makes the next elefanteAssertCompliance pass once. The same as memory_query.',
  ['contract'],
);

/** The gate's own recall when a prompt arrives. */
export const recallForPrompt = recall('recall_for_prompt', 'Recalls for an agent what is known about its prompt.', [], 'injected');

export const memoryRecent = defineTool({
  name: 'memory_recent',
  description: 'Recalls what was written down last. Always allowed; counts as a recall.',
  input: z.strictObject({ limit: Limit }),
  output: RecallOutput,
  declare: observe,
  readOnly: true,
  surfaces: ['contract'],
  run: async ({ limit }, context, deps) => {
    const hits = deps.memory
      .recent(context.session.workspace, limit ?? DEFAULT_LIMIT)
      .map((claim) => ({ claim, times: 1, score: 0, why: ['among the newest'] }));
    return answer(context, deps, { hits, query: null, intent: context.session.intent, how: 'asked' });
  },
});

/** Documents are not memories: they are listed apart, and a stamp does not count them. */
async function inDocuments({ passagesAbout }: ToolDeps, { action }: RunContext, question: string): Promise<object> {
  // An index that fails costs the passages, never the recall.
  const passages = await passagesAbout?.(action.root, question, MAX_PASSAGES).catch(() => undefined);
  if (passages === null) return { documents_note: 'The documents of this work tree are still being indexed: ask again in a moment.' };
  if (passages === undefined || passages.length === 0) return {};
  return {
    documents: passages.map(({ path, line, heading, text }) => ({ at: `${path}:${line}`, ...(heading === null ? {} : { heading }), text })),
  };
}

type Hits = Parameters<typeof rowsOf>[2];

async function answer(
  context: RunContext,
  deps: ToolDeps,
  { hits, query, intent, how }: { hits: Hits; query: string | null; intent: string | null; how: 'asked' | 'injected' },
): Promise<ToolResult> {
  const { id: session, workspace, turn } = context.session;
  const rows = await rowsOf(
    deps.memory,
    {
      ...{ workspace, root: context.action.root, lastChange: context.lastChange, privateFolders: deps.privateFolders },
      revision: () => headRevision(context.action.root),
    },
    hits,
  );
  return {
    output: { found: rows.length, memories: within(ANSWER_CHARACTERS, rows.map(shown)) },
    events: [
      eventIn(streams.session(session), {
        type: 'recall_done',
        data: { session, turn, intent, how, query, found: rows.length, claims: rows.map(({ id }) => id) },
      }),
    ],
  };
}

/** What an agent needs of a memory. */
const shown = ({ id, kind, statement, rationale, status, because, citations, moved, contradicts, approved, why }: MemoryRow) => ({
  id,
  kind,
  statement,
  ...(rationale === null ? {} : { rationale }),
  status,
  because,
  ...(approved === null ? {} : { approved_by_human: true }),
  ...(citations.length === 0 ? {} : { citations: citations.map(({ path, start_line, end_line }) => `${path}:${start_line}-${end_line}`) }),
  ...(moved.length === 0 ? {} : { moved: moved.map(({ path, start_line, was }) => `${was} is now ${path}:${start_line}`) }),
  ...(contradicts.length === 0 ? {} : { contradicts }),
  why,
});

function within<T>(characters: number, items: readonly T[]): T[] {
  let left = characters;
  return items.filter((item) => (left -= JSON.stringify(item).length) >= 0);
}
