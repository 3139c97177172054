// The far side of `code-index.ts`: a thread with a stack that is deep enough for anything `tooLarge` lets through.

import { parentPort } from 'node:worker_threads';
import { classifyMutation } from './classify-mutation.ts';
import { symbolsOf } from './symbols-of.ts';
import type { Answer, Question } from './thread-messages.ts';

parentPort?.on('message', ({ id, question }: { readonly id: number; readonly question: Question }) => {
  const answer: Answer =
    question.kind === 'classify'
      ? { kind: 'classify', mutation: classifyMutation(question.path, question.before, question.after) }
      : { kind: 'symbols', symbols: symbolsOf(question.path, question.text) };
  parentPort?.postMessage({ id, answer });
});
