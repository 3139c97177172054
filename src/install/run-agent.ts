// Starts an agent where the human is, in a seal that the daemon has made. On a terminal it gets one of its own: whatever it writes to it
// cannot become the human's typing.

import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { hookAdapters, WALL_AGENT, WALL_HOME, WALL_MARK, WALL_NAMES, WALL_SHELL } from '../agents/index.ts';
import { programOn } from './wiring/find-agents.ts';
import { WALL_FOLDER } from './wiring/program-paths.ts';

export interface StartedAgent {
  readonly pid: number | undefined;
  /** Its exit code; null: a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Makes terminals. Null: there is none, and an agent gets no terminal. */
export const terminalMaker = (): Promise<string | null> =>
  process.stdin.isTTY && process.stdout.isTTY ? programOn(process.env['PATH'] ?? '', 'script') : Promise.resolve(null);

export function startAgent(argv: readonly string[], env: Readonly<Record<string, string>>, terminal: string | null): StartedAgent {
  const line = `exec ${argv.map(quoted).join(' ')}`;
  const [program = '', ...args] = terminal === null ? argv : [terminal, '--quiet', '--return', '--command', line, '/dev/null'];
  const child = spawn(program, args, { env: { ...env, ...(terminal === null ? {} : { SHELL: '/bin/sh' }) }, stdio: 'inherit' });
  return { pid: child.pid, ended: endOf(child) };
}

export interface WalledStart {
  readonly env: Record<string, string>;
  /** Before the agent's own. */
  readonly arguments: readonly string[];
}

/** How an agent is started that can only be given our shell by its environment. Null: this is not such an agent. */
export function walledStart(program: string, name: string | null, home: string, env: NodeJS.ProcessEnv): WalledStart | null {
  const called = name ?? path.basename(program);
  const adapter = [...hookAdapters.values()].find((each) => each.name === called || each.installed.programs.includes(called));
  const launch = adapter?.wall?.launch;
  if (adapter === undefined || launch === undefined) return null;
  // It may be started by another agent of its kind, whose commands have the mark.
  const { [launch.mark]: _mark, ...rest } = env;
  const file = path.join(WALL_FOLDER, 'bash-env');
  return {
    env: {
      ...passedOn(['*'], rest),
      ...(launch.by === 'path' ? { PATH: `${WALL_FOLDER}:${env['PATH'] ?? ''}` } : { BASH_ENV: file, [WALL_SHELL]: file }),
      [WALL_AGENT]: adapter.name,
      [WALL_HOME]: home,
      [WALL_MARK]: launch.mark,
      ...(launch.session === null ? {} : { [WALL_NAMES]: launch.session }),
    },
    arguments: launch.arguments,
  };
}

function endOf(child: ChildProcess): Promise<number | null> {
  // Ctrl-C is for the agent; what comes after its end still has to happen.
  const stay = () => {};
  // A terminal that is closed takes the agent with it; its maker alone would go on.
  const end = () => void child.kill('SIGKILL');
  process.on('SIGINT', stay).on('SIGHUP', end).on('SIGTERM', end);
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('exit', (code) => resolve(code));
  return promise.finally(() => process.off('SIGINT', stay).off('SIGHUP', end).off('SIGTERM', end));
}

/** The caller's variables that these names stand for; a `*` at the end is any rest. */
export function passedOn(names: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  const isNamed = (name: string) => names.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each));
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value !== undefined && isNamed(name) ? [[name, value]] : [])));
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
