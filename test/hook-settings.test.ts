// Hook settings are governed: every change is noticed, through the gate or around it.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { DoctorReport } from '../src/install/doctor.ts';
import type { ReconciliationView, Status, ViolationRow } from '../src/protocol/index.ts';
import { hookedAgent } from './lab/hooked-agent.ts';
import { makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

const SETTINGS = '.claude/settings.local.json';

verifies('N11', 'hook settings that a command rewrote are a finding, in the record, in doctor and in the level', async () => {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  await place.run(['init', '--yes', '--intent', 'everyday work', '--paths', 'src']);
  const client = await place.mcpClient();
  onTestFinished(() => client.close());
  const agent = await hookedAgent(place, client);
  await agent.prompt('fix it');
  await agent.call('begin_work');
  const settings = join(place.repo.path, SETTINGS);
  const wired = await readFile(settings, 'utf8');
  expect(await agent.before('Write', { file_path: settings, content: '{}' })).toContain('GOVERNANCE_FILE');

  const command = { session_id: place.conversation, tool_name: 'Bash', tool_use_id: 't2', tool_input: { command: 'node tool.js' } };
  expect(await place.hook('PreToolUse', command)).toEqual({});
  await writeFile(settings, '{}\n');
  await place.hook('PostToolUse', { ...command, tool_response: 'ok' });
  await place.hook('Stop', { session_id: place.conversation });
  expect((await place.ask<ReconciliationView>('reconcile')).unexplained.map(({ path }) => path)).toContain(SETTINGS);
  const found = await place.ask<ViolationRow[]>('violations', '--rule', 'reconciliation');
  expect(found.map(({ message }) => message)).toEqual([expect.stringContaining(SETTINGS)]);
  expect((await place.ask<Status>('status')).workspaces.map(({ level }) => level)).toEqual(['advisory']);
  const health = async () => {
    const { agents } = await place.ask<DoctorReport>('doctor');
    return agents.find(({ name }) => name === 'claude')!.checks.map(({ name, state, fix }) => [name, state, fix]);
  };
  expect(await health()).toEqual([['wiring', 'bad', 'countersign init --agent claude']]);

  // Whoever changed it: the content is not what init wrote.
  await writeFile(settings, `${wired.trimEnd()}\n\n`);
  expect(await health()).toContainEqual(['changed', 'note', 'countersign init --agent claude, after a look at what changed']);
});
