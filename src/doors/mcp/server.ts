// The MCP door: the official SDK inside the daemon, one server per connection, tools generated from the registry. The stdio
// process that an agent starts is only a pipe to here.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { Fault, isOpenSurface, type Seal, type Surface } from '../../protocol/index.ts';
import type { DoorServices } from '../services.ts';
import { type Connection, folderNamed } from './connection.ts';
import { GROUNDING } from '../../agents/index.ts';
import { PageVisits } from './page-visits.ts';
import { folderIn, reporterIn } from '../sealed.ts';
import { offerResources } from './resources.ts';
import { offerTools } from './tools.ts';

const INSTRUCTIONS =
  'Countersign gates changes in this workspace. Reading is free. Before your first change for a prompt call begin_work once. A refusal names the call that leads on; approvals and intents are for humans to confirm.';

/** These never change while a server lives. */
const FIXED = { listChanged: false };

export async function serveMcpPipe(services: DoorServices, { headers }: IncomingMessage, socket: Duplex, seal: Seal | null): Promise<void> {
  const gone = new AbortController();
  const connection: Connection = {
    id: z
      .uuid()
      .catch(() => randomUUID())
      .parse(headers['x-countersign-connection']),
    // On the others the gate itself runs commands, outside the seal.
    surface: seal ? 'hooked' : surfaceNamed(String(headers['x-countersign-surface'] ?? 'hooked')),
    cwd: seal
      ? folderIn(seal, folderNamed(String(headers['x-countersign-cwd'] ?? '/')))
      : folderNamed(String(headers['x-countersign-cwd'] ?? '/')),
    seal,
    // Checked before the answer: until then the pipe holds its proof.
    reporter: seal
      ? reporterIn(seal, 'mcp')
      : await services.pipeReporter(Number(headers['x-countersign-pid']) || 0, String(headers['x-countersign-proof'] ?? '')),
    isLasting: true,
    gone: gone.signal,
  };
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: countersign-mcp\r\nConnection: Upgrade\r\n\r\n');
  socket.on('close', () => gone.abort());
  socket.on('error', () => gone.abort());
  // The pipe waits for this side to close, so that it loses no answer that is on its way.
  socket.on('end', () => socket.end());
  const visits = new PageVisits();
  serveStdio(() => makeServer(services, connection, visits), { transport: new StdioServerTransport(socket, socket) });
}

export function makeServer(services: DoorServices, connection: Connection, visits: PageVisits): McpServer {
  const server = new McpServer(
    { name: 'countersign', title: 'Countersign', version: services.version },
    {
      instructions: INSTRUCTIONS,
      capabilities: { resources: FIXED, prompts: FIXED },
      // Several tools of one pack cause one notification.
      debouncedNotificationMethods: ['notifications/tools/list_changed'],
      requestState: { verify: (state, context) => visits.verify(connection, state, context) },
    },
  );
  offerTools({ server, services, connection, visits });
  offerResources(server, services, connection);
  server.registerPrompt(
    'elefante-grounding',
    { title: 'Working behind the gate', description: 'How to work in this workspace: recall, tasks, refusals, the compliance stamp.' },
    () => ({ messages: [{ role: 'user', content: { type: 'text', text: GROUNDING } }] }),
  );
  return server;
}

function surfaceNamed(name: string): Surface {
  if (isOpenSurface(name)) return name;
  throw new Fault('BAD_REQUEST', `There is no surface ${JSON.stringify(name)}.`);
}
