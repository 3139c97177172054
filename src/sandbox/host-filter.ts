// The way out of a session's own network: an HTTP proxy on a unix socket, which a program inside reaches through the relay. It lets
// through only hosts that were granted, by name; each command has its own credential, so that the grant of one is not another's.
//
// INVARIANT: the address that is connected to is the one that was judged; the name is looked up once.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { chmod, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { type HostGrant, isNamed, mayReach, plainHost, readHostGrant } from './host-grants.ts';

export interface HostFilterOptions {
  readonly socket: string;
  /** All addresses of a name; the system's own resolver unless a test has other names. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** What a refused program is to do. */
  readonly remedy?: string;
}

export interface HostFilter {
  readonly socket: string;
  /**
   * Throws on what is not a host: `packages.example.com`, `*.example.com`, `localhost:5432`. `credential`: of an earlier grant that a
   * running program still uses.
   */
  readonly grant: (hosts: readonly string[], credential?: string) => GrantedHosts;
  readonly close: () => Promise<void>;
}

export interface GrantedHosts {
  /** `user:secret`, for the address of the proxy. */
  readonly credential: string;
  /** What was asked for and not granted, as `host:port`, in the order of the first request. */
  readonly refused: () => readonly string[];
  /** Ends its connections as well. */
  readonly withdraw: () => void;
}

interface Grant {
  readonly hosts: readonly HostGrant[];
  readonly secret: Buffer;
  readonly refused: Set<string>;
  readonly connections: Set<Duplex>;
}

interface Target {
  readonly host: string;
  readonly port: number;
}

const MAX_CONNECTIONS = 256;
/** A program that tries every host must not fill a receipt. */
const MAX_REFUSED = 50;
const CONNECT_MS = 20_000;
const REMEDY = 'Ask the human to grant it.';
/** They belong to one connection, or to the proxy. */
const NOT_PASSED_ON = ['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'upgrade', 'host'];

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function openHostFilter({ socket, resolve = systemAddresses, remedy = REMEDY }: HostFilterOptions): Promise<HostFilter> {
  const grants = new Map<string, Grant>();

  const admit = async (request: http.IncomingMessage, { host, port }: Target): Promise<{ grant: Grant; address: string }> => {
    const grant = grantOf(grants, request.headers['proxy-authorization']);
    if (grant === null) throw new Refused(407, 'This proxy needs the credential of a running command.');
    if (grant.connections.size >= MAX_CONNECTIONS) throw new Refused(503, 'This command has too many connections open.');
    const addresses = isNamed(grant.hosts, host, port) ? await addressesOf(resolve, host) : [];
    const address = addresses.find((each) => mayReach(grant.hosts, host, port, each));
    if (address !== undefined) return { grant, address };
    const shown = `${host}:${port}`;
    if (grant.refused.size < MAX_REFUSED) grant.refused.add(shown);
    const [leadsTo] = addresses;
    const why =
      leadsTo === undefined ? 'is not granted' : `leads to ${leadsTo}, and a grant for that has to name it exactly, with the port`;
    throw new Refused(403, `The host ${shown} ${why}. ${remedy}`);
  };

  const open = async (request: http.IncomingMessage, client: Duplex, target: Target): Promise<net.Socket> => {
    const { grant, address } = await admit(request, target);
    const onward = await connect(address, target.port);
    // Withdrawn, or the client left, while this connected.
    if (![...grants.values()].includes(grant) || client.destroyed) {
      onward.destroy();
      throw new Refused(503, 'The command has ended.');
    }
    grant.connections.add(onward);
    onward.once('close', () => grant.connections.delete(onward));
    return onward;
  };

  const server = http.createServer({ requestTimeout: 0 }, (request, response) => {
    forward(request, response, open).catch((error: unknown) => {
      const { status, text } = answerTo(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(status, headersFor(status)).end(text);
    });
  });
  server.on('connect', (request: http.IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    const target = targetOf(request.url ?? '');
    (target === null ? Promise.reject(new Refused(400, 'CONNECT needs a host and a port.')) : open(request, client, target)).then(
      (onward) => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        if (head.length > 0) onward.write(head);
        join(client, onward);
      },
      (error: unknown) => {
        const { status, text } = answerTo(error);
        const headers = Object.entries({ ...headersFor(status), 'content-length': Buffer.byteLength(text), connection: 'close' });
        client.end(
          `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${headers.map((each) => `${each.join(': ')}\r\n`).join('')}\r\n${text}`,
        );
      },
    );
  });

  await rm(socket, { force: true });
  await new Promise<void>((done, failed) => server.once('error', failed).listen(socket, done));
  await chmod(socket, 0o600);

  return {
    socket,
    grant: (hosts, credential = newCredential()) => {
      const read = hosts.map((text) => {
        const host = readHostGrant(text);
        if (host === null) throw new TypeError(`"${text}" is not a host: use a name, *.suffix, or either with a port`);
        return host;
      });
      const [user = '', secret = ''] = credential.split(':');
      const grant: Grant = { hosts: read, secret: digest(secret), refused: new Set(), connections: new Set() };
      grants.set(user, grant);
      return {
        credential,
        refused: () => [...grant.refused],
        withdraw: () => {
          grants.delete(user);
          for (const each of grant.connections) each.destroy();
        },
      };
    },
    close: async () => {
      for (const { connections } of grants.values()) for (const each of connections) each.destroy();
      grants.clear();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function forward(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  open: (request: http.IncomingMessage, client: Duplex, target: Target) => Promise<net.Socket>,
): Promise<void> {
  const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : null;
  if (url?.protocol !== 'http:') throw new Refused(400, 'A proxy needs a whole http:// address.');
  const onward = await open(request, request.socket, { host: plainHost(url.hostname), port: Number(url.port || 80) });
  const sent = http.request({
    createConnection: () => onward,
    method: request.method ?? 'GET',
    path: url.pathname + url.search,
    // The name that was judged, whatever the program wrote into its own header.
    headers: { ...passedOn(request.headers), host: url.host, connection: 'close' },
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  sent.once('error', reject);
  sent.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
    answer.pipe(response);
    answer.once('error', reject);
    answer.once('end', resolve);
  });
  response.once('close', () => onward.destroy());
  request.pipe(sent);
  return promise;
}

const passedOn = (headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.includes(name)));

function grantOf(grants: ReadonlyMap<string, Grant>, header: string | undefined): Grant | null {
  const encoded = /^Basic (\S+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const [user = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const grant = grants.get(user);
  return grant !== undefined && timingSafeEqual(grant.secret, digest(secret)) ? grant : null;
}

const newCredential = (): string => `${randomBytes(6).toString('hex')}:${randomBytes(24).toString('base64url')}`;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function targetOf(authority: string): Target | null {
  const match = /^(?<host>\[[0-9a-f:.]+\]|[^:@/\s]+):(?<port>[0-9]{1,5})$/i.exec(authority);
  const port = Number(match?.groups?.['port'] ?? 0);
  return match && port >= 1 && port <= 65_535 ? { host: plainHost(match.groups?.['host'] ?? ''), port } : null;
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

async function addressesOf(resolve: (host: string) => Promise<readonly string[]>, host: string): Promise<readonly string[]> {
  if (net.isIP(host) > 0) return [host];
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) throw new Refused(502, `The host ${host} has no address.`);
  return addresses;
}

function connect(host: string, port: number): Promise<net.Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<net.Socket>();
  const socket = net.connect({ host, port, allowHalfOpen: true, timeout: CONNECT_MS });
  socket.once('timeout', () => socket.destroy(new Error('it did not answer in time')));
  socket.once('error', (error) => reject(new Refused(502, `The host cannot be reached: ${error.message}`)));
  socket.once('connect', () => {
    socket.setTimeout(0);
    socket.on('error', () => socket.destroy());
    resolve(socket);
  });
  return promise;
}

/** Each end may finish by itself; an end that breaks takes the other with it. */
function join(one: Duplex, two: Duplex): void {
  one.pipe(two);
  two.pipe(one);
  one.once('close', () => two.destroy());
  two.once('close', () => one.destroy());
}

const answerTo = (error: unknown): { status: number; text: string } =>
  error instanceof Refused
    ? { status: error.status, text: `${error.message}\n` }
    : { status: 502, text: 'The host ended the connection.\n' };

const headersFor = (status: number): Record<string, string> => ({
  'content-type': 'text/plain; charset=utf-8',
  ...(status === 407 ? { 'proxy-authenticate': 'Basic realm="countersign"' } : {}),
});
