// Requests to the hosts that a human allowed. undici retries, follows redirects and caches; every request that leaves passes `guard`, also one
// that a redirect or a retry makes: the host has to be allowed, at an address of its kind, and a token is added for its own host only.

import type { Dispatcher } from 'undici';
import { ConnectorFailure, type Try } from './failure.ts';
import { checkLiteral, literalIn, type Pin, pinnedLookup } from './pinned-lookup.ts';
import { networkKind } from './network-kind.ts';
import { Pace } from './pace.ts';

export interface HttpRules {
  /** With the port, where an address names one. */
  readonly hosts: readonly string[];
  /** Those that are in the local network or on this machine. Every other name has to lead to a public address. */
  readonly localHosts: readonly string[];
  /** The header's value, for this host alone. */
  readonly token: { readonly host: string; readonly authorization: string } | null;
  readonly requestsPerMinute: number;
}

export interface HttpLimits {
  readonly connectMs: number;
  /** Until the answer begins, and between two pieces of it. */
  readonly silenceMs: number;
  /** All tries and waits together. */
  readonly wholeMs: number;
  readonly bytes: number;
  readonly redirects: number;
  readonly retries: number;
  /** The first wait; each later one is longer. */
  readonly waitMs: number;
  /** A server that asks for more is not asked again. */
  readonly longestWaitMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  ...{ connectMs: 5_000, silenceMs: 10_000, wholeMs: 45_000, bytes: 32 * 1024 * 1024 },
  ...{ redirects: 5, retries: 3, waitMs: 300, longestWaitMs: 10_000 },
};

export interface HttpAnswer {
  readonly status: number;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly contentType: string;
  readonly text: string;
  /** Empty: it was in the cache, and the server did not have to be asked. */
  readonly trace: readonly Try[];
}

export interface HttpClient {
  readonly get: (url: URL, accept: string, signal: AbortSignal) => Promise<HttpAnswer>;
  readonly close: () => Promise<void>;
}

const RETRIED_STATUSES = [429, 500, 502, 503, 504];
const RETRIED_ERRORS = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT'];
const CACHE_BYTES = 64 * 1024 * 1024;
const AGAIN = 'Try again later, or ask the human whether the server is reachable';

export async function openHttpClient(rules: HttpRules, limits: HttpLimits = HTTP_LIMITS): Promise<HttpClient> {
  // Loaded with the first request: the daemon's start does not wait for it.
  const { Agent, cacheStores, interceptors, request } = await import('undici');
  const pin = pinFor(rules);
  const pace = new Pace(rules.requestsPerMinute);
  const agent = new Agent({
    connect: { timeout: limits.connectMs, lookup: pinnedLookup(pin) },
    headersTimeout: limits.silenceMs,
    bodyTimeout: limits.silenceMs,
    connections: 4,
  });

  const guard =
    (trace: Try[], last: { url: string }): Dispatcher.DispatcherComposeInterceptor =>
    (dispatch) =>
    (options, handler) => {
      const url = new URL(options.path, options.origin);
      try {
        check(url, rules, pin);
      } catch (error) {
        handler.onResponseError?.(null as never, error as Error);
        return false;
      }
      const startedAt = performance.now();
      const shown = `${url.origin}${url.pathname}`;
      last.url = url.href;
      let number = -1;
      const note = (answer: number | string): void => {
        number = number < 0 ? trace.length : number;
        trace[number] = { url: shown, answer, ms: Math.round(performance.now() - startedAt) };
      };
      return dispatch({ ...options, headers: withToken(options.headers, url, rules) }, traced(handler, note));
    };

  const store = new cacheStores.MemoryCacheStore({ maxSize: CACHE_BYTES, maxEntrySize: limits.bytes });
  return {
    close: () => agent.close(),
    get: async (url, accept, signal) => {
      const trace: Try[] = [];
      const last = { url: url.href };
      const over = AbortSignal.timeout(limits.wholeMs);
      const both = AbortSignal.any([signal, over]);
      try {
        check(url, rules, pin);
        await pace.take(both);
        const dispatcher = agent.compose(
          guard(trace, last),
          interceptors.retry({
            ...{ maxRetries: limits.retries, statusCodes: RETRIED_STATUSES, errorCodes: RETRIED_ERRORS, methods: ['GET'] },
            retry: retryWithJitter(limits),
          }),
          interceptors.cache({ store, methods: ['GET'], type: 'private' }),
          interceptors.redirect({ maxRedirections: limits.redirects, throwOnMaxRedirect: true }),
        );
        const answer = await request(url, {
          ...{ dispatcher, signal: both, method: 'GET' },
          headers: { accept, 'user-agent': 'countersign' },
        });
        const text = await bodyOf(answer, url, limits.bytes);
        refuseStatus(answer.statusCode, url, text);
        return { status: answer.statusCode, url: last.url, contentType: headerOf(answer.headers, 'content-type'), text, trace };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw normalised(error, url, trace, over.aborted ? limits.wholeMs : null);
      }
    },
  };
}

/** Says how each request was answered, and passes everything on. */
const traced = (handler: Dispatcher.DispatchHandler, note: (answer: number | string) => void): Dispatcher.DispatchHandler => ({
  onRequestStart: (...given) => handler.onRequestStart?.(...given),
  onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
  onResponseStart: (...given) => {
    note(given[1]);
    handler.onResponseStart?.(...given);
  },
  onResponseData: (...given) => handler.onResponseData?.(...given),
  onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
  onResponseError: (...given) => {
    const code = codeOf(given[1]) ?? 'error';
    // undici's own word for an answer that it asks for again.
    if (code !== 'UND_ERR_REQ_RETRY') note(code);
    handler.onResponseError?.(...given);
  },
});

function pinFor({ localHosts }: HttpRules): Pin {
  const local = new Set(localHosts.map((host) => new URL(`http://${host}`).hostname));
  return {
    // An address that is written as numbers says itself where it is: the human who allowed it has seen it.
    wantedFor: (hostname) => {
      const literal = literalIn(hostname);
      if (literal !== null) return networkKind(literal);
      if (hostname === 'localhost') return 'loopback';
      return local.has(hostname) ? 'local' : 'public';
    },
    refused: (hostname, address) =>
      new ConnectorFailure(
        'not_set_up',
        `${hostname} leads to ${address}, and it is not listed as a host of the local network.`,
        'If that is right, a human adds it to connectors.localHosts',
      ),
  };
}

const isPrivate = (url: URL, { wantedFor }: Pin): boolean => wantedFor(url.hostname) !== 'public';

function check(url: URL, rules: HttpRules, pin: Pin): void {
  const allowed = 'A human adds the host to connectors.specHosts, if it is trusted: countersign config set';
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new ConnectorFailure('not_set_up', `${url.protocol} is not fetched; only https, and http in the local network.`, allowed);
  if (url.username !== '' || url.password !== '')
    throw new ConnectorFailure('not_set_up', 'The address holds a credential, so it is not called.', 'Name the address without one');
  if (!rules.hosts.includes(url.host))
    throw new ConnectorFailure('not_set_up', `${url.host} is not on the list of allowed hosts.`, allowed);
  if (url.protocol === 'http:' && !isPrivate(url, pin))
    throw new ConnectorFailure(
      'not_set_up',
      `${url.host} is on the internet, so it is called only with https.`,
      'Name the address with https',
    );
  checkLiteral(url, pin);
}

type Headers = Dispatcher.DispatchOptions['headers'];

/** Whatever a caller or a redirect put there is replaced. */
function withToken(headers: Headers, url: URL, { token }: HttpRules): Record<string, string> {
  const given = Array.isArray(headers) ? pairsOf(headers) : Object.entries((headers ?? {}) as Record<string, string>);
  const kept = given.filter(([name]) => name.toLowerCase() !== 'authorization');
  return Object.fromEntries([...kept, ...(token?.host === url.host ? [['authorization', token.authorization] as const] : [])]);
}

const pairsOf = (flat: readonly string[]): [string, string][] =>
  flat.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, flat[at + 1] ?? '']] : []));

interface RetryError extends Error {
  readonly statusCode?: number;
  readonly code?: string;
  readonly headers?: Record<string, string | string[] | undefined>;
}

/** Half of the wait is random, so that many clients do not come back at once. What the server asks for is waited in full. */
function retryWithJitter({ retries, waitMs, longestWaitMs }: HttpLimits) {
  return (given: Error, { state }: { state: { counter: number } }, done: (error?: Error | null) => void): NodeJS.Timeout | null => {
    const error = given as RetryError;
    const isRetried =
      error.statusCode === undefined ? RETRIED_ERRORS.includes(error.code ?? '') : RETRIED_STATUSES.includes(error.statusCode);
    const wanted = retryAfterMs(error.headers);
    if (!isRetried || state.counter > retries || (wanted ?? 0) > longestWaitMs) {
      done(error);
      return null;
    }
    const usual = waitMs * 2 ** (state.counter - 1);
    // Returned, so that undici ends the wait when the caller goes away.
    return setTimeout(() => done(null), wanted ?? Math.min(longestWaitMs, usual / 2 + (Math.random() * usual) / 2));
  };
}

/** Seconds, or a date. */
function retryAfterMs(headers: RetryError['headers']): number | null {
  const said = headers?.['retry-after'];
  if (typeof said !== 'string') return null;
  const ms = /^\d+$/.test(said.trim()) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

const headerOf = (headers: Record<string, string | string[] | undefined>, name: string): string => [headers[name]].flat().join(', ');

async function bodyOf({ headers, body }: Dispatcher.ResponseData, url: URL, most: number): Promise<string> {
  const tooLarge = () =>
    new ConnectorFailure('too_large', `${url.host} sent more than ${most} bytes and was cut off.`, 'Name a smaller part of it');
  const cut = async (failure: ConnectorFailure): Promise<never> => {
    // Without a listener the end of the stream would be an unhandled error.
    body.once('error', () => undefined).destroy();
    throw failure;
  };
  if (Number(headerOf(headers, 'content-length')) > most) return cut(tooLarge());
  const packed = headerOf(headers, 'content-encoding');
  if (packed !== '' && packed !== 'identity') return cut(badAnswer(url, `packed as ${packed}, which was not asked for`));
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > most) return cut(tooLarge());
    pieces.push(piece);
  }
  return decoded(Buffer.concat(pieces), headerOf(headers, 'content-type'), url);
}

/** UTF-8 unless the answer names another character set, and never with characters that were lost. */
function decoded(bytes: Uint8Array, contentType: string, url: URL): string {
  const [, name = 'utf-8'] = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch {
    throw badAnswer(url, `not text in ${name.slice(0, 40)}, which it says it is`);
  }
}

export const badAnswer = (url: URL, what: string): ConnectorFailure =>
  new ConnectorFailure('bad_answer', `${url.host} sent an answer that is ${what}.`, AGAIN);

const SAID_CHARACTERS = 200;

function refuseStatus(status: number, url: URL, text: string): void {
  if (status >= 200 && status < 300) return;
  const where = `${url.host} answered HTTP ${status} for ${url.pathname}`;
  if (status === 401 || status === 403)
    throw new ConnectorFailure(
      'unauthorized',
      `${where}: the token is missing, or not accepted.`,
      'A human renews the token below .ai/auth',
    );
  if (status === 404 || status === 410) throw new ConnectorFailure('not_found', `${where}: there is no such thing.`, 'Check the name');
  throw new ConnectorFailure('bad_answer', `${where}: ${text.replaceAll(/\s+/g, ' ').slice(0, SAID_CHARACTERS).toWellFormed()}`, AGAIN);
}

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | null)?.code;

function normalised(error: unknown, url: URL, trace: readonly Try[], over: number | null): ConnectorFailure {
  const chain = causesOf(error);
  const known = chain.find((each) => each instanceof ConnectorFailure);
  if (known) return new ConnectorFailure(known.kind, known.message, known.fix, trace);
  const failed = (kind: ConnectorFailure['kind'], what: string) => new ConnectorFailure(kind, `${url.host} ${what}.`, AGAIN, trace, error);
  if (over !== null) return failed('too_slow', `gave no complete answer within ${over / 1000} s`);
  const { statusCode, headers } = error as RetryError;
  const tries = `${trace.length} ${trace.length === 1 ? 'try' : 'tries'}`;
  if (statusCode === 429) {
    const wait = retryAfterMs(headers);
    return failed('rate_limited', `limits how often it is asked${wait === null ? '' : `, and asks to wait ${Math.ceil(wait / 1000)} s`}`);
  }
  if (statusCode !== undefined && statusCode >= 500) return failed('unavailable', `answered HTTP ${statusCode} in ${tries}`);
  const code = chain.map(codeOf).find((each) => each !== undefined) ?? (error as Error).name;
  if (/TIMEOUT/.test(code)) return failed('too_slow', `stalled (${code})`);
  if (/redirect/i.test((error as Error).message)) return failed('bad_answer', 'redirected the request too often');
  return failed('unavailable', `gave no complete answer in ${tries} (${code})`);
}

/** The error and what caused it, outermost first; several addresses that were tried are one cause each. */
function causesOf(error: unknown): readonly unknown[] {
  const found: unknown[] = [];
  const visit = (at: unknown): void => {
    if (typeof at !== 'object' || at === null || found.length > 10) return;
    found.push(at);
    visit((at as Error).cause);
    for (const each of (at as AggregateError).errors ?? []) visit(each);
  };
  visit(error);
  return found;
}
