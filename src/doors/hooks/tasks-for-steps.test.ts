// An agent's own list of steps, as hooks see it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/lab/daemon.ts';
import { verifies } from '../../../test/verifies.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.beginWork('src/**');
  await daemon.hook('UserPromptSubmit', { prompt: 'do both', prompt_id: 'p1' });
});
afterAll(() => daemon.dispose());

let calls = 0;
const before = async (tool_name: string, tool_input: object): Promise<string> => {
  const answer = (await daemon.hook('PreToolUse', { tool_name, tool_input, tool_use_id: `toolu_${++calls}` })) as {
    hookSpecificOutput?: { permissionDecisionReason?: string };
  };
  return answer.hookSpecificOutput?.permissionDecisionReason ?? 'passes';
};
const list = (...steps: string[]) => before('TodoWrite', { todos: steps.map((content) => ({ content, status: 'pending' })) });
const create = (name: string) => before('Write', { file_path: join(daemon.repo.path, name), content: 'x\n' });
const tasks = () => readFile(join(daemon.repo.path, 'tinyTasks.md'), 'utf8');

verifies('N15', 'several steps in a list of the agent’s own are in tinyTasks.md by themselves: the first change passes', async () => {
  expect(await list('change the number', 'run the tests')).toBe('passes');
  expect(await create('src/a.ts')).toBe('passes');
  expect(await tasks()).toMatch(/- \[ \] .*change the number\n- \[ \] .*run the tests\n/);
});

verifies('T6', 'steps that come later join the list; the agent’s words check nothing off', async () => {
  const before = await tasks();
  expect(await list('run the tests', 'something else')).toBe('passes');
  expect(await tasks()).toBe(`${before}- [ ] something else\n`);
});
