// What the map, the trace, the shared brain and receipts of reads say after several changes of one file, as a hooked agent and an MCP client leave them.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect } from 'vitest';
import { type HookedAgent, hookedAgent } from './lab/hooked-agent.ts';
import type { Place } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { verifies } from './verifies.ts';

const newPlace = oneDaemon();
let place: Place;
let client: Client;
let agent: HookedAgent;
beforeEach(async () => {
  place = await newPlace();
  expect((await place.human(['intent', 'count', 'src'])).code).toBe(0);
  expect((await place.human(['mode', 'min', 'GUARDED'])).code).toBe(0);
  client = await place.mcpClient();
  agent = await hookedAgent(place, client);
  await agent.prompt('count');
});
afterEach(() => client.close());

const text = (file: string) => readFile(join(place.repo.path, file), 'utf8').catch(() => '');
const map = () => text('.orchestration/intent_map.md');

verifies('I5', 'the map keeps every symbol that was changed for an intent, where it is now', async () => {
  const one = 'export function one() {\n  return 1;\n}\n';
  const two = 'export function two() {\n  return 2;\n}\n';
  expect(await agent.write('src/count.ts', one + two)).toBeNull();
  expect(await agent.write('src/count.ts', one.replace('return 1', 'return 10') + two)).toBeNull();
  expect(await agent.write('src/count.ts', one.replace('return 1', 'return 10') + two.replace('return 2', 'return 20'))).toBeNull();
  await expect.poll(map).toMatch(/function `one`: \[`#L1-L3`\][^]*function `two`: \[`#L4-L6`\]/);
  // Three lines above: what is pointed to moves along, and it is still the evolution that is named.
  const moved = `// a\n// b\n// c\n${one.replace('return 1', 'return 10')}${two.replace('return 2', 'return 20')}`;
  expect(await agent.write('src/count.ts', moved)).toBeNull();
  await expect.poll(map).toMatch(/INTENT_EVOLUTION[^]*function `one`: \[`#L4-L6`\][^]*function `two`: \[`#L7-L9`\]/);
  expect((await map()).match(/src\/count\.ts`\]/g)).toHaveLength(1);
});

verifies('I4', 'the trace names the mutation class, the base revision, moves and deleted files', async () => {
  await agent.call('begin_work');
  expect(await agent.write('src/old.ts', 'export const old = 1;\n')).toBeNull();
  await agent.call('read_file', { path: 'src/old.ts' });
  expect(await agent.call('move_file', { from: 'src/old.ts', to: 'src/new.ts' })).toMatchObject({ isError: false });
  expect(await agent.call('delete_file', { path: 'src/new.ts' })).toMatchObject({ isError: false });
  type Line = { files: { path: string; conversations: { ranges: unknown[] }[] }[]; metadata: Record<string, Record<string, unknown>> };
  const lines = async () =>
    (await text('.orchestration/agent_trace.jsonl'))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  await expect.poll(async () => (await lines()).length).toBe(3);
  const [written, moved, deleted] = (await lines()).map(({ files, metadata }) => ({ files, own: metadata['dev.countersign']! }));
  const head = place.repo.git('rev-parse', 'HEAD').trim();
  expect(written!.own).toMatchObject({ base_revision: head, mutations: [{ path: 'src/old.ts', class: 'INTENT_EVOLUTION' }] });
  expect(moved!.own).toMatchObject({ moved: [{ from: 'src/old.ts', to: 'src/new.ts' }], deleted: ['src/old.ts'] });
  expect(deleted!.files).toMatchObject([{ path: 'src/new.ts', conversations: [{ ranges: [] }] }]);
});

verifies('C6', 'the receipt of a read names the file, the lines and the hash', async () => {
  const answer = await agent.call('read_file', { path: 'src/auth/login.ts', start_line: 2, end_line: 3 });
  const [receipt] = await place.client.ask('receipts', { id: answer['receipt_id'] as string });
  expect(receipt?.reads).toEqual([{ path: 'src/auth/login.ts', sha256: answer['sha256'], start_line: 2, end_line: 3 }]);
});

verifies('I6', 'a fact leaves the shared brain as soon as the line that it cites has changed', async () => {
  await writeFile(join(place.repo.path, 'AGENTS.md'), '# Rules\n');
  await agent.call('begin_work');
  expect(await agent.write('src/limit.ts', 'export const LIMIT = 5;\n')).toBeNull();
  const citations = [{ path: 'src/limit.ts', start_line: 1, end_line: 1 }];
  await agent.call('memory_write', { kind: 'fact', statement: 'The limit is five', citations });
  await expect.poll(() => text('AGENTS.md')).toContain('fact: The limit is five [cited;');
  expect(await agent.write('src/limit.ts', 'export const LIMIT = 6;\n')).toBeNull();
  await expect.poll(() => text('AGENTS.md')).not.toContain('The limit is five');
});

verifies('I6', 'a command that kept failing is in the shared brain, and with what ended it once it passes', async () => {
  await writeFile(join(place.repo.path, 'AGENTS.md'), '# Rules\n');
  await agent.call('begin_work');
  const run = async (id: string, failed: boolean) => {
    const tool = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: id };
    expect(await place.hook('PreToolUse', { hook_event_name: 'PreToolUse', ...tool })).toEqual({});
    const event = failed ? 'PostToolUseFailure' : 'PostToolUse';
    await place.hook(event, { hook_event_name: event, ...tool, ...(failed ? { error: 'exit 1' } : { tool_response: { stdout: 'ok' } }) });
  };
  for (const id of ['one', 'two', 'three']) await run(id, true);
  await expect.poll(() => text('AGENTS.md')).toContain('- recurring failure: `npm test` failed again and again (3 times) [rcp_');
  expect(await agent.write('src/limit.ts', 'export const LIMIT = 7;\n')).toBeNull();
  await run('four', false);
  await expect
    .poll(() => text('AGENTS.md'))
    .toContain('- lesson: `npm test` failed again and again (3 times), then it passed after a change of src/limit.ts [rcp_');
  expect(await text('AGENTS.md')).not.toContain('recurring failure');
});
