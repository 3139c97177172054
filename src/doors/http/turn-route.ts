// `POST /turn`: a turn of the controller, in the work tree that a header names.

import type { FastifyReply, FastifyRequest } from 'fastify';

export type TakeTurn = (turn: { readonly cwd: string | null; readonly body: unknown; readonly signal: AbortSignal }) => Promise<object>;

export const turnRoute =
  (take: TakeTurn) =>
  async ({ headers, body }: FastifyRequest, { raw }: FastifyReply): Promise<object> => {
    const gone = new AbortController();
    raw.on('close', () => raw.writableFinished || gone.abort());
    const cwd = headers['x-countersign-cwd'];
    return take({ cwd: typeof cwd === 'string' ? cwd : null, body, signal: gone.signal });
  };
