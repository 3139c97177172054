// The far side of `code-index.ts`: a thread with a stack that is deep enough for anything `tooLarge` lets through.

import { parentPort } from 'node:worker_threads';
import { classifyMutation } from './classify-mutation.ts';
import { rewrite } from './codemods/rewrite.ts';
import { symbolsOf } from './symbols-of.ts';
import type { Answer, Question } from './thread-messages.ts';

async function answerTo(question: Question): Promise<Answer> {
  if (question.kind === 'classify') return { kind: 'classify', mutation: classifyMutation(question.path, question.before, question.after) };
  if (question.kind === 'rewrite') return { kind: 'rewrite', rewritten: rewrite(question.path, question.text, question.codemods) };
  return { kind: 'symbols', symbols: await symbolsOf(question.path, question.text) };
}

/** One after the other: the caller treats its oldest waiting question as the one being answered. */
let last: Promise<void> = Promise.resolve();
parentPort?.on('message', ({ id, question }: { readonly id: number; readonly question: Question }) => {
  last = last
    .then(async () => parentPort?.postMessage({ id, answer: await answerTo(question) }))
    .catch((error: unknown) => {
      // Out of this thread, so that the other side sees it fail.
      setImmediate(() => {
        throw error;
      });
    });
});
