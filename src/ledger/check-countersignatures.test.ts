// Every decision that a human may sign, once as it was signed and once for each part of it that was changed afterwards.

import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type Approval, type Event, type Human, type Intent, newId, type Statement, statements } from '../protocol/index.ts';
import { CountersignatureCheck } from './check-countersignatures.ts';
import { acknowledgedSha256, approverKeyId, intentSha256, readStatement, statementText } from './countersignature.ts';

const AT = '2026-01-02T03:04:05.678Z';
const LATER = '2026-01-02T03:05:05.678Z';
const workspace = newId('wsp');
const action = newId('act');
const SHA = 'a'.repeat(64);

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const public_key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const key = approverKeyId(public_key)!;
const login: Human = { proof: 'login', via: 'cli' };

function signed(statement: Statement): Human {
  const text = statementText(statement, 'c0ffee');
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64');
  return { proof: 'passphrase', via: 'cli', signed: { key, statement: text, signature } };
}

const approval: Approval = {
  ...{ id: newId('apr'), workspace, session: newId('ses'), action, tool: 'run_command', input_sha256: SHA },
  ...{ policy_revision: 'r1', requested_at: AT, expires_at: LATER },
};
const grant = { id: newId('grt'), workspace, intent: 'INT-001', pattern: 'npm *', made_at: AT, expires_at: LATER };
const intent: Intent = {
  ...{ id: 'INT-001', name: 'Fix login', status: 'active', owned_scope: ['src/**'] },
  ...{ constraints: ['no new packages'], acceptance_criteria: ['a test'] },
};
const files = [{ path: 'a.txt', after_sha256: SHA }];
const remembered = { id: newId('grt'), workspace, agent: 'claude', tool: 'mcp__jira__create', shape_sha256: SHA, made_at: AT };

const enrolled: Event = { type: 'approver_enrolled', data: { key, public_key, name: 'ada', human: login } };
const asked: Event = { type: 'approval_requested', data: { approval } };
const yes = { approval: approval.id, answer: 'approved', reason: null } as const;
const approve = signed(statements.approve(approval, null));
const answered: Event = { type: 'approval_answered', data: { ...yes, human: approve } };

/** The problems found, each by its event's number. */
function audit(...events: readonly Event[]) {
  const check = new CountersignatureCheck();
  for (const [at, event] of events.entries()) check.apply({ seq: at + 1, stream: 's:1', stream_seq: at + 1, at: AT, event });
  return check.result();
}
const isNotIt = (command: string) => `what was signed, "${command}", is not what is recorded`;

const reject = signed(statements.reject(approval, 'no'));
const rejected = { ...yes, answer: 'rejected', reason: 'no', human: reject } as const;
const client = { key, public_key, name: 'editor', proof: 'dialog' } as const;

/** As it was signed, and with one thing changed in each of the others. */
const decisions: readonly (readonly [command: string, good: Event, changed: readonly Event[]])[] = [
  [
    'reject',
    { type: 'approval_answered', data: rejected },
    [
      { type: 'approval_answered', data: { ...rejected, answer: 'approved' } },
      { type: 'approval_answered', data: { ...rejected, reason: null } },
    ],
  ],
  [
    'approver enroll',
    { type: 'approver_enrolled', data: { ...client, human: signed(statements.enroll(key, public_key, 'dialog')) } },
    [
      { type: 'approver_enrolled', data: { ...client, human: signed(statements.enroll(key, public_key)) } },
      { type: 'approver_enrolled', data: { key, public_key, name: 'again', human: signed(statements.enroll(key, public_key, 'dialog')) } },
    ],
  ],
  [
    'approve',
    answered,
    [
      { type: 'approval_answered', data: { ...yes, human: approve, approval: newId('apr') } },
      { type: 'approval_answered', data: { ...yes, human: approve, answer: 'rejected' } },
      { type: 'approval_answered', data: { ...yes, human: approve, reason: 'other words' } },
    ],
  ],
  [
    'grant',
    { type: 'approval_answered', data: { ...yes, human: signed(statements.grant(approval, 'npm *', 60)) } },
    [{ type: 'approval_answered', data: { ...yes, answer: 'rejected', human: signed(statements.grant(approval, 'npm *', 60)) } }],
  ],
  [
    'grant',
    { type: 'grant_made', data: { grant, human: signed(statements.grant(approval, 'npm *', 60)) } },
    [
      { type: 'grant_made', data: { grant: { ...grant, pattern: '*' }, human: signed(statements.grant(approval, 'npm *', 60)) } },
      { type: 'grant_made', data: { grant, human: signed(statements.grant(approval, 'npm *', 61)) } },
    ],
  ],
  [
    'approve',
    { type: 'tool_remembered', data: { grant: remembered, approval: approval.id, human: approve } },
    [{ type: 'tool_remembered', data: { grant: remembered, approval: newId('apr'), human: approve } }],
  ],
  ['intents', ...intentsOf(signed(statements.intentStatus('/repo', 'INT-001', 'active', intentSha256(intent))), 'whole')],
  ['intents', ...intentsOf(signed({ command: 'intents', about: { cwd: '/repo', intent: 'INT-001', status: 'active' } }), 'status')],
  [
    'intent',
    ...intentsOf(
      signed(
        statements.intent({
          ...{ cwd: '/repo', name: intent.name, paths: intent.owned_scope },
          ...{ constraints: intent.constraints, acceptance_criteria: intent.acceptance_criteria },
        }),
      ),
      'text',
    ),
  ],
  [
    'pause',
    { type: 'gate_paused', data: { workspace, until: LATER, reason: 'lunch', human: signed(statements.pause('/repo', 60, 'lunch')) } },
    [{ type: 'gate_paused', data: { workspace, until: LATER, reason: 'night', human: signed(statements.pause('/repo', 60, 'lunch')) } }],
  ],
  [
    'ack',
    {
      type: 'changes_acknowledged',
      data: { workspace, root: '/repo', files, human: signed(statements.ack('/repo', acknowledgedSha256(files))) },
    },
    [
      {
        type: 'changes_acknowledged',
        data: {
          workspace,
          root: '/repo',
          files: [{ path: 'b.txt', after_sha256: SHA }],
          human: signed(statements.ack('/repo', acknowledgedSha256(files))),
        },
      },
      {
        type: 'changes_acknowledged',
        data: { workspace, root: '/repo', files, reason: 'r', human: signed(statements.ack('/repo', acknowledgedSha256(files))) },
      },
      {
        type: 'changes_acknowledged',
        data: { workspace, root: '/repo', files, human: signed(statements.ack('/repo', acknowledgedSha256(files), 'r')) },
      },
      {
        type: 'changes_acknowledged',
        data: { workspace, root: '/other', files, human: signed(statements.ack('/repo', acknowledgedSha256(files))) },
      },
    ],
  ],
  [
    'approver enroll',
    { type: 'approver_enrolled', data: { key, public_key, name: 'again', human: signed(statements.enroll(key, public_key)) } },
    [{ type: 'approver_enrolled', data: { key, public_key, name: 'again', human: signed(statements.enroll(key, 'other')) } }],
  ],
  [
    'approver remove',
    { type: 'approver_removed', data: { key, human: signed(statements.remove(key)) } },
    [{ type: 'approver_removed', data: { key: `apk_${'0'.repeat(32)}`, human: signed(statements.remove(key)) } }],
  ],
];

function intentsOf(human: Human, bound: 'whole' | 'status' | 'text'): readonly [Event, readonly Event[]] {
  const confirmed = (changed: Partial<Intent>): Event => ({
    type: 'intent_confirmed',
    data: { workspace, intent: { ...intent, ...changed }, human },
  });
  const text: Partial<Intent>[] = [{ name: 'Rewrite all' }, { constraints: [] }, { acceptance_criteria: ['nothing'] }];
  const status: Partial<Intent>[] = [{ id: 'INT-002' }, { status: 'done' }];
  const changes = { whole: [...text, { owned_scope: ['**'] }, ...status], status, text }[bound];
  return [confirmed({}), changes.map(confirmed)];
}

verifies('N14', 'what a human signed fits its own record and no other', () => {
  for (const [command, good, changed] of decisions) {
    expect([command, audit(enrolled, asked, good)]).toEqual([command, { checked: 1, bad: [] }]);
    for (const event of changed)
      expect([event, audit(enrolled, asked, event)]).toEqual([event, { checked: 1, bad: [{ seq: 3, why: isNotIt(command) }] }]);
  }
});

verifies('N14', 'a signature under one kind of decision is none under another', () => {
  const known = new Set(decisions.map(([command, { type }]) => `${type} ${command}`));
  for (const [, { type, data }] of decisions)
    for (const [command, other] of decisions) {
      if (known.has(`${type} ${command}`)) continue;
      const { human } = other.data as { readonly human: Human };
      const { bad } = audit(enrolled, asked, { type, data: { ...data, human } } as Event);
      expect([type, bad]).toEqual([type, [{ seq: 3, why: isNotIt(command) }]]);
    }
  // The same text under another command is bad too.
  for (const [, { type, data }] of decisions) {
    const { about } = readStatement((data as { readonly human: Human }).human.signed!.statement)!;
    const human = signed({ command: 'other', about });
    expect([type, audit(enrolled, asked, { type, data: { ...data, human } } as Event).bad]).toEqual([
      type,
      [{ seq: 3, why: isNotIt('other') }],
    ]);
  }
  const rule: Event = { type: 'command_rule_decided', data: { rule: newId('rul'), state: 'active', human: approve } };
  expect(audit(enrolled, asked, rule).bad).toEqual([{ seq: 3, why: isNotIt('approve') }]);
});

test('a key counts from its enrolment to its removal, and only under its own id', () => {
  const removed: Event = { type: 'approver_removed', data: { key, human: login } };
  const why = `${key} was not enrolled then`;
  expect(audit(asked, answered, enrolled)).toEqual({ checked: 1, bad: [{ seq: 2, why }] });
  expect(audit(enrolled, asked, removed, answered)).toEqual({ checked: 1, bad: [{ seq: 4, why }] });
  expect(audit(enrolled, removed, enrolled, asked, answered)).toEqual({ checked: 1, bad: [] });
  const wrong = `apk_${'0'.repeat(32)}`;
  expect(audit({ type: 'approver_enrolled', data: { key: wrong, public_key, name: 'eve', human: login } }).bad).toEqual([
    { seq: 1, why: `${wrong} is not the id of the key that is enrolled` },
  ]);
});

verifies('N14', 'a client’s key proves a dialog and no more, and what came from a client carries its signature', () => {
  const ofClient: Event = { type: 'approver_enrolled', data: { ...client, human: login } };
  const answeredBy = (human: Human) => audit(ofClient, asked, { type: 'approval_answered', data: { ...yes, human } });
  expect(answeredBy({ ...approve, proof: 'dialog', via: 'client' })).toEqual({ checked: 1, bad: [] });
  expect(answeredBy(approve).bad).toEqual([{ seq: 3, why: `${key} is a client's and proves dialog, not passphrase` }]);
  expect(answeredBy({ proof: 'dialog', via: 'client' }).bad).toEqual([{ seq: 3, why: 'it says dialog and carries no signature' }]);
  expect(answeredBy({ proof: 'dialog', via: 'agent' })).toEqual({ checked: 0, bad: [] });
});

test('a proof without a signature, another signature, and words that are no statement are distinguished', () => {
  const [first, second] = [approve.signed!, signed({ command: 'pause', about: {} }).signed!];
  const withHuman = (human: Human): Event => ({ type: 'approval_answered', data: { ...yes, human } });
  const why = (human: Human) => audit(enrolled, asked, withHuman(human)).bad.map((each) => each.why);
  expect(why({ proof: 'passphrase', via: 'cli' })).toEqual(['it says passphrase and carries no signature']);
  expect(why({ ...approve, signed: { ...first, signature: second.signature } })).toEqual([`the signature is not one of ${key}`]);
  const words = { key, statement: 'yes', signature: sign(null, Buffer.from('yes'), privateKey).toString('base64') };
  expect(why({ ...approve, signed: words })).toEqual(['what was signed is no statement']);
  // Also where the claimed proof is weaker than a key's.
  expect(why({ ...login, signed: words })).toEqual(['what was signed is no statement']);
  expect(audit(enrolled, asked, withHuman(login))).toEqual({ checked: 0, bad: [] });
});

test('an answer to a question that was never asked, or is over, is bound to nothing', () => {
  expect(audit(enrolled, answered).bad).toEqual([{ seq: 2, why: isNotIt('approve') }]);
  const spent: Event = { type: 'approval_spent', data: { approval: approval.id, action } };
  const expired: Event = { type: 'approval_expired', data: { approval: approval.id } };
  for (const over of [spent, expired]) expect(audit(enrolled, asked, over, answered).bad).toEqual([{ seq: 4, why: isNotIt('approve') }]);
  for (const other of [{ action: newId('act') }, { input_sha256: 'b'.repeat(64) }, { policy_revision: 'r2' }])
    expect(audit(enrolled, { type: 'approval_requested', data: { approval: { ...approval, ...other } } }, answered).bad).toEqual([
      { seq: 3, why: isNotIt('approve') },
    ]);
});

verifies('N14', 'a signed yes to more scope covers the intent that it widened, and no other', () => {
  const widened = (where: string, more: Partial<Intent> = {}): Event => ({
    type: 'intent_confirmed',
    data: { workspace: where, intent: { ...intent, owned_scope: ['src/**', 'lib/**'], ...more }, human: approve },
  });
  const resources = [{ kind: 'human', question: 'more', options: [], scope: { intent: 'INT-001', paths: ['lib/**'] } }];
  const waiting = { type: 'action_waiting', data: { action: { resources }, approval: approval.id } } as unknown as Event;
  expect(audit(enrolled, asked, waiting, answered, widened(workspace)).bad).toEqual([]);
  for (const other of [widened(newId('wsp')), widened(workspace, { id: 'INT-002' }), widened(workspace, { owned_scope: ['src/**'] })])
    expect(audit(enrolled, asked, waiting, answered, other).bad).toMatchObject([{ seq: 5 }]);
});
