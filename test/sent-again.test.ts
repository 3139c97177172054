// A call that its client sends again, because the answer was lost on the way: decided and recorded once, through hooks and over MCP.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import type { Place } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';

const placeForThisTest = oneDaemon();
const idOf = (number: number): string => `toolu_01SENTAGAIN${String(number).padStart(12, '0')}`;

/** An agent that has begun to work, and how it calls a tool of ours: announced by its hook, then sent over MCP. */
async function workingAgent(place: Place) {
  await place.human(['intent', 'fix login', 'src/auth']);
  await place.hook('SessionStart', {});
  await place.hook('UserPromptSubmit', { prompt: 'go', prompt_id: 'p1' });
  const client: Client = await place.mcpClient();
  onTestFinished(() => client.close());
  const send = async (name: string, input: Record<string, unknown>, id: string): Promise<CallToolResult> =>
    client.callTool({ name, arguments: input, _meta: { 'claudecode/toolUseId': id } });
  const call = async (name: string, input: Record<string, unknown>, id: string): Promise<CallToolResult> => {
    await place.hook('PreToolUse', { tool_name: `mcp__countersign__${name}`, tool_input: input, tool_use_id: id });
    return send(name, input, id);
  };
  await call('begin_work', { mode: 'GUARDED', steps: ['one', 'two'] }, idOf(0));
  return { call, send };
}

const size = async (place: Place): Promise<number> => (await place.client.ask('status', {})).ledger.size;

test('a hook that is sent again gets the same answer, without a second decision or record', async () => {
  const place = await placeForThisTest();
  await workingAgent(place);
  const file = join(place.repo.path, 'src/auth/login.ts');
  const calls = [
    { tool_name: 'Read', tool_input: { file_path: file }, tool_use_id: idOf(1) },
    { tool_name: 'Write', tool_input: { file_path: join(place.repo.path, 'src/auth/new.ts'), content: 'x' }, tool_use_id: idOf(2) },
    { tool_name: 'Write', tool_input: { file_path: join(place.repo.path, 'README.md'), content: 'x' }, tool_use_id: idOf(3) },
  ];
  for (const call of calls) {
    const first = await place.hook('PreToolUse', call);
    const recorded = await size(place);
    expect([await place.hook('PreToolUse', call), await size(place)]).toEqual([first, recorded]);
  }
  const actions = await place.client.ask('actions', { limit: 50 });
  expect(actions.flatMap(({ tool, state }) => (tool === 'Write' ? [state] : []))).toEqual(['refused', 'admitted']);
});

test('a call over MCP that is sent again runs once and gets the same result', async () => {
  const place = await placeForThisTest();
  const { call, send } = await workingAgent(place);
  const task = { titles: ['once'] };
  const first = await call('task_add', task, idOf(5));
  expect(first.isError ?? false).toBe(false);
  const recorded = await size(place);
  expect(await send('task_add', task, idOf(5))).toEqual(first);
  expect(await size(place)).toBe(recorded);
  const list = await readFile(join(place.repo.path, 'tinyTasks.md'), 'utf8');
  expect(list.split('once').length - 1).toBe(1);
});
