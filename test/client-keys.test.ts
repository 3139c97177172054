// A client with an enrolled key of its own, such as an editor's extension, which runs in the same process as the agents that it hosts: what
// its signature is valid for, and that it is valid for nothing else.

import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, type Signer } from '../src/client/index.ts';
import { socketTransport } from '../src/client/node.ts';
import type { CallerJudgement } from '../src/kernel/index.ts';
import { approverKeyId, statementText } from '../src/ledger/index.ts';
import type { ApprovalRow, BoundApproval, Statement } from '../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { hook } from './lab/hook-client.ts';
import { verifies } from './verifies.ts';

let daemon: TestDaemon;
let calls = 0;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.beginWork('src/**');
  // From here on this very process is an agent's.
  const body = { session_id: 'session-of-test', cwd: daemon.repo.path, hook_event_name: 'SessionStart', source: 'resume' };
  expect(await hook(daemon.home.dir, 'SessionStart', body)).toMatchObject({ code: 0 });
});
afterAll(() => daemon.dispose());

const atTerminal: CallerJudgement = { kind: 'human', human: { proof: 'login', via: 'cli' } };

interface ClientKey extends Signer {
  readonly publicKey: string;
}

function newKey(): ClientKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const key = approverKeyId(spki)!;
  const signs = (text: string) => ({ key, signature: sign(null, Buffer.from(text), privateKey).toString('base64') });
  return { key, publicKey: spki, sign: (statement, challenge) => signs(statementText(statement, challenge)) };
}

async function enrolledKey(): Promise<ClientKey> {
  const key = newKey();
  const request = { public_key: key.publicKey, name: 'an editor', proof: 'dialog', signed: null } as const;
  const { outcome } = await daemon.services().commands.act('enroll_approver', atTerminal, request);
  expect(outcome).toMatchObject({ refusal: null, output: { key: key.key } });
  return key;
}

/** The question that this call of the agent waits for. */
async function asked(tool_name: string, tool_input: object): Promise<ApprovalRow> {
  await daemon.hook('PreToolUse', { tool_name, tool_input, tool_use_id: `toolu_${++calls}` });
  const [row] = await daemon.services().ask('approvals', { state: 'pending' });
  return row!;
}
const unknownTool = () => asked(`mcp__notes__write_${++calls}`, { text: 'x' });
const deletion = () => asked('Bash', { command: `rm -rf src/old-${++calls}` });

const boundTo = ({ id, action_id, input_sha256, policy_revision }: ApprovalRow): BoundApproval => ({
  ...{ id, action: action_id, input_sha256, policy_revision },
});
const client = () => createClient(socketTransport(daemon.home.socket));
const answer = (row: ApprovalRow, how: 'approved' | 'rejected', signer: Signer | null) =>
  client().act('answer_approval', { id: row.id, answer: how }, { sign: signer && { signer, known: boundTo(row) } });
const refused = { name: 'Refused', code: 'HUMAN_CHANNEL_REQUIRED' };

verifies('N14', 'from an agent’s own process nothing is answered but by the signature of a client’s key', async () => {
  const row = await unknownTool();
  await expect(answer(row, 'approved', null)).rejects.toMatchObject(refused);
  await expect(answer(row, 'approved', newKey())).rejects.toMatchObject(refused);
  const editor = await enrolledKey();
  const by = { proof: 'dialog', via: 'client', key: editor.key, name: 'an editor', verified: true };
  expect(await answer(row, 'approved', editor)).toMatchObject({ id: row.id, state: 'approved', by });
  const other = await unknownTool();
  await expect(answer(other, 'rejected', null)).rejects.toMatchObject(refused);
  expect(await answer(other, 'rejected', editor)).toMatchObject({ id: other.id, state: 'rejected', by });
});

verifies('N14', 'a client’s key never proves more than a dialog, and does not replace a stronger proof', async () => {
  const editor = await enrolledKey();
  const row = await deletion();
  await expect(answer(row, 'approved', editor)).rejects.toMatchObject({
    ...refused,
    message: `${row.id} needs a human proven by login; this channel proves dialog.`,
  });
  // It is no human's own key: a login is still enough where it was before.
  expect(row.needs).toBe('login');
  const { outcome } = await daemon.services().commands.act('answer_approval', atTerminal, { id: row.id, answer: 'approved', signed: null });
  expect(outcome).toMatchObject({ refusal: null });
});

verifies('N14', 'a client’s key is taken for no command but those that clients may give', async () => {
  const editor = await enrolledKey();
  const row = await unknownTool();
  const known = boundTo(row);
  const sent = [
    client().act('make_grant', { id: row.id, pattern: '*', seconds: 60 }, { sign: { signer: editor, known } }),
    client().act('pause', { cwd: daemon.repo.path, seconds: 60, reason: 'x' }, { sign: { signer: editor } }),
    client().act('declare_intent', { cwd: daemon.repo.path, name: 'all', paths: ['.'] }, { sign: { signer: editor } }),
    client().act('remove_approver', { id: editor.key }, { sign: { signer: editor } }),
    client().act('enroll_approver', { public_key: newKey().publicKey, name: 'more' }, { sign: { signer: editor, known: 'apk_1' } }),
  ];
  const ends = await Promise.allSettled(sent);
  expect(ends).toEqual(ends.map(() => ({ status: 'rejected', reason: expect.objectContaining(refused) as unknown })));
  expect((await daemon.services().ask('approvals', { id: row.id }))[0]).toMatchObject({ state: 'pending' });
});

verifies('N14', 'a client’s signature counts once, for what it says, and only while the key is enrolled', async () => {
  const editor = await enrolledKey();
  const row = await unknownTool();
  const replayed: Signer = { key: editor.key, sign: (statement: Statement) => editor.sign(statement, 'of another call') };
  await expect(answer(row, 'approved', replayed)).rejects.toMatchObject(refused);
  const turned: Signer = { key: editor.key, sign: (_statement, challenge) => editor.sign({ command: 'reject', about: {} }, challenge) };
  await expect(answer(row, 'approved', turned)).rejects.toMatchObject(refused);
  const { outcome } = await daemon.services().commands.act('remove_approver', atTerminal, { id: editor.key, signed: null });
  expect(outcome).toMatchObject({ refusal: null });
  await expect(answer(row, 'approved', editor)).rejects.toMatchObject(refused);
});

test('the record shows whose key it was, and verifies from the files alone', async () => {
  const [newest] = await daemon.services().ask('approvers', {});
  expect(newest).toMatchObject({ name: 'an editor', proof: 'dialog' });
  expect(await daemon.services().ask('verification', {})).toMatchObject({ ok: true });
});
