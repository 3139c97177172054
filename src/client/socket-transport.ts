// The line to the daemon on Node: HTTP over the owner's socket. A command first proves which process it is.

import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Fault } from '../protocol/plain.ts';
import type { Answer, Transport } from './transport.ts';

// Not imported: for its names Node then loads its whole client for the web, which takes longer than all else that a command needs.
const { request } = process.getBuiltinModule('node:http');

const ANSWER_WITHIN_MS = 30_000;

interface Sending {
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly withinMs?: number;
  readonly signal?: AbortSignal;
}

export function socketTransport(socketPath: string): Transport {
  const send = (
    method: 'GET' | 'POST',
    path: string,
    { body, headers = {}, withinMs = ANSWER_WITHIN_MS, signal }: Sending = {},
  ): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const text = body === undefined ? null : JSON.stringify(body);
    const lost = (cause: Error) =>
      reject(new Fault('DAEMON_UNAVAILABLE', `The daemon did not answer (${cause.message}).`, { fix: 'countersign start', cause }));
    const call = request(
      {
        socketPath,
        method,
        path,
        ...(signal === undefined ? {} : { signal }),
        headers: {
          ...headers,
          ...(text === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', lost);
        response.on('end', () => {
          const raw = Buffer.concat(chunks).toString('utf8');
          try {
            resolve({ status: response.statusCode ?? 0, body: raw === '' ? null : JSON.parse(raw) });
          } catch {
            lost(new Error('what answered is not a daemon'));
          }
        });
      },
    );
    call.setTimeout(withinMs, () => call.destroy(new Error('no answer in time')));
    call.on('error', lost);
    call.end(text ?? undefined);
    return promise;
  };

  return {
    get: (path, signal) => send('GET', path, signal === undefined ? {} : { signal }),
    post: async (path, content, withinMs) => {
      const challenged = await send('GET', '/api/challenge');
      if (challenged.status >= 400) return challenged;
      const { proof, open } = challenged.body as { proof: string; open: string };
      const held = openSync(open, 'r');
      try {
        const headers = { 'x-countersign-pid': String(process.pid), 'x-countersign-proof': proof };
        return await send('POST', path, { body: content(proof), headers, ...(withinMs === undefined ? {} : { withinMs }) });
      } finally {
        closeSync(held);
      }
    },
    stream: (path, onText, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const ended = { status: 200, body: null };
      const call = request({ socketPath, path, signal }, (response) => {
        response.setEncoding('utf8');
        const { statusCode: status = 0 } = response;
        if (status >= 400)
          return void text(response)
            .then((body) => resolve({ status, body: JSON.parse(body) as unknown }))
            .catch(reject);
        response.on('data', onText);
        response.on('end', () => resolve(ended));
        response.on('error', () => resolve(ended));
      });
      call.on('error', (error) =>
        signal.aborted
          ? resolve(ended)
          : reject(new Fault('DAEMON_UNAVAILABLE', `The daemon did not answer (${error.message}).`, { fix: 'countersign start' })),
      );
      call.end();
      return promise;
    },
  };
}
