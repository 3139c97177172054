// The breaker counts how often an agent continued after it had got the answer: calls that a model makes in one turn, side by side, are one
// round. The clock is stopped within a round, so that no machine is too slow for it.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { connectOverHttp } from './lab/mcp-http.ts';
import { verifies } from './verifies.ts';

let daemon: TestDaemon;
const clock = { ms: Date.parse('2026-01-02T03:04:05Z') };
beforeAll(async () => {
  daemon = await startTestDaemon(() => new Date(clock.ms));
  await daemon.beginWork('src/**');
});
afterAll(() => daemon.dispose());

/** What each of five calls in each of three turns got. */
async function threeTurns(call: (number: number) => Promise<string>): Promise<string[]> {
  const heard: string[] = [];
  for (let turn = 0; turn < 3; turn++) {
    clock.ms += 1_000;
    const answers = await Promise.all([1, 2, 3, 4, 5].map((each) => call(turn * 10 + each)));
    heard.push([...new Set(answers)].join(' '));
  }
  return heard;
}

const codeIn = (answer: unknown): string => /SCOPE_VIOLATION(?! for)|NEEDS_HUMAN/.exec(JSON.stringify(answer))?.[0] ?? 'none';

verifies('I16', 'through hooks: five calls at once are one round, and the third round asks for a human', async () => {
  const call = async (number: number) =>
    codeIn(
      await daemon.hook('PreToolUse', {
        tool_name: 'Write',
        tool_input: { file_path: 'docs/out.md', content: 'x\n' },
        tool_use_id: `toolu_${number}`,
      }),
    );
  expect(await threeTurns(call)).toEqual(['SCOPE_VIOLATION', 'SCOPE_VIOLATION', 'NEEDS_HUMAN']);
});

verifies('I16', 'through MCP: five calls at once are one round, and the third round asks for a human', async () => {
  const client = await connectOverHttp(daemon);
  await client.callTool({ name: 'begin_work', arguments: {} });
  const call = async () => {
    const { structuredContent } = await client.callTool({ name: 'write_file', arguments: { path: 'docs/out.md', content: 'x\n' } });
    return (structuredContent as { error_code?: string }).error_code ?? 'none';
  };
  expect(await threeTurns(call)).toEqual(['SCOPE_VIOLATION', 'SCOPE_VIOLATION', 'NEEDS_HUMAN']);
  await client.close();
});

let calls = 0;
async function native(tool_name: string, tool_input: object, fails: boolean): Promise<string> {
  clock.ms += 1_000;
  const call = { tool_name, tool_input, tool_use_id: `toolu_native_${++calls}` };
  const answer = codeIn(await daemon.hook('PreToolUse', call));
  if (answer !== 'none') return answer;
  clock.ms += 1_000;
  const event = fails ? 'PostToolUseFailure' : 'PostToolUse';
  await daemon.hook(event, { ...call, ...(fails ? { error: 'String to replace not found' } : { tool_response: {} }) });
  return answer;
}

verifies('I16', 'through hooks: an edit that failed five times in a row is stopped and asks', async () => {
  await daemon.hook('UserPromptSubmit', { prompt: 'go on', prompt_id: 'loop' });
  const file = join(daemon.repo.path, 'src/auth/login.ts');
  const edit = (number: number) => native('Edit', { file_path: file, old_string: `missing ${number}`, new_string: 'x' }, true);
  const heard: string[] = [];
  for (let each = 0; each < 6; each++) heard.push(await edit(each));
  expect(heard).toEqual([...Array<string>(5).fill('none'), 'NEEDS_HUMAN']);
  // Another call is not stopped, and a change that succeeds ends the loop.
  const other = join(daemon.repo.path, 'src/other.ts');
  clock.ms += 1_000;
  const write = { tool_name: 'Write', tool_input: { file_path: other, content: 'x\n' }, tool_use_id: 'toolu_other' };
  expect(codeIn(await daemon.hook('PreToolUse', write))).toBe('none');
  await writeFile(other, 'x\n');
  clock.ms += 1_000;
  await daemon.hook('PostToolUse', { ...write, tool_response: {} });
  expect(await edit(7)).toBe('none');

  const test = () => native('Bash', { command: 'npm test' }, true);
  for (let each = 0; each < 5; each++) expect(await test()).toBe('none');
  expect(await test()).toBe('NEEDS_HUMAN');
  await daemon.hook('UserPromptSubmit', { prompt: 'try again', prompt_id: 'loop-2' });
  expect(await test()).toBe('none');
});

verifies('I16', 'through MCP: the same failing command is stopped after five times', async () => {
  const client = await connectOverHttp(daemon);
  await client.callTool({ name: 'begin_work', arguments: {} });
  const heard: string[] = [];
  for (let each = 0; each < 6; each++) {
    clock.ms += 1_000;
    const { structuredContent } = await client.callTool({ name: 'run_command', arguments: { command: 'mkdir src/auth/login.ts' } });
    heard.push((structuredContent as { error_code?: string }).error_code ?? 'ran');
  }
  expect(heard).toEqual([...Array<string>(5).fill('ran'), 'NEEDS_HUMAN']);
  await client.close();
});
