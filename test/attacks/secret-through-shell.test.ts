// Reading the gate's keys and tokens through a shell command that only reads, where a file tool would be refused.

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { verifies } from '../verifies.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await mkdir(path.join(daemon.repo.path, '.ai/auth'), { recursive: true });
  await writeFile(path.join(daemon.repo.path, '.ai/auth/jira.token'), 'secret');
});
afterAll(() => daemon.dispose());

/** The commands that are not refused as the gate's own business. */
async function passing(commands: readonly string[]): Promise<string[]> {
  const passed: string[] = [];
  for (const [index, command] of commands.entries()) {
    const answer = await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: `call-${index}` });
    if (!JSON.stringify(answer).includes('GOVERNANCE_FILE')) passed.push(command);
  }
  return passed;
}

verifies('N11', 'keys, tokens and the socket are refused to commands that only read', async () => {
  const { dir, keys, hookFile } = daemon.home;
  const refused = [
    `cat ${keys}/hmac.key`,
    `cat "${keys}/signing-key.pem" | head -1`,
    `ls ${dir}`,
    `grep x ${hookFile}`,
    'cat ./.ai/auth/jira.token',
    `cat <${keys}/hmac.key`,
  ];
  expect(await passing(refused)).toEqual([]);
  const free = ['cat src/auth/login.ts', 'ls /', 'cat /etc/hostname', 'ls -la .', 'grep login ./src/auth/login.ts'];
  expect(await passing(free)).toEqual(free);
});
