import { expect, test } from 'vitest';
import { askedIn } from './asked.ts';

const row = (tool: string, input: Record<string, unknown>) => ({ tool, input, intent: 'INT-001', command: null });

test('a question and a request for scope are distinguished from other calls', () => {
  expect(askedIn(row('request_human', { question: 'Which?' }))).toEqual({ kind: 'question', question: 'Which?', options: [] });
  expect(askedIn(row('request_human', { question: 'Which?', options: ['a', 'b'] }))).toEqual({
    kind: 'question',
    question: 'Which?',
    options: ['a', 'b'],
  });
  expect(askedIn(row('request_scope', { paths: ['src/**'], reason: 'r' }))).toEqual({
    kind: 'scope',
    intent: 'INT-001',
    paths: ['src/**'],
    reason: 'r',
  });
  expect(askedIn(row('request_scope', { intent_id: 'INT-002', paths: ['src/**'], reason: 'r' }))).toMatchObject({ intent: 'INT-002' });
  expect(askedIn(row('Bash', { command: 'ls' }))).toBe(null);
});

test('a call that holds more than would be shown, or something else, is shown as the call that it is', () => {
  expect(askedIn(row('request_human', { question: 'Which?', command: 'rm -rf /' }))).toBe(null);
  expect(askedIn(row('request_human', { question: 'Which?', options: [] }))).toBe(null);
  expect(askedIn(row('request_human', { question: 'Which?', options: ['a', 1] }))).toBe(null);
  expect(askedIn(row('request_human', { question: { text: 'Which?' } }))).toBe(null);
  expect(askedIn(row('request_scope', { paths: 'src', reason: 'r' }))).toBe(null);
  expect(askedIn(row('request_scope', { paths: ['src'], reason: 'r', intent_id: 7 }))).toBe(null);
  expect(askedIn({ ...row('request_human', { question: 'Which?' }), command: { class: 'SAFE', reasons: [] } })).toBe(null);
});
