// The command line as a person or a program runs it, with a home for the daemon and a repository that belong to this test alone.
// `dispose` ends the daemon that the commands started.

import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type DaemonClient, daemonClient } from '../../src/client/node.ts';
import { eventually } from './eventually.ts';
import { MEMORY_FOLDER } from './memory-folder.ts';
import { runReady } from './ready-commands.ts';
import { makeScratchRepo, type ScratchRepo } from './scratch-repo.ts';
import { type Answer, runInTerminal, type TerminalResult } from './terminal.ts';

export const CLI = fileURLToPath(new URL('../../bin/countersign', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A repository, and the ways to the daemon that looks after it. */
export interface Place {
  /** A short folder for whatever a test needs: a socket's path has about a hundred bytes. */
  readonly base: string;
  readonly home: string;
  readonly repo: ScratchRepo;
  /** What `hook` calls the agent's session; another one for each repository. */
  readonly conversation: string;
  /** The whole environment of the commands, apart from PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Through pipes, with nothing on standard input and no terminal. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<CommandResult>;
  /** The same as a process of its own, where that is what a test is about. */
  readonly runAlone: (args: readonly string[], options?: RunOptions) => Promise<CommandResult>;
  /** In a terminal, as a human. Fails where the command does: a test must not go on as if it had worked. */
  readonly human: (args: readonly string[], input?: string | readonly Answer[]) => Promise<TerminalResult>;
  /** The same for a command that may end otherwise; the test looks at how it did. */
  readonly humanTries: Place['human'];
  /** In a terminal with --json, parsed. */
  readonly ask: <T>(...args: string[]) => Promise<T>;
  /** Straight to the daemon's socket, for looking. */
  readonly client: DaemonClient;
  readonly daemonPid: () => Promise<number>;
  /** As an agent's hook does it, but for its process: none in this test counts as the agent's. */
  readonly hook: (event: string, payload: object) => Promise<unknown>;
  /** The official MCP client, with a shell between it and the pipe: the pipe's parent counts as the agent's process. */
  readonly mcpClient: (options?: { surface?: string; client?: ClientOptions }) => Promise<Client>;
}

export interface Installation extends Place {
  /** Another repository with the same daemon; it goes with this installation. */
  readonly beside: () => Promise<Place>;
  readonly dispose: () => Promise<void>;
}

/** These are about their process: they stay, or are a program of their own. */
const ALONE = new Set(['hook', 'mcp', 'daemon', '--foreground', '--follow']);

/** `cli`: another one than the clone's, such as a package's. `more` goes into the environment of its commands. */
export async function makeInstallation(cli = CLI, more: Readonly<Record<string, string>> = {}): Promise<Installation> {
  const base = await mkdtemp(`${MEMORY_FOLDER}/cs-`);
  const home = join(base, 'home');
  // Compiled code is shared, or every home would compile everything again.
  const env = { HOME: join(base, 'user'), XDG_CACHE_HOME: join(tmpdir(), 'countersign-test-cache'), COUNTERSIGN_HOME: home, ...more };
  const repos: ScratchRepo[] = [];
  const makePlace = async (): Promise<Place> => {
    const repo = await makeScratchRepo();
    repos.push(repo);
    return placeIn(repo, { cli, base, home, env });
  };
  const place = await makePlace();
  return {
    ...place,
    beside: makePlace,
    dispose: async () => {
      await endDaemonsOf(home);
      await place.daemonPid().then(endProcess, () => undefined);
      for (const repo of repos) await repo.dispose();
      await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function placeIn(repo: ScratchRepo, { cli, base, home, env }: Pick<Place, 'base' | 'home' | 'env'> & { readonly cli: string }): Place {
  const conversation = `conversation in ${repo.path}`;
  const client = daemonClient(join(home, 'run/daemon.sock'));
  const daemonPid = async () => (await client.ask('status', {})).pid;
  const mayShare = (args: readonly string[]) => cli === CLI && !args.some((word) => ALONE.has(word));
  const runAlone: Place['run'] = (args, { cwd = repo.path, env: more } = {}) => runCommand(cli, args, { cwd, env: { ...env, ...more } });
  const humanTries: Place['human'] = async (args, input) => {
    if (input !== undefined || !mayShare(args))
      return runInTerminal(cli, args, { cwd: repo.path, env, ...(input === undefined ? {} : { input }) });
    const { code, shown } = await runReady('terminal', {
      args,
      cwd: repo.path,
      env: { PATH: process.env['PATH'] ?? '', TERM: process.env['TERM'] ?? 'xterm', SHELL: '/bin/sh', ...env },
    });
    return { code, output: stripVTControlCharacters(shown) };
  };
  const human: Place['human'] = async (args, input) => {
    const result = await humanTries(args, input);
    if (result.code !== 0) throw new Error(`countersign ${args.join(' ')} ended with ${result.code}:\n${result.output}`);
    return result;
  };

  return {
    base,
    home,
    repo,
    conversation,
    env,
    client,
    daemonPid,
    human,
    humanTries,
    runAlone,
    run: async (args, options = {}) => {
      if (!mayShare(args)) return runAlone(args, options);
      const { code, stdout, stderr } = await runReady('pipes', {
        args,
        cwd: options.cwd ?? repo.path,
        env: { PATH: process.env['PATH'] ?? '', ...env, ...options.env },
      });
      return { code, stdout, stderr };
    },
    ask: async (...args) => JSON.parse((await humanTries([...args, '--json'])).output) as never,
    hook: async (event, payload) => {
      // On a busy machine a daemon may come up after the command that started it has given up.
      const hookFile = await eventually('a daemon', () => readFile(join(home, 'run/hook'), 'utf8').catch(() => undefined));
      const [port, token] = hookFile.trim().split(' ');
      const response = await fetch(`http://127.0.0.1:${port}/hooks/claude/${event}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ session_id: conversation, cwd: repo.path, ...payload }),
      });
      return response.json();
    },
    mcpClient: async ({ surface = 'contract', client: options } = {}) => {
      const args = ['-c', '"$0" "$@"; exit', cli, 'mcp', '--surface', surface];
      const client = new Client({ name: 'agent of the test', version: '1' }, options);
      await client.connect(
        new StdioClientTransport({ command: '/bin/sh', args, cwd: repo.path, env: { PATH: process.env['PATH'] ?? '', ...env } }),
      );
      return client;
    },
  };
}

export async function runCommand(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<CommandResult> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'], ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [stdout, stderr, code] = await Promise.all([readAll(child.stdout), readAll(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** Finds them by the home in their command line: one that is still starting does not answer, and would outlive the test. */
export async function endDaemonsOf(home: string): Promise<void> {
  for (const pid of await daemonsOf(home)) endProcess(pid);
}

async function daemonsOf(home: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const ours = pids.map(async (pid) => {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.includes(`\0daemon\0--home\0${home}\0`) ? [Number(pid)] : [];
  });
  return (await Promise.all(ours)).flat();
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Until a process by this id is gone; a signal is on its way before it takes effect. */
export async function hasEnded(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
