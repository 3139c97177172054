// What is on the receipt of a tool that the gate ran, for every outcome.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/client';
import { expect, onTestFinished } from 'vitest';
import type { SignedReceipt } from '../src/protocol/index.ts';
import { hookedAgent } from './lab/hooked-agent.ts';
import { makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

async function placeForThisTest() {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  const client = await place.mcpClient({ surface: 'contract' });
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown>): Promise<string | null> =>
    ((await client.callTool({ name, arguments: args })) as CallToolResult & { structuredContent: { receipt_id: string | null } })
      .structuredContent.receipt_id;
  return { place, client, call };
}

verifies('C6', 'every call of a tool has a receipt with the listed fields: done, failed, with wrong input, of no tool at all', async () => {
  const { place, client, call } = await placeForThisTest();
  writeFileSync(join(place.repo.path, 'notes.md'), 'a line\n');
  const made = [
    await call('read_file', { path: 'notes.md' }),
    await call('read_file', { path: 'no/such/file.md' }),
    // An agent can never choose an id.
    await call('read_file', { path: 7, receipt_id: 'rcp_00000000000000000000000000' }),
  ];
  const unknown = await client.callTool({ name: 'erase_everything', arguments: { really: true } }).catch((error: unknown) => error);
  expect(unknown).toBeInstanceOf(ProtocolError);

  const receipts = (await place.ask<SignedReceipt[]>('receipts')).toReversed();
  expect(receipts.slice(0, 3).map(({ receipt_id }) => receipt_id)).toEqual(made);
  const common = {
    receipt_id: expect.stringMatching(/^rcp_[0-9A-Z]{26}$/i),
    action_id: expect.stringMatching(/^act_/),
    task_id: expect.stringMatching(/^ses_/),
    workspace: expect.stringMatching(/^wsp_/),
    root: place.repo.path,
    turn_id: expect.any(String),
    agent_id: expect.any(String),
    outputs: expect.any(String),
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    full_size: expect.any(Number),
    file_refs: [],
    intent: null,
    revision: expect.toBeOneOf([null, expect.any(String)]),
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    seq: expect.any(Number),
    signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    signature_alg: 'HMAC-SHA256',
  };
  expect(receipts).toEqual([
    {
      ...common,
      tool: 'read_file',
      tool_id: 'read_file',
      status: 'done',
      word: 'observed',
      reads: [expect.objectContaining({ path: 'notes.md', start_line: 1, end_line: 1 })],
      inputs: expect.objectContaining({ path: 'notes.md' }),
    },
    {
      ...common,
      tool: 'read_file',
      tool_id: 'read_file',
      status: 'failed',
      word: 'failed',
      inputs: expect.objectContaining({ path: 'no/such/file.md' }),
    },
    {
      ...common,
      tool: 'read_file',
      tool_id: 'read_file',
      status: 'failed',
      word: 'failed',
      inputs: { path: 7, receipt_id: 'rcp_00000000000000000000000000' },
    },
    { ...common, tool: 'erase_everything', tool_id: 'erase_everything', status: 'failed', word: 'failed', inputs: { really: true } },
  ]);
});

verifies('C6', 'what an agent read with its own tool is on the record: file, lines and hash, and a change since is found', async () => {
  const { place, client } = await placeForThisTest();
  await place.human(['intent', 'work', '.']);
  await place.human(['mode', 'min', 'GUARDED']);
  const file = join(place.repo.path, 'notes.md');
  const content = 'a\nb\nc\nd\n';
  writeFileSync(file, content);
  const agent = await hookedAgent(place, client);
  await agent.prompt('look');
  expect(await agent.before('Read', { file_path: file, offset: 2, limit: 2 })).toBeNull();
  expect(await agent.before('Read', { file_path: file })).toBeNull();
  const sha256 = createHash('sha256').update(content).digest('hex');
  const rows = (await place.client.ask('actions', { cwd: place.repo.path })).filter(({ tool }) => tool === 'Read');
  expect(rows.map(({ reads }) => reads)).toEqual([
    [{ path: 'notes.md', sha256, start_line: 1, end_line: null }],
    [{ path: 'notes.md', sha256, start_line: 2, end_line: 3 }],
  ]);
  expect((await place.human(['show', rows[1]!.id])).output).toContain(`notes.md:2-3  sha256 ${sha256}`);

  // A part that was read counts for what is based on it.
  await agent.prompt('again');
  writeFileSync(file, 'A\nb\nc\nd\n');
  expect(await agent.before('Read', { file_path: file, offset: 2, limit: 1 })).toBeNull();
  writeFileSync(file, 'A\nB\nc\nd\n');
  expect(await agent.before('Edit', { file_path: file, old_string: 'c', new_string: 'C' })).toContain('STALE_FILE');
});

verifies('C6', 'a receipt is checked when it is read: one changed byte, and it is reported instead of shown', async () => {
  const { place, call } = await placeForThisTest();
  writeFileSync(join(place.repo.path, 'notes.md'), 'a line\n');
  const id = (await call('read_file', { path: 'notes.md' }))!;
  expect((await place.run(['receipts', id])).stdout).toContain(id);

  const ledger = join(place.home, 'ledger');
  const file = join(
    ledger,
    readdirSync(ledger).find((name) => name.endsWith('.jsonl'))!,
  );
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"tool_id":"read_file"', '"tool_id":"reed_file"'));
  const { code, stdout, stderr } = await place.run(['receipts', id]);
  expect({ code, stdout, stderr }).toEqual({
    code: 5,
    stdout: '',
    stderr: expect.stringMatching(/Record \d+ was changed after it was written: its signature does not fit\./),
  });
});
