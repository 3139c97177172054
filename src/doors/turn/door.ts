// `POST /turn`: a turn of the controller, as an agent, in the work tree that a header names. Loaded on demand, as MCP is.

import { z } from 'zod';
import { ADDRESSES } from '../../protocol/index.ts';
import { goneSignal, MCP_BODY_BYTES, type OpenDoor } from '../door.ts';
import { textOf } from '../headers.ts';

/** In the controller's own form. */
const Foreign = z.record(z.string(), z.unknown());

export const turnDoor: OpenDoor = ({ services, identity }) => ({
  routes: [
    {
      methods: ['POST'],
      url: ADDRESSES.turn,
      access: 'agent',
      form: {
        summary: 'A turn of the controller, as an agent, in the work tree that x-countersign-cwd names.',
        body: Foreign,
        output: Foreign,
      },
      bodyLimit: MCP_BODY_BYTES,
      handle: async ({ headers, body }, reply) => {
        const { takeTurn } = await import('./turn.ts');
        return takeTurn(services, identity, { cwd: textOf(headers['x-countersign-cwd']), body, signal: goneSignal(reply) });
      },
    },
  ],
});
