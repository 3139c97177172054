// Access control. Every route names its access; this file alone decides. A foreign Host or Origin is rejected before
// anything else, so that a web page somewhere cannot talk to the daemon through a person's browser.

import type { IncomingMessage } from 'node:http';
import { timingSafeEqual } from 'node:crypto';
import { Fault, type Seal } from '../../protocol/index.ts';
import type { Logins } from '../services.ts';

/**
 * `public`: any program on this machine. `reader`: a logged-in page, or the owner's socket. `human`: the same, and the call is a
 * human's decision. `owner`: the owner's socket only. `hook`: agents' hooks, by their token, or the owner's socket. `mcp`: MCP clients,
 * by theirs, or the owner's socket. `agent`: the same or a logged-in page; whoever calls acts as an agent.
 */
export type Access = 'public' | 'reader' | 'human' | 'owner' | 'hook' | 'mcp' | 'agent';

/** `viewer`: a login's cookie without its page token. */
export type Credential = 'owner' | 'login' | 'viewer' | 'hook' | 'mcp' | 'none';

const ADMITS: Record<Access, readonly Credential[]> = {
  public: ['owner', 'login', 'viewer', 'hook', 'mcp', 'none'],
  reader: ['owner', 'login', 'viewer'],
  human: ['owner', 'login'],
  owner: ['owner'],
  hook: ['owner', 'hook'],
  mcp: ['owner', 'mcp'],
  agent: ['owner', 'mcp', 'login'],
};

export const COOKIE = 'countersign';
export const PAGE_TOKEN = 'x-countersign-page';

export interface Gatekeeper {
  readonly onOwnerSocket: (request: IncomingMessage) => boolean;
  /** The sealed run that the request comes from; undefined: from none. */
  readonly sealOf: (request: IncomingMessage) => Seal | undefined;
  readonly port: () => number;
  readonly logins: Logins;
  readonly hookToken: string;
  readonly mcpToken: string;
}

export function checkAccess(gate: Gatekeeper, request: IncomingMessage, access: Access): Credential {
  const seal = gate.sealOf(request);
  if (seal) return checkSealed(seal, request, access);
  const owner = gate.onOwnerSocket(request);
  if (!owner) checkAddress(request, gate.port());
  const credential = owner ? 'owner' : credentialOf(gate, request);
  if (ADMITS[access].includes(credential)) return credential;
  throw credential === 'none' || (credential === 'viewer' && access === 'human')
    ? access === 'mcp' || access === 'agent'
      ? new Fault('UNAUTHENTICATED', 'This needs the token of MCP clients.', {
          fix: "Send what is in run/mcp-token of the daemon's folder as Authorization: Bearer",
        })
      : new Fault('UNAUTHENTICATED', 'This needs a login.', { fix: 'Run countersign open in a terminal' })
    : new Fault('FORBIDDEN', `A ${credential} credential may not do this.`);
}

/** From inside a seal only hooks are answered, whatever credential is shown: nothing in there may be a human. */
function checkSealed({ hookToken }: Seal, request: IncomingMessage, access: Access): Credential {
  const bearer = bearerOf(request);
  if (access === 'hook' && bearer !== undefined && sameText(bearer, hookToken)) return 'hook';
  throw new Fault('FORBIDDEN', 'In a sealed run only its own hooks and its MCP server are answered.');
}

function checkAddress({ headers: { host, origin }, rawHeaders }: IncomingMessage, port: number): void {
  // Node keeps the first of several; whoever forwards the request may have gone by another one.
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw new Fault('FORBIDDEN', 'The request has more than one Host.');
  const ours = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  if (host === undefined || !ours.includes(host)) throw new Fault('FORBIDDEN', `The Host ${host ?? '(none)'} is not this daemon's.`);
  if (origin !== undefined && origin !== `http://${host}`) throw new Fault('FORBIDDEN', `The Origin ${origin} is not this daemon's page.`);
}

function credentialOf(gate: Gatekeeper, request: IncomingMessage): Credential {
  const bearer = bearerOf(request);
  if (bearer !== undefined) return sameText(bearer, gate.hookToken) ? 'hook' : sameText(bearer, gate.mcpToken) ? 'mcp' : 'none';
  const cookie = cookieOf(request);
  if (cookie === null || isForAnotherPage(request) || !gate.logins.mayRead(cookie)) return 'none';
  const token = request.headers[PAGE_TOKEN];
  return typeof token === 'string' && gate.logins.mayDecide(cookie, token) ? 'login' : 'viewer';
}

const bearerOf = ({ headers }: IncomingMessage): string | undefined => /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];

/** A browser sends the cookie for every page of this machine, and says what site asks: an image on an agent's page must not read here. */
const isForAnotherPage = ({ headers }: IncomingMessage): boolean => {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
};

/** Identifies the browser by its login; null: not a browser's request. */
export const browserOf = (request: IncomingMessage): string | null => cookieOf(request);

function cookieOf(request: IncomingMessage): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=', 2);
    if (name === COOKIE && value) return value;
  }
  return null;
}

/** Constant time: the duration must not reveal how much of a guess is right. */
function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
