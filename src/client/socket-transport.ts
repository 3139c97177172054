// The line to the daemon on Node: HTTP over the owner's socket. A command first proves which process it is.

import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { ADDRESSES, Fault } from '../protocol/plain.ts';
import type { Answer, Transport } from './transport.ts';

const ANSWER_WITHIN_MS = 30_000;

interface Sending {
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly withinMs?: number;
  readonly signal?: AbortSignal;
}

/** `start` starts a daemon, once, if the first request finds none. A stream never starts one. */
export function socketTransport(socketPath: string, start?: () => Promise<void>): Transport {
  const send = (
    method: 'GET' | 'POST',
    path: string,
    { body, headers = {}, withinMs = ANSWER_WITHIN_MS, signal }: Sending = {},
  ): Promise<Answer> => {
    const text = body === undefined ? null : JSON.stringify(body);
    const content = text === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const head = Object.entries({ host: 'localhost', ...headers, ...content }).map(([name, value]) => `${name}: ${value}\r\n`);
    const request = `${method} ${path} HTTP/1.0\r\n${head.join('')}\r\n${text ?? ''}`;
    return exchange(socketPath, request, withinMs, signal).catch((cause: Error) => {
      throw new Fault('DAEMON_UNAVAILABLE', `The daemon did not answer (${cause.message}).`, { fix: 'countersign start', cause });
    });
  };
  let startOnce = start;
  const get = (path: string, signal?: AbortSignal): Promise<Answer> => {
    const sending = signal === undefined ? {} : { signal };
    const answer = send('GET', path, sending);
    const begin = startOnce;
    startOnce = undefined;
    if (!begin) return answer;
    return answer.catch(async (error: unknown) => {
      if (signal?.aborted) throw error;
      await begin();
      return send('GET', path, sending);
    });
  };

  /** Holds open what proves which process is calling. */
  const proven = async (call: (proof: string, headers: Record<string, string>) => Promise<Answer>): Promise<Answer> => {
    const challenged = await get(ADDRESSES.challenge);
    if (challenged.status >= 400) return challenged;
    const { proof, open } = challenged.body as { proof: string; open: string };
    const held = openSync(open, 'r');
    try {
      return await call(proof, { 'x-countersign-pid': String(process.pid), 'x-countersign-proof': proof });
    } finally {
      closeSync(held);
    }
  };
  const follow = (
    path: string,
    { body, headers = {} }: Pick<Sending, 'body' | 'headers'>,
    onText: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const ended = { status: 200, body: null };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const typed = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const sent = { method: text === undefined ? 'GET' : 'POST', headers: { ...headers, ...typed, accept: 'text/event-stream' } };
    // Not imported: the import would make Node load its whole web client.
    const call = process.getBuiltinModule('node:http').request({ socketPath, path, signal, ...sent }, (response) => {
      response.setEncoding('utf8');
      const { statusCode: status = 0, headers: answered } = response;
      if (status >= 400 || !answered['content-type']?.startsWith('text/event-stream'))
        return void import('node:stream/consumers')
          .then(({ text }) => text(response))
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
    call.end(text);
    return promise;
  };

  return {
    get,
    post: (path, content, withinMs) =>
      proven((proof, headers) => send('POST', path, { body: content(proof), headers, ...(withinMs === undefined ? {} : { withinMs }) })),
    postAndFollow: (path, content, onText, signal) =>
      proven((proof, headers) => follow(path, { body: content(proof), headers }, onText, signal)),
    stream: (path, onText, signal) => follow(path, {}, onText, signal),
  };
}

const HEAD_END = '\r\n\r\n';

/**
 * One request and its answer in HTTP/1.0, where an answer ends with the connection. Node's own client takes as long to load and start as
 * everything else that a command needs.
 */
function exchange(socketPath: string, request: string, withinMs: number, signal: AbortSignal | undefined): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const chunks: Buffer[] = [];
  let lost: Error | null = null;
  const socket = connect({ path: socketPath, ...(signal === undefined ? {} : { signal }) }, () => socket.write(request));
  socket.setTimeout(withinMs, () => socket.destroy(new Error('no answer in time')));
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', (error) => (lost = error));
  socket.on('close', () => {
    // A daemon that refuses a long body answers before it has read all of it: the answer counts, not the broken pipe.
    const answer = answerIn(Buffer.concat(chunks));
    if (answer) resolve(answer);
    else reject(lost ?? new Error(chunks.length === 0 ? 'it closed the connection' : 'what answered is not a daemon'));
  });
  return promise;
}

/** Null: not a complete answer from a daemon. */
function answerIn(bytes: Buffer): Answer | null {
  const headEnd = bytes.indexOf(HEAD_END);
  const head = bytes.toString('latin1', 0, Math.max(headEnd, 0));
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const body = bytes.subarray(headEnd + HEAD_END.length);
  if (status === undefined || (length !== undefined && body.length !== Number(length))) return null;
  try {
    const isText = /\r\ncontent-type: *application\/x-ndjson/i.test(head);
    const text = body.toString('utf8');
    return { status: Number(status), body: isText ? text : text === '' ? null : JSON.parse(text) };
  } catch {
    return null;
  }
}
