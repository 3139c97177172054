// The demo of the governed workspace, step by step, with two agents at once: real daemon, real hooks, the official MCP client over
// stdio, real files and real git. `examples/governed-demo` shows the same by hand.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type HookedAgent, hookedAgent } from './lab/hooked-agent.ts';
import { type Installation, makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

let place: Installation;
let client: Client;
let ada: HookedAgent;
let bob: HookedAgent;

const INTENTS = `# What we work on this week
intents:
  - id: INT-001
    name: Refactor the login # Ada asked for it
    status: active
    owned_scope:
      - src/auth/**
    constraints:
      - Keep the public names
    acceptance_criteria:
      - The tests pass
`;

beforeAll(async () => {
  place = await makeInstallation();
  await mkdir(join(place.repo.path, '.orchestration'));
  await writeFile(join(place.repo.path, '.orchestration/active_intents.yaml'), INTENTS);
  client = await place.mcpClient();
  await place.run(['start', '--quiet']);
  ada = await hookedAgent(place, client, 'ada');
  bob = await hookedAgent(place, client, 'bob');
  for (const agent of [ada, bob]) await agent.prompt('refactor the login');
});
afterAll(async () => {
  await client.close();
  await place.dispose();
});

const file = (path: string) => readFile(join(place.repo.path, path), 'utf8');
const codeOf = (said: string | null): string | null => /^Countersign ([A-Z_]+):/m.exec(said ?? '')?.[1] ?? said;
const LOGIN = 'src/auth/login.ts';

describe('the demo', () => {
  verifies('I20', 'nothing is changed before the handshake, whatever else is in order', async () => {
    await ada.call('memory_query', { query: 'login' });
    await ada.call('memory_set_mode', { mode: 'GUARDED' });
    const said = await ada.write(LOGIN, 'export {};\n');
    expect(codeOf(said)).toBe('INTENT_REQUIRED');
    expect(said).toContain('You must cite a valid active Intent ID before mutating tools.');
    const { intent_context } = (await ada.call('select_active_intent', { intent_id: 'INT-001' })) as unknown as { intent_context: string };
    expect(intent_context).toContain('- src/auth/**\nConstraints:\n- Keep the public names\nAcceptance criteria:\n- The tests pass');
  });

  verifies('I20', 'a scoped edit passes and leaves a trace line with intent, contributor, content hash and revision', async () => {
    const before = await file(LOGIN);
    expect(await ada.write(LOGIN, before.replace('return null', 'return undefined as never'))).toBeNull();
    await expect.poll(() => file('.orchestration/agent_trace.jsonl').catch(() => '')).toContain('content_hash');
    const [line = ''] = (await file('.orchestration/agent_trace.jsonl')).split('\n');
    expect(JSON.parse(line)).toMatchObject({
      vcs: { type: 'git', revision: place.repo.git('rev-parse', 'HEAD').trim() },
      files: [
        {
          path: LOGIN,
          conversations: [
            {
              contributor: { type: 'ai' },
              ranges: [{ content_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string }],
              related: expect.arrayContaining([{ type: 'intent', url: 'urn:countersign:intent:INT-001' }]) as unknown[],
            },
          ],
        },
      ],
    });
  });

  verifies('I20', 'an edit outside the scope is blocked, and the error says how to go on', async () => {
    const before = await file('src/payments/index.ts');
    const said = await ada.write('src/payments/index.ts', 'export {};\n');
    expect(said).toContain('Countersign SCOPE_VIOLATION: Scope Violation: INT-001 is not authorized to edit src/payments/index.ts');
    expect(said).toContain('Call: mcp__countersign__request_scope');
    expect(await file('src/payments/index.ts')).toBe(before);
  });

  verifies('I20', 'a parallel change makes the other agent’s write stale; it re-reads, and both changes stay', async () => {
    await bob.call('begin_work', { intent: 'INT-001' });
    await bob.before('Read', { file_path: join(place.repo.path, LOGIN) });
    const seen = await file(LOGIN);
    expect(await ada.write(LOGIN, `${seen}export const ada = 1;\n`)).toBeNull();
    const said = await bob.write(LOGIN, `${seen}export const bob = 2;\n`);
    expect(codeOf(said)).toBe('STALE_FILE');
    expect(said).toContain('+ export const ada = 1;');
    await bob.before('Read', { file_path: join(place.repo.path, LOGIN) });
    expect(await bob.write(LOGIN, `${await file(LOGIN)}export const bob = 2;\n`)).toBeNull();
    expect(await file(LOGIN)).toContain('export const ada = 1;\nexport const bob = 2;\n');
  });

  verifies('I20', 'a destructive command waits for a human', async () => {
    const command = { command: `rm -rf ${dirname(LOGIN)}`, description: 'as the demo needs it' };
    expect(codeOf(await ada.before('Bash', command))).toBe('APPROVAL_REQUIRED');
    const [question] = await place.client.ask('approvals', { state: 'pending' });
    expect((await place.human(['reject', question!.id, '--reason', 'never'])).code).toBe(0);
    expect(await ada.before('Bash', command)).toContain('A human rejected this: never');
  });

  verifies('I20', 'map and shared brain follow, the file keeps the human’s words, and the record verifies', async () => {
    await ada.call('memory_write', { kind: 'decision', statement: 'Login returns undefined', rationale: 'null was ambiguous' });
    await expect.poll(() => file('.orchestration/intent_map.md').catch(() => '')).toContain('src/auth/login.ts');
    await expect.poll(() => file('AGENTS.md').catch(() => '')).toContain('Login returns undefined');
    expect(await file('.orchestration/active_intents.yaml')).toBe(INTENTS);
    const { code, output } = await place.humanTries(['verify']);
    expect([code, output]).toEqual([0, expect.stringContaining('nothing is missing')]);
    const blamed = await place.humanTries(['blame', LOGIN]);
    expect(blamed.output).toContain('INT-001');
  });
});
