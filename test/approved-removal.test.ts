// What a human approved is no violation: a turn that makes a folder, fills it and, after a yes, removes it.

import { execFileSync } from 'node:child_process';
import { expect, onTestFinished } from 'vitest';
import { startTestDaemon } from './lab/daemon.ts';
import { verifies } from './verifies.ts';

verifies('N5', 'a folder that a turn makes, fills and, after a yes, removes again is explained by its receipts', async () => {
  const daemon = await startTestDaemon();
  onTestFinished(() => daemon.dispose());
  await daemon.beginWork('**');
  const size = await daemon.ledgerSize();
  const { ask, kernel } = daemon.services();
  let calls = 0;
  const run = async (command: string) => {
    const payload = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `toolu_${++calls}` };
    if (JSON.stringify(await daemon.hook('PreToolUse', payload)).includes('APPROVAL_REQUIRED')) {
      const [question] = await ask('approvals', { state: 'pending' });
      await kernel.approvals.answer({ kind: 'human', human: { proof: 'login', via: 'cli' } }, question!.id, 'approved', null);
      await daemon.hook('PreToolUse', payload);
    }
    execFileSync('sh', ['-c', command], { cwd: daemon.repo.path });
    await daemon.hook('PostToolUse', { ...payload, tool_response: {} });
  };
  await run('mkdir -p src/made');
  await run('echo one > src/made/one.txt && echo two > src/made/two.txt');
  await run('rm -rf src/made');
  await daemon.hook('Stop', {});
  const untracked = (await daemon.recordedSince(size)).filter(({ type }) => type === 'untracked_mutation');
  expect([untracked, await ask('violations', {})]).toEqual([[], []]);
  const [removal] = await ask('receipts', { limit: 1 });
  const gone = new Map(removal!.file_refs.map(({ path, after_sha256 }) => [path, after_sha256]));
  expect(gone).toEqual(
    new Map([
      ['src/made/one.txt', null],
      ['src/made/two.txt', null],
    ]),
  );
});
