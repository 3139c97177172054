// What the gate reads out of a command, for a caller that asks before running it. Pure: no disk, no daemon, and nothing of the command
// runs.

import path from 'node:path';
import { z } from 'zod';
import { explanationText } from './explain-command.ts';
import type { CommandReading } from '../protocol/index.ts';
import { Fault } from '../protocol/plain.ts';
import { type Place, readCommand, readParts } from '../shell/index.ts';
import { compileGlob } from '../workspace/index.ts';

export interface CommandExplanation extends Pick<CommandReading, 'class' | 'reasons'> {
  /** Relative to the root, absolute if outside. */
  readonly writes: readonly string[];
}

/** For an explanation the folder counts as the root. */
export function explain(command: string, cwd: string, scope: readonly string[] | null): CommandExplanation {
  const { class: commandClass, reasons, writes } = readCommand(command, placeOf(cwd, scope));
  return { class: commandClass, reasons, writes: [...new Set(writes.flatMap(({ resolved }) => resolved ?? []))] };
}

/** The same part by part, for a person. */
export function explainParts(command: string, cwd: string, scope: readonly string[] | null): string {
  const { class: commandClass, writes } = explain(command, cwd, scope);
  return explanationText({ class: commandClass, parts: readParts(command, placeOf(cwd, scope)), writes });
}

function placeOf(cwd: string, scope: readonly string[] | null): Place {
  const home = process.env['HOME'];
  return { cwd, root: cwd, scope, ...(home !== undefined && path.isAbsolute(home) ? { home } : {}) };
}

const Question = z.object({
  id: z.unknown().optional(),
  command: z.string(),
  cwd: z
    .string()
    .refine((cwd) => path.isAbsolute(cwd), 'has to be absolute')
    .optional(),
  scope: z.array(z.string()).nullish(),
});

export interface ExplainedLine extends CommandExplanation {
  readonly id: unknown;
}

/** One line in, one answer out. An unreadable line is answered too, and counts as the worst. */
export function explainLine(line: string, cwd: string): ExplainedLine {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    return unreadable(null, line, 'This line is not JSON.');
  }
  const id = typeof given === 'object' && given !== null && 'id' in given ? given.id : null;
  const question = Question.safeParse(given);
  if (!question.success) {
    const [issue] = question.error.issues;
    return unreadable(id, line, `${issue?.path.join('.') || 'This line'}: ${issue?.message ?? 'not a question'}.`);
  }
  const { command, scope } = question.data;
  try {
    for (const glob of scope ?? []) compileGlob(glob);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return unreadable(id, line, `scope: ${error.message}`);
  }
  return { id, ...explain(command, path.normalize(question.data.cwd ?? cwd), scope ?? null) };
}

const unreadable = (id: unknown, line: string, message: string): ExplainedLine => ({
  id,
  class: 'DESTRUCTIVE',
  reasons: [{ code: 'BAD_INPUT', part: line.slice(0, 200), message }],
  writes: [],
});
