// What agents bring that our own tools do not have, or that reaches beyond files and the shell. Fetching a page only looks, and the
// agent's own permissions govern where; a sub-agent's calls are judged one by one; another server's tool could do anything, so it asks.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { makeTool } from '../../protocol/index.ts';
import { defineTool } from '../tool.ts';
import { Path, touch } from './file-place.ts';

/** Some agents name several files in one call. */
export const readFiles = defineTool({
  name: 'read_files',
  description: 'Reads several files.',
  input: z.strictObject({ paths: z.array(Path).max(1_000) }),
  declare: ({ paths }) => ({ effects: ['observe'], resources: paths.map((path) => touch('read', path, { whole: true })) }),
  surfaces: [],
});

export const fetchUrl = defineTool({
  name: 'fetch_url',
  description: 'Fetches a page.',
  input: z.strictObject({ url: z.string() }),
  declare: ({ url }) => ({ effects: ['observe'], resources: [{ kind: 'url', url }] }),
  surfaces: [],
});

/** Bookkeeping inside the agent: its own notes, questions to its user, loading of its own skills. */
export const consultSelf = defineTool({
  name: 'consult_self',
  description: 'A tool of the agent that changes nothing outside the agent.',
  input: z.strictObject({ name: z.string() }),
  declare: ({ name }) => ({ effects: ['observe'], resources: [{ kind: 'other', name }] }),
  surfaces: [],
});

/** The agent's own list of what it is going to do. More than one step belongs into tinyTasks.md. */
export const listSteps = defineTool({
  name: 'list_steps',
  description: "The agent's own to-do list.",
  input: z.strictObject({ name: z.string(), steps: z.array(z.string().max(2_000)).max(500) }),
  declare: ({ name, steps }) => ({ effects: ['observe'], resources: [{ kind: 'other', name }], steps }),
  surfaces: [],
});

/** The form of an input: its fields and their kinds. No door passes on a foreign tool's schema. */
export function shapeOf(input: Record<string, unknown>): string {
  const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
  const fields = Object.keys(input)
    .toSorted()
    .map((name) => [name, kindOf(input[name])]);
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/** The registry's entry for an unknown name. */
export const callUnknown = makeTool({
  name: 'call_unknown',
  description: 'A tool that the gate knows nothing about.',
  input: z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
  declare: ({ name, arguments: input }) => ({
    effects: ['execute', 'external'],
    resources: [{ kind: 'other', name, shape_sha256: shapeOf(input) }],
  }),
  surfaces: [],
});
