import { expect, test } from 'vitest';
import type { ApprovalRow } from '../protocol/index.ts';
import { askedIn, chosenAnswer } from './question.ts';
import { approvalText } from './terminal-text.ts';

const row = (tool: string, input: Record<string, unknown>, more: Partial<ApprovalRow> = {}): ApprovalRow => ({
  id: 'apr_00000000000000000000000000',
  workspace: 'wsp_00000000000000000000000000',
  session: 'ses_00000000000000000000000000',
  agent: 'claude-code',
  action_id: 'act_00000000000000000000000000',
  tool,
  input,
  input_sha256: '0'.repeat(64),
  policy_revision: 'rules',
  root: '/repo',
  code: 'APPROVAL_REQUIRED',
  message: 'A human is asked.',
  command: null,
  intent: 'INT-001',
  state: 'pending',
  reason: null,
  proof: null,
  by: null,
  needs: 'login',
  requested_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-01T00:15:00.000Z',
  ...more,
});

const free = row('request_human', { question: 'Which name?' });
const options = row('request_human', { question: 'Which?', options: ['SQLite', '1', 'Postgres'] });
const scope = row('request_scope', { paths: ['src/**'], reason: 'it is there' });
const call = row('Bash', { command: 'rm -rf build' });

test('a question without options takes any words, or just a yes', () => {
  expect(chosenAnswer(free, ' Ada ')).toBe('Ada');
  expect(chosenAnswer(free, undefined)).toBe(undefined);
  expect(() => chosenAnswer(free, '  ')).toThrow('The answer is empty.');
});

test('of options one is chosen: by its words, and only else by its number', () => {
  expect(chosenAnswer(options, 'Postgres')).toBe('Postgres');
  expect(chosenAnswer(options, '3')).toBe('Postgres');
  expect(chosenAnswer(options, '1')).toBe('1');
  for (const text of ['0', '4', '99', '1.0', '-1', 'sqlite', '1 ,'])
    expect(() => chosenAnswer(options, text)).toThrow('That is not one of the options.');
  expect(() => chosenAnswer(options, undefined)).toThrow('The agent offers options; choose one.');
});

test('what is no question takes a yes without words', () => {
  for (const other of [scope, call]) {
    expect(chosenAnswer(other, undefined)).toBe(undefined);
    expect(() => chosenAnswer(other, 'yes')).toThrow('is not a question, so it takes no answer in words.');
  }
});

test('a call that holds more than would be shown is shown as the call that it is', () => {
  expect(askedIn(scope)).toEqual({ kind: 'scope', intent: 'INT-001', paths: ['src/**'], reason: 'it is there' });
  expect(askedIn(call)).toBe(null);
  for (const input of [{ question: 'x', command: 'rm -rf /' }, { question: 'x', options: [] }, { question: 1 }, {}]) {
    expect(askedIn(row('request_human', input))).toBe(null);
  }
  const asksFor = { paths: ['src/**'], reason: 'it is there' };
  for (const more of [{ command: 'rm -rf /' }, { paths: [] }, { paths: [1] }, { paths: Array(1000).fill('a') }, { intent_id: null }])
    expect(askedIn(row('request_scope', { ...asksFor, ...more }))).toBe(null);
  expect(approvalText(row('request_human', { question: 'x', command: 'rm -rf /' }))).toContain(
    'asks to use request_human in /repo for INT-001\n  │ rm -rf /\n  │ {\n  │   "question": "x"\n  │ }\n',
  );
  expect(askedIn(row('request_human', { question: 'x' }, { command: { class: 'SAFE', reasons: [] } }))).toBe(null);
});

test('an answered question shows the answer', () => {
  const by = { proof: 'login', via: 'web', key: null, name: null, verified: false } as const;
  expect(approvalText({ ...free, state: 'approved', reason: 'Ada\u001b', proof: 'login', by })).toBe(
    '◆ apr_00000000000000000000000000  claude-code asks you in /repo, working on INT-001\n  │ Which name?\n  approved: Ada⟦U+001B⟧  (on the page, proof: login)',
  );
});
