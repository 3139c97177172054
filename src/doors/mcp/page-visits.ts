// Sends a human to the page where a question waits, through a client that can open addresses. The client reports only that it did:
// the answer is given on the page, and the call is judged again. What travels through the client is signed, bound to the connection,
// the session and the very call, and counts once.

import { createHash, randomBytes } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Connection } from './connection.ts';

const VISIT_SECONDS = 600;
const PAGE = 'page';

/** A call that continues after its client was sent to the page. */
export interface Visit {
  readonly session: string;
  /** Over the tool and its input. */
  readonly call: string;
  readonly once: string;
}

export const callHash = (tool: string, input: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([tool, input]))
    .digest('hex');

export class PageVisits {
  private readonly key = randomBytes(32);
  /** Visits that have not returned, with the time when they lapse. */
  private readonly open = new Map<string, number>();

  /** What the SDK calls with the state that a client brings back; a throw refuses the request. */
  async verify(connection: Connection, state: string, context: ServerContext): Promise<Visit> {
    const visit = await this.codec(connection).verify(state, context);
    if (!this.open.delete(visit.once)) throw new Error('used before');
    return visit;
  }

  async send(
    connection: Connection,
    context: ServerContext,
    visit: Omit<Visit, 'once'>,
    page: { readonly url: string; readonly message: string },
  ): Promise<InputRequiredResult> {
    const requestState = await this.begin(connection, context, visit);
    return inputRequired({ inputRequests: { [PAGE]: inputRequired.elicitUrl(page) }, requestState });
  }

  /** The state that the client brings back. */
  async begin(connection: Connection, context: ServerContext, visit: Omit<Visit, 'once'>): Promise<string> {
    const now = performance.now();
    for (const [once, lapses] of this.open) if (lapses < now) this.open.delete(once);
    const once = randomBytes(16).toString('hex');
    this.open.set(once, now + VISIT_SECONDS * 1000);
    return this.codec(connection).mint({ ...visit, once }, context);
  }

  private codec({ id }: Connection): RequestStateCodec<Visit> {
    return createRequestStateCodec<Visit>({ key: this.key, ttlSeconds: VISIT_SECONDS, bind: () => id });
  }
}

/** Whether the client opened the page, as it says itself. */
export function wasOpened({ mcpReq }: ServerContext): boolean {
  const answer = inputResponse(mcpReq.inputResponses, PAGE);
  return answer.kind === 'elicit' && answer.action === 'accept';
}

/** Only a client that opens addresses is asked: a form would let the agent's own program answer for a human. */
export function opensPages({ mcpReq }: ServerContext, { server }: McpServer): boolean {
  const now = (mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return (now ?? server.getClientCapabilities())?.elicitation?.url !== undefined;
}
