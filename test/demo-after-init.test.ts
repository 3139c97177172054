// The same demo as a user has it: after `init`, with the intent that a human grants in a terminal. With one active intent the door cites it, so
// the handshake is made by the prompt; with two that cover the file, the agent has to name one.

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type HookedAgent, hookedAgent } from './lab/hooked-agent.ts';
import { type Installation, makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

const LOGIN = 'src/auth/login.ts';
let place: Installation;
let client: Client;
let agent: HookedAgent;

beforeAll(async () => {
  place = await makeInstallation();
  await mkdir(join(place.env['HOME']!, '.claude'), { recursive: true });
  await place.human(['init', '--yes', '--agent', 'claude']);
  for (const { id, status } of await place.client.ask('intents', { cwd: place.repo.path }))
    if (status === 'active') await place.human(['intents', 'done', id]);
  client = await place.mcpClient({ surface: 'hooked' });
  agent = await hookedAgent(place, client);
});
afterAll(async () => {
  await client.close();
  await place.dispose();
});

const file = (path: string) => readFile(join(place.repo.path, path), 'utf8').catch(() => '');
const codeOf = (said: string | null): string | null => /^Countersign ([A-Z_]+):/m.exec(said ?? '')?.[1] ?? said;
const prompt = async (text: string) =>
  JSON.stringify(await place.hook('UserPromptSubmit', { hook_event_name: 'UserPromptSubmit', prompt: text, prompt_id: text }));
const idOf = async (name: string) =>
  (await place.client.ask('intents', { cwd: place.repo.path })).find((intent) => intent.name === name)?.id ?? 'none';

describe('the demo after init', () => {
  verifies('I20', 'without an active intent nothing is changed', async () => {
    await prompt('refactor the login');
    const said = await agent.write(LOGIN, 'export {};\n');
    expect([codeOf(said), said]).toEqual([
      'INTENT_REQUIRED',
      expect.stringContaining('You must cite a valid active Intent ID before mutating tools.'),
    ]);
  });

  verifies(
    'I20',
    'the prompt after a human’s grant is the handshake: it shows the intent, is on the record, and the edit leaves its trace',
    async () => {
      await place.human([
        'intent',
        'refactor the login',
        'src/auth',
        '--constraint',
        'Keep the public names',
        '--criterion',
        'The tests pass',
      ]);
      const shown = await prompt('go on');
      for (const words of ['src/auth/**', 'Keep the public names', 'The tests pass']) expect(shown).toContain(words);
      const id = await idOf('refactor the login');
      expect(shown).toContain(id);
      expect(await agent.write(LOGIN, 'export const login = () => undefined;\n')).toBeNull();
      await expect.poll(() => file('.orchestration/agent_trace.jsonl')).toContain(`urn:countersign:intent:${id}`);
      await expect.poll(() => file('.orchestration/intent_map.md')).toContain(LOGIN);
      expect(await agent.write('src/payments/index.ts', 'export {};\n')).toContain(`${id} is not authorized to edit src/payments/index.ts`);
    },
  );

  verifies('I20', 'with two intents that cover the file the agent names one, and that is the handshake', async () => {
    await place.human(['intent', 'other work', 'src/auth']);
    // The first one goes on with what was cited for it.
    const second = await hookedAgent(place, client, 'another conversation');
    await second.prompt('and now');
    await second.before('Read', { file_path: join(place.repo.path, LOGIN) });
    const write = () => second.write(LOGIN, 'export const login = () => null;\n');
    expect(codeOf(await write())).toMatch(/^INTENT_/);
    const other = await idOf('other work');
    expect((await second.call('begin_work', { intent: other })).isError).toBe(false);
    expect(await write()).toBeNull();
    await expect.poll(() => file('.orchestration/agent_trace.jsonl')).toContain(`urn:countersign:intent:${other}`);
  });

  verifies('I20', 'a destructive command waits for a human, and the record verifies', async () => {
    expect(codeOf(await agent.before('Bash', { command: 'rm -rf src/auth' }))).toBe('APPROVAL_REQUIRED');
    expect((await place.human(['verify'])).output).toContain('nothing is missing');
  });
});
