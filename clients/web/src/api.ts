// The daemon's HTTP door, seen from the page. Every failure leaves here as an ApiFault with words for a person.

import type { ApprovalRow, ApproverRow, EditRow, GrantRow, Receipt, StandingRow, Status } from '../../../src/protocol/index.ts';
import type { Lists, Standing, Trouble } from './page-state.ts';

const DEADLINE_MS = 10_000;

export class ApiFault extends Error implements Trouble {
  readonly code: string;
  readonly fix: string | null;
  constructor({ code, message, fix }: Trouble) {
    super(message);
    this.name = 'ApiFault';
    this.code = code;
    this.fix = fix;
  }
}

export const isSignedOut = (error: unknown): boolean => error instanceof ApiFault && error.code === 'UNAUTHENTICATED';

export const troubleOf = (error: unknown): Trouble =>
  error instanceof ApiFault
    ? { code: error.code, message: error.message, fix: error.fix }
    : { code: 'INTERNAL', message: String(error), fix: null };

async function call(path: string, init: RequestInit = {}): Promise<Response> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  let response: Response;
  try {
    response = await fetch(path, {
      credentials: 'same-origin',
      cache: 'no-store',
      ...init,
      signal: init.signal ? AbortSignal.any([init.signal, deadline]) : deadline,
    });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiFault({ code: 'DAEMON_UNAVAILABLE', message: 'The daemon did not answer.', fix: null });
  }
  if (response.ok) return response;
  throw await readFault(response);
}

async function readFault(response: Response): Promise<ApiFault> {
  try {
    const { error } = (await response.json()) as { error: Trouble };
    return new ApiFault({ code: error.code, message: error.message, fix: error.fix ?? null });
  } catch {
    // Not the daemon's own form: a proxy, or a daemon that died in the middle of its answer.
    const code = response.status === 401 ? 'UNAUTHENTICATED' : 'INTERNAL';
    return new ApiFault({ code, message: `The daemon answered ${response.status} without saying why.`, fix: null });
  }
}

const get = async <T>(path: string, signal?: AbortSignal): Promise<T> => (await call(path, signal ? { signal } : {})).json() as Promise<T>;

/** Kept by origin, port included: unlike the cookie, no other page on this machine can send it. */
const PAGE_TOKEN = 'countersign-page-token';

function post(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-countersign-page': localStorage.getItem(PAGE_TOKEN) ?? '' };
  return call(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

export async function logIn(code: string): Promise<void> {
  const response = await post('/api/login', { code });
  const { page_token } = (await response.json()) as { page_token: string };
  localStorage.setItem(PAGE_TOKEN, page_token);
}

export async function fetchStanding(): Promise<Standing> {
  // First and alone: it also tells whether anybody is signed in.
  const status = await get<Status>('/api/status');
  const isAny = status.workspaces.some(({ untracked }) => untracked.in_agents_windows + untracked.human_unproven + untracked.unknown > 0);
  const [grants, approvers, untracked] = await Promise.all([
    get<GrantRow[]>('/api/grants'),
    get<ApproverRow[]>('/api/approvers'),
    isAny ? get<StandingRow[]>('/api/untracked') : [],
  ]);
  return { status, grants, untracked, signing: approvers.some(({ removed_at }) => removed_at === null) };
}

export async function fetchLists(): Promise<Lists> {
  const [actions, approvals, sessions, intents] = await Promise.all([
    get<Lists['actions']>('/api/actions?limit=200'),
    get<Lists['approvals']>('/api/approvals'),
    get<Lists['sessions']>('/api/sessions'),
    get<Lists['intents']>('/api/intents'),
  ]);
  return { actions, approvals, sessions, intents };
}

export async function fetchReceipt(id: string, signal: AbortSignal): Promise<Receipt> {
  const [receipt] = await get<Receipt[]>(`/api/receipts?id=${encodeURIComponent(id)}`, signal);
  if (receipt === undefined) throw new ApiFault({ code: 'NOT_FOUND', message: `The daemon has no receipt ${id}.`, fix: null });
  return receipt;
}

export async function answerApproval(id: string, answer: 'approved' | 'rejected', reason: string): Promise<ApprovalRow> {
  const body = reason === '' ? { answer } : { answer, reason };
  const response = await post(`/api/approvals/${encodeURIComponent(id)}/answer`, body);
  return response.json() as Promise<ApprovalRow>;
}

export const makePause = (root: string, seconds: number, reason: string): Promise<unknown> =>
  post('/api/pause', { cwd: root, seconds, reason });

/** Answers the question too. */
export const makeGrant = (id: string, pattern: string, seconds: number): Promise<unknown> =>
  post(`/api/approvals/${encodeURIComponent(id)}/grant`, { pattern, seconds });

export const endPause = (root: string): Promise<unknown> => post('/api/pause/end', { cwd: root });

export const endGrant = (id: string): Promise<unknown> => post(`/api/grants/${encodeURIComponent(id)}/end`, {});

/** For exactly the text that was shown. */
export const confirmEdit = (root: string, { intent, sha256 }: EditRow): Promise<unknown> =>
  intent === null
    ? post('/api/modes/confirm', { cwd: root, sha256 })
    : post(`/api/intents/${encodeURIComponent(intent)}/edit`, { cwd: root, take: true, sha256 });

export const discardEdit = (root: string, intent: string): Promise<unknown> =>
  post(`/api/intents/${encodeURIComponent(intent)}/edit`, { cwd: root, take: false });

export const acknowledge = (root: string, rows: readonly StandingRow[]): Promise<unknown> =>
  post('/api/acknowledgements', { cwd: root, files: rows.map(({ path, after_sha256 }) => ({ path, after_sha256 })) });
