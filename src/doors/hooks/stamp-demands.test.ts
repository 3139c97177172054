// How often the end of a turn is sent back for its stamp: it is recorded, so a restarted daemon continues the count.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/lab/daemon.ts';
import { verifies } from '../../../test/verifies.ts';
import { FIRST_DOORS } from '../../protocol/index.ts';

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
  const where = { session: id, workspace, root: daemon.repo.path, cwd: daemon.repo.path, actor: { agent }, door: FIRST_DOORS.mcp };
  await daemon.services().kernel.spine.pass({ ...where, tool, input, waitTimeoutMs: 0, signal: AbortSignal.timeout(60_000) });
}

/** A prompt and one change that it led to. */
async function work(turn: string): Promise<void> {
  await daemon.hook('UserPromptSubmit', { prompt: 'fix it', prompt_id: turn });
  await call('begin_work', {});
  await change(turn);
}

async function change(name: string): Promise<void> {
  const tool_use_id = `toolu_${++calls}`;
  const write = { tool_name: 'Write', tool_input: { file_path: join(daemon.repo.path, `src/${name}.ts`), content: 'x\n' }, tool_use_id };
  expect(await daemon.hook('PreToolUse', write)).toEqual({});
  await daemon.hook('PostToolUse', { ...write, tool_response: {} });
}

/** Whether the agent is sent back. `continued`: some program already sent it back in this turn. */
const isSentBack = async (continued = false): Promise<boolean> =>
  ((await daemon.hook('Stop', { stop_hook_active: continued })) as { decision?: string }).decision === 'block';

verifies('E8', 'only a turn that changed a file is asked for a stamp, not one that ran tests or looked around', async () => {
  const bash = async (command: string, effect: () => void = () => {}) => {
    const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `toolu_${++calls}` };
    expect(await daemon.hook('PreToolUse', call)).toEqual({});
    effect();
    await daemon.hook('PostToolUse', { ...call, tool_response: { stdout: '', stderr: '', interrupted: false } });
  };
  await daemon.hook('UserPromptSubmit', { prompt: 'run the tests', prompt_id: 'four' });
  await call('begin_work', {});
  for (const command of ['npm test', 'docker ps', 'ps aux | head', 'npm ls']) await bash(command);
  await bash('npm run build', () => {
    mkdirSync(join(daemon.repo.path, 'dist'), { recursive: true });
    writeFileSync(join(daemon.repo.path, 'dist/main.js'), 'built\n');
  });
  expect(await isSentBack()).toBe(false);

  await daemon.hook('UserPromptSubmit', { prompt: 'format it', prompt_id: 'five' });
  await call('begin_work', {});
  await bash('npm run format', () => writeFileSync(join(daemon.repo.path, 'src/format.ts'), 'y\n'));
  expect(await isSentBack()).toBe(true);
});

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

/** The turns that ended without a stamp, as `violations` lists them. */
const unstamped = async () =>
  (await daemon.services().ask('violations', { rule: 'stamp', limit: 50 })).map(({ code, message, agent, tool }) => [
    code,
    message,
    agent,
    tool,
  ]);
const missing = (turn: string, asked: string) => [
  'STAMP_MISSING',
  `The turn ${turn} ended without a stamp after its last change; ${asked}.`,
  'claude-code',
  'Write',
];

verifies('E8', 'in GUARDED it is asked for once; a turn that ends without it all the same is a violation on the record', async () => {
  await work('three');
  expect([await isSentBack(), await isSentBack(true), await isSentBack(true)]).toEqual([true, false, false]);
  expect((await unstamped())[0]).toEqual(missing('three', 'it was asked for once'));
  const count = (await unstamped()).length;
  await daemon.restart();
  expect(await isSentBack(true)).toBe(false);
  // Once a turn; and one that fetches its stamp leaves none.
  await work('four');
  expect(await isSentBack()).toBe(true);
  await call('elefanteAssertCompliance', {});
  expect(await isSentBack(true)).toBe(false);
  await work('five');
  expect((await unstamped()).length).toBe(count);
});

verifies('E8', 'an agent that another program sent back before is still asked', async () => {
  await work('six');
  expect([await isSentBack(true), await isSentBack(true)]).toEqual([true, false]);
});

verifies('E8', 'a change after the stamp asks for a new one', async () => {
  await work('seven');
  await call('elefanteAssertCompliance', {});
  expect(await isSentBack()).toBe(false);
  await change('seven-more');
  const sent = (await daemon.hook('Stop', { stop_hook_active: false })) as { decision?: string; reason?: string };
  expect(sent).toMatchObject({
    decision: 'block',
    reason: expect.stringContaining('Call memory_query, then elefanteAssertCompliance') as string,
  });
  await call('memory_query', { query: 'what was changed' });
  await call('elefanteAssertCompliance', {});
  expect(await isSentBack(true)).toBe(false);
});

verifies('E8', 'in STRICT it is asked for as often as the agent can be sent back; then it is a violation', async () => {
  await work('eight');
  await call('memory_set_mode', { mode: 'STRICT' });
  const asked = [await isSentBack(), ...(await times(4))];
  await daemon.restart();
  asked.push(...(await times(3)));
  expect(asked).toEqual(Array<boolean>(8).fill(true));
  const before = (await unstamped()).length;
  expect(await isSentBack(true)).toBe(false);
  expect((await unstamped()).slice(0, -before || undefined)).toEqual([missing('eight', 'it was asked for 8 times')]);
});

const times = async (count: number): Promise<boolean[]> => {
  const sent: boolean[] = [];
  for (let each = 0; each < count; each++) sent.push(await isSentBack(true));
  return sent;
};
