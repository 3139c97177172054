// What every MCP client gets, whichever way it comes in and whichever protocol it speaks.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { GROUNDING } from '../src/agents/grounding.ts';
import type { Receipt } from '../src/protocol/index.ts';
import { type Installation, makeInstallation } from './lab/installation.ts';
import { connectOverHttp, negotiation, VERSIONS, type Version } from './lab/mcp-http.ts';
import { verifies } from './verifies.ts';

let place: Installation;
beforeAll(async () => {
  place = await makeInstallation();
  await place.human(['intent', 'fix login', 'src/auth']);
});
afterAll(() => place.dispose());

const WAYS = { stdio: connectOverStdio, HTTP: connectOverItsPort } as const;
const CASES = (Object.keys(WAYS) as (keyof typeof WAYS)[]).flatMap((way) => VERSIONS.map((version) => ({ way, version })));

function connectOverStdio(version: Version): Promise<Client> {
  return place.mcpClient({ client: negotiation(version) });
}

async function connectOverItsPort(version: Version): Promise<Client> {
  const [port = ''] = (await readFile(join(place.home, 'run/hook'), 'utf8')).split(' ');
  const token = (await readFile(join(place.home, 'run/mcp-token'), 'utf8')).trim();
  const headers = { authorization: `Bearer ${token}`, 'x-countersign-cwd': encodeURIComponent(place.repo.path) };
  return connectOverHttp({ port: () => Number(port), asMcp: async () => headers }, { version });
}

describe.each(CASES)('$way, $version', ({ way, version }) => {
  const connect = async (): Promise<Client> => {
    const client = await WAYS[way](version);
    onTestFinished(() => client.close());
    return client;
  };
  const readJson = async (client: Client, name: string): Promise<unknown> => {
    const { contents } = await client.readResource({ uri: `countersign://${name}` });
    const [content] = contents as { uri: string; mimeType?: string; text: string }[];
    expect([contents.length, content?.uri, content?.mimeType]).toEqual([1, `countersign://${name}`, 'application/json']);
    return JSON.parse(content?.text ?? '');
  };

  test('tools have titles, strict schemas and honest hints', async () => {
    const client = await connect();
    expect(client.getProtocolEra()).toBe(version === '2026-07-28' ? 'modern' : 'legacy');
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'countersign_status')).toMatchObject({
      title: 'Countersign status',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    expect(tools.find(({ name }) => name === 'propose_intent')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    });
    for (const { name, title, inputSchema } of tools) {
      expect({ name, title }).toEqual({ name, title: expect.stringMatching(/^[A-Z][a-z ]+$/) });
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  test('a call carries its receipt, as structure and as text', async () => {
    const { structuredContent, content, isError } = await (await connect()).callTool({ name: 'countersign_status', arguments: {} });
    expect(structuredContent).toMatchObject({ level: 'advisory', receipt_id: expect.stringMatching(/^rcp_/) });
    expect([isError ?? false, JSON.parse((content[0] as { text: string }).text)]).toEqual([false, structuredContent]);
  });

  test('a refusal is a result that says what to do', async () => {
    const { structuredContent, isError } = await (await connect()).callTool({ name: 'begin_work', arguments: { intent: 'INT-009' } });
    expect(isError).toBe(true);
    expect(structuredContent).toEqual({
      error_code: 'INTENT_NOT_ACTIVE',
      message: expect.any(String),
      recoverable: true,
      required_action: expect.any(String),
      remedy: { tool: 'begin_work', args: { intent: 'INT-001' } },
      also_missing: [],
      receipt_id: expect.stringMatching(/^rcp_/),
    });
  });

  test('input that does not fit is a refusal too, with all that is wrong', async () => {
    const client = await connect();
    const { structuredContent, isError } = await client.callTool({ name: 'memory_set_mode', arguments: { mode: 'RECKLESS', force: true } });
    expect(isError).toBe(true);
    expect(structuredContent).toEqual({
      error_code: 'BAD_REQUEST',
      message:
        'The arguments of memory_set_mode do not fit. mode: Invalid option: expected one of "PASSIVE"|"GUARDED"|"STRICT"; Unrecognized key: "force"',
      recoverable: false,
      required_action: 'Call memory_set_mode again with arguments that fit its schema',
      remedy: null,
      also_missing: [],
      receipt_id: expect.stringMatching(/^rcp_/),
    });
  });

  test('a tool, a resource and a prompt that do not exist are errors of the protocol', async () => {
    const client = await connect();
    const wrong = async (call: Promise<unknown>) => {
      const error = await call.catch((error: unknown) => error);
      return error instanceof ProtocolError ? error.code : error;
    };
    expect([
      await wrong(client.callTool({ name: 'write_everything', arguments: {} })),
      await wrong(client.readResource({ uri: 'countersign://secrets' })),
      await wrong(client.readResource({ uri: 'file:///etc/passwd' })),
      await wrong(client.getPrompt({ name: 'nonsense' })),
    ]).toEqual([-32602, -32602, -32602, -32602]);
  });

  test('resources tell the caller’s status', async () => {
    const client = await connect();
    expect((await client.listResources()).resources.map(({ uri, mimeType }) => `${uri} ${mimeType}`)).toEqual([
      'countersign://state application/json',
      'countersign://intents application/json',
      'countersign://tasks application/json',
      'countersign://receipts application/json',
    ]);
    const { structuredContent } = await client.callTool({ name: 'countersign_status', arguments: {} });
    const { receipt_id: _its, ...status } = structuredContent as Record<string, unknown>;
    expect(await readJson(client, 'state')).toEqual(status);
    expect(await readJson(client, 'intents')).toMatchObject({
      intents: [{ id: 'INT-001', name: 'fix login', owned_scope: ['src/auth/**'] }],
    });
  });

  test('and which tasks there are', async () => {
    expect(await readJson(await connect(), 'tasks')).toMatchObject({
      file: expect.stringContaining('tinyTasks.md'),
      lists: [],
      trouble: null,
    });
  });

  test("receipts are those of the caller's own session", async () => {
    const client = await connect();
    const { structuredContent } = await client.callTool({ name: 'countersign_status', arguments: {} });
    const { session, receipt_id } = structuredContent as { session: string; receipt_id: string };
    const { receipts } = (await readJson(client, 'receipts')) as { receipts: Receipt[] };
    expect(new Set(receipts.map(({ task_id }) => task_id))).toEqual(new Set([session]));
    expect(receipts.map(({ receipt_id }) => receipt_id)).toContain(receipt_id);
  });

  verifies('E6', 'the grounding prompt tells of stamp, recall, tasks and the end', async () => {
    const client = await connect();
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['elefante-grounding']);
    const { messages } = await client.getPrompt({ name: 'elefante-grounding' });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: GROUNDING } }]);
    expect(GROUNDING.length).toBeLessThanOrEqual(1_200);
    // To the letter: agents and other tests match it.
    expect(GROUNDING).toContain(
      'You are REQUIRED to include the official Compliance Stamp at the end of your response. You cannot write this stamp yourself; you must obtain it by calling `elefanteAssertCompliance`. If the tool rejects you, you must perform the search it demands.',
    );
    expect(GROUNDING).toContain(
      'When all implementation tasks are complete, call `signal_task_complete` with an optional `summary` to generate a session retrospective.',
    );
    for (const said of ['elefanteAssertCompliance', 'Never write', 'begin_work once', 'tinyTasks.md', 'signal_task_complete']) {
      expect(GROUNDING).toContain(said);
    }
  });
});
