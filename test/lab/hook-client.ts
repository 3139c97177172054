// The small client behind every agent hook, as agents start it, and a program that replaces the daemon.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { READ_TOOLS } from '../../src/agents/claude/translate.ts';
import { MEMORY_FOLDER } from './memory-folder.ts';

export const CLIENT = fileURLToPath(new URL('../../bin/countersign-hook', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs it to its end. */
export async function start(
  command: string,
  args: readonly string[],
  payload: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ended> {
  const child = spawn(command, args, { env, signal: AbortSignal.timeout(100_000) });
  const read = (stream: NodeJS.ReadableStream): Promise<string> => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return once(stream, 'end').then(() => Buffer.concat(chunks).toString('utf8'));
  };
  const output = Promise.all([read(child.stdout), read(child.stderr)]);
  child.stdin.on('error', () => undefined);
  child.stdin.end(payload);
  const [code] = (await once(child, 'close')) as [number | null];
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
}

const DECIDING = new Set(['PreToolUse', 'ConfigChange']);

/** With the arguments that `init` writes. A text goes as it is. */
export const hook = (home: string, event: string, payload: unknown, deadline = 20): Promise<Ended> =>
  start(
    CLIENT,
    [
      '--home',
      home,
      '--deadline',
      String(deadline),
      ...(DECIDING.has(event) ? ['--reads', READ_TOOLS.join(',')] : ['--notice']),
      'claude',
      event,
    ],
    typeof payload === 'string' ? payload : JSON.stringify(payload),
  );

export const PASSED: Ended = { code: 0, stdout: '{}\n', stderr: '' };
/** What an agent gets when no decision is possible. */
export const DENIED: Ended = {
  code: 2,
  stdout: '',
  stderr:
    'Countersign DAEMON_UNAVAILABLE: the gate did not answer, so nothing may be changed; reading still works. Ask a human to run: countersign status\n',
};

export const pre = (tool_name: string, tool_input: object = {}) => ({
  session_id: 's',
  cwd: '/',
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  tool_use_id: 't',
});
export const edit = pre('Edit', { file_path: 'a', old_string: 'b', new_string: 'c' });

/** The proof in a daemon's answer; another program at its address does not know it. */
export const SECRET = 'the-secret';
export const PROOF = `x-countersign-answer: ${SECRET}\r\n`;

/** A home whose hook file leads to another program, and in which no daemon can start: its log is a folder. */
export async function homeOfImpostor(onRequest: (socket: Socket, request: string) => void): Promise<string> {
  const home = await mkdtemp(`${MEMORY_FOLDER}/cs-`);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let request = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      request += chunk;
      const [head = '', body] = request.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      if (body !== undefined && request.length - head.length - 4 >= length) onRequest(socket, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await mkdir(join(home, 'run'));
  await mkdir(join(home, 'daemon.log'));
  await writeFile(join(home, 'run/hook'), `${(server.address() as AddressInfo).port} the-token ${SECRET}\n`);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(home, { recursive: true, force: true });
  });
  return home;
}
