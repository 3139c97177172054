// Answers about the graph of a work tree, about proof chains and about retrieval, as they cross a boundary.

import { z } from 'zod';
import { Citation } from './claim.ts';
import { Sha256 } from './ids.ts';
import { PLAN_CODES } from './plan.ts';

const Place = { path: z.string().nullable(), line: z.int().nullable() };

export const GraphNodeRow = z.strictObject({
  id: z.string(),
  label: z.string(),
  name: z.string(),
  ...Place,
  data: z.record(z.string(), z.json()),
});
export type GraphNodeRow = z.infer<typeof GraphNodeRow>;

export const GraphEdgeRow = z.strictObject({ from: z.string(), type: z.string(), to: z.string(), ...Place });
export type GraphEdgeRow = z.infer<typeof GraphEdgeRow>;

/** Who answered, and what a reader should know about that. */
const Answered = z.strictObject({ backend: z.enum(['embedded', 'neo4j']), notes: z.array(z.string()) });

const Counts = z.record(z.string(), z.int());
const Summary = z.strictObject({ nodes: z.int(), edges: z.int(), labels: Counts, types: Counts });

export const GraphSummaryView = Answered.extend(Summary.shape);
export type GraphSummaryView = z.infer<typeof GraphSummaryView>;

export const GraphView = Answered.extend({
  /** Where it starts, and why there. */
  starts: z.array(z.strictObject({ id: z.string(), because: z.string() })),
  /** The nearest first. */
  nodes: z.array(GraphNodeRow.extend({ distance: z.int() })),
  edges: z.array(GraphEdgeRow),
  /** Whether the limit left something out. */
  truncated: z.boolean(),
  /** Folders around the start, the nearest first. */
  anchors: z.array(z.string()),
  /** Policies, recipes and memories that apply there. */
  applies: z.array(z.strictObject({ node: GraphNodeRow, to: z.string() })),
});
export type GraphView = z.infer<typeof GraphView>;

/** `running`: not finished; a later question returns how it ended. */
export const GraphSyncView = z.strictObject({
  /** `none`: no sync was requested since the daemon started. */
  state: z.enum(['none', 'running', 'done']),
  report: z
    .strictObject({
      /** Of the seeds. */
      rows: z.int(),
      summary: Summary,
      /** Edges that lead to code that is not there. */
      dangling: z.array(GraphEdgeRow),
      neo4j: z.strictObject({ address: z.string(), why_not: z.string().nullable() }).nullable(),
      cypher: z.array(z.strictObject({ path: z.string(), ran: z.boolean() })),
      notes: z.array(z.string()),
    })
    .nullable(),
});
export type GraphSyncView = z.infer<typeof GraphSyncView>;

export const GraphExportView = Answered.extend({
  upserts: z.int(),
  deletes: z.int(),
  /** Null when the graph says what the seeds say. */
  file: z.string().nullable(),
});
export type GraphExportView = z.infer<typeof GraphExportView>;

/** Lines that were seen, in the form of every citation. */
const SeenLines = Citation.extend({ excerpt: z.string(), file_sha256: Sha256 });

/** A pack declares the kinds that it can prove. */
export const ProofChainKind = z.string().regex(/^[a-z][a-z0-9_]*$/);
export type ProofChainKind = z.infer<typeof ProofChainKind>;

const Way = z.enum(['graph', 'ast', 'lexical']);

export const ProofChainRow = z.strictObject({
  kind: ProofChainKind,
  subject: z.string(),
  complete: z.boolean(),
  links: z.array(
    z.strictObject({
      role: z.string(),
      name: z.string(),
      node: z.string().nullable(),
      via: Way,
      because: z.string(),
      citation: SeenLines,
      also: z.array(z.string()),
    }),
  ),
  gaps: z.array(z.strictObject({ role: z.string(), why: z.string(), attempted: z.array(Way) })),
  /** Of a plan that needs this chain, while it has a gap. */
  code: z.enum(PLAN_CODES).nullable(),
});
export type ProofChainRow = z.infer<typeof ProofChainRow>;

export const ProofChainsView = Answered.extend({ chains: z.array(ProofChainRow) });
export type ProofChainsView = z.infer<typeof ProofChainsView>;

const Lane = z.enum(['lexical', 'symbol', 'policy', 'artifact', 'episodic_memory']);

export const RetrievalView = Answered.extend({
  question: z.string(),
  results: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      path: z.string().nullable(),
      citation: SeenLines.nullable(),
      score: z.number(),
      parts: z.strictObject({ fusion: z.number(), coverage: z.number(), exact: z.number(), proximity: z.number() }),
      lanes: z.array(z.strictObject({ lane: Lane, rank: z.int(), why: z.string() })),
    }),
  ),
  lanes: z.record(Lane, z.int()),
});
export type RetrievalView = z.infer<typeof RetrievalView>;
