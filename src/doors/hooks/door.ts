// The door of agents' own hooks, and of the wall program that their shells call.

import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { hookAdapters } from '../../agents/index.ts';
import { ADDRESSES, Fault, type Loopback } from '../../protocol/index.ts';
import { type DoorRoute, goneSignal, type OpenDoor } from '../door.ts';
import { positive, textOf } from '../headers.ts';
import type { DoorServices } from '../services.ts';
import { openHookEngine } from './engine.ts';
import { readWallCall, writeWallAnswer } from './wall-call.ts';

/** A hook carries whole files. */
const BODY_BYTES = 32 * 1024 * 1024;
/** Of the wall program alone: no form of a web page can send it. */
const WALL_CALL_TYPE = 'application/x-countersign-wall';
/** In the agent's own form. */
const Foreign = z.record(z.string(), z.unknown());

export const hookDoor: OpenDoor = ({ services }) => ({ routes: [hookRoute(services), wallRoute(services)] });

function hookRoute(services: DoorServices): DoorRoute {
  const answerHook = openHookEngine(services);
  return {
    methods: ['POST'],
    url: ADDRESSES.hook,
    access: 'hook',
    form: { summary: "An event of an agent's own hooks, in that agent's form; the answer likewise.", body: Foreign, output: Foreign },
    bodyLimit: BODY_BYTES,
    handle: async ({ params, headers, body, raw }, reply, seal) => {
      const { agent, event } = params as { agent: string; event: string };
      const adapter = hookAdapters.get(agent);
      if (!adapter) throw new Fault('NOT_FOUND', `There is no adapter for the agent ${agent}.`);
      // Shows the client at once that the daemon is alive: it may now wait as long as a human needs.
      reply.raw.writeProcessing();
      // With an old bash the client reads byte by byte.
      reply.raw.sendDate = false;
      const text = await answerHook({
        ...{ adapter, event, payload: body, seal },
        parentPid: positive(headers['x-countersign-parent']),
        shell: textOf(headers['x-countersign-shell']),
        connection: loopbackOf(raw.socket),
        waitTimeoutMs: (positive(headers['x-countersign-patience']) ?? 0) * 1000,
        signal: goneSignal(reply),
      });
      // An explicit empty answer: an empty body could also be a truncated one.
      if (text === '') return reply.code(204).header('x-countersign', 'silence').send();
      return reply.header('content-type', 'application/json').send(text);
    },
  };
}

const wallRoute = ({ walls }: DoorServices): DoorRoute => ({
  methods: ['POST'],
  url: ADDRESSES.wall,
  access: 'hook',
  form: { summary: "Walls for a command that an agent's shell is about to run.", answers: 'text/plain' },
  bodyLimit: BODY_BYTES,
  reads: WALL_CALL_TYPE,
  handle: async ({ params, body }, reply) => {
    const { agent } = params as { agent: string };
    const answered = await walls.enter(readWallCall(agent, body));
    return reply.header('content-type', 'text/plain; charset=utf-8').send(writeWallAnswer(answered));
  },
});

const loopbackOf = ({ localPort, remotePort }: IncomingMessage['socket']): Loopback | null =>
  localPort === undefined || remotePort === undefined ? null : { localPort, remotePort };
