// How often the end of a turn is sent back for its stamp: it is recorded, so a restarted daemon continues the count.

import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/lab/daemon.ts';
import { verifies } from '../../../test/verifies.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.beginWork('src/**');
});
afterAll(() => daemon.dispose());

let calls = 0;

/** A tool of ours, called by the agent itself. */
async function call(tool: string, input: Record<string, unknown>): Promise<void> {
  const [session] = await daemon.services().ask('sessions', {});
  const { id, workspace, agent } = session!;
  const where = { session: id, workspace, root: daemon.repo.path, cwd: daemon.repo.path, actor: { agent }, door: 'mcp' as const };
  await daemon.services().kernel.spine.pass({ ...where, tool, input, waitTimeoutMs: 0, signal: AbortSignal.timeout(60_000) });
}

/** A prompt and one change that it led to. */
async function work(turn: string): Promise<void> {
  await daemon.hook('UserPromptSubmit', { prompt: 'fix it', prompt_id: turn });
  await call('begin_work', {});
  const tool_use_id = `toolu_${++calls}`;
  const write = { tool_name: 'Write', tool_input: { file_path: join(daemon.repo.path, `src/${turn}.ts`), content: 'x\n' }, tool_use_id };
  expect(await daemon.hook('PreToolUse', write)).toEqual({});
  await daemon.hook('PostToolUse', { ...write, tool_response: {} });
}

/** Whether the agent is sent back. `continued`: some program already sent it back in this turn. */
const isSentBack = async (continued = false): Promise<boolean> =>
  ((await daemon.hook('Stop', { stop_hook_active: continued })) as { decision?: string }).decision === 'block';

verifies('E8', 'a restarted daemon does not ask again for the stamp of a turn that was sent back', async () => {
  await work('one');
  const size = await daemon.ledgerSize();
  expect(await isSentBack()).toBe(true);
  const demanded = (await daemon.recordedSince(size)).filter(({ type }) => type === 'stamp_demanded');
  expect(demanded.map(({ data }) => data)).toMatchObject([{ turn: 'one', times: 1 }]);
  await daemon.restart();
  expect(await isSentBack()).toBe(false);
  // The next turn needs a new one.
  await work('two');
  expect(await isSentBack()).toBe(true);
  expect(await isSentBack()).toBe(false);
});

verifies('E8', 'where it is required it is asked for three times in a turn, whoever restarts in between', async () => {
  await work('three');
  await call('memory_set_mode', { mode: 'STRICT' });
  expect([await isSentBack(), await isSentBack(true)]).toEqual([true, true]);
  await daemon.restart();
  expect([await isSentBack(true), await isSentBack(true)]).toEqual([true, false]);
});
