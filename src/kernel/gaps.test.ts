import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type EventOf, newId } from '../protocol/index.ts';
import { gateForThisTest } from './gate.fixture.ts';
import { Gaps } from './gaps.ts';

const at = (minute: number) => `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000Z`;
const human = { proof: 'login', via: 'cli' } as const;
const [workspace, other] = [newId('wsp'), newId('wsp')];
const paused = (until: number, of = workspace): EventOf<'gate_paused'> => ({
  type: 'gate_paused',
  data: { workspace: of, until: at(until), reason: 'lunch', human },
});
const unwired = (root: string, from: number, until: number | null): EventOf<'gate_unwired'> => ({
  type: 'gate_unwired',
  data: { workspace, root, from: at(from), until: until === null ? null : at(until), command: 'pause', reason: 'night' },
});
const rewired = (root: string): EventOf<'gate_rewired'> => ({
  type: 'gate_rewired',
  data: { workspace, root, because: 'human', restored: [], left: [] },
});

verifies('N18', 'a pause lets pass from its beginning to its end, in its own workspace; hooks that are out let nothing pass', () => {
  const gaps = new Gaps();
  gaps.apply(paused(20), at(10));
  gaps.apply(unwired('/r', 12, 14), at(30));
  const pause = { kind: 'paused', root: null, from: at(10), until: at(20), reason: 'lunch', proof: 'login', human, ended: null };
  expect(gaps.pauseAt(workspace, new Date(at(19)))).toEqual(pause);
  expect([gaps.pauseAt(workspace, new Date(at(20))), gaps.pauseAt(other, new Date(at(15)))]).toEqual([null, null]);
  const note = { kind: 'unwired', root: '/r', from: at(12), until: at(14), reason: 'night', proof: null, human: null, ended: null };
  // Hooks that were due back at 14 are still out until a record says that they are back.
  expect(gaps.openAt(workspace, new Date(at(40)))).toEqual(note);
  gaps.apply(rewired('/elsewhere'), at(41));
  expect(gaps.openAt(workspace, new Date(at(42)))).toEqual(note);
  gaps.apply(rewired('/r'), at(43));
  expect([gaps.openAt(workspace, new Date(at(44))), gaps.of(workspace).map(({ ended }) => ended)]).toEqual([null, [null, at(43)]]);
  expect([gaps.overdue(new Date(at(19))), gaps.overdue(new Date(at(21)))]).toEqual([[], [workspace]]);
  gaps.apply({ type: 'pause_ended', data: { workspace, because: 'expired', human: null } }, at(21));
  expect(gaps.overdue(new Date(at(22)))).toEqual([]);
});

test('a second pause ends the first, and of many the last hundred are kept', () => {
  const gaps = new Gaps();
  gaps.apply(paused(20), at(10));
  gaps.apply(paused(30), at(12));
  gaps.apply(paused(30, other), at(12));
  expect(gaps.of(workspace).map(({ from, ended }) => [from, ended])).toEqual([
    [at(10), at(12)],
    [at(12), null],
  ]);
  expect(gaps.overdue(new Date(at(31)))).toEqual([workspace, other]);
  for (let i = 0; i < 120; i++) gaps.apply(unwired(`/${i}`, 1, null), at(1));
  expect([gaps.of(workspace).length, gaps.of(workspace)[0]?.root, gaps.of(other).length]).toEqual([100, '/20', 1]);
});

test('a time is in a gap when any moment of it is, in that work tree or in all', () => {
  const gaps = new Gaps();
  const touches = (root: string, from: number, to: number) => gaps.touches(workspace, root, { from: at(from), to: at(to) });
  gaps.apply(unwired('/r', 10, 12), at(30));
  expect([touches('/r', 1, 9), touches('/r', 1, 10), touches('/r', 50, 59), touches('/s', 1, 59)]).toEqual([false, true, true, false]);
  gaps.apply(rewired('/r'), at(20));
  expect([touches('/r', 20, 21), touches('/r', 21, 22)]).toEqual([true, false]);
  gaps.apply(paused(40), at(30));
  expect([touches('/s', 25, 29), touches('/s', 30, 30), touches('/s', 40, 41), touches('/s', 41, 42)]).toEqual([false, true, true, false]);
  expect(gaps.touches(other, '/r', { from: at(1), to: at(59) })).toBe(false);
});

test('notes about hooks that were removed and are back survive a restart', async () => {
  const gate = await gateForThisTest();
  const out = { ...unwired(gate.root, 10, null).data, workspace: gate.workspace };
  await gate.kernel.gaps.recordUnwired(out);
  await gate.restart();
  const summaryOf = () => gate.kernel.state.gaps.of(gate.workspace).map(({ kind, root, ended }) => [kind, root, ended !== null]);
  expect(summaryOf()).toEqual([['unwired', gate.root, false]]);
  await gate.kernel.gaps.recordRewired({ ...rewired(gate.root).data, workspace: gate.workspace });
  expect([summaryOf(), (await gate.events('gate_unwired')).map(({ data }) => data)]).toEqual([[['unwired', gate.root, true]], [out]]);
});
