// Known secrets wait for a human through every door, pipelines run later with secrets, and temporary files are scratch for every tool.

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { verifies } from './verifies.ts';

let calls = 0;
async function before(daemon: TestDaemon, tool_name: string, tool_input: Record<string, unknown>): Promise<string> {
  const tool_use_id = `toolu_${++calls}`;
  const answer = (await daemon.hook('PreToolUse', { tool_name, tool_input, tool_use_id })) as {
    hookSpecificOutput?: { permissionDecision: string; permissionDecisionReason: string };
  };
  const said = answer.hookSpecificOutput;
  if (said === undefined || said.permissionDecision === 'allow') return 'allowed';
  return /[A-Z]+(?:_[A-Z]+)+/.exec(said.permissionDecisionReason)?.[0] ?? said.permissionDecisionReason;
}

async function working(...scope: string[]): Promise<TestDaemon> {
  const daemon = await startTestDaemon();
  onTestFinished(() => daemon.dispose());
  await daemon.beginWork(...scope);
  return daemon;
}

verifies(
  'I13',
  'a file tool that reads a known secret waits for a human, also through a link, and a workflow that no intent names does',
  async () => {
    const daemon = await working('**');
    const { path: root } = daemon.repo;
    writeFileSync(join(root, '.env'), 'TOKEN=x\n');
    writeFileSync(join(root, '.env.example'), 'TOKEN=\n');
    mkdirSync(join(root, 'deploy'));
    writeFileSync(join(root, 'deploy/server.key'), 'x\n');
    symlinkSync(join(root, 'deploy/server.key'), join(root, 'notes.txt'));
    const asked = [join(homedir(), '.aws/credentials'), join(root, '.env'), join(root, 'notes.txt'), join(homedir(), '.ssh/id_ed25519')];
    for (const file_path of asked)
      expect([file_path, await before(daemon, 'Read', { file_path })]).toEqual([file_path, 'APPROVAL_REQUIRED']);
    const shown = [join(root, '.env.example'), join(root, 'package.json'), join(homedir(), '.ssh/known_hosts')];
    for (const file_path of shown) expect([file_path, await before(daemon, 'Read', { file_path })]).toEqual([file_path, 'allowed']);
    expect(await daemon.services().ask('approvals', { state: 'pending' })).toHaveLength(asked.length);

    const workflow = join(root, '.github/workflows/ci.yml');
    expect(await before(daemon, 'Write', { file_path: workflow, content: 'on: push\n' })).toBe('APPROVAL_REQUIRED');
    expect(await before(daemon, 'Bash', { command: 'echo x > .github/workflows/ci.yml' })).toBe('APPROVAL_REQUIRED');
    expect(await before(daemon, 'Write', { file_path: join(root, 'src/ci.yml'), content: 'x\n' })).toBe('allowed');
  },
);

verifies('I12', 'temporary files are scratch for file tools and commands alike, by their real path', async () => {
  const daemon = await working('src/**');
  const scratch = realpathSync(mkdtempSync('/var/tmp/countersign-scratch-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  symlinkSync(homedir(), join(scratch, 'out'));
  symlinkSync(join(homedir(), 'not-there-yet'), join(scratch, 'dangling'));
  mkdirSync(join(scratch, 'other/.orchestration'), { recursive: true });
  const both = async (file_path: string) => [
    await before(daemon, 'Write', { file_path, content: 'x\n' }),
    await before(daemon, 'Bash', { command: `echo x > ${file_path}` }),
  ];
  expect(await both(join(scratch, 'x.py'))).toEqual(['allowed', 'allowed']);
  expect(await both(join(scratch, 'new/x.py'))).toEqual(['allowed', 'allowed']);
  for (const file of ['out/x.py', 'dangling', 'other/x.py', 'other/src/x.py', '../x/../../etc/x'])
    expect([file, await both(`${scratch}/${file}`)]).toEqual([file, ['SCOPE_VIOLATION', 'SCOPE_VIOLATION']]);
  expect(existsSync(join(homedir(), 'x.py'))).toBe(false);
});

verifies('I12', 'a turn that wrote only temporary files owes no stamp; one that changed the work tree does', async () => {
  const daemon = await working('src/**');
  const scratch = realpathSync(mkdtempSync('/var/tmp/countersign-scratch-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const stop = () => daemon.hook('Stop', { stop_hook_active: false });
  const write = async (file_path: string) => {
    const call = { tool_name: 'Write', tool_input: { file_path, content: 'x\n' }, tool_use_id: `toolu_${++calls}` };
    expect(await daemon.hook('PreToolUse', call)).not.toHaveProperty('hookSpecificOutput.permissionDecision', 'deny');
    writeFileSync(file_path, 'x\n');
    await daemon.hook('PostToolUse', { ...call, tool_response: { filePath: file_path } });
  };
  await write(join(scratch, 'x.py'));
  expect(await stop()).not.toHaveProperty('decision');
  mkdirSync(join(daemon.repo.path, 'src'), { recursive: true });
  await write(join(daemon.repo.path, 'src/x.py'));
  expect(await stop()).toMatchObject({ decision: 'block', reason: expect.stringContaining('compliance stamp') });
});
