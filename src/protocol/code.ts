// Answers of the code index: where something is defined and used, what a file contains, which lines match a text. Every place names
// the content that it was seen in, and can be cited.

import { z } from 'zod';
import { Citation } from './claim.ts';
import { Sha256 } from './ids.ts';

const Line = z.int().min(1);

const CodeCitation = Citation.extend({ excerpt: z.string(), file_sha256: Sha256 });

const Definition = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  path: z.string(),
  range: z.strictObject({ start_line: Line, start_column: Line, end_line: Line }),
  line: Line,
  container: z.string().nullable(),
  signature: z.string(),
  exported: z.boolean(),
});

/** The index's progress: answers before it is ready may be incomplete. */
export const IndexState = z.strictObject({
  root: z.string(),
  state: z.enum(['starting', 'indexing', 'ready', 'failed', 'closed']),
  files: z.int(),
  pending: z.int(),
  definitions: z.int(),
  references: z.int(),
  bytes: z.int(),
  languages: z.record(z.string(), z.int()),
  /** Files that were left out. */
  skipped: z.int(),
  /** Files that were read only in part. */
  errors: z.int(),
  revision: z.int(),
  watching: z.boolean(),
  trouble: z.string().nullable(),
});
export type IndexState = z.infer<typeof IndexState>;

/** `why` completes a sentence that begins with the path. */
const IndexEvent = z.strictObject({ kind: z.enum(['skipped', 'parse_error', 'unreadable']), path: z.string(), why: z.string() });

export const CodeIndexView = IndexState.extend({ events: z.array(IndexEvent).readonly() });
export type CodeIndexView = z.infer<typeof CodeIndexView>;

/** `incomplete`: why there may be more; null when this is all. */
const found = <T extends z.ZodType>(hit: T) =>
  z.strictObject({ root: z.string(), state: IndexState.shape.state, hits: z.array(hit).readonly(), incomplete: z.string().nullable() });

export const SymbolsView = found(Definition.extend({ citation: CodeCitation, score: z.number() }));
export type SymbolsView = z.infer<typeof SymbolsView>;

const Certainty = z.enum(['precise', 'resolved', 'name']);

/** A use of a name, or a call: then `definition` is the caller or the callee. */
export const RefsView = found(
  z.strictObject({
    path: z.string(),
    line: Line,
    column: Line,
    name: z.string(),
    role: z.string(),
    within: z.string().nullable(),
    certainty: Certainty,
    definition: Definition.nullable(),
    citation: CodeCitation,
  }),
);
export type RefsView = z.infer<typeof RefsView>;

export const SearchView = found(
  z.strictObject({
    path: z.string(),
    line: Line,
    column: Line,
    text: z.string(),
    before: z.array(z.string()).readonly(),
    after: z.array(z.string()).readonly(),
    citation: CodeCitation,
  }),
);
export type SearchView = z.infer<typeof SearchView>;

export const RankView = found(
  z.strictObject({
    path: z.string(),
    score: z.number(),
    words: z.array(z.string()).readonly(),
    definition: Definition.nullable(),
    citation: CodeCitation,
  }),
);
export type RankView = z.infer<typeof RankView>;

export const OutlineView = z.strictObject({
  root: z.string(),
  file: z.strictObject({
    path: z.string(),
    language: z.string(),
    sha256: Sha256,
    bytes: z.int(),
    lines: z.int(),
    error: z.string().nullable(),
  }),
  entries: z.array(Definition.extend({ depth: z.int() })).readonly(),
});
export type OutlineView = z.infer<typeof OutlineView>;

const flag = z.stringbool().or(z.boolean()).default(false);
const limit = z.coerce.number().int().min(1).max(1000).default(200);
const Name = z.string().min(1).max(1024);

export const CODE_QUERIES = {
  /** `refresh`: look at the whole tree again first. Waits a moment for an index that is being built. */
  code_index: { input: z.strictObject({ cwd: z.string(), refresh: flag, limit }), output: CodeIndexView },
  symbols: {
    input: z.strictObject({
      cwd: z.string(),
      name: Name,
      fuzzy: flag,
      kind: z.string().optional(),
      glob: z.string().max(1024).optional(),
      limit,
    }),
    output: SymbolsView,
  },
  refs: {
    input: z.strictObject({
      cwd: z.string(),
      name: Name,
      what: z.enum(['references', 'callers', 'callees']).default('references'),
      role: z.string().optional(),
      glob: z.string().max(1024).optional(),
      /** Ask the TypeScript compiler. */
      precise: flag,
      limit,
    }),
    output: RefsView,
  },
  search: {
    input: z.strictObject({
      cwd: z.string(),
      pattern: z.string().min(1).max(1000),
      regex: flag,
      ignore_case: flag,
      whole_word: flag,
      glob: z.string().max(1024).optional(),
      under: z.string().max(1024).optional(),
      context: z.coerce.number().int().min(0).max(20).default(0),
      limit,
    }),
    output: SearchView,
  },
  rank: { input: z.strictObject({ cwd: z.string(), question: z.string().min(1).max(2000), limit }), output: RankView },
  outline: { input: z.strictObject({ cwd: z.string(), path: z.string().min(1).max(1024) }), output: OutlineView },
} as const;
