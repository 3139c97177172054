// A model server of the tests' own, over real HTTP on loopback. It speaks chat completions, Anthropic's Messages and Google's generateContent, by
// the address that is called. Each step of its script is what the next call gets; a step may look at the request, misbehave, or answer with any bytes.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { API_DIALECTS, ApiRefusal, type AskedModel } from './model-apis.ts';

export interface ChatCall extends AskedModel {
  /** The last TOOL_NONCE that the prompt names; '' where there is none. */
  readonly nonce: string;
  /** All texts of the prompt. */
  readonly prompt: string;
}

export type ChatStep =
  | string
  | ((call: ChatCall) => string)
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** Sends headers, and nothing more. */
  | { readonly stalls: true }
  /** Sends text for ever. */
  | { readonly floods: true };

export interface ChatModel {
  /** As a person names it: without a path. */
  readonly url: string;
  readonly host: string;
  readonly calls: readonly ChatCall[];
  /** Further steps. */
  readonly play: (...steps: readonly ChatStep[]) => void;
  /** Steps that were not played. */
  readonly left: () => number;
  readonly close: () => Promise<void>;
}

export async function startChatModel(...steps: readonly ChatStep[]): Promise<ChatModel> {
  const script = [...steps];
  const calls: ChatCall[] = [];
  const server = createServer((request, response) => {
    answer(request, response, script, calls).catch((error: unknown) => {
      const [status, message] = error instanceof ApiRefusal ? [error.status, error.message] : [500, String(error)];
      send(response, status, { type: 'error', error: { type: 'invalid_request_error', message } });
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    calls,
    play: (...more) => void script.push(...more),
    left: () => script.length,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, script: ChatStep[], calls: ChatCall[]): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = (request.url ?? '').split('?')[0] ?? '';
  const api = request.method === 'POST' ? API_DIALECTS.find((each) => each.path.test(path)) : undefined;
  if (!api) return send(response, 404, { error: { message: 'no such address' } });
  const asked = api.read(JSON.parse(Buffer.concat(chunks).toString('utf8')), request.headers, path);
  const { messages } = asked;
  const prompt = messages.map(({ content }) => content).join('\n');
  const nonce = [...prompt.matchAll(/^TOOL_NONCE: (\S+)$/gm)].at(-1)?.[1] ?? '';
  const call: ChatCall = { ...asked, nonce, prompt };
  calls.push(call);
  const step = script.shift();
  if (step === undefined) return send(response, 500, { error: { message: 'the script is over' } });
  if (typeof step === 'object' && 'status' in step)
    return send(response, step.status, step.body ?? { error: { message: 'scripted' } }, step.headers);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const writer = api.write(response, asked);
  if (typeof step === 'object' && 'stalls' in step) return response.flushHeaders();
  if (typeof step === 'object') {
    const more = () => {
      while (!response.destroyed && writer.say('flood '.repeat(1_000)));
      if (!response.destroyed) response.once('drain', more);
    };
    return more();
  }
  const text = typeof step === 'function' ? step(call) : step;
  // In pieces, as real servers do.
  for (let at = 0; at < text.length; at += 7) writer.say(text.slice(at, at + 7));
  writer.end();
}

function send(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A strict tool call with the nonce of this step. */
export const callTool =
  (tool: string, args: Readonly<Record<string, unknown>>) =>
  ({ nonce }: Pick<ChatCall, 'nonce'>): string =>
    JSON.stringify({ tool, args, nonce });

export const decideTool =
  (tool: string, args: Readonly<Record<string, unknown>>) =>
  ({ nonce }: Pick<ChatCall, 'nonce'>): string =>
    JSON.stringify({ action: 'tool', tool, args, nonce });

export const decideFinal = ({ nonce }: Pick<ChatCall, 'nonce'>): string => JSON.stringify({ action: 'final', nonce });

/** The newest receipt that the prompt shows. */
export const receiptIn = ({ prompt }: Pick<ChatCall, 'prompt'>): string =>
  [...prompt.matchAll(/^receipt_id: (rcp_\w+)$/gm)].at(-1)?.[1] ?? '';
