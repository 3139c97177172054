// Where terminals come from, over recorded process tables: what this machine has no programs for.

import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Descent } from '../protocol/index.ts';
import { type System, topOf } from './lineage.ts';
import { connectsToRoot } from './logins-from-here.ts';
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
  ...{ ownUid: 1000, uidOf: () => 1000, environmentOf: () => new Map(), hasLoginFromHere: () => false },
  clientsOf: () => ({ shown: [], proven: true }),
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
  // Whoever logged in can replace the environment; the connection stays.
  expect(topOf(login, system({ uidOf: root(98, 97), hasLoginFromHere: () => true }))).toMatchObject({ kind: 'other', startedAtMs: 8 });
  // Without one, an old session is known by the program that accepted it.
  expect(topOf(login, system({ ownUid: 0, uidOf: () => 0 }))).toMatchObject({ kind: 'other', startedAtMs: 6 });
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
  expect(topOf(screen, system({ clientsOf: () => ({ shown: [client], proven: true }) }))).toEqual({
    startedAtMs: 7,
    kind: 'multiplexer',
    attached: [client],
  });
});

verifies('I13', 'what left its parents behind begins a line of its own, whatever it is called', () => {
  for (const name of ['script', 'sh', 'login', 'sshd', 'python3', 'socat'])
    expect(topOf(line(['countersign', 9], [name, 8], INIT), system())).toMatchObject({ startedAtMs: 8, kind: 'other' });
});

verifies('I13', 'a program that starts others for whoever asks lends them neither its age nor a person', () => {
  const started = (name: string) => topOf(line(['countersign', 9], ['script', 8], [name, 2], INIT), system());
  for (const name of ['atd', 'cron', 'crond', 'anacron']) expect(started(name)).toMatchObject({ kind: 'later' });
  for (const name of ['dbus-daemon', 'PM2 v6.0.8: God', 'supervisord', 'containerd-shim'])
    expect(started(name)).toMatchObject({ kind: 'other', startedAtMs: 8 });
  // A window manager, or an editor, is a person's own program.
  for (const name of ['i3', 'gnome-shell', 'code']) expect(started(name)).toMatchObject({ kind: 'other', startedAtMs: 2 });
});

verifies('I13', 'connections from this machine to a program of root’s are found in the kernel’s list, by every kind of address', () => {
  const row = (local: string, remote: string, state = '01', uid = '0') =>
    `   1: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${uid} 0 4711 1 0`;
  const found = (...rows: string[]) => connectsToRoot(rows.join('\n'), new Set(['192.0.2.1', 'fe80::1']), (inode) => inode === '4712');
  const six = (last: string) => `000000000000000000000000${last}`;
  expect(found(row('0100007F:0016', '0100007F:C350'))).toBe(true);
  expect(found(row('010200C0:0016', '010200C0:C350'))).toBe(true);
  expect(found(row(`${six('01000000')}:0016`, `${six('01000000')}:C350`))).toBe(true);
  // An IPv4 client of a server for both.
  expect(found(row('0000000000000000FFFF00000100007F:0016', '0000000000000000FFFF00000100007F:C350'))).toBe(true);
  expect(found(row('000080FE000000000000000001000000:0016', '000080FE000000000000000001000000:C350'))).toBe(true);
  // From another machine, to a program of a user, and one that listens.
  expect(
    found(
      row('010200C0:0016', '076433C6:C350'),
      row('0100007F:1F90', '0100007F:C350', '01', '1000'),
      row('00000000:0016', '00000000:0000', '0A'),
    ),
  ).toBe(false);
  expect(found(row('0100007F:0016', '0100007F:C350').replace('4711', '4712'))).toBe(false);
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
