// A command that takes long, and a caller that follows it: with `Accept: text/event-stream` its progress is sent while it runs, and its answer
// last. Without, only the answer. A caller that goes away cancels what it waits for.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallerFollowing } from '../../kernel/index.ts';
import type { ChatProgress } from '../../protocol/index.ts';

export interface FollowedAnswer {
  readonly status: number;
  readonly body: unknown;
}

export async function followed(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (following: CallerFollowing) => Promise<unknown>,
  troubleOf: (error: unknown) => Promise<FollowedAnswer>,
): Promise<unknown> {
  const gone = new AbortController();
  reply.raw.on('close', () => reply.raw.writableFinished || gone.abort(new Error('the caller went away')));
  if (!request.headers.accept?.includes('text/event-stream')) return work({ signal: gone.signal, report: () => {} });

  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const send = (name: string, data: unknown) => void raw.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  let lastCount = 0;
  const report = (progress: ChatProgress) => {
    // How much has been written changes with every word.
    if (progress.kind === 'writing' && progress.characters - lastCount < COUNT_EVERY && progress.characters > lastCount) return;
    lastCount = progress.kind === 'writing' ? progress.characters : 0;
    send('progress', progress);
  };
  const answer = await work({ signal: gone.signal, report }).then(
    (body): FollowedAnswer => ({ status: 200, body }),
    (error: unknown) => troubleOf(error),
  );
  send('answer', answer);
  raw.end();
  return reply;
}

const COUNT_EVERY = 200;
