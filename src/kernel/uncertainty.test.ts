// What the gate does when it cannot know or cannot write: no changes, and reads go on.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { Fault } from '../protocol/index.ts';
import { gateForThisTest, outcomeOf, summaryOf } from './gate.fixture.ts';
import type { ToolCall } from '../protocol/index.ts';

const own = (run: NonNullable<ToolCall['run']>) => ({ effects: ['plan'] as const, resources: [], run });

verifies('T10', 'settings that cannot be read: no change, and the refusal names the file and is recorded; reads go on', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  await gate.answer(await gate.ask(session, 'rm -rf src/build'), 'approved');
  gate.configure('{"mode": {"minimun": "STRICT"}}');
  const edit = outcomeOf(await gate.write(session, 'src/a.ts'), 'refused');
  expect([edit.refusal.error_code, edit.refusal.message.split(':').slice(0, 2), edit.refusal.remedy?.tool]).toEqual([
    'DOCUMENT_INVALID',
    ['.ai/config/repo.json', '1'],
    'request_human',
  ]);
  expect([
    summaryOf(await gate.command(session, 'rm -rf src/build')),
    summaryOf(await gate.pass(session, 'memory_set_mode', { mode: 'STRICT' })),
  ]).toEqual(['refused DOCUMENT_INVALID', 'settled']);
  const recorded = (await gate.events('action_refused')).map(({ data }) =>
    data.decision.verdicts.find(({ outcome }) => outcome === 'deny'),
  );
  expect(recorded.map((verdict) => verdict && 'code' in verdict && [verdict.policy, verdict.code])).toEqual([
    ['gather', 'DOCUMENT_INVALID'],
    ['gather', 'DOCUMENT_INVALID'],
  ]);
  expect([
    summaryOf(await gate.before(session, 'read_file', { path: 'src/a.ts' })),
    summaryOf(await gate.command(session, 'ls')),
    summaryOf(await gate.pass(session, 'countersign_status', {})),
    summaryOf(await gate.pass(session, 'memory_set_mode', { mode: 'PASSIVE' })),
  ]).toEqual(['observed', 'observed', 'observed', 'settled']);

  gate.configure({});
  await gate.pass(session, 'memory_set_mode', { mode: 'GUARDED' });
  expect([summaryOf(await gate.write(session, 'src/a.ts')), summaryOf(await gate.command(session, 'rm -rf src/build'))]).toEqual([
    'admitted',
    'admitted',
  ]);
});

verifies('T10', 'a ledger that cannot be written: nothing runs, reads are served, and work goes on once it can', async () => {
  let runs = 0;
  const gate = await gateForThisTest({
    tools: {
      task: own(async () => {
        runs += 1;
        return { output: runs };
      }),
    },
  });
  const session = await gate.working();
  const question = await gate.ask(session, 'rm -rf src/build');
  await gate.answer(question, 'approved');
  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => 'none',
      (error: unknown) => (error instanceof Fault ? error.code : error),
    );

  const segment = join(gate.dir, 'ledger', '00000001.jsonl');
  const good = readFileSync(segment);
  rmSync(segment);
  const size = gate.store.head().size;
  expect([
    await code(gate.pass(session, 'task', {})),
    await code(gate.write(session, 'src/a.ts')),
    await code(gate.command(session, 'rm -rf src/build')),
    await code(gate.command(session, 'rm -rf src')),
    await code(gate.answer(question, 'rejected')),
    await code(gate.intent()),
  ]).toEqual([...Array<string>(4).fill('AUDIT_UNAVAILABLE'), 'none', 'AUDIT_UNAVAILABLE']);
  // A session that starts now cannot be recorded; it may read.
  const late = await gate.session('late', 'GUARDED');
  expect([
    summaryOf(await gate.before(session, 'read_file', { path: 'src/a.ts' })),
    summaryOf(await gate.command(session, 'cat src/a.ts')),
    summaryOf(await gate.pass(session, 'countersign_status', {})),
    summaryOf(await gate.pass(late, 'countersign_status', {})),
    summaryOf(await gate.before(late, 'read_file', { path: 'src/a.ts' })),
  ]).toEqual(Array(5).fill('observed'));
  expect(await code(gate.write(late, 'src/a.ts'))).toBe('AUDIT_UNAVAILABLE');
  const { state } = gate.kernel;
  expect([runs, gate.store.head().size, state.approvals.get(question)?.state, state.sessions.size]).toEqual([0, size, 'approved', 1]);

  writeFileSync(segment, good);
  expect([summaryOf(await gate.pass(session, 'task', {})), summaryOf(await gate.command(session, 'rm -rf src/build')), runs]).toEqual([
    'settled',
    'admitted',
    1,
  ]);
});

verifies('T10', 'a receipt that cannot be written leaves the action open, and the next start calls it unknown', async () => {
  let segment = '';
  const gate = await gateForThisTest({
    tools: {
      break_disk: own(async () => {
        rmSync(segment);
        return { output: 'done' };
      }),
    },
  });
  const session = await gate.session();
  segment = join(gate.dir, 'ledger', '00000001.jsonl');
  let good = Buffer.alloc(0);
  gate.store.subscribe(() => (good = readFileSync(segment)));
  await expect(gate.pass(session, 'break_disk', {})).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  const [entry] = gate.kernel.state.actions.values();
  expect(entry?.state).toBe('admitted');
  writeFileSync(segment, good);
  await gate.restart();
  expect(gate.kernel.state.actions.get(entry!.action.id)).toMatchObject({
    state: 'unknown',
    note: 'the daemon ended before it saw the outcome',
  });
});
