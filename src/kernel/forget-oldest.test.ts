import { expect, test } from 'vitest';
import type { Event } from '../protocol/index.ts';
import { forgetOldest } from './forget-oldest.ts';
import { State } from './index.ts';

test('entries that cannot be dropped yet are not gone through for every new one', () => {
  const entries = new Map<number, { ended: boolean }>();
  let asked = 0;
  const add = (id: number, ended: boolean) => {
    entries.set(id, { ended });
    forgetOldest(entries, 10, (entry) => (asked++, entry.ended));
  };
  for (let id = 0; id < 1_000; id++) add(id, false);
  expect(entries.size).toBe(1_000);
  expect(asked).toBeLessThan(80_000);
  for (const entry of entries.values()) entry.ended = true;
  for (let id = 1_000; id < 1_010; id++) add(id, true);
  expect(entries.size).toBeLessThan(20);
  expect([...entries.keys()]).toContain(1_009);
});

test('of thousands of sessions that ended a moment ago, only the newest keep what they saw', () => {
  const state = new State();
  let seq = 0;
  const apply = (event: Event) => state.apply({ seq: ++seq, stream: 's', stream_seq: seq, at: '2026-01-02T03:04:05.000Z', event });
  const opened = {
    workspace: 'wsp_x',
    root: '/w',
    agent: 'test-agent',
    agent_id: null,
    level: 'hooked',
    parent: null,
    inherited: null,
  } as const;
  for (let number = 0; number < 3_000; number++) {
    const session = `ses_${number}`;
    apply({ type: 'session_opened', data: { ...opened, session, native_session: session } });
    state.sessions.get(session)!.seen.set('/w/a.ts', 'sha');
    apply({ type: 'session_closed', data: { session, reason: 'end' } });
  }
  // None may be dropped: each agent may still be present.
  expect(state.sessions.size).toBe(3_000);
  expect([...state.sessions.values()].filter(({ seen }) => seen.size > 0).map(({ id }) => Number(id.slice(4)))).toEqual(
    Array.from({ length: 500 }, (_, at) => 2_500 + at),
  );
});
