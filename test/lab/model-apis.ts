// The APIs that model servers speak, as the tests' own server does: how a request is read, and how text is streamed back.

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

export interface AskedModel {
  readonly api: 'chat' | 'messages' | 'generateContent';
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly name: string; readonly schema: object } };
  /** The key, in the header that the API has for it. */
  readonly authorization: string | undefined;
}

export interface ApiWriter {
  /** False: the connection is full. */
  readonly say: (text: string) => boolean;
  readonly end: () => void;
}

export interface ApiDialect {
  readonly path: RegExp;
  readonly read: (body: unknown, headers: IncomingHttpHeaders, path: string) => AskedModel;
  readonly write: (response: ServerResponse, asked: AskedModel) => ApiWriter;
}

const TOKENS = { input: 100, output: 10 };
type Content = string | readonly { readonly text?: string }[];
const textOf = (content: Content): string => (typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n'));
const header = (value: string | readonly string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
const event = (response: ServerResponse, data: object, name?: string): boolean =>
  response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);

/** OpenAI's chat completions, which LM Studio, Ollama, llama.cpp and vLLM speak too. */
const chat: ApiDialect = {
  path: /\/v1\/chat\/completions$/,
  read: (body, headers) => {
    const { messages, ...rest } = body as Omit<AskedModel, 'messages' | 'api'> & {
      messages: readonly { role: string; content: Content }[];
    };
    return {
      ...rest,
      api: 'chat',
      messages: messages.map(({ role, content }) => ({ role, content: textOf(content) })),
      authorization: headers.authorization,
    };
  },
  write: (response, { model }) => {
    const chunk = (choices: readonly object[], more: object = {}) =>
      event(response, { id: 'c', object: 'chat.completion.chunk', created: 0, model, choices, ...more });
    return {
      say: (content) => chunk([{ index: 0, delta: { content }, finish_reason: null }]),
      end: () => {
        chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]);
        const usage = { prompt_tokens: TOKENS.input, completion_tokens: TOKENS.output, total_tokens: TOKENS.input + TOKENS.output };
        chunk([], { usage });
        response.end('data: [DONE]\n\n');
      },
    };
  },
};

interface MessagesBody {
  readonly model: string;
  readonly system?: Content;
  readonly messages: readonly { readonly role: string; readonly content: Content }[];
  readonly tools?: readonly { readonly name: string; readonly input_schema: { readonly type?: string } }[];
  readonly output_config?: { readonly format?: { readonly type: string; readonly schema: object } };
}

/** Anthropic's. It refuses a tool whose schema is not one object, as the real API does. */
const messages: ApiDialect = {
  path: /^\/v1\/messages$/,
  read: (body, headers) => {
    const { model, system, messages: said, tools = [], output_config } = body as MessagesBody;
    const wrong = tools.find(({ input_schema }) => input_schema.type !== 'object');
    if (wrong) throw new ApiRefusal(400, `tools.0.custom.input_schema.type: Field required`);
    const format = output_config?.format;
    return {
      ...{ api: 'messages', model },
      messages: [
        ...(system === undefined ? [] : [{ role: 'system', content: textOf(system) }]),
        ...said.map(({ role, content }) => ({ role, content: textOf(content) })),
      ],
      ...(format ? { response_format: { type: format.type, json_schema: { name: 'output', schema: format.schema } } } : {}),
      authorization: header(headers['x-api-key']),
    };
  },
  write: (response, { model }) => {
    const emit = (type: string, fields: object) => event(response, { type, ...fields }, type);
    const usage = { input_tokens: TOKENS.input, output_tokens: 1 };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage };
    let isBegun = false;
    const begin = () => {
      if (isBegun) return;
      isBegun = true;
      emit('message_start', { message });
      emit('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
    };
    return {
      say: (text) => {
        begin();
        return emit('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
      },
      end: () => {
        begin();
        emit('content_block_stop', { index: 0 });
        emit('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: TOKENS.output } });
        emit('message_stop', {});
        response.end();
      },
    };
  },
};

interface GenerateBody {
  readonly contents: readonly { readonly role?: string; readonly parts: readonly { readonly text?: string }[] }[];
  readonly systemInstruction?: { readonly parts: readonly { readonly text?: string }[] };
  readonly generationConfig?: { readonly responseMimeType?: string; readonly responseJsonSchema?: object };
}

/** Google's. */
const generateContent: ApiDialect = {
  path: /^\/v1beta\/models\/[^/:]+:streamGenerateContent$/,
  read: (body, headers, path) => {
    const { contents, systemInstruction, generationConfig = {} } = body as GenerateBody;
    const schema = generationConfig.responseJsonSchema;
    return {
      api: 'generateContent',
      model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
      messages: [
        ...(systemInstruction ? [{ role: 'system', content: textOf(systemInstruction.parts) }] : []),
        ...contents.map(({ role, parts }) => ({ role: role === 'model' ? 'assistant' : 'user', content: textOf(parts) })),
      ],
      ...(schema ? { response_format: { type: 'json_schema', json_schema: { name: 'response', schema } } } : {}),
      authorization: header(headers['x-goog-api-key']),
    };
  },
  write: (response, { model }) => {
    const chunk = (text: string, more: object = {}, finishReason?: string) =>
      event(response, {
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...(finishReason ? { finishReason } : {}) }],
        ...{ modelVersion: model, responseId: 'r_1', ...more },
      });
    return {
      say: (text) => chunk(text),
      end: () => {
        const usageMetadata = {
          promptTokenCount: TOKENS.input,
          candidatesTokenCount: TOKENS.output,
          totalTokenCount: TOKENS.input + TOKENS.output,
        };
        chunk('', { usageMetadata }, 'STOP');
        response.end();
      },
    };
  },
};

export const API_DIALECTS: readonly ApiDialect[] = [chat, messages, generateContent];

/** What an API answers to a request that it does not take. */
export class ApiRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
