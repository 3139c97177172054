// Issues of a workspace, and what each agent noted about them: tags of its own and how much it matters to its role.

import { z } from 'zod';
import { ISSUE_PRIORITY } from '../grounding/tool-args.ts';
import { Instant, PathId, ReceiptId } from '../ids.ts';

const Tag = z.string().min(1).max(60);
const Tags = z.array(Tag).max(50);

export const IssuePriority = z.enum(ISSUE_PRIORITY);
export const IssueState = z.enum(['open', 'closed']);

/** 1 to 5; an issue that a conference wrote starts at 5 for those who were there. */
export const InterestLevel = z.int().min(1).max(5);

export const IssueMark = z.strictObject({ agent: PathId, tags: Tags, interest: InterestLevel.nullable() });
export type IssueMark = z.infer<typeof IssueMark>;

export const Issue = z.strictObject({
  id: PathId,
  title: z.string().min(1).max(300),
  body: z.string().max(100_000),
  tags: Tags,
  assignedTo: PathId.nullable(),
  status: IssueState,
  priority: IssuePriority,
  opened_at: Instant,
  /** Receipts of the sessions that were linked to it. */
  receipts: z.array(ReceiptId),
  sessions: z.array(PathId),
});
export type Issue = z.infer<typeof Issue>;

export const IssueRow = Issue.extend({ marks: z.array(IssueMark) });
export type IssueRow = z.infer<typeof IssueRow>;

/** As `search_issues` and `/api/issues` take them. All that are given have to hold. */
export interface IssueFilter {
  readonly tags?: readonly string[] | undefined;
  readonly assignedTo?: string | undefined;
  readonly status?: 'open' | 'closed' | 'all' | undefined;
  readonly priority?: z.infer<typeof IssuePriority> | undefined;
  readonly personalTags?: readonly string[] | undefined;
  /** Whose marks count; without it, anyone's. */
  readonly personalAgent?: string | undefined;
  readonly excludePersonalTags?: readonly string[] | undefined;
  readonly minInterestLevel?: number | undefined;
}

const same = (a: string) => (b: string) => a.toLowerCase() === b.toLowerCase();

export function fitsIssue({ tags, assignedTo, status, priority, marks }: IssueRow, wanted: IssueFilter): boolean {
  const counted = marks.filter(({ agent }) => wanted.personalAgent === undefined || same(agent)(wanted.personalAgent));
  const personal = counted.flatMap((mark) => mark.tags);
  const interest = Math.max(0, ...counted.map((mark) => mark.interest ?? 0));
  return (
    (wanted.tags ?? []).every((tag) => tags.some(same(tag))) &&
    (wanted.assignedTo === undefined || (assignedTo !== null && same(assignedTo)(wanted.assignedTo))) &&
    (wanted.status === undefined || wanted.status === 'all' || wanted.status === status) &&
    (wanted.priority === undefined || wanted.priority === priority) &&
    (wanted.personalTags ?? []).every((tag) => personal.some(same(tag))) &&
    !(wanted.excludePersonalTags ?? []).some((tag) => personal.some(same(tag))) &&
    interest >= (wanted.minInterestLevel ?? 0)
  );
}
