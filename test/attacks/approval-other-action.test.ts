// A human approved one action, and the agent does another: other words, another place, another session, or the same words about a file that
// is no longer what the human saw.

import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { approvalText } from '../../src/cli/terminal-text.ts';
import type { ApprovalRow } from '../../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { verifies } from '../verifies.ts';

let daemon: TestDaemon;
let login: Readonly<Record<string, string>>;
let root: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.beginWork('src/**');
  login = await daemon.login();
  root = daemon.repo.path;
});
afterAll(() => daemon.dispose());

let calls = 0;

/** `runs`, or the id of the question that has to be answered first. */
async function tries(tool_name: string, tool_input: object, more: object = {}): Promise<string> {
  const answer = JSON.stringify(await daemon.hook('PreToolUse', { tool_name, tool_input, tool_use_id: `toolu_${++calls}`, ...more }));
  if (!answer.includes('"deny"')) return 'runs';
  return /APPROVAL_REQUIRED.*?(apr_\w+)/.exec(answer)?.[1] ?? answer;
}

const bash = (command: string, more?: object) => tries('Bash', { command }, more);

async function approve(id: string): Promise<void> {
  const { status, text } = await daemon.web('POST', `/api/approvals/${id}/answer`, { headers: login, body: { answer: 'approved' } });
  expect([status, (JSON.parse(text) as ApprovalRow).state]).toEqual([200, 'approved']);
}

verifies('I13', 'a yes is for these very characters, this folder and this tool', async () => {
  const command = 'rm -rf src/build';
  const question = await bash(command);
  await approve(question);
  mkdirSync(join(root, 'src/deep'), { recursive: true });
  const others = [
    await bash('rm -rf  src/build'),
    await bash(' rm -rf src/build'),
    await bash('rm -rf src/build '),
    await bash('rm -rf src/build\n'),
    await bash('rm -rf src/build/'),
    await bash('rm -rf "src/build"'),
    await bash('rm -rf src/build # as approved'),
    await bash('rm -rf src/build src/auth'),
    await bash(command, { cwd: join(root, 'src') }),
    await tries('mcp__other__run', { command }),
  ];
  expect(others).toEqual(others.map(() => expect.stringMatching(/^apr_/)));
  expect([others.includes(question), new Set(others).size]).toEqual([false, others.length]);
  expect([await bash(command), (await bash(command)) === question]).toEqual(['runs', false]);
});

verifies('I13', 'a human sees the folder that a command would run in', async () => {
  const question = await bash('rm -rf build', { cwd: join(root, 'src') });
  const [row] = await daemon.services().ask('approvals', { id: question });
  expect([row?.root, row?.cwd]).toEqual([root, join(root, 'src')]);
  expect(approvalText(row!)).toContain(`asks to use Bash in ${join(root, 'src')} for`);
});

verifies('I13', 'a yes is for the session that asked', async () => {
  const command = 'rm -rf src/theirs';
  const question = await bash(command);
  await approve(question);
  const other = { session_id: 'another-session' };
  await daemon.hook('SessionStart', { source: 'startup', ...other });
  const answer = JSON.stringify(
    await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_o', ...other }),
  );
  expect([answer.includes('"deny"'), answer.includes(question)]).toEqual([true, false]);
  expect(await bash(command)).toBe('runs');
});

verifies('I13', 'a file that changed after the yes is asked about again', async () => {
  const file = join(root, 'src/old.ts');
  const changes: Readonly<Record<string, () => void>> = {
    'other bytes': () => writeFileSync(file, 'precious'),
    'other bytes of the same length': () => writeFileSync(file, 'worthlesz'),
    gone: () => rmSync(file),
    'a link to another': () => {
      rmSync(file);
      symlinkSync('auth/login.ts', file);
    },
    'another in its place': () => {
      writeFileSync(`${file}.new`, 'replaced');
      renameSync(`${file}.new`, file);
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    rmSync(file, { force: true });
    writeFileSync(file, 'worthless');
    const command = `shred -u src/old.ts # ${what}`;
    const question = await bash(command);
    expect([what, question]).toEqual([what, expect.stringMatching(/^apr_/)]);
    await approve(question);
    change();
    const again = await bash(command);
    expect([what, again]).toEqual([what, expect.stringMatching(/^apr_/)]);
    expect([what, again === question]).toEqual([what, false]);
    await approve(again);
    expect([what, await bash(command)]).toEqual([what, 'runs']);
  }
});

verifies('I13', 'a script that changed after the yes is asked about again', async () => {
  const script = join(root, 'src/clean.sh');
  writeFileSync(script, 'rm -rf src/build\n');
  const command = 'sudo sh src/clean.sh';
  const question = await bash(command);
  await approve(question);
  writeFileSync(script, 'rm -rf src\n');
  const again = await bash(command);
  expect([again, again === question]).toEqual([expect.stringMatching(/^apr_/), false]);
  expect(readFileSync(script, 'utf8')).toBe('rm -rf src\n');
});
