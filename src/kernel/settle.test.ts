import { expect } from 'vitest';
import { caseOf } from '../../test/policy-case.ts';
import { verifies } from '../../test/verifies.ts';
import { type Decision, Fault } from '../protocol/index.ts';
import type { EventLog } from './index.ts';
import { recordNote, recordObservation, recordPresence } from './settle.ts';

const { action, facts } = caseOf();
const decision: Decision = { outcome: 'allow', verdicts: [], facts, policy_revision: 'r' };
const draft = { stream: 's:1', event: { type: 'defect_caught', data: { door: 'test', message: 'm' } } } as const;

/** A log whose appends fail. */
const failing = (error: Error): EventLog => ({ append: () => Promise.reject(error) }) as unknown as EventLog;

verifies('T10', 'only an observation and a presence report pass without a ledger, and a defect stops those too', async () => {
  const result = { output: 'seen', refusal: null, code: null, events: [] };
  const observe = (error: Error) => recordObservation(failing(error), { action, decision, receipt: null, result, bypass: null });
  const come = (error: Error) => recordPresence(failing(error), [draft], () => 'here');
  const full = new Fault('AUDIT_UNAVAILABLE', 'the disk is full');
  expect((await observe(full)).outcome).toEqual({ kind: 'observed', action, receipt: null, output: 'seen', refusal: null });
  expect((await come(full)).outcome).toEqual({ kind: 'noted', output: 'here', refusal: null });
  await expect(recordNote(failing(full), [draft], null)).rejects.toBe(full);
  for (const error of [new TypeError('a defect'), new Fault('CONFLICT', 'somebody else wrote')]) {
    await expect(observe(error)).rejects.toBe(error);
    await expect(come(error)).rejects.toBe(error);
  }
});
