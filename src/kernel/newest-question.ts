// Which question a call belongs to. A yes counts for the exact input, in the session that asked, under the policies that asked.

import type { Action } from '../protocol/index.ts';
import type { ApprovalEntry } from './state-entries.ts';

/** The newest question about this very input that can still be answered, spent, or was rejected not long ago. */
export function newestQuestion(
  approvals: Iterable<ApprovalEntry>,
  { session, input_sha256 }: Action,
  policyRevision: string,
  now: Date,
): ApprovalEntry | undefined {
  let found: ApprovalEntry | undefined;
  for (const entry of approvals) {
    const { approval, state } = entry;
    if (state === 'spent' || state === 'expired' || state === 'withdrawn' || Date.parse(approval.expires_at) <= now.getTime()) continue;
    if (approval.session === session && approval.input_sha256 === input_sha256 && approval.policy_revision === policyRevision)
      found = entry;
  }
  return found;
}
