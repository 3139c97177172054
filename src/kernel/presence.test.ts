import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Event } from '../protocol/index.ts';
import { State } from './index.ts';
import type { PresencePorts } from './presence.ts';

const AT = '2026-01-02T03:04:05.000Z';
const minutes = (count: number) => Date.parse(AT) + count * 60_000;
const at = (count: number) => new Date(minutes(count)).toISOString();

function fold(...events: readonly (readonly [minute: number, event: Event])[]): State {
  const state = new State();
  events.forEach(([minute, event], index) => state.apply({ seq: index + 1, stream: 's', stream_seq: index + 1, at: at(minute), event }));
  return state;
}

const opened = (session: string, agent = 'test-agent'): Event => ({
  type: 'session_opened',
  data: {
    ...{ session, workspace: 'wsp_x', root: '/w', agent, native_session: session },
    ...{ agent_id: null, level: 'hooked', parent: null, inherited: null },
  },
});
const closed = (session: string): Event => ({ type: 'session_closed', data: { session, reason: 'end' } });
const report = (type: 'agent_process_reported' | 'agent_process_proven', session: string, pid: number, started = 'then'): Event => ({
  type,
  data: { session, pid, started, via: 'hook' },
});
const proven = (session: string, pid: number, started?: string) => report('agent_process_proven', session, pid, started);
const ended = (minute: number, pid: number, brief?: true, started = 'then'): Event => ({
  type: 'agent_processes_ended',
  data: { processes: [{ pid, started, ...(brief ? { brief } : {}) }], gone_by: at(minute) },
});

const living = (...pids: readonly number[]): PresencePorts => ({
  isAlive: ({ pid }) => pids.includes(pid),
  hostsMany: (agent) => agent === 'editor',
  isBusy: () => false,
});
const until = (state: State, session: string, ports: PresencePorts) => state.presence.until(state.sessions.get(session)!, ports);
const pids = (state: State) => [...state.presence.all()].map(({ pid }) => pid);

verifies('I13', 'an agent is there while its process lives, whatever events report', () => {
  const state = fold([0, opened('a')], [0, proven('a', 7)], [1, closed('a')]);
  expect(until(state, 'a', living(7))).toBe(Infinity);
  // Until the record says when it ended.
  expect(until(state, 'a', living())).toBe(Infinity);
});

test('when its process has ended it is gone, and an event in its name after that is another process’s', () => {
  const events = [
    [0, opened('a')],
    [0, proven('a', 7)],
    [1, closed('a')],
    [5, ended(5, 7)],
  ] as const;
  expect(until(fold(...events), 'a', living())).toBe(minutes(5));
  expect(until(fold(...events, [6, closed('a')]), 'a', living())).toBe(minutes(36));
  const heard = fold(...events);
  heard.presence.hear('a', new Date(at(7)));
  expect(until(heard, 'a', living())).toBe(minutes(37));
});

test('without a known process, or with one that hosts many sessions, it is there for 30 minutes after its last event', () => {
  expect(until(fold([0, opened('a')], [2, closed('a')]), 'a', living())).toBe(minutes(32));
  const editor = fold([0, opened('a', 'editor')], [0, proven('a', 7)], [2, closed('a')]);
  expect(until(editor, 'a', living(7))).toBe(minutes(32));
  expect(until(editor, 'a', { ...living(7), isBusy: () => true })).toBe(Infinity);
});

test('a process that nothing proves, and one that ended at once, add suspicion and take none away', () => {
  const said = fold([0, opened('a')], [1, report('agent_process_reported', 'a', 7)]);
  expect([until(said, 'a', living(7)), until(said, 'a', living())]).toEqual([Infinity, minutes(30)]);
  said.apply({ seq: 9, stream: 's', stream_seq: 9, at: at(2), event: ended(2, 7) });
  expect(until(said, 'a', living())).toBe(minutes(30));
  expect(until(fold([0, opened('a')], [1, proven('a', 7)], [2, ended(2, 7, true)]), 'a', living())).toBe(minutes(30));
});

verifies('I13', 'a report adds a session to a process; it moves neither', () => {
  const state = fold(
    [0, opened('a')],
    [0, opened('b')],
    [0, proven('a', 7)],
    [1, proven('b', 7)],
    [2, report('agent_process_reported', 'b', 7)],
  );
  expect([...state.presence.all()]).toMatchObject([{ pid: 7, started: 'then', sessions: new Set(['a', 'b']), proven: true }]);
  expect([until(state, 'a', living(7)), until(state, 'b', living(7))]).toEqual([Infinity, Infinity]);
});

verifies('I13', '10,000 forged reports evict no process, and 2,000 forged sessions no session whose process has not ended', () => {
  const state = fold(
    [0, opened('a')],
    [0, proven('a', 7)],
    [0, closed('a')],
    ...Array.from({ length: 10_000 }, (_, i) => [40, proven('forged', 100 + i)] as const),
    ...Array.from({ length: 2_000 }, (_, i) => [[41, opened(`f${i}`)] as const, [41, closed(`f${i}`)] as const]).flat(),
    [99, opened('last')],
  );
  expect([pids(state).length, until(state, 'a', living(7))]).toEqual([10_001, Infinity]);
  // Ended ones are dropped, and their memory is freed.
  for (let i = 0; i < 10_000; i++) state.presence.apply(ended(50, 100 + i) as never, at(50));
  expect([pids(state), state.sessions.has('a'), state.sessions.size < 1_100]).toEqual([[7], true, true]);
});

test('a number that another process has now is no longer the agent’s', () => {
  const state = fold([0, opened('a')], [0, proven('a', 7, 'monday')], [1, proven('b', 7, 'tuesday')]);
  expect([state.presence.at({ pid: 7, started: 'monday' }), state.presence.of('a')]).toEqual([undefined, []]);
});
