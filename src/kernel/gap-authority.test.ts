// Break-glass and acknowledgement: what passes, what is recorded, and who may do it.

import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type Gate, gateForThisTest, human, outcomeOf, summaryOf } from './gate.fixture.ts';
import type { CallerJudgement } from './index.ts';
import { FIRST_DOORS } from '../protocol/index.ts';

const pause = async (gate: Gate, seconds = 1800, caller: CallerJudgement = human()) =>
  (await gate.kernel.gaps.pause(caller, { workspace: gate.workspace, cwd: gate.root, seconds, reason: 'the release is stuck' }, null))
    .outcome;

verifies('N18', 'while paused everything passes and is recorded as paused; then verdicts count again by themselves', async () => {
  const gate = await gateForThisTest();
  const session = await gate.session();
  expect(summaryOf(await gate.write(session, 'src/a.ts'))).toBe('refused RECALL_REQUIRED');
  const until = new Date(gate.clock.ms + 1_800_000).toISOString();
  expect(outcomeOf(await pause(gate), 'noted').output).toEqual({ until, reason: 'the release is stuck', proof: 'login', waiting: [] });
  const passed = [await gate.write(session, 'src/a.ts'), await gate.command(session, 'rm -rf src/build')];
  expect(passed.map(summaryOf)).toEqual(['admitted', 'admitted']);
  expect(summaryOf(await gate.before(session, 'read_file', { path: 'src/a.ts' }))).toBe('observed');
  const records = await gate.events('action_admitted', 'action_observed');
  expect(records.map(({ data }) => [data.paused, data.observing])).toEqual(Array(3).fill([true, undefined]));
  // The gate's own files stay the gate's, and a question a question.
  expect(summaryOf(await gate.pass(session, 'request_human', { question: 'Now?' }, { door: FIRST_DOORS.mcp }))).toBe(
    'refused APPROVAL_REQUIRED',
  );

  await gate.restart();
  expect(summaryOf(await gate.command(session, 'rm -rf src/dist'))).toBe('admitted');
  gate.clock.ms += 1_800_000;
  expect(summaryOf(await gate.command(session, 'rm -rf src/dist'))).toBe('refused RECALL_REQUIRED');
  await gate.kernel.gaps.expire();
  await gate.kernel.gaps.expire();
  expect((await gate.events('pause_ended')).map(({ data }) => data)).toEqual([
    { workspace: gate.workspace, because: 'expired', human: null },
  ]);
});

verifies('N18', 'a human ends a pause early, and none is longer than eight hours', async () => {
  const gate = await gateForThisTest();
  const session = await gate.session();
  for (const seconds of [0, 59, 8 * 3600 + 1]) await expect(pause(gate, seconds)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await pause(gate, 8 * 3600);
  const end = async () => outcomeOf((await gate.kernel.gaps.endPause(human('none'), gate.workspace)).outcome, 'noted').output;
  expect([await end(), await end()]).toEqual([{ ended: true }, { ended: false }]);
  expect(summaryOf(await gate.write(session, 'src/a.ts'))).toBe('refused RECALL_REQUIRED');
});

verifies('N18', 'a process below an agent cannot pause, end a pause or acknowledge, and neither can a caller without proof', async () => {
  const gate = await gateForThisTest();
  const session = await gate.session();
  const agent: CallerJudgement = { kind: 'agent', session, why: 'it runs below an agent' };
  const uncertain: CallerJudgement = { kind: 'uncertain', why: 'it is not known' };
  const ack = (caller: CallerJudgement) =>
    gate.kernel.gaps.acknowledge(caller, { workspace: gate.workspace, root: gate.root, files: [] }, null, async () => {});
  for (const caller of [agent, uncertain, human('none'), human('dialog')]) {
    expect([summaryOf(await pause(gate, 600, caller)), summaryOf(await ack(caller))]).toEqual(
      Array(2).fill('noted HUMAN_CHANNEL_REQUIRED'),
    );
  }
  expect(summaryOf(await gate.kernel.gaps.endPause(agent, gate.workspace))).toBe('noted HUMAN_CHANNEL_REQUIRED');
  expect(await gate.events('gate_paused', 'pause_ended', 'changes_acknowledged')).toEqual([]);
  expect((await gate.events('authority_refused')).map(({ data }) => data.command)).toEqual([
    ...Array.from({ length: 4 }, () => ['pause', 'ack']).flat(),
    'pause --end',
  ]);
});

verifies('N18', 'what is found changed in a pause carries the label', async () => {
  const gate = await gateForThisTest();
  const at = () => new Date(gate.clock.ms).toISOString();
  const found = async (path: string, from: string) =>
    gate.kernel.recordUntracked([
      {
        ...{ workspace: gate.workspace, root: gate.root, path, before_sha256: null, after_sha256: 'a'.repeat(64) },
        ...{ window: { from, to: at() }, attribution: 'unknown', actions: [] },
      },
    ]);
  await found('before', at());
  gate.clock.ms += 60_000;
  await pause(gate, 600);
  const begun = at();
  gate.clock.ms += 60_000;
  await found('in it', begun);
  gate.clock.ms += 3_600_000;
  await found('over its end', begun);
  await found('after', at());
  expect((await gate.events('untracked_mutation')).map(({ data }) => [data.path, data.paused])).toEqual([
    ['before', undefined],
    ['in it', true],
    ['over its end', true],
    ['after', undefined],
  ]);
});
