// Cline's command line reports no prompt, only that a task began.

import { afterAll, beforeAll, expect } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/lab/daemon.ts';
import { verifies } from '../../../test/verifies.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  const { id: workspace } = await daemon.services().locate(daemon.repo.path);
  const human = { kind: 'human', human: { proof: 'login', via: 'cli' } } as const;
  await daemon.services().commands.act('limit_mode', human, { cwd: daemon.repo.path, intent: null, minimum: 'GUARDED' });
  const request = { workspace, name: 'work of the test', ownedScope: ['src/**'], constraints: [], acceptanceCriteria: [] };
  await daemon.services().kernel.authority.declareIntent(human, request);
});
afterAll(() => daemon.dispose());

verifies('N1', 'with one active intent Cline may change a file in its scope at once, and none outside of it', async () => {
  const base = { taskId: 'conv_1', workspaceRoots: [daemon.repo.path], agent_id: 'agent_1', parent_agent_id: null };
  const tell = async (event: string, more: object) => {
    const { text } = await daemon.web('POST', `/hooks/cline/${event}`, { headers: await daemon.asHook(), body: { ...base, ...more } });
    return JSON.parse(text) as { cancel?: boolean; errorMessage?: string };
  };
  const edit = (id: string, path: string) =>
    tell('PreToolUse', { tool_call: { id, name: 'editor', input: { path: `${daemon.repo.path}/${path}`, new_text: 'x\n' } } });
  await tell('TaskStart', { taskStart: { taskMetadata: {} } });
  expect(await edit('1', 'src/new.ts')).toEqual({});
  expect(await edit('2', 'other/new.ts')).toMatchObject({ cancel: true, errorMessage: expect.stringContaining('SCOPE_VIOLATION') });
});
