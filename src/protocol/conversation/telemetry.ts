// Counts of what models did: turns, calls, tokens, and why replies and tool calls were refused.

import { z } from 'zod';
import { BUCKETS } from '../grounding/rejections.ts';

const count = z.int().min(0);

export const TelemetryCounts = z.strictObject({
  turns: count,
  accepted: count,
  refused: count,
  abstained: count,
  /** Turns that ended with a STOP_HOOK. */
  stopped: count,
  /** Without evidence rules, by request. */
  ungrounded: count,
  failed: count,
  repaired: count,
  model_calls: count,
  tool_calls: count,
  tokens: z.strictObject({ input: count, output: count }),
  rejections: z.strictObject(
    Object.fromEntries(BUCKETS.map((bucket) => [bucket, count])) as Record<(typeof BUCKETS)[number], typeof count>,
  ),
});
export type TelemetryCounts = z.infer<typeof TelemetryCounts>;

export const TelemetrySession = z.strictObject({
  sessionId: z.string(),
  conference_id: z.string().nullable(),
  agent_id: z.string(),
  counts: TelemetryCounts,
});
export type TelemetrySession = z.infer<typeof TelemetrySession>;

export const TelemetryView = z.strictObject({
  totals: TelemetryCounts,
  sessions: z.array(TelemetrySession),
  /** Reported by clients; never part of the counts above. */
  client: z.array(
    z.strictObject({
      source: z.literal('client'),
      conference_id: z.string(),
      agent_id: z.string(),
      rejections: z.record(z.string(), count),
    }),
  ),
});
export type TelemetryView = z.infer<typeof TelemetryView>;
