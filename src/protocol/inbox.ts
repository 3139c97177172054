// What waits for a human, in one list: the command line, the page and the editor all show this one.

import { z } from 'zod';
import { Endpoint } from './conversation/endpoints.ts';
import { Instant, Sha256, WorkspaceId } from './ids.ts';
import { Intent } from './intent.ts';
import { ApprovalRow, CommandRuleRow, EditRow } from './rows.ts';

/** The list grows: a reader that does not know a kind still shows what it is and how to answer it. */
export const InboxKind = z.enum(['call', 'question', 'scope', 'plan', 'intent', 'edit', 'rule', 'endpoint']);
export type InboxKind = z.infer<typeof InboxKind>;

export const InboxItem = z.strictObject({
  kind: InboxKind,
  /** The id of the approval, the intent or the rule; `settings` for an edit of the settings. */
  id: z.string(),
  workspace: WorkspaceId,
  root: z.string(),
  /** Null: not an agent, or it is not known which. */
  agent: z.string().nullable(),
  /** In one line. */
  what: z.string(),
  /** Null: it waits until someone answers. */
  expires_at: Instant.nullable(),
  /** The commands that answer it. `no` null: it is withdrawn where it came from. */
  yes: z.string(),
  no: z.string().nullable(),
  /** Exactly one of these, by kind. */
  approval: ApprovalRow.optional(),
  /** As it would hold after a yes, and the digest that the yes has to name. */
  proposal: z.strictObject({ intent: Intent, sha256: Sha256 }).optional(),
  edit: EditRow.optional(),
  rule: CommandRuleRow.optional(),
  endpoint: Endpoint.optional(),
});
export type InboxItem = z.infer<typeof InboxItem>;
