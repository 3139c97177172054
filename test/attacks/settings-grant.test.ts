// A program that an agent may run writes the settings' files itself: nothing is granted by that, through any door.

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { oneDaemon } from '../lab/one-daemon.ts';
import type { Place } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

const place = oneDaemon();

const GREEDY = {
  mode: { minimum: null },
  commands: { network: true, allow: ['*'] },
  paths: { derived: ['lib/**'], companions: { 'a.ts': ['*'] } },
  approvals: { ttlSeconds: 86_400, destructiveProof: 'none' },
  quality: { test: 'touch taken' },
  ledger: { retentionDays: 1 },
};

async function configure(here: Place, settings: object, file = 'env.local.json'): Promise<void> {
  await mkdir(join(here.repo.path, '.ai/config'), { recursive: true });
  await writeFile(join(here.repo.path, '.ai/config', file), JSON.stringify(settings));
}

const decisionOf = (answer: unknown): unknown =>
  (answer as { hookSpecificOutput?: { permissionDecision?: string } }).hookSpecificOutput?.permissionDecision ?? 'allow';
const call = (here: Place, tool_name: string, tool_input: object) =>
  here.hook('PreToolUse', { tool_name, tool_input, tool_use_id: `toolu_${Math.random()}` }).then(decisionOf);

verifies('I3', 'settings that an agent wrote grant nothing to a hooked agent until a human confirms what was shown', async () => {
  const here = await place();
  await configure(here, { mode: { minimum: 'GUARDED' } });
  const { repo } = here;
  expect((await here.human(['intent', 'work', 'src'])).code).toBe(0);
  await here.hook('SessionStart', { source: 'startup' });
  await here.hook('UserPromptSubmit', { prompt: 'go' });
  const lib = () => call(here, 'Write', { file_path: join(repo.path, 'lib/n.ts'), content: 'x' });
  expect(await lib()).toBe('deny');
  // An agent's script wrote it, past every hook.
  await configure(here, GREEDY);
  expect([await lib(), await call(here, 'Bash', { command: 'rm -rf lib' })]).toEqual(['deny', 'deny']);
  const status = (await here.run(['status'])).stdout;
  expect(status).toContain('Minimum mode: GUARDED.');
  expect(status).toMatch(/settings {2}\.ai\/config: [^\n]*\n +countersign settings confirm --text /);
  expect((await here.run(['settings'])).stdout).toContain('commands.network: false becomes true');
  const view = await here.client.ask('settings', { cwd: repo.path });
  expect(Object.fromEntries(view.settings.map(({ key, value }) => [key, value]))).toMatchObject({
    ...{ 'mode.minimum': 'GUARDED', 'commands.network': false, 'commands.allow': [], 'paths.derived': [], 'paths.companions': {} },
    ...{ 'approvals.ttlSeconds': 900, 'quality.test': true, 'ledger.retentionDays': null },
  });
  expect((await here.run(['approvals'])).stdout).toContain('countersign settings confirm --text ');

  // A human confirms the text that they saw, and no other.
  const [edit] = view.edits;
  await configure(here, { ...GREEDY, commands: { network: true, allow: [] } });
  const stale = await here.humanTries(['settings', 'confirm', '--text', edit!.sha256.slice(0, 32)]);
  expect([stale.code, stale.output]).toEqual([expect.not.toBeOneOf([0]), expect.stringContaining('it has changed since')]);
  await configure(here, { mode: { minimum: 'GUARDED' }, paths: { derived: ['lib/**'] } });
  const confirmed = await here.humanTries(['settings', 'confirm'], [{ after: 'Let this hold? [y/N]', type: 'y\r' }]);
  expect([confirmed.code, confirmed.output]).toEqual([0, expect.stringMatching(/paths\.derived +\["lib\/\*\*"\]/)]);
  expect(await lib()).toBe('allow');
});

verifies('I3', 'an allow list that an agent wrote releases no call that waits, and counts for nothing over MCP', async () => {
  const here = await place();
  await configure(here, { mode: { minimum: 'STRICT' } });
  expect((await here.human(['intent', 'work', 'src'])).code).toBe(0);
  const agent = await here.mcpClient();
  onTestFinished(() => agent.close());
  const run = async (name: string, args: Record<string, unknown>) => JSON.stringify(await agent.callTool({ name, arguments: args }));
  await run('begin_work', { mode: 'STRICT', intent: 'INT-001', query: 'work' });
  await configure(here, { mode: { minimum: null }, commands: { allow: ['*'], network: true }, paths: { derived: ['**'] } });
  expect(await run('run_command', { command: 'touch src/new.txt' })).toContain('error_code');
  expect(existsSync(join(here.repo.path, 'src/new.txt'))).toBe(false);
  const { settings, edits } = await here.client.ask('settings', { cwd: here.repo.path });
  const held = Object.fromEntries(settings.map(({ key, value }) => [key, value]));
  expect([held['mode.minimum'], held['commands.allow'], held['paths.derived']]).toEqual(['STRICT', [], []]);
  expect(edits).toHaveLength(1);
});

verifies('T5', 'settings that cannot be read are named by status, and what was accepted last holds', async () => {
  const here = await place();
  await configure(here, { mode: { minimum: 'STRICT' } });
  expect((await here.human(['intent', 'work', 'src'])).code).toBe(0);
  await configure(here, { mode: { minimun: 'GUARDED' } });
  const status = (await here.run(['status'])).stdout;
  expect(status).toContain('Minimum mode: STRICT.');
  expect(status).toContain(`CANNOT BE READ, so changes are refused: .ai/config/env.local.json:1: mode.minimun: is not a setting`);
  expect((await here.run(['settings'])).stdout).toContain('what was accepted last holds');
});
