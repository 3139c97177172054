import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { foldSteps, type StepFacts } from './fold-steps.ts';

const row = (id: string, more: Partial<StepFacts> = {}): StepFacts => ({
  ...{ id, parent: null, agent: 'claude-code', session: 'ses_1', turn: '1', word: 'ran' },
  ...more,
});
const gate = (id: string, more: Partial<StepFacts> = {}): StepFacts => row(id, { agent: 'countersign', ...more });
const folded = (rows: readonly StepFacts[]) => foldSteps(rows, (each) => each).map(({ row: { id }, steps }) => [id, steps]);

verifies('N21', 'the gate’s own steps are counted with the first call of their turn, in any order of the rows', () => {
  const rows = [gate('a'), row('b'), row('c', { parent: 'b' }), row('d'), gate('e', { word: 'observed' })];
  expect(folded(rows)).toEqual([
    ['b', 3],
    ['d', 0],
  ]);
  expect(folded(rows.toReversed())).toEqual([
    ['d', 0],
    ['b', 3],
  ]);
});

test('what has no receipt is in the turn of what its session did before', () => {
  const read = row('b', { turn: null, word: 'observed' });
  const rows = [gate('a'), read, gate('c', { turn: '2' }), { ...read, id: 'd' }, { ...read, id: 'e', session: 'ses_2' }];
  expect(folded(rows)).toEqual([
    ['b', 1],
    ['d', 1],
    ['e', 0],
  ]);
});

test('a step stays a row where its call is not listed, its turn has no call, or a person must see it', () => {
  const rows = [
    ...[row('a', { parent: 'z' }), row('b'), gate('c', { turn: '2' }), gate('d', { session: 'ses_2' })],
    ...[gate('e', { word: 'failed' }), gate('f', { session: null }), row('g', { turn: null })],
  ];
  expect(folded(rows)).toEqual(rows.map(({ id }) => [id, 0]));
});
