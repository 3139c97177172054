// Questions to the person at the terminal. They go to standard error: standard output is for data.

import { createInterface } from 'node:readline/promises';
import { Fault } from '../protocol/plain.ts';

/** `fix`: what to do without a terminal. */
export async function confirm(question: string, fix: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Fault('BAD_REQUEST', 'This is not a terminal, so the question cannot be asked.', { fix });
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)) ?? '');
}

/** Null: Ctrl-C and Ctrl-D give no answer, and mean no. */
export async function ask(question: string): Promise<string | null> {
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  const left = new Promise<null>((resolve) => questions.once('close', () => resolve(null)));
  const answer = await Promise.race([left, questions.question(question).catch(() => null)]);
  questions.close();
  if (answer === null) process.stderr.write('\n');
  return answer?.trim() ?? null;
}
