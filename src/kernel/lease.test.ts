import { deserialize, serialize } from 'node:v8';
import { expect, test } from 'vitest';
import { caseOf } from '../../test/policy-case.ts';
import { type Event, newId } from '../protocol/index.ts';
import { State } from './index.ts';

const { action, facts } = caseOf();
const [file] = facts.files;
const path = file?.real ?? '';
const changing = { ...action, id: newId('act') };
const decision = {
  outcome: 'allow',
  verdicts: [],
  facts: { ...facts, files: [{ ...file!, access: 'write' }] },
  policy_revision: 'rules-1',
} as const;
const admitted: Event = {
  type: 'action_admitted',
  data: { action: changing, decision: structuredClone(decision) as never, approval: null },
};
const unknown: Event = { type: 'action_unknown', data: { action: changing.id, session: changing.session, reason: 'why' } };

const after = (state: State, ...events: readonly Event[]): State => {
  for (const event of events) state.apply({ seq: 1, stream: 's', stream_seq: 1, at: action.at, event });
  return state;
};
const other = { ...action, session: newId('ses') };
const leases = (state: State) => [
  state.leases.on(other, path, 0),
  state.leases.on(action, path, 0),
  state.leases.on(other, 'src/elsewhere.ts', 0),
];

test('a change that is under way keeps its file from others, also in a state that was put away and taken up', () => {
  const state = after(new State(), admitted);
  expect(leases(state)).toEqual([action.session, null, null]);
  const later = new State();
  later.restore(deserialize(serialize(state.save())));
  expect(leases(later)).toEqual([action.session, null, null]);
  expect(leases(after(later, unknown))).toEqual([null, null, null]);
});
