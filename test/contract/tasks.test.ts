// R2 and R3 as an agent meets them that wants to be done early: through hooks, and over MCP without hooks.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect } from 'vitest';
import { type HookedAgent, hookedAgent } from '../lab/hooked-agent.ts';
import type { Place } from '../lab/installation.ts';
import { oneDaemon } from '../lab/one-daemon.ts';
import { verifies } from '../verifies.ts';

const newPlace = oneDaemon();
let place: Place;
let client: Client;
let agent: HookedAgent;

beforeEach(async () => {
  place = await newPlace();
  expect((await place.human(['intent', 'fix login', 'src'])).code).toBe(0);
  expect((await place.human(['mode', 'min', 'GUARDED'])).code).toBe(0);
  client = await place.mcpClient();
  agent = await hookedAgent(place, client);
  await agent.prompt('fix the login');
});
afterEach(() => client.close());

let contents = 0;
const write = () => agent.write('src/a.ts', `export const a = ${++contents};\n`);
const remedyOf = (said: string | null) => /^Call: mcp__countersign__(\S+ .*)$/m.exec(said ?? '')?.[1];
const tasksFile = () => join(place.repo.path, 'tinyTasks.md');
const tasks = () => readFile(tasksFile(), 'utf8');
/** A command of the agent that changes the file while it runs. */
async function command(change: (text: string) => string): Promise<void> {
  expect(await agent.before('Bash', { command: 'node src/fix.js' })).toBeNull();
  await writeFile(tasksFile(), change(await tasks()));
}

verifies('T7', 'a list finished within a turn is neither opened again nor replaced in it: the agent stops and asks', async () => {
  await agent.call('begin_work', { steps: ['one', 'two'] });
  for (const _ of ['one', 'two']) {
    expect(await write()).toBeNull();
    expect(await agent.call('task_complete')).toMatchObject({ isError: false });
  }
  const finished = await tasks();
  const question = 'Every task of "fix login" is done. What is next?';
  const said = await write();
  expect([said, remedyOf(said)]).toEqual([
    expect.stringContaining('Countersign TASKS_EXHAUSTED'),
    `request_human ${JSON.stringify({ question })}`,
  ]);
  const remedy = { tool: 'request_human', args: { question } };
  const { tasks: listed } = (await agent.call('task_list')) as unknown as { tasks: { task: string }[] };
  for (const [tool, args] of [
    ['task_add', { titles: ['three'] }],
    ['begin_work', { steps: ['three', 'four'] }],
    ['task_update', { task: listed[1]!.task, reopen: true }],
  ] as const)
    expect([tool, await agent.call(tool, args)]).toMatchObject([tool, { error_code: 'TASKS_EXHAUSTED', remedy }]);
  // Its own list of steps neither.
  await agent.before('TodoWrite', { todos: [{ content: 'three' }, { content: 'four' }] });
  expect(await tasks()).toBe(finished);

  await agent.prompt('now the logout, please');
  expect(remedyOf(await write())).toBe('task_add {}, with "titles": your steps, in order, each in a few words');
  expect(await agent.call('task_add', { titles: ['three'] })).toMatchObject({ isError: false, current: { title: 'three' } });
  expect(await write()).toBeNull();
});

verifies('T7', 'the user’s answer to the question lets the agent write the next list, in the same turn', async () => {
  await agent.call('begin_work', { steps: ['one', 'two'] });
  for (const _ of ['one', 'two']) {
    await write();
    await agent.call('task_complete');
  }
  expect(await agent.call('task_add', { titles: ['three'] })).toMatchObject({ error_code: 'TASKS_EXHAUSTED' });
  const asking = agent.call('request_human', { question: 'What is next?' });
  const open = async () => (await place.client.ask('approvals', { state: 'pending' })).at(0)?.id;
  await expect.poll(open).toMatch(/^apr_/);
  expect((await place.human(['approve', (await open())!, '--answer', 'the logout'])).code).toBe(0);
  expect(await asking).toMatchObject({ answer: 'the logout' });
  expect(await agent.call('task_add', { titles: ['three'] })).toMatchObject({ isError: false });
});

verifies('T7', 'a box that a command checks is no progress: changes wait until it is opened again or a human confirms', async () => {
  await agent.call('begin_work', { steps: ['one', 'two', 'three'] });
  await command((text) => text.replace('[ ] one', '[x] one'));
  const said = await write();
  expect(said).toContain('Countersign TASKS_EDITED: "one" was checked in tinyTasks.md past the task tools');
  expect(await agent.call('task_complete')).toMatchObject({ error_code: 'TASKS_EDITED' });
  const remedy = /^task_update (.*)$/.exec(remedyOf(said) ?? '')?.[1] ?? '{}';
  expect(await agent.call('task_update', JSON.parse(remedy) as Record<string, unknown>)).toMatchObject({ current: { title: 'one' } });
  expect(await write()).toBeNull();

  await command((text) => text.replaceAll('[ ]', '[x]'));
  expect((await place.run(['tasks'])).stdout).toContain('"one" was checked past the task tools while an agent was present.');
  // It is remembered: the next session, without any agent beside it, does not make a human's of it.
  await place.hook('Stop', { hook_event_name: 'Stop' });
  await place.hook('SessionEnd', { hook_event_name: 'SessionEnd', reason: 'other' });
  agent = await hookedAgent(place, client, `another, ${place.conversation}`);
  await agent.prompt('go on');
  expect(await write()).toContain('TASKS_EDITED');
  expect((await place.human(['tasks', 'confirm'])).code).toBe(0);
  expect(await write()).toContain('TASKS_EXHAUSTED');
});

verifies('T7', 'a list that a command removes is still owed', async () => {
  await agent.call('begin_work', { steps: ['one', 'two'] });
  expect(await agent.before('Bash', { command: 'node src/fix.js' })).toBeNull();
  await rm(tasksFile());
  const said = await write();
  expect(said).toContain('"one" was removed');
  expect(remedyOf(said)).toBe('task_add {"titles":["one","two"]}');
  await agent.call('task_add', { titles: ['one', 'two'] });
  expect(await write()).toBeNull();
  expect(await tasks()).toMatch(/- \[ \] one\n- \[ \] two\n/);
});

verifies('T6', 'steps that are seen after a list exists join it', async () => {
  await agent.call('begin_work', { steps: ['one', 'two'] });
  await agent.before('TodoWrite', { todos: [{ content: 'two' }, { content: 'three' }, { content: 'four' }] });
  expect(await tasks()).toBe('# Tasks — fix login (INT-001)\n\n- [ ] one\n- [ ] two\n- [ ] three\n- [ ] four\n');
});

verifies('T7', 'the same holds over MCP alone', async () => {
  const alone = await place.mcpClient();
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { structuredContent } = await alone.callTool({ name, arguments: args });
    return structuredContent as Record<string, unknown>;
  };
  let lines = 0;
  const change = () => call('write_file', { path: `src/alone-${++lines}.ts`, content: 'export {};\n' });
  await call('begin_work', { steps: ['one', 'two'] });
  await writeFile(tasksFile(), (await tasks()).replace('[ ] one', '[x] one'));
  const refused = await change();
  expect(refused).toMatchObject({ error_code: 'TASKS_EDITED', remedy: { tool: 'task_update' } });
  const { tool, args } = refused['remedy'] as { tool: string; args: Record<string, unknown> };
  expect(await call(tool, args)).toMatchObject({ current: { title: 'one' } });
  for (const _ of ['one', 'two']) {
    expect(await change()).not.toHaveProperty('error_code');
    await call('task_complete');
  }
  expect(await change()).toMatchObject({ error_code: 'TASKS_EXHAUSTED', remedy: { tool: 'request_human' } });
  expect(await call('task_add', { titles: ['three'] })).toMatchObject({ error_code: 'TASKS_EXHAUSTED' });
  await alone.close();
});
