// Which questions are on the page and in which order. The order never depends on when a row arrived, so that two people who look at the
// same inbox see the same list.

import type { ApprovalRow } from '../../../src/protocol/index.ts';

/** Oldest-expiring first. Questions that were just answered keep their place until they have shown the result. */
export function waitingCards(approvals: readonly ApprovalRow[], leaving: readonly string[]): ApprovalRow[] {
  return approvals.filter((row) => row.state === 'pending' || leaving.includes(row.id)).sort(byExpiry);
}

export const countWaiting = (approvals: readonly ApprovalRow[]): number => approvals.filter((row) => row.state === 'pending').length;

function byExpiry(a: ApprovalRow, b: ApprovalRow): number {
  return Date.parse(a.expires_at) - Date.parse(b.expires_at) || (a.id < b.id ? -1 : 1);
}

/** Everything needed for the decision. When it changes, what they have read is no longer what they would sign. */
export const factsOf = (row: ApprovalRow): string =>
  JSON.stringify(
    [row.tool, row.input_sha256, row.input, row.root, row.code, row.message, row.command, row.intent, row.agent, row.session],
    inOneOrder,
  );

// A daemon that was restarted reads the same fields from its ledger in another order; that is no change.
const inOneOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
