// A real small model behind an OpenAI-compatible endpoint on loopback: llama.cpp in this process, no network. A JSON schema becomes a grammar.

import { glob } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { text as readAll } from 'node:stream/consumers';

/** What is used of the package; it is no dependency, so its types are not here. */
interface LlamaPackage {
  readonly getLlama: (options: object) => Promise<{
    readonly loadModel: (options: object) => Promise<{
      readonly createContext: (options: object) => Promise<{ readonly getSequence: () => object; readonly dispose: () => Promise<void> }>;
      readonly dispose: () => Promise<void>;
    }>;
    readonly createGrammarForJsonSchema: (schema: object) => Promise<object>;
    readonly dispose: () => Promise<void>;
  }>;
  readonly LlamaChatSession: new (options: object) => {
    readonly setChatHistory: (history: readonly object[]) => void;
    readonly prompt: (text: string, options: object) => Promise<string>;
  };
}

interface Asked {
  readonly model: string;
  readonly messages: readonly {
    readonly role: 'system' | 'user' | 'assistant';
    readonly content: string | readonly { readonly text: string }[];
  }[];
  readonly response_format?: { readonly json_schema?: { readonly schema: object } };
}

/** Two minutes of a small machine at most. */
const MAX_TOKENS = 160;
const CONTEXT_TOKENS = 6_144;

export interface LlamaServer {
  readonly url: string;
  /** Every text that the model wrote. */
  readonly written: readonly string[];
  readonly close: () => Promise<void>;
}

export async function startLlama(folder: string): Promise<LlamaServer> {
  const address = pathToFileURL(join(folder, 'node_modules/node-llama-cpp/dist/index.js')).href;
  const { getLlama, LlamaChatSession } = (await import(address)) as LlamaPackage;
  const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel: 'error' });
  let file = '';
  for await (const found of glob('*/*.gguf', { cwd: folder })) file = found;
  const model = await llama.loadModel({ modelPath: join(folder, file) });
  const written: string[] = [];
  // One for all requests: each begins like the one before, and what is the same is not read again. Reading is most of the time.
  const context = await model.createContext({ contextSize: CONTEXT_TOKENS, threads: 2 });
  const contextSequence = context.getSequence();

  const write = async ({ messages, response_format }: Asked): Promise<string> => {
    const session = new LlamaChatSession({ contextSequence, autoDisposeSequence: false });
    const spoken = messages.map(({ role, content }) => ({
      role,
      text: typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'),
    }));
    const last = spoken.pop();
    session.setChatHistory(
      spoken.map(({ role, text }) => (role === 'assistant' ? { type: 'model', response: [text] } : { type: role, text })),
    );
    const schema = response_format?.json_schema?.schema;
    const grammar = schema && (await llama.createGrammarForJsonSchema(withOneOf(schema) as object));
    return session.prompt(last?.text ?? '', { maxTokens: MAX_TOKENS, temperature: 0, ...(grammar ? { grammar } : {}) });
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const asked = JSON.parse(await readAll(request)) as Asked;
    const text = await write(asked);
    written.push(text);
    const base = { id: 'c', object: 'chat.completion.chunk', created: 0, model: asked.model };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`);
    response.end(`data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    written,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await context.dispose();
      await model.dispose();
      await llama.dispose();
    },
  };
}

/** Its grammars know `oneOf` only; here both mean the same, because the members exclude each other. */
function withOneOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withOneOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key === 'anyOf' ? 'oneOf' : key, withOneOf(value)]));
}
