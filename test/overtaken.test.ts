// A change that was reported after its lease was over, and after another session's change of the same file was admitted: wherever its
// receipt is shown, the later change is named.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { actionLine } from '../src/cli/terminal-text.ts';
import { startTestDaemon } from './lab/daemon.ts';
import { verifies } from './verifies.ts';

verifies('I10', 'actions, receipts and the log name the change that overtook another one', async () => {
  let ahead = 0;
  const daemon = await startTestDaemon(() => new Date(Date.now() + ahead));
  onTestFinished(() => daemon.dispose());
  await daemon.beginWork('**');
  const file_path = join(daemon.repo.path, 'src/auth/login.ts');
  // Two sub-agents: they take over what their parent has begun.
  const call = (agent_id: string) => {
    const tool_input = { file_path, content: `${agent_id}\n` };
    return { agent_id, agent_type: 'general-purpose', tool_name: 'Write', tool_use_id: `toolu_${agent_id}`, tool_input };
  };
  expect(await daemon.hook('PreToolUse', call('slow'))).toEqual({});
  ahead = 121_000;
  expect(await daemon.hook('PreToolUse', call('fast'))).toEqual({});
  await writeFile(file_path, 'fast\n');
  for (const agent of ['slow', 'fast']) await daemon.hook('PostToolUse', { ...call(agent), tool_response: {} });

  const { ask } = daemon.services();
  const written = (await ask('actions', {})).filter(({ tool }) => tool === 'Write');
  const [fast, slow] = [written.find(({ overtaken_by }) => overtaken_by === undefined), written.find(({ overtaken_by }) => overtaken_by)];
  expect(slow?.overtaken_by).toBe(fast?.id);
  expect(actionLine(slow!)).toContain(`${slow!.receipt_id}, overtaken by ${fast!.id}`);
  const receipts = await Promise.all([slow, fast].map(async (row) => (await ask('receipts', { id: row!.receipt_id! }))[0]?.overtaken_by));
  expect(receipts).toEqual([fast!.id, undefined]);
});
