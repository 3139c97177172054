import { expect, test } from 'vitest';
import type { ActionRow, ApprovalRow, IntentRow, SessionRow } from '../../../src/protocol/index.ts';
import { initialState, MAX_ACTIONS, type PageState, reduce } from './page-state.ts';
import { createStore } from './store.ts';
import { countWaiting, factsOf, waitingCards } from './waiting-order.ts';

const workspace = `wsp_${'0'.repeat(26)}`;
const session = `ses_${'0'.repeat(26)}`;
const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 12, 0, second)).toISOString();

const action = (n: number, more: Partial<ActionRow> = {}): ActionRow => ({
  id: `act_${String(n).padStart(26, '0')}`,
  parent: null,
  workspace,
  session,
  agent: 'claude-code',
  at: at(n),
  tool: 'write_file',
  tool_id: 'write_file',
  subject: `src/${n}.ts`,
  effects: ['write'],
  state: 'admitted',
  word: 'allowed',
  code: null,
  message: null,
  intent: 'INT-1',
  approval_id: null,
  receipt_id: null,
  status: null,
  ...more,
});

const approval = (n: number, more: Partial<ApprovalRow> = {}): ApprovalRow => ({
  id: `apr_${String(n).padStart(26, '0')}`,
  workspace,
  session,
  agent: 'claude-code',
  action_id: action(n).id,
  tool: 'bash',
  input: { command: `rm -rf ${n}` },
  input_sha256: 'a'.repeat(64),
  policy_revision: 'rules',
  root: '/home/ada/shop',
  code: 'APPROVAL_REQUIRED',
  message: 'This waits for a human.',
  command: null,
  intent: 'INT-1',
  state: 'pending',
  reason: null,
  proof: null,
  by: null,
  needs: 'login',
  requested_at: at(0),
  expires_at: at(600 - n),
  ...more,
});

const intent = (id: string, more: Partial<IntentRow> = {}): IntentRow => ({
  id,
  workspace,
  name: id,
  status: 'active',
  owned_scope: ['src/**'],
  constraints: [],
  acceptance_criteria: [],
  proof: null,
  by: null,
  confirmed_at: null,
  ...more,
});

const openSession = (n: number, more: Partial<SessionRow> = {}): SessionRow => ({
  id: `ses_${String(n).padStart(26, '0')}`,
  workspace,
  parent: null,
  agent: 'claude-code',
  level: 'hooked',
  mode: 'GUARDED',
  intent: null,
  open: true,
  opened_at: at(0),
  last_at: at(n),
  by_hooks: true,
  ...more,
});

const withLists = (lists: Partial<PageState>): PageState =>
  reduce(initialState, { type: 'lists', lists: { actions: [], approvals: [], sessions: [], intents: [], ...lists } });

test('a question that was withdrawn before the page came is shown until it is dismissed, and not once its time is over', () => {
  const soon = new Date(Date.now() + 60_000).toISOString();
  const withdrawn = approval(1, { state: 'withdrawn', expires_at: soon });
  const lists = { actions: [], approvals: [withdrawn, approval(2, { state: 'withdrawn' })], sessions: [], intents: [] };
  const shown = reduce(initialState, { type: 'lists', lists });
  expect(waitingCards(shown.approvals, shown.leaving)).toEqual([withdrawn]);
  const dismissed = reduce(reduce(shown, { type: 'left', id: withdrawn.id }), { type: 'lists', lists });
  expect(waitingCards(dismissed.approvals, dismissed.leaving)).toEqual([]);
});

test('a new action goes to its place by time and a known one is replaced in its place', () => {
  let state = withLists({ actions: [action(3), action(1)] });
  state = reduce(state, { type: 'action', row: action(2) });
  state = reduce(state, { type: 'action', row: action(4) });
  state = reduce(state, { type: 'action', row: action(3, { state: 'settled', status: 'done' }) });
  expect(state.actions).toEqual([action(4), action(3, { state: 'settled', status: 'done' }), action(2), action(1)]);
});

test('no more actions are kept than the page can hold, and the newest stay', () => {
  let state = initialState;
  for (let n = 0; n < MAX_ACTIONS + 20; n++) state = reduce(state, { type: 'action', row: action(n) });
  expect(state.actions.length).toBe(MAX_ACTIONS);
  expect(state.actions[0]).toEqual(action(MAX_ACTIONS + 19));
});

test('lists fetched after a break keep older known actions when the two meet', () => {
  const state = reduce(withLists({ actions: [action(2), action(1)] }), {
    type: 'lists',
    lists: { actions: [action(3), action(2, { state: 'unknown' })], approvals: [], sessions: [], intents: [] },
  });
  expect(state.actions).toEqual([action(3), action(2, { state: 'unknown' }), action(1)]);
});

test('lists fetched after a break replace the known actions when there is a gap between them', () => {
  const state = reduce(withLists({ actions: [action(2), action(1)] }), {
    type: 'lists',
    lists: { actions: [action(9), action(8)], approvals: [], sessions: [], intents: [] },
  });
  expect(state.actions).toEqual([action(9), action(8)]);
});

test('waiting cards are ordered by what expires first, whatever the order of arrival', () => {
  let state = withLists({ approvals: [approval(1)] });
  state = reduce(state, { type: 'approval', row: approval(3) });
  state = reduce(state, { type: 'approval', row: approval(2) });
  expect(waitingCards(state.approvals, state.leaving)).toEqual([approval(3), approval(2), approval(1)]);
});

test('an answered card keeps its place until it has left, and no longer counts', () => {
  let state = withLists({ approvals: [approval(1), approval(2), approval(3)] });
  const answered = approval(2, { state: 'approved', proof: 'login' });
  state = reduce(state, { type: 'approval', row: answered });
  expect(waitingCards(state.approvals, state.leaving)).toEqual([approval(3), answered, approval(1)]);
  expect(countWaiting(state.approvals)).toBe(2);
  state = reduce(state, { type: 'left', id: answered.id });
  expect(waitingCards(state.approvals, state.leaving)).toEqual([approval(3), approval(1)]);
});

test('an approval that was answered before the page opened is never among the waiting', () => {
  const state = reduce(withLists({ approvals: [approval(1, { state: 'spent' })] }), {
    type: 'approval',
    row: approval(1, { state: 'spent' }),
  });
  expect(waitingCards(state.approvals, state.leaving)).toEqual([]);
});

test('what was answered during a break says so when the lists come back', () => {
  const expired = approval(1, { state: 'expired' });
  const state = reduce(withLists({ approvals: [approval(1)] }), {
    type: 'lists',
    lists: { actions: [], approvals: [expired], sessions: [], intents: [] },
  });
  expect(waitingCards(state.approvals, state.leaving)).toEqual([expired]);
});

test('a late reply does not make an answer younger than the stream said', () => {
  let state = withLists({ approvals: [approval(1)] });
  for (const said of ['approved', 'spent', 'approved', 'pending'] as const) {
    state = reduce(state, { type: 'approval', row: approval(1, { state: said }) });
  }
  expect(waitingCards(state.approvals, state.leaving)).toEqual([approval(1, { state: 'spent' })]);
});

test('a pending approval survives any number of answered ones', () => {
  let state = withLists({ approvals: [approval(0)] });
  for (let n = 1; n < 400; n++) state = reduce(state, { type: 'approval', row: approval(n, { state: 'spent' }) });
  expect(state.approvals.length).toBe(201);
  expect(waitingCards(state.approvals, state.leaving)).toEqual([approval(0)]);
});

test('the facts of a card change with its input and not with its state', () => {
  expect(factsOf(approval(1, { state: 'approved' }))).toBe(factsOf(approval(1)));
  expect(factsOf(approval(1, { input: { command: 'rm -rf /' } }))).not.toBe(factsOf(approval(1)));
  const facts = (input: object) => factsOf(approval(1, { input: { nested: [input] } }));
  expect(facts({ a: 1, b: 2 })).toBe(facts({ b: 2, a: 1 }));
  expect(facts({ a: 1, b: 2 })).not.toBe(facts({ a: 2, b: 1 }));
});

test('intents are distinguished by workspace and come active first', () => {
  const elsewhere = `wsp_${'1'.repeat(26)}`;
  let state = withLists({ intents: [intent('INT-10'), intent('INT-2'), intent('INT-1', { status: 'done' })] });
  state = reduce(state, { type: 'intent', row: intent('INT-1', { workspace: elsewhere }) });
  expect(state.intents).toEqual([
    intent('INT-1', { workspace: elsewhere }),
    intent('INT-2'),
    intent('INT-10'),
    intent('INT-1', { status: 'done' }),
  ]);
});

test('open sessions come first, then the one that moved last', () => {
  let state = withLists({ sessions: [openSession(1), openSession(2), openSession(3)] });
  state = reduce(state, { type: 'session', row: openSession(3, { open: false }) });
  expect(state.sessions).toEqual([openSession(2), openSession(1), openSession(3, { open: false })]);
});

test('any number of events in one frame is one flush', () => {
  const frames: (() => void)[] = [];
  const store = createStore((flush) => frames.push(flush));
  let flushes = 0;
  const unsubscribe = store.subscribe(() => flushes++);
  for (let n = 0; n < 200; n++) store.dispatch({ type: 'action', row: action(n) });
  expect([frames.length, flushes, store.get().actions.length]).toEqual([1, 0, 0]);
  frames.shift()!();
  expect([frames.length, flushes, store.get().actions.length]).toEqual([0, 1, 200]);
  unsubscribe();
  store.dispatch({ type: 'action', row: action(200) });
  frames.shift()!();
  expect([flushes, store.get().actions.length]).toEqual([1, 201]);
});
