// What an agent may read about its own state. Everything belongs to the caller's workspace, and receipts to its session alone.

import { type McpServer, ProtocolError, type ServerContext } from '@modelcontextprotocol/server';
import { CODES, Fault, FIRST_DOORS } from '../../protocol/index.ts';
import type { DoorServices } from '../services.ts';
import { refusalOfTrouble } from '../trouble.ts';
import { type Connection, type Principal, principalOf } from './connection.ts';
import { outputOf, refusalIn } from './results.ts';

interface Resource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly read: (services: DoorServices, caller: Principal, signal: AbortSignal) => Promise<unknown>;
}

const MAX_RECEIPTS = 200;

const resources: readonly Resource[] = [
  {
    name: 'state',
    title: 'Your status',
    description: 'Mode, cited intent, active intents and open questions: what countersign_status tells.',
    read: async ({ kernel }, caller, signal) => {
      const recorded = await kernel.spine.pass({
        ...caller,
        door: FIRST_DOORS.mcp,
        tool: 'countersign_status',
        input: {},
        waitTimeoutMs: 0,
        signal,
      });
      return refusalIn(recorded) ?? outputOf(recorded);
    },
  },
  {
    name: 'intents',
    title: 'Active intents',
    description: 'The intents of this workspace that may be worked on, with their paths, constraints and acceptance criteria.',
    read: async ({ ask }, { workspace, root }) => {
      const { workspaces } = await ask('status', { cwd: root });
      const troubles = workspaces.flatMap((each) => (each.id === workspace ? each.troubles : []));
      const intents = (await ask('intents', { workspace, limit: 1000 })).filter(({ status }) => status === 'active');
      return { intents, ...(troubles.length > 0 ? { troubles } : {}) };
    },
  },
  {
    name: 'tasks',
    title: 'Tasks',
    description: 'tinyTasks.md of this work tree, as the gate reads it.',
    read: ({ ask }, { root }) => ask('tasks', { cwd: root }),
  },
  {
    name: 'receipts',
    title: 'Your receipts',
    description: `The newest ${MAX_RECEIPTS} receipts of your own session.`,
    read: async ({ ask }, { session }) => ({ receipts: await ask('receipts', { session, limit: MAX_RECEIPTS }) }),
  },
];

export function offerResources(server: McpServer, services: DoorServices, connection: Connection): void {
  for (const { name, title, description, read } of resources) {
    const uri = `countersign://${name}`;
    const mimeType = 'application/json';
    server.registerResource(name, uri, { title, description, mimeType }, async (_uri, context: ServerContext) => {
      try {
        const caller = await principalOf(services, connection, server, context, null);
        const content = await read(services, caller, AbortSignal.any([connection.gone, context.mcpReq.signal]));
        return { contents: [{ uri, mimeType, text: JSON.stringify(content, null, 2) }] };
      } catch (error) {
        if (!(error instanceof Fault)) await services.kernel.recordDefect(`mcp ${uri}`, error).catch(() => {});
        const { error_code, message, required_action } = refusalOfTrouble(error);
        throw new ProtocolError(CODES[error_code as keyof typeof CODES].rpc, message, { error_code, required_action });
      }
    });
  }
}
