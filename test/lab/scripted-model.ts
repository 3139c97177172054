// A model that returns what a test scripted, on loopback, in the client's API (`dialects/`). The turn it plays is the number of assistant
// turns already in the request, so a client that retries a request gets the same answer and no step is lost.

import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chat } from './dialects/chat.ts';
import { gemini } from './dialects/gemini.ts';
import { messages } from './dialects/messages.ts';
import { responses } from './dialects/responses.ts';

export interface ToolCall {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Text in place of arguments, for tools that take just that. */
  readonly input?: string;
  /** What the tool belongs to, for clients that send it apart from the name. */
  readonly namespace?: string;
}

export type ScriptedTurn = { readonly text: string } | ToolCall | { readonly text?: string; readonly calls: readonly ToolCall[] };

/** A function decides by what the agent has shown the model so far. */
export type ScriptedStep = ScriptedTurn | ((request: ModelRequest) => ScriptedTurn);

export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly namespace?: string;
  readonly content?: string | readonly ContentBlock[];
}

export interface ModelMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly ContentBlock[];
}

export interface OfferedTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema?: unknown;
}

/** A request as tests look at it, whatever the dialect. */
export interface ModelRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly system?: string | readonly ContentBlock[];
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly OfferedTool[];
}

export interface ScriptedModel {
  readonly url: string;
  /** Every request, side requests without tools included, in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** What the agent's tools answered, sub-agents included, in the order the model first saw them. */
  toolResults(): string[];
  /** Every text the model was shown, system prompt included: to check whether something reached it at all. */
  seen(): string;
  close(): Promise<void>;
}

export interface ScriptedModelOptions {
  readonly steps: readonly ScriptedStep[];
  /** Played when the steps are used up. */
  readonly after?: ScriptedStep;
  /** A conversation whose first words hold the key plays these steps instead: a sub-agent's. */
  readonly others?: Readonly<Record<string, readonly ScriptedStep[]>>;
}

/** How a client asks and wants to be answered. */
export interface ModelDialect {
  readonly path: RegExp;
  readonly read: (body: unknown, path: string) => ModelRequest;
  readonly write: (response: ServerResponse, request: ModelRequest, content: readonly ContentBlock[], serial: number) => void;
}

const DIALECTS: readonly ModelDialect[] = [messages, chat, responses, gemini];

export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, options, requests).catch((fault: unknown) => {
      sendJson(response, 400, { type: 'error', error: { type: 'invalid_request_error', message: `scripted model: ${String(fault)}` } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    toolResults: () => toolResultsOf(requests),
    seen: () =>
      requests
        .flatMap((request) => [request.system ?? '', ...request.messages.map((m) => m.content)])
        .map(textOf)
        .join('\n'),
    close: () => closeServer(server),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ScriptedModelOptions,
  requests: ModelRequest[],
): Promise<void> {
  const body = await readBody(request);
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const dialect = request.method === 'POST' ? DIALECTS.find((each) => each.path.test(path)) : undefined;
  if (dialect) {
    const asked = dialect.read(JSON.parse(body), path);
    requests.push(asked);
    dialect.write(response, asked, blocksOf(chooseTurn(asked, options), requests.length), requests.length);
  } else if (/count_?tokens$/i.test(path)) {
    sendJson(response, 200, { input_tokens: 10, totalTokens: 10 });
  } else if (request.method === 'GET' && path.endsWith('/models')) {
    const model = { type: 'model', object: 'model', id: 'scripted', display_name: 'Scripted', created_at: '2026-01-01T00:00:00Z' };
    sendJson(response, 200, { object: 'list', data: [model], models: [], has_more: false, first_id: model.id, last_id: model.id });
  } else {
    const message = `scripted model: no ${request.method ?? ''} ${path}`;
    sendJson(response, 404, { type: 'error', error: { type: 'not_found_error', message } });
  }
}

function chooseTurn(request: ModelRequest, options: ScriptedModelOptions): ScriptedTurn {
  // Titles, summaries and quota probes carry no tools; playing a step for them would shift the script.
  if (request.tools === undefined || request.tools.length === 0) return { text: 'ok' };
  const first = request.messages.findIndex(({ role }) => role === 'assistant');
  const opening = request.messages.slice(0, first < 0 ? undefined : first).map(({ content }) => textOf(content));
  const other = Object.entries(options.others ?? {}).find(([key]) => opening.join('\n').includes(key))?.[1];
  const step = (other ?? options.steps)[assistantTurns(request.messages)] ?? (other ? undefined : options.after) ?? { text: 'done' };
  return typeof step === 'function' ? step(request) : step;
}

/** Consecutive assistant messages are one turn: clients split a turn into a message per block. */
export function assistantTurns(messages: readonly ModelMessage[]): number {
  // A system message between two assistant messages does not end a turn.
  const spoken = messages.filter((message) => message.role !== 'system');
  return spoken.filter((message, i) => message.role === 'assistant' && spoken[i - 1]?.role !== 'assistant').length;
}

function blocksOf(turn: ScriptedTurn, serial: number): ContentBlock[] {
  const text = 'text' in turn && turn.text !== undefined ? [{ type: 'text', text: turn.text }] : [];
  const calls = 'calls' in turn ? turn.calls : 'tool' in turn ? [turn] : [];
  const uses = calls.map((call, i) => ({
    type: 'tool_use',
    id: `toolu_${String(serial).padStart(4, '0')}_${i}`,
    name: call.tool,
    input: call.input ?? call.args ?? {},
    ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
  }));
  return [...text, ...uses];
}

function toolResultsOf(requests: readonly ModelRequest[]): string[] {
  const results = new Map<string, string>();
  const messages = requests.flatMap((request) => request.messages);
  for (const block of messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))) {
    // Every request repeats the conversation so far; a call's first answer is its answer.
    if (block.type !== 'tool_result' || block.tool_use_id === undefined) continue;
    if (!results.has(block.tool_use_id)) results.set(block.tool_use_id, withoutReminders(textOf(block.content ?? '')));
  }
  return [...results.values()];
}

/** Clients append remarks of their own to a tool's answer; they are no part of it. */
function withoutReminders(text: string): string {
  return text.replace(/(\s*<system-reminder>[\s\S]*?<\/system-reminder>)+\s*$/, '');
}

export function textOf(content: string | readonly ContentBlock[]): string {
  if (typeof content === 'string') return content;
  return content.map((block) => block.text ?? (block.content === undefined ? '' : textOf(block.content))).join('\n');
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function closeServer(server: Server): Promise<void> {
  // A client that keeps its connection alive would otherwise hold close() open.
  server.closeAllConnections();
  await new Promise<void>((resolve, reject) => server.close((fault) => (fault ? reject(fault) : resolve())));
}
