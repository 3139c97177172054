// The canon index: what scenes establish, taken out by a model, checked against the scenes, compiled in a fixed order.

import { z } from 'zod';
import { Instant, Sha256 } from '../ids.ts';

const Text = z.string().min(1).max(500);

/** One thing that a scene establishes, with the words that establish it. */
export const CanonFact = z.strictObject({ entity: Text, attribute: Text, value: Text, quote: Text });
export type CanonFact = z.infer<typeof CanonFact>;

/** What a model answers for one scene. */
export const CanonExtraction = z.strictObject({ facts: z.array(CanonFact).max(200) });
export type CanonExtraction = z.infer<typeof CanonExtraction>;

/** `.control-room/canon/canon-meta.json`: what the index was made from. */
export const CanonMeta = z.strictObject({
  version: z.literal(1),
  indexed_at: Instant,
  scenes: z.record(
    z.string(),
    z.strictObject({
      sha256: Sha256,
      /** Facts whose quote is in the scene, with its line. */
      facts: z.array(CanonFact.extend({ line: z.int().min(1) })),
      /** Facts that were left out because their quote is not there. */
      left_out: z.int().min(0),
      /** Why nothing could be taken from it; absent: it could. */
      problem: z.string().optional(),
    }),
  ),
});
export type CanonMeta = z.infer<typeof CanonMeta>;

/** `none`: never indexed. `stale`: a scene changed, came or went since. */
export const CanonStatus = z.strictObject({
  state: z.enum(['none', 'running', 'current', 'stale']),
  indexed_at: Instant.nullable(),
  scenes: z.int(),
  facts: z.int(),
  left_out: z.int(),
  /** Scenes whose text is another now, that are new, or that are gone. */
  stale: z.array(z.strictObject({ path: z.string(), why: z.enum(['changed', 'new', 'gone', 'failed']) })),
  /** Names whose entries rest on a scene of that list. */
  stale_entities: z.array(z.string()),
});
export type CanonStatus = z.infer<typeof CanonStatus>;
