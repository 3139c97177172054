// Remedies as agents get them: a call that can be made as it is, or a form whose blanks only the agent can fill.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect } from 'vitest';
import { hookedAgent } from './lab/hooked-agent.ts';
import type { Place } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { verifies } from './verifies.ts';

const newPlace = oneDaemon();
let place: Place;
let client: Client;
beforeEach(async () => {
  place = await newPlace();
  client = await place.mcpClient();
});
afterEach(() => client.close());

const call = async (name: string, args: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;

verifies('I8', 'what a file tool could not do leads to read_file or list_files, not to a human', async () => {
  expect((await place.human(['intent', 'work', 'src'])).code).toBe(0);
  await mkdir(join(place.repo.path, 'src/deep'), { recursive: true });
  await writeFile(join(place.repo.path, 'src/deep/a.ts'), 'export const a = 1;\n');
  await call('begin_work', { mode: 'GUARDED' });
  const wrong = '*** Begin Patch\n*** Update File: src/deep/a.ts\n@@\n-nowhere\n+somewhere\n*** End Patch';
  const cases: [string, Record<string, unknown>, { tool: string; args: Record<string, unknown> }][] = [
    ['read_file', { path: 'src/none/b.ts' }, { tool: 'list_files', args: { path: 'src' } }],
    ['edit_file', { path: 'src/deep/b.ts', edits: [{ old_text: 'a', new_text: 'b' }] }, { tool: 'list_files', args: { path: 'src/deep' } }],
    [
      'edit_file',
      { path: 'src/deep/a.ts', edits: [{ old_text: 'nowhere', new_text: 'y' }] },
      { tool: 'read_file', args: { path: 'src/deep/a.ts' } },
    ],
    ['apply_patch', { patch: wrong }, { tool: 'read_file', args: { path: 'src/deep/a.ts' } }],
    ['list_files', { path: 'src/none/deeper' }, { tool: 'list_files', args: { path: 'src' } }],
    ['read_file', { path: 'src/deep' }, { tool: 'list_files', args: { path: 'src/deep' } }],
    ['write_file', { path: 'src/deep', content: 'x' }, { tool: 'list_files', args: { path: 'src/deep' } }],
    ['delete_file', { path: 'src/deep/b.ts' }, { tool: 'list_files', args: { path: 'src/deep' } }],
    ['move_file', { from: 'src/deep/b.ts', to: 'src/c.ts' }, { tool: 'list_files', args: { path: 'src/deep' } }],
    ['search_files', { pattern: '(', regex: true, path: 'src' }, { tool: 'list_files', args: { path: 'src' } }],
  ];
  for (const [tool, args, remedy] of cases) {
    const said = await call(tool, args);
    expect([tool, said['remedy']]).toEqual([tool, remedy]);
    expect(await call(remedy.tool, remedy.args)).not.toHaveProperty('error_code');
  }
});

verifies('I8', 'with no intent the remedy is a form: it does not become the name of a proposal, whoever sends it back', async () => {
  const agent = await hookedAgent(place, client);
  expect((await place.human(['mode', 'min', 'GUARDED'])).code).toBe(0);
  await agent.prompt('fix it');
  const said = (await agent.write('src/a.ts', 'x\n')) ?? '';
  expect(said).toContain('propose_intent {"owned_scope":["src/a.ts"]}, with "name": what should change, in a few words');
  for (const name of [
    'what should change, in a few words',
    'Describe in a few words what should change',
    ' What should change, in a few words. ',
  ])
    expect(await agent.call('propose_intent', { name, owned_scope: ['src/**'] })).toMatchObject({ isError: true });
  expect(await agent.call('propose_intent', { owned_scope: ['src/a.ts'] })).toMatchObject({ isError: true });
  expect(await place.client.ask('intents', { cwd: place.repo.path })).toEqual([]);
  const refused = await call('begin_work', { mode: 'GUARDED' });
  expect(refused['remedy']).toMatchObject({ tool: 'propose_intent', args: {}, fill: { name: 'what should change, in a few words' } });

  // An agent that tries again is reminded of what it proposed, and the same proposal is not made twice.
  const proposed = await call('propose_intent', { name: 'Fix it', owned_scope: ['src/a.ts'] });
  expect(await agent.write('src/a.ts', 'x\n')).toContain(
    `${String(proposed['intent'])} is proposed for this and waits for a human. Stop and ask them to run: countersign intents activate`,
  );
  const again = await call('propose_intent', { name: 'fix it ', owned_scope: ['src/a.ts'] });
  expect(again).toMatchObject({
    intent: proposed['intent'],
    next: expect.stringMatching(/^It was proposed before and still waits\. Stop/),
  });
  expect(await call('propose_intent', { name: 'Fix it', owned_scope: ['src/b.ts'] })).not.toMatchObject({ intent: proposed['intent'] });
  expect(await place.client.ask('intents', { cwd: place.repo.path })).toHaveLength(2);
});
