// The page's way to the daemon: fetch, from the page itself and from the worker that its tabs share.

import type { Answer, Transport } from '../../../src/client/index.ts';
import { Fault } from '../../../src/protocol/plain.ts';

const DEADLINE_MS = 10_000;
/** Kept by origin, port included: unlike the cookie, no other page on this machine can send it. */
const PAGE_TOKEN = 'countersign-page-token';

export const keepPageToken = (token: string): void => localStorage.setItem(PAGE_TOKEN, token);

export const webTransport: Transport = {
  get: (path, signal) => call(path, {}, signal),
  // A page has no key to sign with: its human is proven by the login.
  post: (path, content, withinMs) => {
    const headers = { 'content-type': 'application/json', 'x-countersign-page': localStorage.getItem(PAGE_TOKEN) ?? '' };
    return call(path, { method: 'POST', headers, body: JSON.stringify(content(null)) }, undefined, withinMs);
  },
  stream: async (path, onText, signal) => {
    const ended: Answer = { status: 200, body: null };
    const response = await send(path, { signal }).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (response === null) return ended;
    if (!response.ok || response.body === null) return answerOf(response);
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      // A broken connection has ended.
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || value === undefined) return ended;
      onText(decoder.decode(value, { stream: true }));
    }
  },
};

async function call(path: string, init: RequestInit, signal?: AbortSignal, withinMs = DEADLINE_MS): Promise<Answer> {
  const deadline = AbortSignal.timeout(withinMs);
  try {
    return await answerOf(await send(path, { ...init, signal: signal ? AbortSignal.any([signal, deadline]) : deadline }));
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw unavailable(cause);
  }
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init });
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** An answer that is not JSON did not come from the daemon. */
async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  try {
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  } catch {
    return { status: response.ok ? 502 : response.status, body: null };
  }
}

const unavailable = (cause: unknown): Fault =>
  cause instanceof Fault ? cause : new Fault('DAEMON_UNAVAILABLE', 'The daemon did not answer.', { cause });
