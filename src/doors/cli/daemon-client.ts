// The CLI's line to the daemon: HTTP over the owner's socket. A human's command first proves which process it is.

import { closeSync, openSync } from 'node:fs';
import { type Code, CODES, Fault, type QueryInput, type QueryName, type QueryOutput } from '../../protocol/index.ts';
import { visible } from './terminal-text.ts';

// Not imported: for its names Node then loads its whole client for the web, which takes longer than all else that a command needs.
const { request } = process.getBuiltinModule('node:http');

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface DaemonClient {
  readonly ask: <N extends QueryName>(name: N, input: QueryInput<N>) => Promise<QueryOutput<N>>;
  /** A human's command; its body may carry a signature over the challenge that it is made with. Throws a `Refused` when it was not done, or was done only as a proposal. */
  readonly act: (path: string, body: object | ((challenge: string) => object), withinMs?: number) => Promise<unknown>;
  /** Server-sent events until the daemon or the signal ends it. */
  readonly follow: (follower: Follower, signal: AbortSignal) => Promise<void>;
  readonly isAlive: () => Promise<boolean>;
}

export interface Follower {
  /** The id of the last event that was heard, from whichever daemon. */
  readonly after?: number | null;
  /** Before all events. True: they begin with that id again, and nothing is missing between. */
  readonly onJoined?: (resumed: boolean) => void;
  readonly onEvent: (topic: string, row: unknown, id: number) => void;
}

/** The daemon understood and said no. `output` is what it did instead, if anything. */
export class Refused extends Error {
  readonly code: Code;
  readonly fix: string | null;
  readonly output: unknown;
  constructor(code: Code, message: string, fix: string | null, output: unknown) {
    super(message);
    this.name = 'Refused';
    this.code = code;
    this.fix = fix;
    this.output = output;
  }
}

const ANSWER_WITHIN_MS = 30_000;

export function daemonClient(socketPath: string): DaemonClient {
  const send = (
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
    withinMs = ANSWER_WITHIN_MS,
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
    isAlive: () =>
      send('GET', '/health').then(
        ({ status }) => status === 200,
        () => false,
      ),
    ask: async (name, input) => {
      const query = new URLSearchParams(
        Object.entries(input as object).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
      );
      return taken(await send('GET', `/api/${name}?${query}`)) as never;
    },
    act: async (path, body, withinMs) => {
      const { proof, open } = taken(await send('GET', '/api/challenge')) as { proof: string; open: string };
      const held = openSync(open, 'r');
      try {
        const content = typeof body === 'function' ? body(proof) : body;
        const headers = { 'x-countersign-pid': String(process.pid), 'x-countersign-proof': proof };
        return taken(await send('POST', path, content, headers, withinMs));
      } finally {
        closeSync(held);
      }
    },
    follow: ({ after = null, onJoined, onEvent }, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const path = `/stream/events${after === null ? '' : `?after=${after}`}`;
      const call = request({ socketPath, path, signal }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
          for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            const fields = new Map(
              text
                .slice(0, end)
                .split('\n')
                .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
            );
            text = text.slice(end + 2);
            const [id, event = '', data] = ['id', 'event', 'data'].map((name) => fields.get(name));
            if (data === undefined) continue;
            // What has no id is about the stream itself.
            if (id !== undefined) onEvent(event, JSON.parse(data), Number(id));
            else if (event === 'joined') onJoined?.((JSON.parse(data) as { resumed: boolean }).resumed);
          }
        });
        response.on('end', resolve);
        response.on('error', () => resolve());
      });
      call.on('error', (error) =>
        signal.aborted
          ? resolve()
          : reject(new Fault('DAEMON_UNAVAILABLE', `The daemon did not answer (${error.message}).`, { fix: 'countersign start' })),
      );
      call.end();
      return promise;
    },
  };
}

function taken({ status, body }: Answer): unknown {
  if (status < 400) return body;
  const { error, output } = body as { error: { code: Code; message: string; fix: string | null }; output?: unknown };
  // It may quote what an agent wrote.
  const [message, fix] = [visible(error.message, 'block'), error.fix === null ? null : visible(error.fix, 'block')];
  throw new Refused(Object.hasOwn(CODES, error.code) ? error.code : 'INTERNAL', message, fix, output ?? null);
}
