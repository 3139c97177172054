// The questions about conversations. Several have addresses of the contract: see `query-paths.ts`.

import { z } from 'zod';
import { ISSUE_STATUS } from '../grounding/tool-args.ts';
import { ToolReceipt } from '../grounding/tool-receipt.ts';
import { AgentRow } from './agents.ts';
import { EndpointRow } from './endpoints.ts';
import { InterestLevel, IssuePriority, IssueRow } from './issues.ts';
import { CreditRow, Notification } from './notifications.ts';
import { PathId } from '../ids.ts';
import { PromptsView } from './prompts.ts';
import { TelemetryCounts, TelemetrySession, TelemetryView } from './telemetry.ts';

const here = { cwd: z.string() };
/** In an address, with commas between them. */
const list = z.union([z.string().transform((text) => text.split(',').filter((part) => part !== '')), z.array(z.string())]);

export const CONVERSATION_QUERIES = {
  endpoints: { input: z.strictObject({}), output: z.array(EndpointRow) },
  agents: { input: z.strictObject(here), output: z.array(AgentRow) },
  /** Newest first. All filters that are given have to hold. */
  issues: {
    input: z.strictObject({
      ...here,
      id: PathId.optional(),
      tags: list.optional(),
      assignedTo: z.string().optional(),
      status: z.enum(ISSUE_STATUS).optional(),
      priority: IssuePriority.optional(),
      personalTags: list.optional(),
      personalAgent: z.string().optional(),
      excludePersonalTags: list.optional(),
      minInterestLevel: z.coerce.number().pipe(InterestLevel).optional(),
    }),
    output: z.array(IssueRow),
  },
  credits: { input: z.strictObject(here), output: z.array(CreditRow) },
  /** Newest first. */
  notifications: {
    input: z.strictObject({ ...here, unread: z.stringbool().or(z.boolean()).default(false) }),
    output: z.array(Notification),
  },
  prompts: { input: z.strictObject(here), output: PromptsView },
  telemetry: { input: z.strictObject(here), output: TelemetryView },
  telemetry_totals: { input: z.strictObject(here), output: TelemetryCounts },
  telemetry_sessions: { input: z.strictObject(here), output: z.array(TelemetrySession) },
  telemetry_session: { input: z.strictObject({ ...here, id: PathId }), output: TelemetrySession },
  /** `id`: of the session or the conference. Oldest first, as they were written. */
  session_receipts: { input: z.strictObject({ id: PathId }), output: z.array(ToolReceipt) },
  /** The same as JSON Lines. */
  session_receipts_file: { input: z.strictObject({ id: PathId }), output: z.string(), answers: 'application/x-ndjson' },
} as const;
