// The file tools that agents bring themselves. Adapters translate each agent's dialect into these names and inputs; the
// gate decides before and observes after. Only what the decision needs is kept of the input.

import { z } from 'zod';
import type { Resource } from '../../protocol/index.ts';
import { type Declaration, defineTool } from '../tool.ts';

const Path = z.string().min(1);

const touches = (access: 'read' | 'write' | 'delete', ...paths: string[]): Declaration => ({
  effects: [access === 'read' ? 'observe' : 'write'],
  resources: paths.map((path): Resource => ({ kind: 'file', path, access })),
});

export const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a file.',
  input: z.strictObject({ path: Path, start_line: z.int().optional(), end_line: z.int().optional() }),
  declare: ({ path }) => touches('read', path),
  surfaces: [],
});

export const listFiles = defineTool({
  name: 'list_files',
  description: 'Lists files.',
  input: z.strictObject({ path: Path.optional(), glob: z.string().optional() }),
  declare: ({ path }, { cwd }) => touches('read', path ?? cwd),
  surfaces: [],
});

export const searchFiles = defineTool({
  name: 'search_files',
  description: 'Searches in files.',
  input: z.strictObject({ pattern: z.string(), path: Path.optional(), glob: z.string().optional() }),
  declare: ({ path }, { cwd }) => touches('read', path ?? cwd),
  surfaces: [],
});

export const writeFile = defineTool({
  name: 'write_file',
  description: 'Writes a whole file.',
  input: z.strictObject({ path: Path, content: z.string() }),
  declare: ({ path }) => touches('write', path),
  surfaces: [],
});

export const editFile = defineTool({
  name: 'edit_file',
  description: 'Replaces exact texts in a file.',
  input: z.strictObject({
    path: Path,
    edits: z.array(z.strictObject({ old_text: z.string(), new_text: z.string(), replace_all: z.boolean().optional() })).min(1),
  }),
  declare: ({ path }) => touches('write', path),
  surfaces: [],
});
