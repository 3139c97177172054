// Questions to the person at the terminal. They go to standard error: standard output is for data.

import { createInterface } from 'node:readline/promises';
import { Fault } from '../protocol/plain.ts';

/** `fix`: what to do without a terminal. `showAll`: called for the answer `d`, after which the question is asked again. */
export async function confirm(question: string, fix: string, showAll?: () => void): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Fault('BAD_REQUEST', 'This is not a terminal, so the question cannot be asked.', { fix });
  const answer = (await ask(`${question}${showAll ? ' (d shows every line)' : ''} [y/N] `)) ?? '';
  if (!showAll || !/^d$/i.test(answer)) return /^y(es)?$/i.test(answer);
  showAll();
  return confirm(question, fix, showAll);
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
