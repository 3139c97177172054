// The daemon as the page uses it: the typed client, and the few questions and commands that the page has.

import { bodyOf, createClient, Refused } from '../../../src/client/index.ts';
import type { ApprovalRow, EditRow, InboxItem, QueryOutput, ReceiptRow, UnexplainedRow } from '../../../src/protocol/index.ts';
import { ADDRESSES, Fault } from '../../../src/protocol/plain.ts';
import type { Lists, Overview, Trouble } from './page-state.ts';
import { keepPageToken, webTransport } from './web-transport.ts';

const client = createClient(webTransport);

export const isSignedOut = (error: unknown): boolean => error instanceof Refused && error.code === 'UNAUTHENTICATED';

export const troubleOf = (error: unknown): Trouble =>
  error instanceof Refused || error instanceof Fault
    ? { code: error.code, message: error.message, fix: error.fix }
    : { code: 'INTERNAL', message: String(error), fix: null };

export async function logIn(code: string): Promise<void> {
  const { page_token } = bodyOf(await webTransport.post(ADDRESSES.login, () => ({ code }))) as { page_token: string };
  keepPageToken(page_token);
}

export async function fetchOverview(): Promise<Overview> {
  // First and alone: it also shows whether the user is signed in.
  const status = await client.ask('status', {});
  const isAny = status.workspaces.some(({ untracked }) => untracked.in_agents_windows + untracked.human_unproven + untracked.unknown > 0);
  const [inbox, grants, approvers, untracked] = await Promise.all([
    client.ask('inbox', {}),
    client.ask('grants', {}),
    client.ask('approvers', {}),
    isAny ? client.ask('untracked', {}) : [],
  ]);
  return {
    ...{ status, inbox: inbox.filter(({ approval }) => !approval), grants, untracked },
    signing: approvers.some(({ removed_at, proof }) => removed_at === null && proof === 'passphrase'),
  };
}

export async function fetchLists(): Promise<Lists> {
  const [actions, approvals, sessions, intents] = await Promise.all([
    client.ask('actions', { limit: 200 }),
    client.ask('approvals', {}),
    client.ask('sessions', {}),
    client.ask('intents', {}),
  ]);
  return { actions, approvals, sessions, intents };
}

export async function fetchReceipt(id: string, signal: AbortSignal): Promise<ReceiptRow> {
  const [receipt] = await client.ask('receipts', { id }, signal);
  if (receipt === undefined) throw new Fault('NOT_FOUND', `The daemon has no receipt ${id}.`);
  return receipt;
}

export const fetchReceiptDiff = (id: string, signal: AbortSignal): Promise<QueryOutput<'receipt_diff'>> =>
  client.ask('receipt_diff', { id }, signal);

export const answerApproval = (id: string, answer: 'approved' | 'rejected', reason: string): Promise<ApprovalRow> =>
  client.act('answer_approval', { id, answer, ...(reason === '' ? {} : { reason }) });

export const makePause = (root: string, seconds: number, reason: string): Promise<unknown> =>
  client.act('pause', { cwd: root, seconds, reason });

/** Answers the question too. */
export const makeGrant = (id: string, pattern: string, seconds: number): Promise<unknown> =>
  client.act('make_grant', { id, pattern, seconds });

export const endPause = (root: string): Promise<unknown> => client.act('end_pause', { cwd: root });

export const endGrant = (id: string): Promise<unknown> => client.act('end_grant', { id });

/** For exactly the text that was shown. */
export const confirmEdit = (root: string, { intent, sha256 }: EditRow): Promise<unknown> =>
  intent === null
    ? client.act('confirm_settings', { cwd: root, sha256 })
    : client.act('settle_intent_edit', { id: intent, cwd: root, take: true, sha256 });

export const discardEdit = (root: string, intent: string): Promise<unknown> =>
  client.act('settle_intent_edit', { id: intent, cwd: root, take: false });

/** For exactly the intent that was shown. */
export const grantProposal = (root: string, { intent, sha256 }: NonNullable<InboxItem['proposal']>): Promise<unknown> =>
  client.act('set_intent_status', { id: intent.id, cwd: root, status: 'active', sha256 });

export const declineProposal = (root: string, id: string): Promise<unknown> =>
  client.act('set_intent_status', { id, cwd: root, status: 'abandoned' });

export const decideRule = (id: string, state: 'active' | 'ended'): Promise<unknown> => client.act('decide_command_rule', { id, state });

export const acknowledge = (root: string, rows: readonly UnexplainedRow[]): Promise<unknown> =>
  client.act('acknowledge', { cwd: root, files: rows.map(({ path, after_sha256 }) => ({ path, after_sha256 })) });
