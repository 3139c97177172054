// `countersign service install` and `uninstall`: writes the file of the service into the user's own configuration and notifies systemd or
// launchd. With --dry-run it only shows the file and the commands.

import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DaemonClient, Home } from '../../client/node.ts';
import { Fault } from '../../protocol/index.ts';
import { programOn } from '../wiring/find-agents.ts';
import { CLI } from '../wiring/program-paths.ts';
import { type Service, SERVICE_ENVIRONMENT, type ServiceKind, serviceOf } from './unit.ts';

export interface ServiceOptions {
  readonly what: 'install' | 'uninstall';
  readonly dryRun: boolean;
  /** Null: what this platform has. */
  readonly kind: ServiceKind | null;
  readonly home: Home;
  readonly userHome: string;
  readonly env: NodeJS.ProcessEnv;
  readonly client: Pick<DaemonClient, 'isAlive' | 'act'>;
}

export interface ServiceReport extends Pick<Service, 'kind' | 'file'> {
  readonly what: ServiceOptions['what'];
  readonly done: boolean;
  /** The new content of the file; null: it is removed. */
  readonly content: string | null;
  readonly commands: readonly string[];
}

const PROGRAM = { systemd: 'systemctl', launchd: 'launchctl' } as const;
const WITHIN_MS = 30_000;
const run = promisify(execFile);

export async function service(options: ServiceOptions): Promise<ServiceReport> {
  const { what, dryRun, home, userHome, env, client } = options;
  const kind = options.kind ?? (process.platform === 'darwin' ? 'launchd' : 'systemd');
  const kept = SERVICE_ENVIRONMENT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  const wanted = serviceOf(kind, {
    cli: CLI,
    homeDir: home.dir,
    userHome,
    uid: process.getuid?.() ?? 0,
    configHome: env.XDG_CONFIG_HOME,
    env: Object.fromEntries(kept) as Record<string, string>,
  });
  const commands = wanted[what];
  const report = { kind, file: wanted.file, what, commands: commands.map((command) => command.map(shellWord).join(' ')) };
  const content = what === 'install' ? wanted.content : null;
  if (dryRun) return { ...report, content, done: false };

  const program = PROGRAM[kind];
  if (!(await programOn(env.PATH ?? '', program)))
    throw new Fault('NOT_FOUND', `There is no ${program} on PATH, so there is nothing that would keep a service here.`, {
      fix: 'Nothing is lost: hooks and commands start the daemon when they need it. --dry-run shows what would be written',
    });
  if (what === 'uninstall' && (await readFile(wanted.file).catch(() => null)) === null)
    throw new Fault('NOT_FOUND', `There is no service: ${wanted.file} is not there.`);
  if (content !== null) {
    await mkdir(path.dirname(wanted.file), { recursive: true });
    await writeFile(wanted.file, content);
    await chmod(wanted.file, 0o600);
    // Only one daemon can run per folder, and the service could not start beside another.
    await endDaemon(client);
  }
  for (const [command = '', ...args] of commands) await runOrTell(command, args, wanted.file);
  if (content === null) await rm(wanted.file, { force: true });
  return { ...report, content, done: true };
}

async function endDaemon(client: ServiceOptions['client']): Promise<void> {
  if (!(await client.isAlive())) return;
  await client.act('stop', {});
  const deadline = performance.now() + WITHIN_MS;
  while ((await client.isAlive()) && performance.now() < deadline) await pause(30);
}

async function runOrTell(command: string, args: readonly string[], file: string): Promise<void> {
  try {
    await run(command, args, { timeout: WITHIN_MS });
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1) || (error as Error).message;
    throw new Fault('DAEMON_UNAVAILABLE', `${[command, ...args].join(' ')} failed: ${said}`, {
      fix: `${file} is as it was written. Run the command yourself in a session of your own, or countersign service uninstall`,
      cause: error,
    });
  }
}

export function serviceText({ what, done, file, content, commands }: ServiceReport): string {
  if (done) return what === 'install' ? `The daemon is a service now: ${file}` : `The service is gone: ${file}`;
  const lines = content === null ? [`Would remove ${file}`] : [`Would write ${file}:`, '', content];
  return [...lines, 'and run:', ...commands.map((command) => `  ${command}`)].join('\n');
}

const shellWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);
