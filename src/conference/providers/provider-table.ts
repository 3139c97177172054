// The providers, as data: how each is spoken to, and where it usually is.

import type { ProviderName } from '../../protocol/index.ts';

interface ProviderEntry {
  /** Whose protocol it speaks. */
  readonly dialect: 'openai' | 'anthropic' | 'google';
  /** Null: a human has to say. */
  readonly address: string | null;
  readonly needsKey: boolean;
}

const PROVIDERS: Readonly<Record<ProviderName, ProviderEntry>> = {
  lmstudio: { dialect: 'openai', address: 'http://127.0.0.1:1234', needsKey: false },
  ollama: { dialect: 'openai', address: 'http://127.0.0.1:11434', needsKey: false },
  llamacpp: { dialect: 'openai', address: 'http://127.0.0.1:8080', needsKey: false },
  vllm: { dialect: 'openai', address: 'http://127.0.0.1:8000', needsKey: false },
  'openai-compatible': { dialect: 'openai', address: null, needsKey: false },
  openai: { dialect: 'openai', address: 'https://api.openai.com', needsKey: true },
  anthropic: { dialect: 'anthropic', address: 'https://api.anthropic.com', needsKey: true },
  google: { dialect: 'google', address: 'https://generativelanguage.googleapis.com', needsKey: true },
};

const VERSION_PATH = { openai: '/v1', anthropic: '/v1', google: '/v1beta' } as const;

export const dialectOf = (provider: ProviderName): ProviderEntry['dialect'] => PROVIDERS[provider].dialect;
export const needsKey = (provider: ProviderName): boolean => PROVIDERS[provider].needsKey;

/** `http://host:1234` means its `/v1`; an address with a path is taken as it is. Null: none is known. */
export function baseUrl(provider: ProviderName, given: string | null): string | null {
  const { dialect, address } = PROVIDERS[provider];
  const wanted = given ?? address;
  if (wanted === null) return null;
  const url = new URL(wanted);
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? VERSION_PATH[dialect] : path}`;
}
