// Where terminals come from, over recorded process tables: what this machine has no programs for.

import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Descent } from '../protocol/index.ts';
import { type System, topOf } from './lineage.ts';
import type { ProcessEntry } from './process-tree.ts';
import { leftBehind, Survivors } from './survivors.ts';

/** From the calling process up: name, when it started, and what differs from an ordinary process. */
type Row = readonly [name: string, startedAtMs: number, more?: Partial<ProcessEntry>];
const line = (...rows: Row[]): ProcessEntry[] =>
  rows.map(([name, startedAtMs, more], at) => ({
    ...{
      pid: 100 - at,
      parent: at === rows.length - 1 ? 1 : 99 - at,
      leader: 100,
      terminal: '34816',
      started: String(startedAtMs),
      startedAtMs,
      name,
    },
    ...more,
  }));
const INIT: Row = ['init', 0, { pid: 1, parent: 0, terminal: null }];
const system = (more: Partial<System> = {}): System => ({
  ...{ ownUid: 1000, uidOf: () => 1000, environmentOf: () => new Map(), clientsOf: () => [] },
  ...more,
});
const ssh = (from: string) => (): ReadonlyMap<string, string> => new Map([['SSH_CONNECTION', `${from} 50000 192.0.2.1 22`]]);
const root =
  (...pids: number[]) =>
  (pid: number) =>
    pids.includes(pid) ? 0 : 1000;

verifies('I13', 'ways of a human that this machine has no program for', () => {
  const login = line(['countersign', 9], ['bash', 8], ['sshd', 7], ['sshd', 6], INIT);
  expect(topOf(login, system({ uidOf: root(98, 97), environmentOf: ssh('198.51.100.7') }))?.kind).toBe('login');
  // From this machine it may be an agent that has a key.
  for (const here of ['127.0.0.1', '::1', '192.0.2.1'])
    expect(topOf(login, system({ uidOf: root(98, 97), environmentOf: ssh(here) }))?.kind).toBe('other');
  // A program that only has the name of a login program, and root, who can name any program so.
  expect(topOf(login, system())?.kind).toBe('other');
  expect(topOf(login, system({ ownUid: 0, uidOf: () => 0 }))?.kind).toBe('other');
  expect(topOf(line(['countersign', 9], ['bash', 8], ['login', 7], INIT), system({ uidOf: root(98) }))?.kind).toBe('login');
  // An editor's terminal, and `sudo -u ada`: the line begins with what the human started.
  expect(topOf(line(['countersign', 9], ['bash', 8], ['code', 4], ['code', 3], ['systemd', 1], INIT), system())).toEqual({
    ...{ startedAtMs: 3, kind: 'other', attached: [] },
  });
  const sudo = line(['countersign', 9], ['sudo', 8], ['bash', 5], ['gnome-terminal-', 4], ['systemd', 1], INIT);
  expect(topOf(sudo, system())).toMatchObject({ startedAtMs: 4, kind: 'other' });
  // docker exec, and a shell that is the first process of a container.
  expect(topOf(line(['countersign', 9], ['bash', 8, { parent: 0 }]), system())).toMatchObject({ kind: 'outside' });
  const shell = line(['countersign', 9], ['bash', 1, { pid: 1, parent: 0 }]);
  expect(topOf(shell, system())).toMatchObject({ startedAtMs: 1, kind: 'other' });
  // screen, with the client that shows it.
  const client = { chain: [], terminal: true, unbroken: true, top: null, marked: false } satisfies Descent;
  const screen = line(['countersign', 9], ['bash', 8], ['screen', 7], INIT);
  expect(topOf(screen, system({ clientsOf: () => [client] }))).toEqual({ startedAtMs: 7, kind: 'multiplexer', attached: [client] });
});

verifies('I13', 'what left its parents behind begins a line of its own, whatever it is called', () => {
  for (const name of ['script', 'sh', 'login', 'sshd', 'python3', 'socat'])
    expect(topOf(line(['countersign', 9], [name, 8], INIT), system())).toMatchObject({ startedAtMs: 8, kind: 'other' });
});

verifies('I13', 'what a command left running is noted: orphans and what is below the agent, not what others started', () => {
  const table = [
    ...line(['agent', 10, { pid: 50, parent: 40 }]),
    ...line(['dev-server', 120, { pid: 51, parent: 50 }], ['orphan', 130, { pid: 52, parent: 1 }], ['child', 131, { pid: 53, parent: 52 }]),
    ...line(['terminal', 20, { pid: 60, parent: 1 }], ['vim', 125, { pid: 61, parent: 60 }], ['early', 90, { pid: 54, parent: 50 }]),
    ...line(['late', 400_000, { pid: 55, parent: 1 }]),
  ];
  const left = leftBehind(table, { fromMs: 5_000, toMs: 6_000 }, ({ pid }) => pid === 50);
  expect(left).toEqual([]);
  const at = (ms: number) => table.map((entry) => ({ ...entry, startedAtMs: entry.startedAtMs + ms }));
  expect(leftBehind(at(10_000), { fromMs: 11_110, toMs: 11_200 }, ({ pid }) => pid === 50).map(({ pid }) => pid)).toEqual([51, 52, 53]);
});

verifies('I13', 'however many processes a command starts, the time in which they lived stays under suspicion', () => {
  const survivors = new Survivors();
  const many = Array.from({ length: 700 }, (_, at): ProcessEntry => ({
    ...{ pid: 4_000_000 + at, parent: 1, leader: 1, terminal: null, started: 'x', startedAtMs: 1_000 + at, name: 'x' },
  }));
  survivors.note({ action: 'act_x', fromMs: 900, toMs: 2_000, isAgents: () => false }, many);
  // None of them lives, and the first ones were dropped.
  expect([survivors.actionsAt(1_001), survivors.livedAt(1_001), survivors.livedAt(1), survivors.livedAt(Date.now() + 60_000)]).toEqual([
    [],
    true,
    false,
    false,
  ]);
});
