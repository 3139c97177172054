import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { LedgerRecord, Reservation } from '../protocol/index.ts';
import { collisionOf } from './plan-facts.ts';
import { Works } from './works.ts';

const AT = '2026-01-01T00:00:00.000Z';
const minutes = (count: number) => new Date(Date.parse(AT) + count * 60_000);
const known = { actions: new Map(), approvals: new Map() };
const reserve = (workId: string, kind: Reservation['kind'], name: string): Reservation => ({ kind, name, workId, nodeId: 'n1' });

/** Two runs in one tree, each with one node that reserves this; the first one has begun its node. */
function twoRuns(first: readonly (readonly [Reservation['kind'], string])[], second: readonly (readonly [Reservation['kind'], string])[]) {
  const works = new Works();
  const apply = (type: string, data: object) => works.apply({ at: AT, event: { type, data } } as unknown as LedgerRecord, known);
  for (const [work_id, reserved] of [
    ['w1', first],
    ['w2', second],
  ] as const) {
    const common = { workspace: 'wsp', root: '/r', session: `ses-${work_id}`, work_id };
    apply('work_opened', { ...common, run_session_id: 'r', agent_id: 'a', metered: true, prompt: null });
    const plan = { nodes: [{ nodeId: 'n1', kind: 'change', verificationHooks: [] }] };
    const reservations = reserved.map(([kind, name]) => reserve(work_id, kind, name));
    apply('plan_accepted', { ...common, version: 1, plan, confirm: false, review: [], reservations, strategy: null });
  }
  const action = { workspace: 'wsp', root: '/r', session: 'ses-w1', effects: ['write'], resources: [] };
  apply('action_admitted', { action, decision: { facts: { plan: { work: 'w1', version: 1, node: 'n1' } } } });
  const work = works.named('wsp', 'w2')!;
  const seen = (now: Date) => collisionOf({ works, work, plan: work.plan!, agentOf: (id) => `the agent of ${id}`, now }, ['n1']);
  return { works, apply, seen };
}

verifies(
  'G14',
  'a file, a definition, the graph and a side effect are each held for the run that began first, and the other gets its name',
  () => {
    for (const [kind, name] of [
      ['file', 'src/a.ts'],
      ['symbol', 'src/a.ts#total'],
      ['graph', 'code'],
      ['side_effect', 'git_push'],
    ] as const) {
      const { seen } = twoRuns([[kind, name]], [[kind, name]]);
      expect(seen(minutes(1))).toEqual({ kind, name, work: 'w1', node: 'n1', session: 'ses-w1', agent: 'the agent of ses-w1' });
      expect(twoRuns([[kind, name]], [[kind, `${name}2`]]).seen(minutes(1))).toBe(null);
    }
  },
);

verifies('G14', 'a file is shared where both name definitions of it, and a definition includes what is inside it', () => {
  const file = ['file', 'src/a.ts'] as const;
  const symbol = (name: string) => ['symbol', `src/a.ts#${name}`] as const;
  expect(twoRuns([file, symbol('Order')], [file, symbol('label')]).seen(minutes(1))).toBe(null);
  expect(twoRuns([file, symbol('Order')], [file, symbol('Order.total')]).seen(minutes(1))?.kind).toBe('symbol');
  expect(twoRuns([file], [file, symbol('label')]).seen(minutes(1))?.kind).toBe('file');
});

verifies('G14', 'what was reserved is free again after 30 minutes without a change, and when the work is over', () => {
  const { seen } = twoRuns([['file', 'src/a.ts']], [['file', 'src/a.ts']]);
  expect([seen(minutes(30))?.work, seen(minutes(31))]).toEqual(['w1', null]);
  const ended = twoRuns([['file', 'src/a.ts']], [['file', 'src/a.ts']]);
  ended.apply('work_ended', { session: 'ses-w1', work_id: 'w1', abandoned: true, summary: null });
  expect(ended.seen(minutes(1))).toBe(null);
});
