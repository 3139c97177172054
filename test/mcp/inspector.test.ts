// The inspector of MCP's makers, on the command line, with `countersign mcp` as an agent starts it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLI, type Installation, makeInstallation, runCommand } from '../lab/installation.ts';

let place: Installation;
beforeAll(async () => {
  place = await makeInstallation();
});
afterAll(() => place.dispose());

async function inspect(...args: string[]): Promise<unknown> {
  const inspector = process.env['COUNTERSIGN_MCP_INSPECTOR'] ?? '';
  // It hands a server only the variables that it is told to.
  const server = ['-e', `COUNTERSIGN_HOME=${place.home}`, CLI, 'mcp', '--surface', 'contract'];
  const { code, stdout, stderr } = await runCommand(process.execPath, [inspector, '--cli', ...server, ...args], {
    cwd: place.repo.path,
    env: place.env,
  });
  if (code !== 0) throw new Error(`the inspector ended with ${code}: ${stderr}${stdout}`);
  return JSON.parse(stdout);
}

test('it lists the tools and has nothing to say against their schemas', async () => {
  const { tools } = (await inspect('--method', 'tools/list', '--strict')) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['begin_work', 'countersign_status', 'propose_intent']));
});

test('it calls countersign_status', async () => {
  const result = await inspect('--method', 'tools/call', '--tool-name', 'countersign_status');
  expect(result).toMatchObject({ structuredContent: { level: 'advisory', mode: null, receipt_id: expect.stringMatching(/^rcp_/) } });
});

test('it reads resources and the prompt', async () => {
  const { resources } = (await inspect('--method', 'resources/list')) as { resources: { uri: string }[] };
  expect(resources.map(({ uri }) => uri)).toEqual([
    'countersign://state',
    'countersign://intents',
    'countersign://tasks',
    'countersign://receipts',
  ]);
  const { contents } = (await inspect('--method', 'resources/read', '--uri', 'countersign://state')) as { contents: { text: string }[] };
  expect(JSON.parse(contents[0]?.text ?? '')).toMatchObject({ level: 'advisory' });
  expect(await inspect('--method', 'prompts/get', '--prompt-name', 'elefante-grounding')).toMatchObject({ messages: [{ role: 'user' }] });
});
