// What a shell command changed without naming it is found when it ends, and can be undone like an edit.

import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { hookedAgent } from './lab/hooked-agent.ts';
import { makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

verifies('N17', 'a shell change is undone with its action, and what a human changed elsewhere stays', async () => {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  await place.human(['intent', 'fix login', 'src']);
  const client = await place.mcpClient();
  onTestFinished(() => client.close());
  const agent = await hookedAgent(place, client);

  const tell = (event: string, more: object = {}) => place.hook(event, { session_id: place.conversation, hook_event_name: event, ...more });
  const file = join(place.repo.path, 'src/auth/login.ts');
  const program = join(place.repo.path, 'src/run.sh');
  await writeFile(program, '#!/bin/sh\n');
  await chmod(program, 0o755);
  await tell('Stop', { stop_hook_active: false });
  await agent.prompt('fix it');
  await agent.call('begin_work');
  const before = await readFile(file, 'utf8');
  const call = { tool_name: 'Bash', tool_input: { command: './rewrite.sh', description: 'd' }, tool_use_id: 'toolu_shell' };
  expect(JSON.stringify(await tell('PreToolUse', call))).not.toContain('"deny"');
  await writeFile(file, 'rewritten by a script\n');
  await rm(program);
  await tell('PostToolUse', { ...call, tool_response: { stdout: '' } });
  await writeFile(join(place.repo.path, 'README.md'), 'by hand\n');
  await tell('Stop', { stop_hook_active: false });

  const action = (await place.client.ask('actions', {})).find(({ tool, state }) => tool === 'Bash' && state === 'settled');
  const { code, output } = await place.humanTries(['undo', action!.id, '--yes']);
  expect([code, output]).toEqual([0, expect.stringContaining('src/auth/login.ts')]);
  expect([await readFile(file, 'utf8'), (await stat(program)).mode & 0o777]).toEqual([before, 0o755]);
  expect(await readFile(join(place.repo.path, 'README.md'), 'utf8')).toBe('by hand\n');
});
