// Where a process comes from: the uppermost process of its line, below the system's first one. A program that left its parents behind begins
// a line of its own, so the question is when that line began, and what began it. Pure over a process table.

import type { Descent, TopProcess } from '../protocol/index.ts';
import type { ProcessEntry } from './process-tree.ts';

export interface System {
  /** The user of this daemon. */
  readonly ownUid: number;
  readonly uidOf: (pid: number) => number;
  readonly environmentOf: (pid: number) => ReadonlyMap<string, string>;
  /** Somebody on this machine may be logged in to it over the network. */
  readonly hasLoginFromHere: () => boolean;
  readonly clientsOf: (server: ProcessEntry) => { readonly shown: readonly Descent[]; readonly proven: boolean };
}

/** Programs that only root can start, and that let a person in. */
const LOGIN = /^(?:sshd(?:-session|-auth)?|login|agetty|gdm-session-wor.*|lightdm|sddm-helper|greetd|xrdp-sesman|systemd-logind)$/;
/** They adopt whatever lost its parent: the system's first process, and a user's manager. */
const isReaper = ({ pid, name }: ProcessEntry): boolean => pid === 1 || name === 'systemd';
const REMOTE = /^sshd(?:-session|-auth)?$/;
/** They run what somebody left with them, at a later time: no person is there. */
const LATER = /^(?:atd|cron|crond|anacron|fcron|incrond)$/;
/** They start programs for whoever asks, so their own age says nothing about who asked. */
const STARTS_FOR_OTHERS = /^(?:x?inetd|dbus-daemon|dbus-broker.*|supervisord|PM2 .*|containerd-shim.*|conmon)$/;
const MULTIPLEXER = /^(?:tmux: server|tmux|screen|SCREEN|zellij)$/;

/** `line`: from the calling process up. */
export function topOf(line: readonly ProcessEntry[], system: System): TopProcess | null {
  const [caller] = line;
  if (!caller) return null;
  const own = line.filter((entry) => !isReaper(entry));
  const first = line.find(({ pid }) => pid === 1);
  // In a container the first process may be the human's own shell.
  const isShellOfAll = first !== undefined && first.terminal !== null && first.terminal === caller.terminal;
  // A connection from this machine may be an agent's: it says nothing about a person.
  const mayBeFromHere = own.some(({ name }) => REMOTE.test(name)) && (namesThisMachine(own, system) || system.hasLoginFromHere());
  const below = own.findIndex(
    ({ pid, name }) => pid !== caller.pid && (STARTS_FOR_OTHERS.test(name) || (mayBeFromHere && REMOTE.test(name))),
  );
  const top = isShellOfAll ? first : (own[below - 1] ?? own.at(-1) ?? caller);
  const made = (kind: TopProcess['kind']): TopProcess => ({ startedAtMs: top.startedAtMs, kind, attached: [] });
  if (own.some(({ name }) => LATER.test(name))) return made('later');
  if (top.parent === 0 && top.pid !== 1) return made('outside');
  // Root can give any program any name.
  const isLogin = system.ownUid !== 0 && own.some(({ pid, name }) => LOGIN.test(name) && system.uidOf(pid) === 0);
  if (isLogin && !mayBeFromHere) return made('login');
  const server = own.find(({ pid, name }) => MULTIPLEXER.test(name) && pid !== caller.pid);
  if (!server) return made('other');
  const { shown, proven } = system.clientsOf(server);
  return { startedAtMs: server.startedAtMs, kind: 'multiplexer', attached: shown, ...(proven ? {} : { unproven: true }) };
}

const namesThisMachine = (line: readonly ProcessEntry[], system: System): boolean =>
  line.some(({ pid }) => {
    const [client, , server] = (system.environmentOf(pid).get('SSH_CONNECTION') ?? '').split(' ');
    return client !== undefined && client !== '' && (client === server || client === '::1' || client.startsWith('127.'));
  });
