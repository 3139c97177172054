// What a door is to the one server that all doors share: routes, and connections that are handed over to it.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Seal } from '../protocol/index.ts';
import type { Access } from './http/access.ts';
import type { RouteForm } from './http/openapi.ts';
import type { DoorServices } from './services.ts';

/** A route that is neither a query nor a command: who may come in, what it takes and what it answers. */
export interface RouteDeclaration {
  readonly methods: readonly ('GET' | 'POST' | 'DELETE')[];
  readonly url: string;
  readonly access: Access;
  readonly form: RouteForm;
  /** In bytes; absent: as small as a command's. */
  readonly bodyLimit?: number;
}

export interface DoorRoute extends RouteDeclaration {
  /** The content type of a body that is not JSON; the handler gets its bytes. */
  readonly reads?: string;
  /** `seal`: the sealed run that the request comes from; null: from none. */
  readonly handle: (request: FastifyRequest, reply: FastifyReply, seal: Seal | null) => Promise<unknown>;
}

/** On the owner's socket, or on the server of a sealed run; the rest of the connection belongs to the door. */
export type TakePipe = (request: IncomingMessage, socket: Duplex, seal: Seal | null) => void;

export interface OpenedDoor {
  readonly routes: readonly DoorRoute[];
  /** By the name that a client asks for in `Upgrade`. */
  readonly pipes?: Readonly<Record<string, TakePipe>>;
  readonly close?: () => Promise<void>;
}

export interface DoorContext {
  readonly services: DoorServices;
  /** Stays the same with every start, or a restart would make another principal of each client without a session. */
  readonly identity: string;
  readonly log: (message: string) => void;
}

export type OpenDoor = (context: DoorContext) => OpenedDoor;

/** Aborts when the caller goes before it has its answer. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.on('close', () => raw.writableFinished || gone.abort());
  return gone.signal;
}

/** Of a call that carries a tool's input. */
export const MCP_BODY_BYTES = 4 * 1024 * 1024;
