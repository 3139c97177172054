// Whatever is read back from a ledger, a socket or a file matches the schemas exactly: an unknown field is an error.

import { expect, test } from 'vitest';
import { Action, CODES, Decision, Event, Fault, leavesMark, mutates, Effect, Refusal } from './index.ts';

const refusal: Refusal = {
  error_code: 'INTENT_REQUIRED',
  message: 'm',
  recoverable: true,
  required_action: 'r',
  remedy: { tool: 'begin_work', args: { intent: 'INT-001' } },
  also_missing: [{ error_code: 'MODE_REQUIRED', message: 'm' }],
};

test('a refusal has its fields, a code of the table, and nothing else', () => {
  expect(Refusal.parse(refusal)).toEqual(refusal);
  const wrong = [
    { ...refusal, error_code: 'NO_SUCH_CODE' },
    { ...refusal, error_code: 'toString' },
    { ...refusal, hint: 'x' },
    { ...refusal, remedy: { tool: 'begin_work' } },
    { ...refusal, also_missing: ['MODE_REQUIRED'] },
    { ...refusal, approval_id: 'act_00000000000000000000000000' },
  ];
  expect(wrong.filter((value) => Refusal.safeParse(value).success)).toEqual([]);
});

test('an event is one of the known types, with exactly its data', () => {
  const spent: Event = { type: 'approval_spent', data: { approval: `apr_${'0'.repeat(26)}`, action: `act_${'0'.repeat(26)}` } };
  expect(Event.parse(spent)).toEqual(spent);
  const wrong = [
    { ...spent, type: 'approval_forged' },
    { ...spent, at: 'now' },
    { ...spent, data: { ...spent.data, human: 'me' } },
    { ...spent, data: { approval: spent.data.approval } },
    {
      type: 'approval_answered',
      data: { approval: spent.data.approval, answer: 'maybe', reason: null, human: { proof: 'none', via: 'cli' } },
    },
  ];
  expect(wrong.filter((value) => Event.safeParse(value).success)).toEqual([]);
});

test('an action and a decision are read whole or not at all', () => {
  expect(
    [{}, null, [], 'act', { id: `act_${'0'.repeat(26)}` }].filter(
      (value) => Action.safeParse(value).success || Decision.safeParse(value).success,
    ),
  ).toEqual([]);
});

test('the effects that change something are write, execute and external, alone or among others', () => {
  expect(Effect.options.filter((effect) => mutates([effect]))).toEqual(['write', 'execute', 'external']);
  expect(Effect.options.filter((effect) => leavesMark([effect]))).toEqual(['task', 'remember', 'write', 'execute', 'external']);
  expect([mutates([]), mutates(['observe', 'plan']), mutates(['observe', 'write'])]).toEqual([false, false, true]);
});

test('a fault carries its code, its fix and its cause', () => {
  const cause = new Error('disk full');
  const fault = new Fault('AUDIT_UNAVAILABLE', 'the ledger cannot be written', { fix: 'free some space', cause });
  expect({ name: fault.name, code: fault.code, message: fault.message, fix: fault.fix, cause: fault.cause }).toEqual({
    name: 'Fault',
    code: 'AUDIT_UNAVAILABLE',
    message: 'the ledger cannot be written',
    fix: 'free some space',
    cause,
  });
  const bare = new Fault('NOT_FOUND', 'nothing');
  expect([bare.fix, 'cause' in bare, CODES[bare.code].kind]).toEqual([null, false, 'fault']);
});
