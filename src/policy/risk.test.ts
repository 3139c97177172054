import { expect, test } from 'vitest';
import { caseOf } from '../../test/policy-case.ts';
import { verifies } from '../../test/verifies.ts';
import { type ApprovalFact, CommandClass, type CommandReading, Proof } from '../protocol/index.ts';
import { riskPolicy } from './risk.ts';

const APPROVAL = 'apr_00000000000000000000000000';

function judge(command: CommandReading | null, approval: ApprovalFact | null) {
  const { action, facts } = caseOf({ action: { effects: ['execute'] }, facts: { files: [], command, approval } });
  return riskPolicy.judge(action, facts);
}

const reading = (commandClass: CommandClass): CommandReading => ({ class: commandClass, reasons: [] });
const approved = (proof: Proof): ApprovalFact => ({ id: APPROVAL, state: 'approved', reason: null, proof });

verifies('I11', 'a destructive command waits for a human, and says what in it makes it wait', () => {
  const command: CommandReading = {
    class: 'DESTRUCTIVE',
    reasons: [
      { code: 'DELETES', part: 'rm -rf build', message: 'rm deletes files' },
      { code: 'REWRITES_HISTORY', part: 'git push --force', message: 'a forced push overwrites history' },
    ],
  };
  const waits = {
    policy: 'risk',
    outcome: 'ask',
    code: 'APPROVAL_REQUIRED',
    message: 'This waits for a human (deletes): rm deletes files; a forced push overwrites history.',
    required_action: 'Wait for the answer, then repeat exactly this call; an approval counts once and only for this input',
    remedy: { tool: 'countersign_status', args: {} },
  };
  expect(judge(command, null)).toEqual(waits);
  expect(judge(command, { id: APPROVAL, state: 'pending', reason: null, proof: null })).toEqual(waits);
});

verifies('N14', 'a yes counts only with the proof that the command asks for', () => {
  const said = CommandClass.options.map((commandClass) => [
    commandClass,
    Proof.options.filter((proof) => judge(reading(commandClass), approved(proof)).outcome === 'allow'),
  ]);
  expect(Object.fromEntries(said)).toEqual({
    SAFE: ['none', 'dialog', 'login', 'passphrase', 'passkey'],
    MUTATING: ['none', 'dialog', 'login', 'passphrase', 'passkey'],
    DESTRUCTIVE: ['login', 'passphrase', 'passkey'],
    WRITES_OUTSIDE: ['login', 'passphrase', 'passkey'],
  });
});

verifies('I11', 'a human’s no is final for this input, and its reason reaches the agent', () => {
  const rejected = (reason: string | null) => judge(reading('MUTATING'), { id: APPROVAL, state: 'rejected', reason, proof: 'login' });
  const refused = {
    policy: 'risk',
    outcome: 'deny',
    code: 'APPROVAL_REJECTED',
    message: `A human rejected this: use the seed script (${APPROVAL}).`,
    required_action: 'Do not try this again in another form; choose another way, or ask what they would accept',
    remedy: null,
  };
  expect(rejected('use the seed script')).toEqual(refused);
  expect(rejected(null)).toEqual({ ...refused, message: `A human rejected this, without a reason (${APPROVAL}).` });
});

test('what the gate cannot read at all waits too', () => {
  expect(judge(null, null)).toMatchObject({
    outcome: 'ask',
    message:
      'This waits for a human (unknown tool): the gate cannot tell what it changes; a yes holds for this tool until its input takes another form.',
  });
});
