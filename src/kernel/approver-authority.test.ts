// A human's own key: who may enrol one, what its signature proves, and that nothing else is accepted as one.

import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { approverKeyId, CountersignatureCheck, intentSha256, statementText } from '../ledger/index.ts';
import { type Intent, type Statement, statements } from '../protocol/index.ts';
import { type Gate, gateForThisTest, human, outcomeOf, summaryOf } from './gate.fixture.ts';
import type { CallerJudgement, GivenSignature } from './index.ts';

const CHALLENGE = 'c0ffee';
const atTerminal: CallerJudgement = { kind: 'human', human: { proof: 'login', via: 'cli' }, challenge: CHALLENGE };

interface Key {
  readonly id: string;
  readonly publicKey: string;
  readonly signs: (statement: Statement, challenge?: string) => GivenSignature;
}

function newKey(): Key {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const id = approverKeyId(spki)!;
  const signs: Key['signs'] = (statement, challenge = CHALLENGE) => ({
    key: id,
    signature: sign(null, Buffer.from(statementText(statement, challenge)), privateKey).toString('base64'),
  });
  return { id, publicKey: spki, signs };
}

const enroll = async (gate: Gate, { publicKey }: Key, given: GivenSignature | null, caller: CallerJudgement = atTerminal) =>
  (await gate.kernel.approvers.enroll(caller, { public_key: publicKey, name: 'ada' }, given)).outcome;
const answer = async (
  gate: Gate,
  id: string,
  given: GivenSignature | null,
  caller: CallerJudgement = atTerminal,
  reason: string | null = null,
) => (await gate.kernel.approvals.answer(caller, id, 'approved', reason, given)).outcome;
const statementFor = (gate: Gate, id: string) => statements.approve(gate.kernel.state.approvals.get(id)!.approval, null);

async function audited(gate: Gate) {
  const check = new CountersignatureCheck();
  for (const record of await gate.records()) check.apply(record);
  return check.result();
}

verifies('N14', 'with a key enrolled, what cannot be undone needs its signature over the exact action', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const key = newKey();
  const early = await gate.ask(session, 'rm -rf src/early');
  expect(summaryOf(await enroll(gate, key, null))).toBe('noted');
  const question = await gate.ask(session, 'rm -rf src/build');
  for (const id of [early, question]) {
    const { refusal } = outcomeOf(await answer(gate, id, null), 'noted');
    expect(refusal?.message).toBe(`${id} needs a human proven by passphrase; this channel proves login.`);
  }
  const signed = key.signs(statementFor(gate, question));
  expect(summaryOf(await answer(gate, question, signed))).toBe('noted');
  const statement = statementText(statementFor(gate, question), CHALLENGE);
  expect((await gate.events('approval_answered')).map(({ data }) => data.human)).toEqual([
    { proof: 'passphrase', via: 'cli', signed: { ...signed, statement } },
  ]);
  expect(summaryOf(await gate.command(session, 'rm -rf src/build'))).toBe('admitted');
  // A no needs no proof.
  expect(summaryOf(await gate.answer(early, 'rejected', human('none')))).toBe('noted');
  expect(await audited(gate)).toEqual({ checked: 1, bad: [] });
});

verifies('N14', 'a signature for anything else does not count, and the attempt is on the record', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const [key, stranger] = [newKey(), newKey()];
  await enroll(gate, key, null);
  const [question, other] = [await gate.ask(session, 'rm -rf src/build'), await gate.ask(session, 'rm -rf src/dist')];
  const statement = statementFor(gate, question);
  const right = key.signs(statement);
  const attempts: [GivenSignature, CallerJudgement][] = [
    [key.signs(statementFor(gate, other)), atTerminal],
    [key.signs({ ...statement, about: { ...statement.about, policy_revision: 'others' } }), atTerminal],
    [key.signs({ ...statement, command: 'grant' }), atTerminal],
    [key.signs(statement, 'an older challenge'), atTerminal],
    [stranger.signs(statement), atTerminal],
    [{ ...stranger.signs(statement), key: key.id }, atTerminal],
    [{ key: key.id, signature: '' }, atTerminal],
    // A page has no challenge to sign.
    [right, human()],
    [right, { kind: 'agent', session, why: 'it runs below an agent' }],
  ];
  for (const [given, caller] of attempts)
    expect(summaryOf(await answer(gate, question, given, caller))).toBe('noted HUMAN_CHANNEL_REQUIRED');
  expect([(await gate.events('approval_answered')).length, (await gate.events('authority_refused')).length]).toEqual([0, attempts.length]);
  expect(summaryOf(await answer(gate, question, right, atTerminal, 'with words that were not signed'))).toBe(
    'noted HUMAN_CHANNEL_REQUIRED',
  );
  expect(summaryOf(await answer(gate, question, right))).toBe('noted');
});

verifies('N14', 'the first key is taken at a terminal; others come and go only by the signature of one that counts', async () => {
  const gate = await gateForThisTest();
  const [first, second] = [newKey(), newKey()];
  const remove = async (key: Key, given: GivenSignature | null) => summaryOf(await gate.kernel.approvers.remove(atTerminal, key.id, given));
  const enrolled = () => gate.kernel.state.approvers.enrolled().map(({ key }) => key);
  expect(summaryOf(await enroll(gate, first, null, human('none')))).toBe('noted HUMAN_CHANNEL_REQUIRED');
  expect(summaryOf(await enroll(gate, first, null))).toBe('noted');
  await expect(enroll(gate, first, null)).rejects.toMatchObject({ code: 'CONFLICT' });
  const request = statements.enroll(second.id, second.publicKey);
  expect([summaryOf(await enroll(gate, second, null)), summaryOf(await enroll(gate, second, second.signs(request)))]).toEqual(
    Array(2).fill('noted HUMAN_CHANNEL_REQUIRED'),
  );
  expect(summaryOf(await enroll(gate, second, first.signs(request)))).toBe('noted');
  expect(await remove(first, null)).toBe('noted HUMAN_CHANNEL_REQUIRED');
  expect(await remove(first, second.signs(statements.remove(first.id)))).toBe('noted');
  expect(enrolled()).toEqual([second.id]);
  await gate.restart();
  expect(enrolled()).toEqual([second.id]);
  // A removed key's signature no longer counts, and the key cannot be enrolled again.
  expect(await remove(second, first.signs(statements.remove(second.id)))).toBe('noted HUMAN_CHANNEL_REQUIRED');
  await expect(enroll(gate, first, null)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(gate.kernel.approvers.enroll(atTerminal, { public_key: 'bm8ga2V5', name: 'x' }, null)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  expect(await audited(gate)).toEqual({ checked: 2, bad: [] });
});

verifies('N14', 'a grant, a pause and an intent in STRICT are signed as well, and an auditor finds each of them true', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const key = newKey();
  await enroll(gate, key, null);
  const { approval_id: question } = outcomeOf(await gate.before(session, 'deploy', {}), 'refused').refusal;
  const { approval } = gate.kernel.state.approvals.get(question!)!;
  const request = { pattern: '*', seconds: 3600 };
  const grant = key.signs(statements.grant(approval, request.pattern, request.seconds));
  const granted = await gate.kernel.approvals.grant(atTerminal, question!, request, grant);
  expect(summaryOf(granted)).toBe('noted');

  const intent = { cwd: gate.root, name: 'more', paths: ['src'], constraints: [], acceptance_criteria: [] };
  const declare = (given: GivenSignature | null) =>
    gate.kernel.authority.declareIntent(
      atTerminal,
      { workspace: gate.workspace, name: 'more', ownedScope: ['src/**'], constraints: [], acceptanceCriteria: [] },
      { statement: statements.intent(intent), given, strict: true, shown: null },
    );
  expect([summaryOf(await declare(null)), summaryOf(await declare(key.signs(statements.intent(intent))))]).toEqual([
    'noted HUMAN_CHANNEL_REQUIRED',
    'noted',
  ]);
  const pause = (given: GivenSignature | null) =>
    gate.kernel.gaps.pause(atTerminal, { workspace: gate.workspace, cwd: gate.root, seconds: 600, reason: 'why' }, given);
  expect([summaryOf(await pause(null)), summaryOf(await pause(key.signs(statements.pause(gate.root, 600, 'why'))))]).toEqual([
    'noted HUMAN_CHANNEL_REQUIRED',
    'noted',
  ]);
  expect(await audited(gate)).toEqual({ checked: 4, bad: [] });

  const records = await gate.records();
  const at = records.findLastIndex(({ event }) => event.type === 'intent_confirmed');
  const { event, ...place } = records[at]!;
  if (event.type !== 'intent_confirmed') throw new Error('no intent');
  const wider = { ...event, data: { ...event.data, intent: { ...event.data.intent, owned_scope: ['**'] } } };
  const check = new CountersignatureCheck();
  for (const record of records.with(at, { ...place, event: wider })) check.apply(record);
  expect(check.result().bad).toEqual([{ seq: place.seq, why: 'what was signed, "intent", is not what is recorded' }]);
});

verifies('N14', 'an intent is confirmed by its whole text: another one is refused, and an auditor finds it', async () => {
  const gate = await gateForThisTest();
  const key = newKey();
  await enroll(gate, key, null);
  await gate.intent();
  const { intent } = gate.kernel.state.intent(gate.workspace, 'INT-001')!;
  const activate = (seen: Intent) => {
    const shown = intentSha256(seen);
    const statement = statements.intentStatus(gate.root, seen.id, 'active', shown);
    const confirmation = { statement, given: key.signs(statement), strict: true, shown };
    return gate.kernel.authority.setIntentStatus(atTerminal, gate.workspace, seen.id, 'active', confirmation);
  };
  const others: Partial<Intent>[] = [{ name: 'x' }, { owned_scope: ['**'] }, { constraints: ['none'] }, { acceptance_criteria: ['any'] }];
  for (const other of others) await expect(activate({ ...intent, ...other })).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(summaryOf(await activate(intent))).toBe('noted');
  expect(await audited(gate)).toEqual({ checked: 1, bad: [] });

  const records = await gate.records();
  const at = records.findLastIndex(({ event }) => event.type === 'intent_confirmed');
  const { event, ...place } = records[at]!;
  if (event.type !== 'intent_confirmed') throw new Error('no intent');
  const verdict = (data: typeof event.data) => {
    const check = new CountersignatureCheck();
    for (const record of records.with(at, { ...place, event: { type: 'intent_confirmed', data } })) check.apply(record);
    return check.result().bad.map(({ why }) => why);
  };
  expect(verdict({ ...event.data, intent: { ...intent, constraints: ['other'] } })).toEqual([
    'what was signed, "intents", is not what is recorded',
  ]);
  // As it was signed before the text was part of it.
  const old = { command: 'intents', about: { cwd: gate.root, intent: 'INT-001', status: 'active' } };
  const signed = { ...key.signs(old), statement: statementText(old, CHALLENGE) };
  expect(verdict({ ...event.data, human: { proof: 'passphrase', via: 'cli', signed } })).toEqual([]);
});

test('a signed yes to an unknown tool is remembered with its signature, and an auditor finds nothing wrong', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const key = newKey();
  await enroll(gate, key, null);
  const call = () => gate.before(session, 'call_unknown', { name: 'mcp__jira__create', arguments: { title: 'x' } });
  const question = outcomeOf(await call(), 'refused').refusal.approval_id!;
  await answer(gate, question, key.signs(statementFor(gate, question)));
  expect(summaryOf(await call())).toBe('admitted');
  expect((await gate.events('tool_remembered')).map(({ data }) => data.human.proof)).toEqual(['passphrase']);
  expect(await audited(gate)).toEqual({ checked: 2, bad: [] });
});

test('an auditor finds a signature that was moved to another record, and a proof without one', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const key = newKey();
  await enroll(gate, key, null);
  const question = await gate.ask(session, 'rm -rf src/build');
  await answer(gate, question, key.signs(statementFor(gate, question)));
  const records = await gate.records();
  const at = records.findIndex(({ event }) => event.type === 'approval_answered');
  const real = records[at]!;
  if (real.event.type !== 'approval_answered') throw new Error('no answer');
  const { data } = real.event;
  const whys = [
    { ...data, human: { proof: 'passphrase', via: 'cli' } as const },
    { ...data, approval: `apr_${'0'.repeat(26)}` },
    { ...data, reason: 'other words' },
    { ...data, human: { ...data.human, signed: { ...data.human.signed!, statement: `${data.human.signed!.statement} ` } } },
    { ...data, human: { ...data.human, signed: { ...data.human.signed!, key: `apk_${'0'.repeat(32)}` } } },
  ].map((forged) => {
    const check = new CountersignatureCheck();
    for (const record of records.with(at, { ...real, event: { type: 'approval_answered', data: forged } })) check.apply(record);
    return check.result().bad.map(({ seq, why }) => [seq === real.seq, why]);
  });
  expect(whys).toEqual([
    [[true, 'it says passphrase and carries no signature']],
    [[true, 'what was signed, "approve", is not what is recorded']],
    [[true, 'what was signed, "approve", is not what is recorded']],
    [[true, `the signature is not one of ${key.id}`]],
    [[true, `apk_${'0'.repeat(32)} was not enrolled then`]],
  ]);
});

verifies('N14', 'an answer signed by a key that is removed before the answer is recorded does not count', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const key = newKey();
  const question = await gate.ask(session, 'rm -rf src/build');
  await enroll(gate, key, null);
  const signed = key.signs(statementFor(gate, question));
  const [removed, answered] = await Promise.all([
    gate.kernel.approvers.remove(atTerminal, key.id, key.signs(statements.remove(key.id))),
    answer(gate, question, signed),
  ]);
  expect([summaryOf(removed.outcome), summaryOf(answered)]).toEqual(['noted', 'noted HUMAN_CHANNEL_REQUIRED']);
  expect(await gate.events('approval_answered')).toEqual([]);
});
