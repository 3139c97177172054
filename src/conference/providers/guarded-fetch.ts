// The fetch of one endpoint: to its own host, at an address of the kind that the human added, without redirects, within limits. A key that
// the request carries can therefore reach no other host.

import { lookup } from 'node:dns';
import { checkLiteral, literalIn, networkKind, type Pin, pinnedLookup } from '../../connectors/index.ts';
import { type Endpoint, Fault, type NetworkKind } from '../../protocol/index.ts';
import type { ModelLimits } from './model.ts';

export interface GuardedFetch {
  readonly fetch: typeof globalThis.fetch;
  readonly close: () => Promise<void>;
}

type Allowed = Pick<Endpoint, 'host' | 'network'>;

export async function guardedFetch(endpoint: Allowed, limits: ModelLimits): Promise<GuardedFetch> {
  // Loaded with the first call of a model: the daemon's start does not wait for it.
  const { Agent, fetch } = await import('undici');
  const pin = pinTo(endpoint.network);
  const agent = new Agent({
    connect: { timeout: limits.connectMs, lookup: pinnedLookup(pin) },
    headersTimeout: limits.firstByteMs,
    bodyTimeout: limits.silenceMs,
    connections: 4,
  });
  const guarded = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    if (url.host !== endpoint.host) throw refusedHost(`The request is for ${url.host}, not for ${endpoint.host}.`);
    checkLiteral(url, pin);
    const response = await fetch(url, { ...(init as object), dispatcher: agent, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new Fault(
        'MODEL_UNAVAILABLE',
        `${endpoint.host} redirected the call${location === null ? '' : ` to ${hostOf(location, url)}`}.`,
        {
          fix: 'Redirects are not followed. Add the endpoint under the address that answers: countersign endpoints add',
        },
      );
    }
    return limited(response as unknown as Response, limits.bytes);
  };
  return { fetch: guarded as typeof globalThis.fetch, close: () => agent.close() };
}

const hostOf = (location: string, base: URL): string => (URL.canParse(location, base) ? new URL(location, base).host : 'another address');

const refusedHost = (message: string): Fault =>
  new Fault('MODEL_UNAVAILABLE', message, { fix: 'Add that host as an endpoint of its own, if you trust it: countersign endpoints add' });

const pinTo = (wanted: NetworkKind): Pin => ({
  wantedFor: () => wanted,
  refused: (_hostname, address) => refusedHost(`The endpoint is ${KIND_WORDS[wanted]}, and its name now leads to ${address}.`),
});

const KIND_WORDS: Readonly<Record<NetworkKind, string>> = {
  loopback: 'on this machine',
  local: 'in the local network',
  public: 'on the internet',
};

/** An answer that never ends must not fill the memory. */
function limited(response: Response, bytes: number): Response {
  if (!response.body) return response;
  let seen = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        seen += chunk.length;
        if (seen > bytes) controller.error(flooded(`more than ${bytes} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, { status: response.status, statusText: response.statusText, headers: response.headers });
}

export const flooded = (what: string): Fault =>
  new Fault('MODEL_UNAVAILABLE', `The model sent ${what} and was cut off.`, { fix: 'Ask again, or choose another model' });

/** The kind of network that a host is in now, for a human who adds it. */
export async function networkOf(host: string): Promise<NetworkKind> {
  const { hostname } = new URL(`http://${host}`);
  const literal = literalIn(hostname);
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
  if (literal !== null) resolve([literal]);
  else lookup(hostname, { all: true }, (error, found) => (error ? reject(error) : resolve(found.map(({ address }) => address))));
  const addresses = await promise.catch((cause: unknown) => {
    throw new Fault('BAD_REQUEST', `The host ${hostname} cannot be found.`, {
      fix: 'Check the address, and that this machine is online',
      cause,
    });
  });
  const kinds = new Set(addresses.map(networkKind));
  const [kind] = kinds;
  if (kinds.size !== 1 || kind === null || kind === undefined)
    throw new Fault('BAD_REQUEST', `${hostname} leads to ${addresses.join(', ')}, where no model is called.`, {
      fix: 'Name a host of this machine, of the local network or on the internet',
    });
  return kind;
}
