// The inspector of MCP's makers, on the command line, with `countersign mcp` as an agent starts it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLI, type Installation, makeInstallation, runCommand } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

let place: Installation;
beforeAll(async () => {
  place = await makeInstallation();
});
afterAll(() => place.dispose());

const inspect = (...args: string[]): Promise<unknown> =>
  // It passes a server only the variables that it is given.
  inspected('-e', `COUNTERSIGN_HOME=${place.home}`, CLI, 'mcp', '--surface', 'contract', ...args);

/** Over HTTP the next call is the same principal: each of these is a program and a connection of its own. */
async function callOverHttp(tool: string, ...args: string[]): Promise<unknown> {
  const { address } = await place.client.ask('status', {});
  const token = (await readFile(join(place.home, 'run/mcp-token'), 'utf8')).trim();
  const headers = [`Authorization: Bearer ${token}`, `x-countersign-cwd: ${encodeURIComponent(place.repo.path)}`];
  const server = [`${address}mcp`, '--transport', 'http', ...headers.flatMap((header) => ['--header', header])];
  const given = args.flatMap((arg) => ['--tool-arg', arg]);
  const answer = await inspected(...server, '--method', 'tools/call', '--tool-name', tool, ...given);
  return (answer as { structuredContent: unknown }).structuredContent;
}

async function inspected(...args: string[]): Promise<unknown> {
  const inspector = process.env['COUNTERSIGN_MCP_INSPECTOR'] ?? '';
  const { code, stdout, stderr } = await runCommand(process.execPath, [inspector, '--cli', ...args], {
    cwd: place.repo.path,
    env: place.env,
  });
  // 5: the tool answered with an error, which is printed like any other answer.
  if (code !== 0 && code !== 5) throw new Error(`the inspector ended with ${code}: ${stderr}${stdout}`);
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

verifies('E7', 'the lazy agent, the good agent and the double dip, call by call', async () => {
  await place.run(['start', '--quiet']);
  const assert = () => callOverHttp('elefanteAssertCompliance');
  expect(await assert()).toMatchObject({ status: 'FAIL', message: expect.stringContaining('GATE CLOSED') as string });
  expect(await callOverHttp('elefanteMemorySearch', 'query=login')).toMatchObject({ found: 0 });
  expect(await assert()).toMatchObject({ status: 'PASS', stamp: expect.stringContaining('[COMPLIANCE] YES I HAVE SEARCHED') as string });
  expect(await assert()).toMatchObject({ status: 'FAIL' });
});

verifies('T3', 'no memory is written before a recall, and in PASSIVE none at all', async () => {
  await place.human(['intent', 'fix login', 'src']);
  const keep = () => callOverHttp('memory_write', 'kind=note', 'statement=seen by the inspector');
  expect(await keep()).toMatchObject({ error_code: 'RECALL_REQUIRED', remedy: { tool: 'begin_work' } });
  expect(await callOverHttp('begin_work')).toMatchObject({ mode: 'GUARDED', intent: 'INT-001' });
  expect(await keep()).toMatchObject({ status: 'ASSERTED' });
  expect(await callOverHttp('memory_set_mode', 'mode=PASSIVE')).toMatchObject({ mode: 'PASSIVE' });
  expect(await keep()).toMatchObject({ error_code: 'MODE_FORBIDS' });
});
