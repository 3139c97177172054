// A real ssh server for this user, with keys of its own: whoever has the key file can log in, as on a developer's machine.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { quoted } from './terminal.ts';

export interface SshServer {
  /** The words of a shell that log in from here, with a terminal, and run what follows them. */
  readonly login: (address?: string) => string;
}

export async function sshServer(base: string): Promise<SshServer> {
  const dir = join(base, 'ssh');
  await mkdir(dir, { mode: 0o700 });
  const [host, key] = [join(dir, 'host'), join(dir, 'key')];
  for (const file of [host, key]) spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  await copyFile(`${key}.pub`, join(dir, 'authorized'));
  const port = await freePort();
  const settings = {
    ...{ HostKey: host, AuthorizedKeysFile: join(dir, 'authorized'), PidFile: 'none', UsePAM: 'no', StrictModes: 'no', PrintMotd: 'no' },
    ...{ PermitRootLogin: 'yes', PasswordAuthentication: 'no', ListenAddress: '0.0.0.0', Port: String(port) },
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  await writeFile(join(dir, 'config'), `${lines.join('\n')}\n`);
  // It wants this folder for its unprivileged half.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(dir, 'config')], { stdio: 'ignore', detached: true });
  onTestFinished(() => void server.kill('SIGKILL'));
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR', 'IdentitiesOnly=yes'];
  const login = (address = '127.0.0.1') =>
    ['ssh', '-tt', '-F', '/dev/null', '-i', quoted(key), '-p', String(port), ...options.flatMap((each) => ['-o', each])].join(' ') +
    ` ${userInfo().username}@${address}`;
  await eventually('an ssh server', async () => (spawnSync('sh', ['-c', `${login()} true`]).status === 0 ? true : undefined));
  return { login };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
