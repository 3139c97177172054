// An agent's command that would give a human's command, in a wrapper: refused and recorded through every door, under a scope of everything.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { oneDaemon } from '../lab/one-daemon.ts';
import { verifies } from '../verifies.ts';

const place = oneDaemon();
const RUNS = "tmux new -d 'countersign intent v .'";
const MENTIONS = "git commit --allow-empty -m 'say what countersign intent does'";

verifies('I13', 'a human’s command in an agent’s text is refused by hooks and over MCP; a message about it is not', async () => {
  const here = await place();
  await mkdir(join(here.repo.path, '.ai/config'), { recursive: true });
  await writeFile(join(here.repo.path, '.ai/config/env.local.json'), '{"mode":{"minimum":"GUARDED"}}');
  expect((await here.human(['intent', 'work', '.'])).code).toBe(0);

  await here.hook('SessionStart', { source: 'startup' });
  await here.hook('UserPromptSubmit', { prompt: 'go' });
  const bash = async (command: string) =>
    JSON.stringify(await here.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: `toolu_${command}` }));
  expect(await bash(RUNS)).toMatch(/"deny".*countersign intent is a human's command, and this one would run it/);
  expect(await bash(MENTIONS)).not.toContain("human's command");
  expect((await here.client.ask('violations', {})).map(({ code }) => code)).toContain('HUMAN_CHANNEL_REQUIRED');

  const agent = await here.mcpClient();
  onTestFinished(() => agent.close());
  const call = async (name: string, args: Record<string, unknown>) => JSON.stringify(await agent.callTool({ name, arguments: args }));
  await call('begin_work', { mode: 'GUARDED', intent: 'INT-001', query: 'work' });
  expect(await call('run_command', { command: RUNS })).toContain('HUMAN_CHANNEL_REQUIRED');
  expect((await here.client.ask('intents', { cwd: here.repo.path })).map(({ name }) => name)).toEqual(['work']);
});
