// Who decided, as people see it: `verified` is the daemon's own finding, never the record's claim.

import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { gateForThisTest } from '../kernel/gate.fixture.ts';
import type { ApprovalEntry, CallerJudgement } from '../kernel/index.ts';
import { statementText } from '../ledger/index.ts';
import { type Human, statements } from '../protocol/index.ts';
import { answerer } from './signatory.ts';

const CHALLENGE = 'c0ffee';
const atTerminal: CallerJudgement = { kind: 'human', human: { proof: 'login', via: 'cli' }, challenge: CHALLENGE };

test('a signature is called verified only when this key signed exactly what is recorded', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  await gate.kernel.approvers.enroll(atTerminal, { public_key, name: 'ada' }, null);
  const { approvers, approvals } = gate.kernel.state;
  const [{ key } = { key: '' }] = approvers.all();
  const question = await gate.ask(session, 'rm -rf src/build');
  const statement = statements.approve(approvals.get(question)!.approval, null);
  const signature = sign(null, Buffer.from(statementText(statement, CHALLENGE)), privateKey).toString('base64');
  expect(answerer(approvals.get(question)!, approvers)).toBe(null);
  await gate.kernel.approvals.answer(atTerminal, question, 'approved', null, { key, signature });

  const entry = approvals.get(question)!;
  const shown = (change: Partial<ApprovalEntry>) => answerer({ ...entry, ...change }, approvers);
  const true_ = { proof: 'passphrase', via: 'cli', key, name: 'ada', verified: true };
  expect(shown({})).toEqual(true_);
  // Another answer, another question, no such key: the same claim, and it is not verified.
  const human = entry.human!;
  const said = (change: Partial<NonNullable<Human['signed']>>): Human => ({ ...human, signed: { ...human.signed!, ...change } });
  expect(shown({ reason: 'other words', human: said({}) })).toEqual({ ...true_, verified: false });
  expect(shown({ approval: { ...entry.approval, input_sha256: '0'.repeat(64) }, human: said({}) })?.verified).toBe(false);
  const stranger = `apk_${'0'.repeat(32)}`;
  expect(shown({ human: said({ key: stranger }) })).toEqual({ ...true_, key: stranger, name: null, verified: false });
  expect(shown({ human: { proof: 'passphrase', via: 'cli' } })).toEqual({ ...true_, key: null, name: null, verified: false });
});
