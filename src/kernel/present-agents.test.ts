import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Event, SessionLevel } from '../protocol/index.ts';
import { PresentAgents, State } from './index.ts';

const AT = '2026-01-02T03:04:05.000Z';
const minute = (count: number) => new Date(Date.parse(AT) + count * 60_000);

/** A session of an agent, opened at minute 0; with a pid, that process is proven. `living`: when each process started. */
const NOTHING_LEFT = { startedAtMs: () => null, survivors: { livedAt: () => false } };

function present({ pid, level = 'hooked' }: { pid?: number; level?: SessionLevel }, living: Readonly<Record<number, string>>, at = 1) {
  const state = new State();
  const session = { session: 'ses_a', workspace: 'wsp_x', root: '/w', agent: 'test-agent', native_session: 'a', agent_id: null };
  const events: Event[] = [{ type: 'session_opened', data: { ...session, level, parent: null, inherited: null } }];
  if (pid !== undefined) events.push({ type: 'agent_process_proven', data: { session: 'ses_a', pid, started: 'then', via: 'hook' } });
  events.forEach((event, index) => state.apply({ seq: index + 1, stream: 's', stream_seq: index + 1, at: AT, event }));
  const processStarted = (asked: number) => living[asked] ?? null;
  return new PresentAgents({
    state,
    hostsMany: () => false,
    processStarted,
    bootedAt: () => minute(-60),
    now: () => minute(at),
    ...NOTHING_LEFT,
  });
}

verifies('N14', 'an agent counts as running on this machine if its process lives, or if only our own tools know it', () => {
  const cases = [
    [present({ pid: 7 }, { 7: 'then' }), true, true],
    // The pid belongs to another process now; the end is not recorded yet.
    [present({ pid: 7 }, { 7: 'later' }), true, false],
    [present({}, {}), true, false],
    [present({ level: 'advisory' }, {}), true, true],
    [present({ level: 'advisory' }, {}, 31), false, false],
  ] as const;
  expect(cases.map(([agents]) => [agents.isAnyPresent(), agents.isAnyOnThisMachine()])).toEqual(
    cases.map(([, anywhere, here]) => [anywhere, here]),
  );
});

test('while its own process lives, only that process or a human’s speaks for a session', () => {
  const agents = present({ pid: 7 }, { 7: 'then', 8: 'now' });
  const may = (reporter: { pid: number; started: string } | null, human: number | null = null) =>
    agents.maySpeakFor('ses_a', reporter, (pid) => pid === human);
  expect([may({ pid: 7, started: 'then' }), may({ pid: 8, started: 'now' }), may({ pid: 8, started: 'now' }, 8), may(null)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(present({ pid: 7 }, {}).maySpeakFor('ses_a', null, () => false)).toBe(true);
});
