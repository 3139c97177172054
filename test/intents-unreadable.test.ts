// The intents file while nothing can read it, as an agent without hooks meets it: over MCP.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { expect, onTestFinished } from 'vitest';
import { ownInstallation } from './lab/own-installation.ts';
import { verifies } from './verifies.ts';

const call = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
  client.callTool({ name, arguments: args });

verifies('I3', 'while the intents file cannot be read, every answer about intents says so, with the line, and none is cited', async () => {
  const place = await ownInstallation();
  await place.human(['intent', 'fix login', 'src/**']);
  const client = await place.mcpClient({ surface: 'contract' });
  onTestFinished(() => client.close());
  const file = join(place.repo.path, '.orchestration/active_intents.yaml');
  const whole = await readFile(file, 'utf8');
  await writeFile(file, whole.replace('status: active', 'status: asleep'));
  const where = `.orchestration/active_intents.yaml:${whole.split('status: active')[0]!.split('\n').length}: `;

  for (const [tool, args] of [
    ['begin_work', {}],
    ['begin_work', { intent: 'INT-009' }],
    ['select_active_intent', { intent_id: 'INT-001' }],
  ] as const)
    expect(await call(client, tool, args)).toMatchObject({
      isError: true,
      structuredContent: { error_code: 'DOCUMENT_INVALID', message: expect.stringContaining(where) },
    });
  const status = await call(client, 'countersign_status');
  expect(status.structuredContent).toMatchObject({ intent: null, troubles: [expect.stringContaining(where)] });
  const shown = async () => {
    const { contents } = await client.readResource({ uri: 'countersign://intents' });
    return JSON.parse((contents[0] as { text: string }).text) as { intents: unknown[]; troubles?: string[] };
  };
  expect((await shown()).troubles).toEqual([expect.stringContaining(where)]);

  await writeFile(file, whole);
  expect((await call(client, 'begin_work')).structuredContent).toMatchObject({ intent: 'INT-001' });
  expect((await call(client, 'countersign_status')).structuredContent).not.toHaveProperty('troubles');
  expect(await shown()).not.toHaveProperty('troubles');
});
