// `countersign mcp`: what an agent starts as its MCP server. A bare pipe to the daemon that outlives it: when the daemon goes
// away, the pipe finds or starts the next one, repeats the agent's initialisation, and answers open requests with an error that
// may be retried, so that no call of the agent hangs.

import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';

export interface PipeOptions {
  readonly socketPath: string;
  readonly surface: string;
  /** Starts a daemon when none is running; rejects when none can be started. */
  readonly ensureDaemon: () => Promise<void>;
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
}

const OPENING = new Set(['initialize', 'notifications/initialized']);

/** As in the table of codes, which would bring the schema library into the process of every agent session; `pipe.test.ts` compares. */
export const DAEMON_UNAVAILABLE = -32011;

/** The pipe waits at most this long for a daemon to close its side. */
const CLOSE_TIMEOUT_MS = 1_000;

export async function runMcpPipe({ socketPath, surface, ensureDaemon }: PipeOptions): Promise<void> {
  /** The next daemon recognises the agent by it, so its declarations and refusals are kept. */
  const connection = randomUUID();
  const opening: string[] = [];
  const open = new Map<string | number, string>();
  /** Ids of repeated initialisations: the agent already has that answer. */
  const swallow = new Set<string | number>();
  let over = false;
  /** Null when the daemon is gone. The next line finds or starts another: a daemon that a human stopped stays stopped until then. */
  let daemon: Promise<Socket> | null = dial();
  listen(await daemon);

  let passed = Promise.resolve();
  const { promise: ended, resolve: reportEnd } = Promise.withResolvers<void>();
  eachLine(process.stdin, (line) => {
    passed = passed.then(() => pass(line));
  });
  process.stdin.once('end', reportEnd).once('close', reportEnd);
  await ended;
  await passed;
  over = true;
  const last = await (daemon as Promise<Socket> | null)?.catch(() => null);
  last?.end();
  setTimeout(() => last?.destroy(), CLOSE_TIMEOUT_MS).unref();

  async function pass(line: string): Promise<void> {
    const { id, method } = peek(line);
    const isCall = method !== undefined && id !== undefined;
    daemon ??= redial();
    const socket = await daemon.catch(() => null);
    if (!socket) {
      daemon = null;
      if (isCall) sayLost(id, `No daemon could be had for ${method}; call again.`);
      return;
    }
    if (method !== undefined && OPENING.has(method)) opening.push(line);
    if (isCall) open.set(id, method);
    socket.write(`${line}\n`);
  }

  function listen(socket: Socket): void {
    eachLine(socket, (line) => {
      const { id, method } = peek(line);
      if (method === undefined && id !== undefined) {
        open.delete(id);
        if (swallow.delete(id)) return;
      }
      process.stdout.write(`${line}\n`);
    });
    socket.on('close', () => {
      if (over) return;
      daemon = null;
      for (const [id, method] of open) {
        // Repeated to the next daemon: until it is answered, nothing else from the agent is sent.
        if (OPENING.has(method)) {
          daemon = redial();
          daemon.catch(() => sayLost(id, `No daemon could be had for ${method}.`));
        } else {
          sayLost(id, `The daemon ended during ${method}; call again.`);
          open.delete(id);
        }
      }
    });
  }

  async function redial(): Promise<Socket> {
    const socket = await dial();
    for (const line of opening) {
      const { id } = peek(line);
      if (id !== undefined && !open.has(id)) swallow.add(id);
      socket.write(`${line}\n`);
    }
    listen(socket);
    return socket;
  }

  function sayLost(id: string | number, message: string): void {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: DAEMON_UNAVAILABLE, message } })}\n`);
  }

  async function dial(): Promise<Socket> {
    try {
      return await hello();
    } catch {
      await ensureDaemon();
      return hello();
    }
  }

  async function hello(): Promise<Socket> {
    // The daemon knows the agent by this process's parent; so this process first proves which one it is.
    const challenge = await challenged(socketPath);
    const held = challenge === null ? null : openSync(challenge.open, 'r');
    try {
      return await greet(challenge?.proof ?? '');
    } finally {
      if (held !== null) closeSync(held);
    }
  }

  /** Resolves once the daemon has switched this connection over to MCP. */
  function greet(proof: string): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const socket = connect(socketPath);
    const cwd = encodeURIComponent(process.cwd());
    socket.write(
      `GET /mcp-pipe HTTP/1.1\r\nHost: countersign\r\nConnection: Upgrade\r\nUpgrade: countersign-mcp\r\nX-Countersign-Surface: ${surface}\r\nX-Countersign-Cwd: ${cwd}\r\nX-Countersign-Pid: ${process.pid}\r\nX-Countersign-Proof: ${proof}\r\nX-Countersign-Connection: ${connection}\r\n\r\n`,
    );
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the daemon closed the connection')));
    let head = '';
    const onData = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      socket.off('data', onData);
      socket.pause();
      if (!head.startsWith('HTTP/1.1 101')) {
        reject(new Error(head.split('\r\n')[0]));
        return;
      }
      if (head.length > end + 4) socket.unshift(Buffer.from(head.slice(end + 4), 'latin1'));
      socket.off('error', reject);
      socket.on('error', () => {});
      resolve(socket);
    };
    socket.on('data', onData);
    return promise;
  }
}

/** The proof that the daemon asks for; null: its answer is not a challenge that this version knows. */
async function challenged(socketPath: string): Promise<{ proof: string; open: string } | null> {
  const socket = connect(socketPath);
  socket.write('GET /api/challenge HTTP/1.1\r\nHost: countersign\r\nConnection: close\r\n\r\n');
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) answer += chunk as string;
  try {
    const { proof, open } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Record<string, unknown>;
    return typeof proof === 'string' && typeof open === 'string' ? { proof, open } : null;
  } catch {
    return null;
  }
}

/** A line ends at a line feed and nowhere else: `readline` would also cut a message at U+2028, which may occur inside JSON. */
function eachLine(stream: Readable, onLine: (line: string) => void): void {
  let begun: string[] = [];
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const [first = '', ...others] = chunk.split('\n');
    begun.push(first);
    for (const next of others) {
      onLine(begun.join(''));
      begun = [next];
    }
  });
  stream.resume();
}

function peek(line: string): Message {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null ? message : {};
  } catch {
    return {};
  }
}
