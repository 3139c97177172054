// A model behind an endpoint, through the provider packages of the AI SDK. They speak each provider's protocol; what a reply means, and
// whether it is used, is decided by whoever asked.

import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type Endpoint, Fault } from '../../protocol/index.ts';
import { flooded, guardedFetch } from './guarded-fetch.ts';
import { type Model, MODEL_LIMITS, type ModelLimits, type ModelMessage, type ModelReply, type ModelRequest } from './model.ts';
import { dialectOf } from './provider-table.ts';
import { stripReasoning } from './strip-reasoning.ts';

export interface OpenedEndpoint extends Endpoint {
  /** Bound to the endpoint's host. */
  readonly key: string | null;
}

export async function openModel(endpoint: OpenedEndpoint, limits: ModelLimits = MODEL_LIMITS): Promise<Model> {
  const { fetch, close } = await guardedFetch(endpoint, limits);
  const model = await languageModel(endpoint, fetch);
  // Learned from the endpoint's own refusal, so that it is refused once.
  let takesSchema = endpoint.json_schema !== 'no';

  const call = async (request: ModelRequest): Promise<ModelReply> => {
    const sendsSchema = request.format !== undefined && takesSchema;
    try {
      return await stream(model, request, sendsSchema, limits);
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      if (sendsSchema && isSchemaRefused(error)) {
        takesSchema = false;
        return call(request);
      }
      throw asFault(error, endpoint);
    }
  };
  return { call, close };
}

async function languageModel({ provider, base_url, model, key }: OpenedEndpoint, fetch: typeof globalThis.fetch): Promise<LanguageModelV4> {
  const options = { baseURL: base_url, fetch, ...(key === null ? {} : { apiKey: key }) };
  switch (dialectOf(provider)) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ ...options, apiKey: key ?? '' })(model);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ ...options, apiKey: key ?? '' })(model);
    }
    case 'openai': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({ ...options, name: provider, includeUsage: true, supportsStructuredOutputs: true })(model);
    }
  }
}

async function stream(model: LanguageModelV4, request: ModelRequest, sendsSchema: boolean, limits: ModelLimits): Promise<ModelReply> {
  const over = AbortSignal.timeout(limits.wholeMs);
  const stop = new AbortController();
  const options: LanguageModelV4CallOptions = {
    prompt: request.messages.map(promptMessage),
    maxOutputTokens: request.maxOutputTokens,
    temperature: 0,
    abortSignal: AbortSignal.any([request.signal, over, stop.signal]),
    ...(sendsSchema && request.format
      ? { responseFormat: { type: 'json', name: request.format.name, schema: request.format.schema } }
      : {}),
  };
  const { stream: parts } = await model.doStream(options);
  let text = '';
  let tokens = { input: 0, output: 0 };
  let isCut = false;
  try {
    for await (const part of parts) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'text-delta') {
        text += part.delta;
        if (text.length > limits.characters) throw flooded(`more than ${limits.characters} characters`);
        request.onText?.(text.length);
      }
      if (part.type === 'finish') {
        tokens = { input: part.usage.inputTokens.total ?? 0, output: part.usage.outputTokens.total ?? 0 };
        isCut = part.finishReason.unified === 'length';
      }
    }
  } catch (error) {
    // Otherwise the connection stays open until the provider is done.
    stop.abort();
    if (over.aborted) throw new Fault('MODEL_UNAVAILABLE', `The model was not done after ${limits.wholeMs / 1000} s.`, { fix: AGAIN });
    throw error;
  }
  return { text: stripReasoning(text).toWellFormed(), tokens, isCut, isSchemaSent: sendsSchema };
}

const promptMessage = ({ role, text }: ModelMessage): LanguageModelV4CallOptions['prompt'][number] =>
  role === 'system' ? { role, content: text } : { role, content: [{ type: 'text', text }] };

const AGAIN = 'Ask again, or see what the endpoint says: countersign endpoints test';

interface ProviderError {
  readonly statusCode?: number;
  readonly responseBody?: string;
  readonly message?: string;
  readonly code?: string;
  readonly cause?: unknown;
}

const isSchemaRefused = (error: unknown): boolean => {
  const { statusCode, responseBody = '', message = '' } = (error ?? {}) as ProviderError;
  return (
    (statusCode === 400 || statusCode === 422 || statusCode === 501) &&
    /response_format|json_schema|grammar|schema/i.test(`${responseBody} ${message}`)
  );
};

/** What a provider says may quote the prompt, or hold anything else: only its beginning is passed on. */
const SAID_CHARACTERS = 300;

function asFault(error: unknown, { id, host }: Endpoint): Fault {
  const chain = causesOf(error);
  const known = chain.find((each) => each instanceof Fault);
  if (known) return known;
  const { statusCode = 0, message = '' } = (error ?? {}) as ProviderError;
  if (statusCode === 401 || statusCode === 403)
    return new Fault('MODEL_UNAVAILABLE', `${host} does not accept the key of the endpoint ${id} (HTTP ${statusCode}).`, {
      fix: `Set another one: countersign endpoints add ${id} … --key-env VARIABLE`,
      cause: error,
    });
  if (statusCode === 404)
    return new Fault('MODEL_UNAVAILABLE', `${host} has no such model or address (HTTP 404): ${message.slice(0, SAID_CHARACTERS)}`, {
      fix: 'Check the address and the name of the model: countersign endpoints list',
      cause: error,
    });
  if (statusCode >= 400)
    return new Fault('MODEL_UNAVAILABLE', `${host} answered HTTP ${statusCode}: ${message.slice(0, SAID_CHARACTERS)}`, {
      fix: AGAIN,
      cause: error,
    });
  const code = chain.map((each) => (each as ProviderError).code).find((each) => each !== undefined);
  const words = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT' ? 'stalled' : 'gave no usable answer';
  return new Fault('MODEL_UNAVAILABLE', `${host} ${words} (${(code ?? message).slice(0, SAID_CHARACTERS)}).`, {
    fix: 'Is the server running, and the model loaded? countersign endpoints test says more',
    cause: error,
  });
}

/** The error and what caused it, outermost first. */
function causesOf(error: unknown): readonly object[] {
  const found: object[] = [];
  for (let at = error; typeof at === 'object' && at !== null && found.length < 6; at = (at as ProviderError).cause) found.push(at);
  return found;
}
