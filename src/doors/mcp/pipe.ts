// `countersign mcp`: what an agent starts as its MCP server. A bare pipe to the daemon that outlives it: when the daemon goes
// away, the pipe finds or starts the next one, says hello again in the agent's words, and answers what was left open with an
// error that may be retried, so that no call of the agent hangs.

import { connect, type Socket } from 'node:net';
import readline from 'node:readline';

export interface PipeOptions {
  readonly socketPath: string;
  readonly surface: string;
  /** Starts a daemon when there is none; rejects when none can be had. */
  readonly ensureDaemon: () => Promise<void>;
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
}

const OPENING = new Set(['initialize', 'notifications/initialized']);

export async function runMcpPipe({ socketPath, surface, ensureDaemon }: PipeOptions): Promise<void> {
  const opening: string[] = [];
  const open = new Map<string | number, string>();
  /** Ids of hellos that were said again: the agent has had that answer. */
  const swallow = new Set<string | number>();
  let daemon = await dial();

  const input = readline.createInterface({ input: process.stdin });
  const lines = (async () => {
    for await (const line of input) {
      const { id, method } = peek(line);
      if (method !== undefined && OPENING.has(method)) opening.push(line);
      if (method !== undefined && id !== undefined) open.set(id, method);
      daemon.write(`${line}\n`);
    }
  })();

  listen(daemon);
  await lines;
  daemon.end();

  function listen(socket: Socket): void {
    readline.createInterface({ input: socket }).on('line', (line) => {
      const { id, method } = peek(line);
      if (method === undefined && id !== undefined) {
        open.delete(id);
        if (swallow.delete(id)) return;
      }
      process.stdout.write(`${line}\n`);
    });
    socket.on('close', () => {
      redial().catch(() => process.exit(3));
    });
  }

  async function redial(): Promise<void> {
    if (process.stdin.readableEnded || process.stdin.destroyed) return;
    for (const [id, method] of open) {
      if (OPENING.has(method)) continue;
      process.stdout.write(
        `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32011, message: `The daemon ended during ${method}; call again.` } })}\n`,
      );
      open.delete(id);
    }
    daemon = await dial();
    for (const line of opening) {
      const { id } = peek(line);
      if (id !== undefined && !open.has(id)) swallow.add(id);
      daemon.write(`${line}\n`);
    }
    listen(daemon);
  }

  async function dial(): Promise<Socket> {
    try {
      return await hello();
    } catch {
      await ensureDaemon();
      return hello();
    }
  }

  /** Resolves once the daemon has switched this connection over to MCP. */
  function hello(): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const socket = connect(socketPath);
    const cwd = encodeURIComponent(process.cwd());
    socket.write(
      `GET /mcp-pipe HTTP/1.1\r\nHost: countersign\r\nConnection: Upgrade\r\nUpgrade: countersign-mcp\r\nX-Countersign-Surface: ${surface}\r\nX-Countersign-Cwd: ${cwd}\r\nX-Countersign-Parent: ${process.ppid}\r\n\r\n`,
    );
    socket.once('error', reject);
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

function peek(line: string): Message {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null ? message : {};
  } catch {
    return {};
  }
}
