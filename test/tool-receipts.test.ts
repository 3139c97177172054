// Receipts of the tools that models call: for every call, with the fields of the contract, in the signed record.

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ToolReceipt } from '../src/protocol/index.ts';
import { callTool, decideFinal, receiptIn } from './lab/chat-model.ts';
import { conversationForThisFile, ofType, QUOTE, SCENE, SCENE_TEXT } from './lab/conversation.ts';
import { verifies } from './verifies.ts';

const here = conversationForThisFile();
const QUESTION = 'What colour are her eyes?';
const GREY = `Her eyes are grey.\nEvidence: "${QUOTE}" (${SCENE}:3)`;
const withReceipt = (call: { readonly prompt: string }) => `${GREY}; receipt ${receiptIn(call)}`;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

verifies('C6', 'a rejected call that names a tool leaves a failed receipt, an unknown tool too; it proves nothing', async () => {
  const { modelThat, chat, page, recordedIn } = here();
  const listed = async (reply: (nonce: string) => string) => {
    const { id } = await modelThat(({ nonce }) => reply(nonce));
    const { result, events } = await recordedIn(() => chat({ message: QUESTION, endpointId: id }));
    const receipts = JSON.parse((await page('GET', `/api/audit/sessions/${result.sessionId}/receipts`)).text) as ToolReceipt[];
    expect(ofType(events, 'chat_answered')[0]?.receipts).toEqual(receipts.map(({ receipt_id }) => receipt_id));
    return { receipts, result };
  };
  const unknown = await listed((nonce) => JSON.stringify({ tool: 'rm_rf', args: { path: '/' }, nonce }));
  expect(unknown.receipts).toEqual([
    {
      ...{ receipt_id: expect.stringMatching(/^rcp_/) as string, task_id: unknown.result.sessionId, turn_id: unknown.result.turnId },
      ...{ agent_id: 'chief', tool_id: 'rm_rf', inputs: { path: '/' }, status: 'failed', file_refs: [] },
      outputs: expect.stringContaining('tool_call_unknown_tool: There is no tool') as string,
      ...{ timestamp: expect.any(String) as string, signature: expect.any(String) as string, signature_alg: 'HMAC-SHA256' },
    },
  ]);
  expect((await listed((nonce) => JSON.stringify({ tool: 'file_reader', args: { path: 7 }, nonce }))).receipts).toMatchObject([
    {
      tool_id: 'file_reader',
      inputs: { path: 7 },
      status: 'failed',
      outputs: expect.stringContaining('tool_call_invalid_args') as string,
    },
  ]);
  // Text that is not exactly one call names none.
  expect((await listed((nonce) => `Sure! ${JSON.stringify({ tool: 'file_reader', args: {}, nonce })}`)).receipts).toEqual([]);

  const { sessionId } = unknown.result;
  const { id } = await modelThat(...[1, 2].map(() => `${GREY}; receipt ${unknown.receipts[0]!.receipt_id}`));
  const cited = await chat({ message: QUESTION, endpointId: id, sessionId });
  expect(cited.refusedAttempts.map(([first]) => first?.reason)).toEqual(['receipt_proves_nothing', 'receipt_proves_nothing']);
});

verifies(
  'C6',
  'a receipt has the fields of the contract, and its record is what is signed: conference or task, output, hashes of what was read',
  async () => {
    const { modelThat, chat, page, recordedIn } = here();
    const one = await modelThat(callTool('file_reader', { path: SCENE, start_line: 3, end_line: 3 }), decideFinal, withReceipt);
    const of = { conferenceId: 'conf-9', roundId: 'round-1', turnId: 'turn-1' };
    const { result, events } = await recordedIn(() => chat({ message: QUESTION, endpointId: one.id, ...of }));
    const receiptsOf = async (id: string) => JSON.parse((await page('GET', `/api/audit/sessions/${id}/receipts`)).text) as ToolReceipt[];
    const [receipt] = await receiptsOf('conf-9');
    const excerpt = SCENE_TEXT.split('\n')[2]!;
    expect(receipt).toEqual({
      ...{
        receipt_id: result.steps[0]?.receipt_id,
        conference_id: 'conf-9',
        turn_id: 'turn-1',
        agent_id: 'chief',
        tool_id: 'file_reader',
      },
      ...{ inputs: { path: SCENE, start_line: 3, end_line: 3 }, status: 'done', outputs: expect.stringContaining(QUOTE) as string },
      file_refs: [{ path: SCENE, sha256: sha256(SCENE_TEXT), start_line: 3, end_line: 3, excerpt_sha256: sha256(excerpt) }],
      ...{ timestamp: expect.any(String) as string, signature: expect.any(String) as string, signature_alg: 'HMAC-SHA256' },
    });
    expect(await receiptsOf(result.sessionId)).toEqual([receipt]);
    const [observed] = ofType(events, 'action_observed');
    expect(observed?.receipt).toMatchObject({
      ...{ part_of: { conference_id: 'conf-9', round_id: 'round-1' }, outputs: receipt!.outputs, reads: receipt!.file_refs },
    });

    // A long output is not kept whole: its beginning, its hash and its size.
    await writeFile(join(here().cwd, 'Story/Scenes/SCN-longer.md'), 'The harbour lay quiet under a low grey sky.\n'.repeat(90));
    const reads = callTool('file_reader', { path: 'Story/Scenes/SCN-longer.md' });
    const two = await modelThat(reads, decideFinal, 'ABSTAIN');
    const { sessionId } = await chat({ message: QUESTION, endpointId: two.id, taskId: 'task-8' });
    const [long] = await receiptsOf(sessionId);
    expect(long).toMatchObject({ task_id: 'task-8', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect([long?.outputs, long?.excerpt?.length, long!.full_size! > 2_000]).toEqual([undefined, 2_000, true]);
  },
);
