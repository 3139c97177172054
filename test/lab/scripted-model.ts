// A model that says what a test wrote down, over the Anthropic Messages API on loopback. The turn it plays is the number of
// assistant turns already in the request, so a client that retries a request gets the same answer and no step is lost.

import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ToolCall {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
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

/** The fields of a Messages request that tests look at. */
export interface ModelRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly system?: string | readonly ContentBlock[];
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly OfferedTool[];
}

export interface ScriptedModel {
  readonly url: string;
  /** Every Messages request, side requests without tools included, in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** What the agent's tools answered, sub-agents included, in the order the model first saw them. */
  toolResults(): string[];
  /** Every text the model was shown, system prompt included: for asking whether something reached it at all. */
  seen(): string;
  close(): Promise<void>;
}

export interface ScriptedModelOptions {
  readonly steps: readonly ScriptedStep[];
  /** Played when the steps are used up. */
  readonly after?: ScriptedStep;
}

const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

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
  if (request.method === 'POST' && path === '/v1/messages') {
    const asked = JSON.parse(body) as ModelRequest;
    requests.push(asked);
    sendTurn(response, asked, chooseTurn(asked, options), requests.length);
  } else if (request.method === 'POST' && path === '/v1/messages/count_tokens') {
    sendJson(response, 200, { input_tokens: usage.input_tokens });
  } else if (request.method === 'GET' && path === '/v1/models') {
    const model = { type: 'model', id: 'scripted', display_name: 'Scripted', created_at: '2026-01-01T00:00:00Z' };
    sendJson(response, 200, { data: [model], has_more: false, first_id: model.id, last_id: model.id });
  } else {
    const message = `scripted model: no ${request.method ?? ''} ${path}`;
    sendJson(response, 404, { type: 'error', error: { type: 'not_found_error', message } });
  }
}

function chooseTurn(request: ModelRequest, options: ScriptedModelOptions): ScriptedTurn {
  // Titles, summaries and quota probes carry no tools; playing a step for them would shift the script.
  if (request.tools === undefined || request.tools.length === 0) return { text: 'ok' };
  const step = options.steps[assistantTurns(request.messages)] ?? options.after ?? { text: 'done' };
  return typeof step === 'function' ? step(request) : step;
}

/** Consecutive assistant messages are one turn: clients split a turn into a message per block. */
function assistantTurns(messages: readonly ModelMessage[]): number {
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
    input: call.args ?? {},
  }));
  return [...text, ...uses];
}

function sendTurn(response: ServerResponse, request: ModelRequest, turn: ScriptedTurn, serial: number): void {
  const content = blocksOf(turn, serial);
  const stop_reason = content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
  const message = {
    id: `msg_${String(serial).padStart(4, '0')}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    stop_sequence: null,
  };
  if (request.stream !== true) {
    sendJson(response, 200, { ...message, content, stop_reason, usage });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const emit = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  emit('message_start', { message: { ...message, content: [], stop_reason: null, usage } });
  content.forEach((block, index) => {
    emit('content_block_start', { index, content_block: opened(block) });
    emit('content_block_delta', { index, delta: deltaOf(block) });
    emit('content_block_stop', { index });
  });
  emit('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage.output_tokens } });
  emit('message_stop', {});
  response.end();
}

function opened(block: ContentBlock): ContentBlock {
  return block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
}

function deltaOf(block: ContentBlock): object {
  return block.type === 'text'
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
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

function textOf(content: string | readonly ContentBlock[]): string {
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
