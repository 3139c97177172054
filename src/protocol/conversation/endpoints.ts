// Endpoints: where a model answers. The key is not part of an endpoint: it stays with the daemon and is in no record and no answer.

import { z } from 'zod';
import { Instant, PathId } from '../ids.ts';

export const ProviderName = z.enum(['lmstudio', 'ollama', 'llamacpp', 'vllm', 'openai-compatible', 'openai', 'anthropic', 'google']);
export type ProviderName = z.infer<typeof ProviderName>;

/** `loopback`: this machine. `local`: the local network. */
export const NetworkKind = z.enum(['loopback', 'local', 'public']);
export type NetworkKind = z.infer<typeof NetworkKind>;

export const Endpoint = z.strictObject({
  id: PathId,
  provider: ProviderName,
  base_url: z.url(),
  /** With the port, where the address names one. A key is for this host alone. */
  host: z.string(),
  /** Where the host was when a human added it; later it may be nowhere else. */
  network: NetworkKind,
  model: z.string().min(1).max(200),
  /** Whether it holds its output to a JSON schema. */
  json_schema: z.enum(['yes', 'no', 'unknown']),
});
export type Endpoint = z.infer<typeof Endpoint>;

/** What a test of an endpoint found out. */
export const EndpointReport = z.strictObject({
  answers: z.boolean(),
  json_schema: Endpoint.shape.json_schema,
  /** The longest prompt, in words, at whose beginning it still found what it was asked for; 0: not even the shortest. */
  context_words: z.int(),
  /** It sent a tool call that the strict reader accepts. */
  tool_call: z.boolean(),
  /** It quoted a given text in an Evidence line that holds. */
  evidence: z.boolean(),
  /** In one sentence: what the model is good for. */
  good_for: z.string(),
  /** What went wrong, in words. */
  troubles: z.array(z.string()),
  tokens: z.strictObject({ input: z.int(), output: z.int() }),
});
export type EndpointReport = z.infer<typeof EndpointReport>;

export const EndpointRow = Endpoint.extend({
  has_key: z.boolean(),
  /** `waiting`: proposed, and not called before a human confirms it. */
  state: z.enum(['ready', 'waiting']),
  is_default: z.boolean(),
  tested_at: Instant.nullable(),
  report: EndpointReport.nullable(),
});
export type EndpointRow = z.infer<typeof EndpointRow>;
