// The results of the workspace's own checks, as agents, people and receipts get them.

import { z } from 'zod';

export const CHECKS = ['format', 'lint', 'typecheck', 'test'] as const;
export const CheckName = z.enum(CHECKS);
export type CheckName = z.infer<typeof CheckName>;

export const Finding = z.strictObject({
  check: CheckName,
  /** Relative to the root; null when the output names none in it. */
  file: z.string().nullable(),
  line: z.int().nullable(),
  column: z.int().optional(),
  /** A linter's rule, a compiler's code, or the name of a test. */
  rule: z.string().optional(),
  message: z.string(),
  severity: z.enum(['error', 'warning']),
});
export type Finding = z.infer<typeof Finding>;

/** `caused`: it came with the session's changes. `before`: it was there already. `unclear`: that is unknown. */
export const Origin = z.enum(['caused', 'before', 'unclear']);
export type Origin = z.infer<typeof Origin>;

/** Without `origin` when no session's changes are judged. */
export const JudgedFinding = Finding.extend({ origin: Origin.optional() });
export type JudgedFinding = z.infer<typeof JudgedFinding>;

export const CheckResult = z.strictObject({
  check: CheckName,
  tool: z.string(),
  command: z.string(),
  /** `unavailable`: the program is not there. `skipped`: none of the changed files is for it. */
  outcome: z.enum(['passed', 'failed', 'timed_out', 'unavailable', 'skipped']),
  /** A test runner's summary. */
  summary: z.string().nullable(),
  /** Those that came with the changes first; not all of very many. */
  findings: z.array(JudgedFinding),
  counts: z.strictObject({ caused: z.int(), before: z.int(), unclear: z.int(), all: z.int() }),
});
export type CheckResult = z.infer<typeof CheckResult>;

export const QualityReport = z.strictObject({
  /** Nothing fails that did not fail before. */
  ok: z.boolean(),
  checks: z.array(CheckResult),
  /** Files that the formatter changed; each has a receipt. */
  formatted: z.array(z.string()),
  /** Why something was not done. */
  notes: z.array(z.string()),
});
export type QualityReport = z.infer<typeof QualityReport>;

/** What the workspace's checks do as turns end and begin. */
export interface ChecksAtStop {
  /**
   * Runs the checks at the end of a turn that changed something. `sendBack` makes the agent continue: at most once a turn. `note` is for
   * the human who watches. Null when there is nothing to report.
   */
  readonly checkAtStop: (where: {
    readonly root: string;
    readonly session: string;
    readonly withinMs: number;
    /** False when the agent was already sent back, by any program. */
    readonly maySendBack: boolean;
  }) => Promise<{ readonly sendBack: string | null; readonly note: string | null } | null>;
  /** What the checks found after the agent could be sent back, for its next prompt; returned once. */
  readonly takeCheckNotes: (session: string) => string | null;
}
