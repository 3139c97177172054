// `countersign doctor`: proves that the gate works here, or says what does not and how to fix it. It starts the daemon if none runs, as any
// hook would, and writes nothing to the record.

import { daemonClient, type Home } from '../client/node.ts';
import { type Level, visible, type WorkspaceRow } from '../protocol/index.ts';
import { hookAdapters } from '../agents/index.ts';
import { locateWorkspace } from '../workspace/index.ts';
import { type AgentHealth, checkAgents } from './doctor/agents.ts';
import { checkInstallation } from './doctor/installation.ts';
import type { Check } from './doctor/check.ts';

export interface DoctorOptions {
  readonly cwd: string;
  readonly home: Home;
  readonly userHome: string;
  readonly searchPath: string;
}

export interface DoctorReport {
  readonly ok: boolean;
  readonly workspace: string;
  /** What is in force in this work tree; null when no daemon answers. */
  readonly level: Pick<WorkspaceRow, 'level' | 'level_note' | 'minimum_mode'> | null;
  readonly installation: readonly Check[];
  readonly agents: readonly AgentHealth[];
}

export async function doctor({ cwd, home, userHome, searchPath }: DoctorOptions): Promise<DoctorReport> {
  const { root, id } = await locateWorkspace(cwd);
  const client = daemonClient(home.socket);
  const installation = await checkInstallation({ client, home, searchPath });
  const isAlive = await client.isAlive();
  // Requesting a workspace by its folder registers it.
  const observing = isAlive ? (await client.ask('modes', { cwd: root })).observing : null;
  const status = isAlive ? await client.ask('status', {}) : null;
  const row = status?.workspaces.find((workspace) => workspace.root === root || workspace.id === id);
  const sessions = isAlive ? await client.ask('sessions', { workspace: id, limit: 1000 }) : [];
  const agents = await checkAgents({ adapters: [...hookAdapters.values()], root, userHome, searchPath, home, sessions, observing });
  const checks = [...installation, ...agents.flatMap((agent) => agent.checks)];
  return {
    ok: checks.every(({ state }) => state !== 'bad'),
    workspace: root,
    level: row ? { level: row.level, level_note: row.level_note, minimum_mode: row.minimum_mode } : null,
    installation,
    agents,
  };
}

const MARKS = { ok: 'ok  ', note: 'note', bad: 'BAD ' } as const;

export function doctorText({ workspace, level, installation, agents, ok }: DoctorReport): string {
  const line = ({ state, name, says, fix }: Check) => [
    `  ${MARKS[state]}  ${name.padEnd(12)} ${visible(says)}`,
    ...(fix === null ? [] : [`                      fix: ${visible(fix)}`]),
  ];
  const shown = agents.filter(({ found }) => found !== null);
  const absent = agents.filter((agent) => !shown.includes(agent));
  return [
    'Installation',
    ...installation.flatMap(line),
    `Workspace ${visible(workspace)}`,
    level
      ? `  ${levelText(level.level, level.level_note, shown)} Minimum mode: ${level.minimum_mode ?? 'none set'}.`
      : '  No daemon answers, so nothing is known about it.',
    ...shown.flatMap(({ title, found, checks }) => [`${title}  (${found})`, ...checks.flatMap(line)]),
    ...(absent.length > 0 ? [`Not found here: ${absent.map(({ title }) => title).join(', ')}`] : []),
    verdict(ok, level?.level ?? null, shown),
  ].join('\n');
}

/** The level counts hooks that fired. Right after `init` none has, and what was just written must not look as if it were missing. */
const levelText = (level: Level, note: string, agents: readonly AgentHealth[]): string =>
  level === 'advisory' && agents.some(({ wired }) => wired)
    ? 'advisory until the first hook fires: the hooks are in place, and the next session of the agent proves them.'
    : `${level}: ${note}`;

/** "All is well" only where a hook has really fired: until then nothing proves that an agent runs them. */
function verdict(ok: boolean, level: Level | null, agents: readonly AgentHealth[]): string {
  if (!ok) return 'Something is wrong; each line marked BAD says how to fix it.';
  const wired = agents.filter((agent) => agent.wired);
  if (wired.length === 0) return 'The installation works, but no agent is wired here, so nothing is gated yet: countersign init';
  const proven = wired.filter(({ checks }) => checks.some(({ name, state }) => name === 'fired' && state === 'ok'));
  if (proven.length > 0) return level === 'observing' ? 'All is well; this workspace only observes.' : 'All is well.';
  const titles = wired.map(({ title }) => title).join(' or ');
  return `Nothing is wrong, but nothing proves yet that the hooks run: begin a session of ${titles} here, let it read a file, then run countersign doctor again.`;
}
