// A waiting edit is confirmed in a terminal by the digest of its text, and an agent writes texts at will.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Status } from '../src/protocol/index.ts';
import { hookedAgent } from './lab/hooked-agent.ts';
import { makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

verifies('I3', 'a waiting edit is named by so much of its digest that no second text shares it', async () => {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  await place.human(['intent', 'fix login', 'src']);
  const client = await place.mcpClient({ surface: 'hooked' });
  onTestFinished(() => client.close());
  const agent = await hookedAgent(place, client);
  await agent.prompt('fix the login');
  await agent.call('begin_work');
  const file = join(place.repo.path, '.orchestration/active_intents.yaml');
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('INT-001');
  await writeFile(file, (await readFile(file, 'utf8')).replace(/^( *- ).*src\/\*\*.*$/m, '$&\n$1"docs/**"'));
  await agent.prompt('and the documents');

  const [edit] = (await place.client.ask('status', {})).workspaces.flatMap(({ edits }: Status['workspaces'][number]) => edits);
  const digest = edit!.confirm.split(' ').at(-1)!;
  expect(digest).toBe(edit!.sha256.slice(0, 32));
  const confirm = (text: string) => place.humanTries(['intents', 'confirm', 'INT-001', '--text', text]);
  for (const [text, code] of [
    [digest.slice(0, 31), 2],
    ['0'.repeat(32), 3],
  ] as const)
    expect(await confirm(text)).toEqual({ code, output: expect.stringContaining(`Look at it, then: ${edit!.confirm}`) });
  expect((await confirm(digest)).code).toBe(0);
  expect((await place.client.ask('intents', {}))[0]?.owned_scope).toEqual(['src/**', 'docs/**']);
});
