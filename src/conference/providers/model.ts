// The one port to language models. Whatever a provider sends, a caller gets plain text, the tokens that it cost, or a fault.

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  /** Asks for JSON of this schema. A provider may ignore it: whoever reads the reply parses it strictly all the same. */
  readonly format?: { readonly name: string; readonly schema: object };
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
  /** How much text has come so far, while it comes. */
  readonly onText?: (characters: number) => void;
}

export interface ModelReply {
  /** Without reasoning. */
  readonly text: string;
  /** As the provider counts them; 0 where it does not. */
  readonly tokens: { readonly input: number; readonly output: number };
  /** It stopped at the limit of tokens, not by itself. */
  readonly isCut: boolean;
  /** The schema was sent, and the provider took it. */
  readonly isSchemaSent: boolean;
}

export interface Model {
  /** Rejects with a fault, or with the caller's own abort. */
  readonly call: (request: ModelRequest) => Promise<ModelReply>;
  readonly close: () => Promise<void>;
}

/** How long a provider may take, and how much it may send. */
export interface ModelLimits {
  readonly connectMs: number;
  /** Until the first byte: a local model may read a long prompt for minutes. */
  readonly firstByteMs: number;
  /** Between two pieces of an answer. */
  readonly silenceMs: number;
  readonly wholeMs: number;
  /** Of an answer as it is sent, framing included. */
  readonly bytes: number;
  /** Of the text in it. */
  readonly characters: number;
}

export const MODEL_LIMITS: ModelLimits = {
  connectMs: 10_000,
  firstByteMs: 300_000,
  silenceMs: 60_000,
  wholeMs: 900_000,
  bytes: 8 * 1024 * 1024,
  characters: 200_000,
};
