// Starts a daemon on demand, in the background, detached from whoever needed it first. Its environment is a short list: the
// one who starts it may be an agent with keys in its own.

import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DaemonClient } from '../doors/cli/daemon-client.ts';
import { Fault } from '../protocol/index.ts';
import type { Home } from './home.ts';

const KEPT = [
  'HOME',
  'LANG',
  'LC_ALL',
  'PATH',
  'TMPDIR',
  'TZ',
  'USER',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'MCP_DASHBOARD_PORT',
  'NODE_COMPILE_CACHE',
];
export const DAEMON_WITHIN_MS = 3_000;

export async function ensureDaemon(client: Pick<DaemonClient, 'isAlive'>, home: Home, withinMs = DAEMON_WITHIN_MS): Promise<void> {
  if (await client.isAlive()) return;
  spawnDaemon(home);
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    await pause(30);
    if (await client.isAlive()) return;
  }
  throw new Fault('DAEMON_UNAVAILABLE', `No daemon came up within ${withinMs / 1000} s.`, { fix: `Look into ${home.log}` });
}

function spawnDaemon(home: Home): void {
  let output: number;
  try {
    mkdirSync(home.dir, { recursive: true, mode: 0o700 });
    output = openSync(home.log, 'a', 0o600);
  } catch (error) {
    throw new Fault('AUDIT_UNAVAILABLE', `The daemon's folder ${home.dir} cannot be written (${(error as NodeJS.ErrnoException).code}).`, {
      fix: 'Set COUNTERSIGN_HOME to a folder that you may write to',
    });
  }
  const env = Object.fromEntries(KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  const main = path.join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, [...process.execArgv, main, 'daemon', '--home', home.dir], {
    cwd: home.dir,
    detached: true,
    env,
    stdio: ['ignore', output, output],
  });
  child.unref();
  closeSync(output);
}
