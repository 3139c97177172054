import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type Gate, gateForThisTest, human, outcomeOf } from '../kernel/gate.fixture.ts';
import type { UndoTarget, UndoView } from '../protocol/index.ts';
import { changeByAgent, seenChange, seenWithoutContent } from '../projections/file-changes.fixture.ts';
import { FileChanges } from '../projections/file-changes.ts';
import { undoHandlers } from './undo.ts';

function undoing(gate: Gate) {
  const { kernel, store, root, workspace } = gate;
  const { undo } = undoHandlers({
    kernel,
    store,
    changes: new FileChanges(store, kernel.state),
    locate: async () => ({ id: workspace, root }),
  });
  return async (target: UndoTarget) => {
    const { outcome } = await undo.act(human(), { cwd: root, target, dry_run: false, plan: null });
    const { files, kept } = outcomeOf(outcome, 'noted').output as UndoView;
    return { files: files.map(({ path, change }) => `${change} ${path}`), kept };
  };
}
const read = (gate: Gate, path: string) => (existsSync(join(gate.root, path)) ? readFileSync(join(gate.root, path), 'utf8') : null);

describe('what is chosen', () => {
  verifies('N17', 'shell changes of the only action at work are taken back with it', async () => {
    const gate = await gateForThisTest();
    const session = await gate.working();
    const action = await changeByAgent(gate, session, 'src/list.txt', 'a\n');
    await seenChange(gate, 'src/made.txt', null, 'by its shell\n', { attribution: 'window', actions: [action] });
    await seenChange(gate, 'src/list.txt', 'a\n', 'a\nb\n', { attribution: 'window', actions: [action] });
    await seenChange(gate, 'src/other.txt', null, 'by one of two\n', {
      attribution: 'ambiguous',
      actions: [action, 'act_00000000000000000000000000'],
    });
    expect(await undoing(gate)({ action })).toEqual({ files: ['removed src/list.txt', 'removed src/made.txt'], kept: [] });
    expect([read(gate, 'src/list.txt'), read(gate, 'src/made.txt'), read(gate, 'src/other.txt')]).toEqual([null, null, 'by one of two\n']);
  });

  verifies('N17', 'an intent, a session and a turn are taken back in all their files', async () => {
    const gate = await gateForThisTest();
    const undo = undoing(gate);
    const one = await gate.working('one');
    await changeByAgent(gate, one, 'src/one.ts', 'one\n');
    const two = await gate.working('two');
    await changeByAgent(gate, two, 'src/two.ts', 'two\n');
    await gate.kernel.turns.begin(two, '2');
    await gate.recall(two);
    await changeByAgent(gate, two, 'src/three.ts', 'three\n');
    expect(await undo({ turn: two })).toEqual({ files: ['removed src/three.ts'], kept: [] });
    expect(await undo({ session: two })).toMatchObject({ files: ['removed src/two.ts'], kept: [{ path: 'src/three.ts' }] });
    expect(await undo({ intent: 'INT-001' })).toEqual({ files: ['removed src/one.ts'], kept: [] });
    await expect(undo({ intent: 'INT-009' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(undo({ session: 'ses_00000000000000000000000000' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('what is left', () => {
  test('a deleted file comes back, with its folder', async () => {
    const gate = await gateForThisTest();
    const session = await gate.working();
    await changeByAgent(gate, session, 'src/deep/er/file.ts', 'content\n');
    const gone = outcomeOf(await gate.before(session, 'delete_file', { path: 'src/deep/er/file.ts' }), 'admitted').action.id;
    rmSync(join(gate.root, 'src/deep'), { recursive: true });
    await gate.kernel.spine.after(gone, { output: 'done', failed: false });
    expect(await undoing(gate)({ action: gone })).toEqual({ files: ['restored src/deep/er/file.ts'], kept: [] });
    expect(read(gate, 'src/deep/er/file.ts')).toBe('content\n');
  });

  test('each file that stays says why', async () => {
    const gate = await gateForThisTest();
    const undo = undoing(gate);
    const session = await gate.working();
    const action = await changeByAgent(gate, session, 'src/made.ts', 'made\n');
    const sure = { attribution: 'exact', actions: [action] } as const;
    await seenWithoutContent(gate, 'src/large.bin', 'large\n', { ...sure, actions: [action] });
    await seenChange(gate, 'src/same.ts', 'old\n', 'new\n', { ...sure, actions: [action] });
    writeFileSync(join(gate.root, 'src/same.ts'), 'old\n');
    await seenChange(gate, 'src/gone.ts', 'old\n', 'new\n', { ...sure, actions: [action] });
    rmSync(join(gate.root, 'src/gone.ts'));
    writeFileSync(join(gate.root, 'src/made.ts'), 'made\nand more\n');
    await seenChange(gate, '.orchestration/x', null, 'x\n', { ...sure, actions: [action] });
    expect(await undo({ action })).toEqual({
      files: [],
      kept: [
        { path: '.orchestration/x', why: "it is the gate's own: it says what humans granted and what agents did" },
        { path: 'src/gone.ts', why: 'it was removed since' },
        { path: 'src/large.bin', why: 'its old content was not kept (it is too large, or was never seen)' },
        { path: 'src/made.ts', why: 'it was made then, and someone without a receipt changed it since' },
        { path: 'src/same.ts', why: 'it is already as it was before' },
      ],
    });
    expect(read(gate, 'src/made.ts')).toBe('made\nand more\n');
  });

  test('a file that an action is changing right now', async () => {
    const gate = await gateForThisTest();
    const session = await gate.working();
    const action = await changeByAgent(gate, session, 'src/busy.ts', 'one\n');
    const open = outcomeOf(await gate.write(session, 'src/busy.ts', 'two\n'), 'admitted').action.id;
    expect(await undoing(gate)({ action })).toEqual({
      files: [],
      kept: [{ path: 'src/busy.ts', why: `${open} is changing it right now` }],
    });
  });
});

test('an undo of more than one record holds is reported in several', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const action = await changeByAgent(gate, session, 'src/first.ts', 'first\n');
  const lines = (odd: string) => Array.from({ length: 4_000 }, (_, at) => `${at % 2 === 0 ? 'even' : odd} ${at}\n`).join('');
  const names = ['src/large.txt', 'src/larger.txt'];
  for (const name of names) await seenChange(gate, name, lines('old'), lines('new'), { attribution: 'exact', actions: [action] });
  await undoing(gate)({ action });
  const events = await gate.events('changes_undone');
  expect(events.map(({ data }) => data.files.map(({ path, ranges }) => [path, ranges.length]))).toEqual([
    [
      ['src/first.ts', 0],
      ['src/large.txt', 2_000],
    ],
    [['src/larger.txt', 2_000]],
  ]);
});

test('an undo that never came to its end is on the record as begun', async () => {
  const gate = await gateForThisTest();
  const crash = gate.kernel.authority.workOnTree(human(), gate.workspace, 'undo act_1: src/a.ts', () =>
    Promise.reject(new Error('the power went')),
  );
  await expect(crash).rejects.toThrow('the power went');
  const [allowed] = (await gate.events('authority_allowed')).slice(-1);
  expect([allowed?.data.command, await gate.events('changes_undone')]).toEqual(['undo act_1: src/a.ts', []]);
});
