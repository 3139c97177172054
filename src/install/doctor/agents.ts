// Each agent: whether its hooks are where it reads them, whether they are switched off or wait for trust, whether our client answers for
// it, and when a hook last really fired.

import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { type HookAdapter, hookLine } from '../../agents/index.ts';
import type { SessionRow } from '../../protocol/index.ts';
import type { Home } from '../../client/node.ts';
import { findAgents } from '../wiring/find-agents.ts';
import { Originals } from '../wiring/originals.ts';
import { wirePaths } from '../wiring/program-paths.ts';
import { stateOf, type WiredState } from '../wiring/wired-file.ts';
import { bad, type Check, note, ok } from './check.ts';

export interface AgentHealth {
  readonly name: string;
  readonly title: string;
  /** Why it seems to be on this machine; null: no sign of it. */
  readonly found: string | null;
  readonly wired: boolean;
  /** When a hook of it last fired in this workspace, by the record. */
  readonly last_fired: string | null;
  readonly checks: readonly Check[];
}

export interface AgentCheckOptions {
  readonly adapters: readonly HookAdapter[];
  readonly root: string;
  readonly userHome: string;
  readonly searchPath: string;
  readonly home: Home;
  /** Of this workspace. */
  readonly sessions: readonly SessionRow[];
  /** What the record says; null when no daemon answers. */
  readonly observing: boolean | null;
}

const PROBE_MS = 10_000;

export async function checkAgents(options: AgentCheckOptions): Promise<AgentHealth[]> {
  const originals = await Originals.open(options.home.dir);
  const agents = await findAgents(options.adapters, { ...options, isOurs: (target) => originals.isMadeByUs(target) });
  return Promise.all(
    agents.map(async ({ adapter, because }): Promise<AgentHealth> => {
      const files = await Promise.all(adapter.wiring.map((wired) => stateOf(wired, options)));
      const hooks = files.filter(({ holds }) => holds.includes('hooks'));
      const wired = hooks.some((file) => file.wired);
      const last_fired = lastFiring(options.sessions, adapter.agent);
      const about = { name: adapter.name, title: adapter.title, found: because, wired, last_fired };
      // A file that several agents read has hooks for all of them, so hooks alone are no sign of this agent.
      if (because === null) return { ...about, checks: [] };
      if (!wired) return { ...about, checks: [await notWired(adapter, originals, hooks)] };
      const checks = [
        ...wiringChecks(adapter, files),
        ...writtenChecks(adapter, files, options.observing),
        ...(await changedSince(adapter, originals, hooks)),
        ...(await trustCheck(adapter, options)),
        await probe(adapter, options),
        await firingCheck(adapter, last_fired, hooks),
      ];
      return { ...about, checks };
    }),
  );
}

/** Sessions with hook events: calls of our own tools prove nothing about hooks. */
function lastFiring(sessions: readonly SessionRow[], agent: string): string | null {
  const times = sessions.filter((session) => session.agent === agent && session.by_hooks).map(({ last_at }) => last_at);
  return times.toSorted().at(-1) ?? null;
}

async function notWired({ name, title }: HookAdapter, originals: Originals, files: readonly WiredState[]): Promise<Check> {
  const fix = `countersign init --agent ${name}`;
  const lost = (await changedAmong(originals, files)).map(({ shown }) => shown);
  return lost.length > 0
    ? bad('wiring', `Somebody took our hooks out of ${lost.join(', ')}: nothing that ${title} does is gated.`, fix)
    : note('wiring', `${title} is not wired here: nothing that it does is gated.`, fix);
}

function wiringChecks({ name }: HookAdapter, files: readonly WiredState[]): Check[] {
  const again = `countersign init --agent ${name}`;
  const hooks = files.filter((file) => file.wired && file.holds.includes('hooks'));
  const off = files.filter((file) => file.switchedOff);
  const hasServer = !files.some(({ holds }) => holds.includes('mcp')) || files.some((file) => file.wired && file.holds.includes('mcp'));
  return [
    ok('wiring', hooks.map(({ shown }) => shown).join(', ')),
    ...off.map(({ shown }) => bad('switched off', `${shown} switches all hooks off.`, `Take that out of ${shown}`)),
    ...(hasServer ? [] : [bad('server', "Countersign's own tools are not among its MCP servers: a remedy cannot be followed.", again)]),
  ];
}

/** Hooks that let changes through by themselves, without asking the daemon. */
function writtenChecks({ name }: HookAdapter, files: readonly WiredState[], observing: boolean | null): Check[] {
  const again = `countersign init --agent ${name}`;
  const ours = files.filter(({ wired }) => wired);
  const hooks = ours.filter(({ holds }) => holds.includes('hooks'));
  const shown = (some: readonly WiredState[]) => some.map((file) => file.shown).join(', ');
  const earlier = ours.filter(({ written }) => !written.failClosed);
  const open = observing === false ? hooks.filter(({ written }) => written.observe) : [];
  const closed = observing === true ? hooks.filter(({ written }) => !written.observe) : [];
  const asWritten =
    'is not as this version writes it: with the hook client deleted or broken, or the environment set against it, changes may pass.';
  return [
    ...(earlier.length > 0 ? [bad('old hooks', `${shown(earlier)} ${asWritten}`, again)] : []),
    ...(open.length > 0
      ? [bad('observing', `${shown(open)} only observes, but verdicts count here: with no daemon every change passes.`, again)]
      : []),
    ...(closed.length > 0
      ? [note('observing', `This workspace only observes, but ${shown(closed)} does not: with no daemon changes are denied.`, again)]
      : []),
  ];
}

/** Hook settings are governed: only a human should have changed them since `init`. */
async function changedSince({ name }: HookAdapter, originals: Originals, files: readonly WiredState[]): Promise<Check[]> {
  const fix = `countersign init --agent ${name}, after a look at what changed`;
  return (await changedAmong(originals, files))
    .filter(({ wired }) => wired)
    .map(({ shown }) => note('changed', `${shown} was changed since countersign init wrote it; our hooks are still in it.`, fix));
}

/** Files that init wrote for this work tree and that have changed or disappeared since. */
async function changedAmong(originals: Originals, files: readonly WiredState[]): Promise<WiredState[]> {
  const checked = await Promise.all(files.map(async (file) => ({ file, bytes: await readFile(file.target).catch(() => null) })));
  return checked.filter(({ file, bytes }) => originals.isChanged(file.target, bytes)).map(({ file }) => file);
}

async function trustCheck({ trust, title }: HookAdapter, { root, userHome, home }: AgentCheckOptions): Promise<Check[]> {
  if (!trust) return [];
  const readText = (file: string) => readFile(file, 'utf8').catch(() => null);
  const isStored = await trust.isStored({ root, userHome, paths: wirePaths(false, home.dir), readText });
  if (isStored === null) return [note('trust', `${title} keeps it where only it can read: only a recorded firing proves it.`, trust.how)];
  return [isStored ? ok('trust', 'stored') : bad('trust', `${title} does not run these hooks yet: they are not trusted.`, trust.how)];
}

/**
 * Our client, started as the agent would, with a payload that no agent sends: the daemon cannot read it, records nothing, and answers in
 * the agent's own format. This finds a silent client or an unreachable daemon.
 */
function probe({ name, decides }: HookAdapter, { home }: AgentCheckOptions): Promise<Check> {
  const event = decides('probe') ? 'probe' : 'PreToolUse';
  const timing = { decides: true, timeout: PROBE_MS / 1_000, deadline: 8 };
  const line = hookLine({ agent: name, event, timing, readTools: [] }, wirePaths(false, home.dir));
  return new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-c', line], { timeout: PROBE_MS }, (error, stdout, stderr) => {
      const answered = /Countersign|BAD_REQUEST/.test(stdout + stderr) && !stderr.includes('DAEMON_UNAVAILABLE');
      const words = (stderr.trim() || stdout.trim() || error?.message) ?? 'it said nothing';
      resolve(
        answered
          ? ok('probe', 'the hook client reaches the daemon, which answers in this agent’s words')
          : bad('probe', `The hook client got no answer: ${words.slice(0, 200)}`, 'countersign status, then countersign doctor again'),
      );
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end('{"countersign":"probe"}');
  });
}

async function firingCheck({ title }: HookAdapter, last: string | null, files: readonly WiredState[]): Promise<Check> {
  const written = await Promise.all(files.filter(({ wired }) => wired).map(async ({ target }) => (await stat(target)).mtime.toISOString()));
  const newest = written.toSorted().at(-1) ?? '';
  const begin = `Begin a new session of ${title} in this work tree and let it read a file, then ask again`;
  if (last === null) return note('fired', 'No hook of it has fired here yet: nothing proves that it runs them.', begin);
  if (last < newest) return note('fired', `Last at ${last}, before its settings were last changed.`, begin);
  return ok('fired', `last at ${last}`);
}
