// The state of the page, and how each event changes it. Rows replace rows: the server says how things are now, and the page computes
// nothing about them.

import type {
  ActionRow,
  ApprovalRow,
  GrantRow,
  InboxItem,
  IntentRow,
  SessionRow,
  UnexplainedRow,
  Status,
} from '../../../src/protocol/index.ts';

export type Connection = 'starting' | 'live' | 'reconnecting' | 'signed_out';

/** Why something failed and what to do, in the server's words. */
export interface Trouble {
  readonly code: string;
  readonly message: string;
  readonly fix: string | null;
}

export interface Lists {
  readonly actions: readonly ActionRow[];
  readonly approvals: readonly ApprovalRow[];
  readonly sessions: readonly SessionRow[];
  readonly intents: readonly IntentRow[];
}

/** Fetched again after every event: no row of the stream carries it. */
export interface Overview {
  readonly status: Status;
  /** What waits besides approvals: those come with the stream. */
  readonly inbox: readonly InboxItem[];
  readonly grants: readonly GrantRow[];
  /** Changes without a receipt that have not been acknowledged. */
  readonly untracked: readonly UnexplainedRow[];
  /** A human's key is enrolled: actions that need the strongest proof are done in a terminal, with its passphrase. */
  readonly signing: boolean;
}

export interface PageState extends Lists {
  readonly connection: Connection;
  readonly trouble: Trouble | null;
  readonly loaded: boolean;
  readonly overview: Overview | null;
  /** Approvals that were answered, expired or withdrawn while shown; their cards say so before they disappear. */
  readonly leaving: readonly string[];
}

export type PageEvent =
  | { readonly type: 'connection'; readonly connection: Connection; readonly trouble: Trouble | null }
  | { readonly type: 'overview'; readonly overview: Overview }
  | { readonly type: 'lists'; readonly lists: Lists }
  | { readonly type: 'action'; readonly row: ActionRow }
  | { readonly type: 'approval'; readonly row: ApprovalRow }
  | { readonly type: 'session'; readonly row: SessionRow }
  | { readonly type: 'intent'; readonly row: IntentRow }
  | { readonly type: 'left'; readonly id: string };

/** More rows make every update slower, and no one scrolls that far when a query answers better. */
export const MAX_ACTIONS = 500;
const MAX_ANSWERED = 200;

export const initialState: PageState = {
  connection: 'starting',
  trouble: null,
  loaded: false,
  overview: null,
  actions: [],
  approvals: [],
  sessions: [],
  intents: [],
  leaving: [],
};

export function reduce(state: PageState, event: PageEvent): PageState {
  switch (event.type) {
    case 'connection':
      return { ...state, connection: event.connection, trouble: event.trouble };
    case 'overview':
      return { ...state, overview: event.overview };
    case 'lists':
      return {
        ...state,
        loaded: true,
        actions: joinActions(state.actions, event.lists.actions),
        approvals: event.lists.approvals,
        sessions: [...event.lists.sessions].sort(bySession),
        intents: [...event.lists.intents].sort(byIntent),
        leaving: event.lists.approvals.reduce((leaving, row) => leave(state.approvals, leaving, row), state.leaving),
      };
    case 'action':
      return { ...state, actions: putAction(state.actions, event.row) };
    case 'approval':
      return { ...state, approvals: putApproval(state.approvals, event.row), leaving: leave(state.approvals, state.leaving, event.row) };
    case 'session':
      return { ...state, sessions: [...state.sessions.filter((row) => row.id !== event.row.id), event.row].sort(bySession) };
    case 'intent':
      return { ...state, intents: [...state.intents.filter((row) => !sameIntent(row, event.row)), event.row].sort(byIntent) };
    case 'left':
      return { ...state, leaving: state.leaving.filter((id) => id !== event.id) };
  }
}

const newerFirst = (a: ActionRow, b: ActionRow): number => (a.at === b.at ? (a.id > b.id ? -1 : 1) : a.at > b.at ? -1 : 1);

function putAction(rows: readonly ActionRow[], row: ActionRow): readonly ActionRow[] {
  const place = rows.findIndex((known) => known.id === row.id);
  if (place !== -1) return rows.with(place, row);
  const before = rows.findIndex((known) => newerFirst(row, known) < 0);
  return rows.toSpliced(before === -1 ? rows.length : before, 0, row).slice(0, MAX_ACTIONS);
}

// After a break the fetched rows may not reach back to the known ones. Joining them would hide the gap, so the old rows are dropped.
function joinActions(known: readonly ActionRow[], fetched: readonly ActionRow[]): readonly ActionRow[] {
  const ids = new Set(fetched.map((row) => row.id));
  const older = known.filter((row) => !ids.has(row.id));
  const meet = older.length < known.length;
  return [...fetched, ...(meet ? older : [])].sort(newerFirst).slice(0, MAX_ACTIONS);
}

const AGE: Readonly<Record<ApprovalRow['state'], number>> = { pending: 0, approved: 1, spent: 2, rejected: 2, expired: 2, withdrawn: 2 };

// The reply to an answer may arrive after the stream has reported that it was used; a question never returns to an earlier state. A pending
// row is never dropped, however many answered ones there are.
function putApproval(rows: readonly ApprovalRow[], row: ApprovalRow): readonly ApprovalRow[] {
  if (rows.some((known) => known.id === row.id && AGE[known.state] > AGE[row.state])) return rows;
  let answered = 0;
  return [row, ...rows.filter((known) => known.id !== row.id)].filter((kept) => kept.state === 'pending' || ++answered <= MAX_ANSWERED);
}

function leave(before: readonly ApprovalRow[], leaving: readonly string[], row: ApprovalRow): readonly string[] {
  if (row.state === 'pending' || leaving.includes(row.id)) return leaving;
  const known = before.find(({ id }) => id === row.id)?.state;
  // It was withdrawn when the daemon started, so the page has never shown it as waiting.
  const isNews = row.state === 'withdrawn' && known === undefined && Date.parse(row.expires_at) > Date.now();
  return known === 'pending' || isNews ? [...leaving, row.id] : leaving;
}

// Two workspaces may both have an INT-1.
export const sameIntent = (a: Pick<IntentRow, 'workspace' | 'id'>, b: Pick<IntentRow, 'workspace' | 'id'>): boolean =>
  a.workspace === b.workspace && a.id === b.id;

const INTENT_ORDER: readonly IntentRow['status'][] = ['active', 'proposed', 'paused', 'done', 'abandoned'];

const byIntent = (a: IntentRow, b: IntentRow): number =>
  INTENT_ORDER.indexOf(a.status) - INTENT_ORDER.indexOf(b.status) || a.id.localeCompare(b.id, 'en', { numeric: true });

const bySession = (a: SessionRow, b: SessionRow): number =>
  Number(b.open) - Number(a.open) || (a.last_at > b.last_at ? -1 : a.last_at < b.last_at ? 1 : 0);
