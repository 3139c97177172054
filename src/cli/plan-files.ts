// Plans in files, without a daemon: what is wrong with one, by line, and what each code means.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PLAN_CODE_GUIDE, PLAN_CODES, type PlanError } from '../protocol/index.ts';
import { Fault, visible } from '../protocol/plain.ts';
import { parseJsonWithLines } from '../workspace/index.ts';
import { paint } from './terminal-text.ts';

export type CheckPlan = (
  submitted: unknown,
  cwd: string,
) => Promise<{ readonly errors: readonly PlanError[]; readonly notes: readonly string[] }>;

export interface PlanFileReport {
  readonly ok: boolean;
  readonly text: string;
  readonly errors: readonly (PlanError & { readonly line: number })[];
  readonly notes: readonly string[];
}

export async function validatePlanFile(file: string, cwd: string, check: CheckPlan): Promise<PlanFileReport> {
  const text = await readFile(path.resolve(cwd, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Fault('NOT_FOUND', `${visible(file)} cannot be read: ${error.code ?? error.message}.`, {
      fix: 'Name a file with a plan in JSON',
    });
  });
  const { value, lineOf } = parseJsonWithLines(file, text);
  const judged = await check(value, cwd);
  const errors = judged.errors.map((error) => ({ ...error, line: lineOf(error.path) })).toSorted((a, b) => a.line - b.line);
  return { ok: errors.length === 0, errors, notes: judged.notes, text: reportText(file, errors, judged.notes) };
}

function reportText(file: string, errors: PlanFileReport['errors'], notes: readonly string[]): string {
  const found = errors.flatMap(({ line, code, nodeId, field, message, fix }) => [
    `${visible(file)}:${line}: ${paint('bold', code)} ${visible([nodeId, field].filter(Boolean).join('.'))}`,
    `  ${visible(message)}`,
    `  ${paint('dim', `Fix: ${visible(fix)}`)}`,
  ]);
  const count = errors.length === 0 ? 'No errors.' : `${errors.length} ${errors.length === 1 ? 'error' : 'errors'}.`;
  return [...found, `${count} ${notes.join(' ')}`].join('\n');
}

export function explainPlanCode(given: string | undefined): string {
  if (given === undefined)
    return [
      ...PLAN_CODES.map((code) => `${paint('bold', code)}\n  ${PLAN_CODE_GUIDE[code].trigger}`),
      '',
      'countersign plan explain CODE shows an example and what puts it right.',
    ].join('\n');
  const wanted = given.trim().toUpperCase();
  const code = PLAN_CODES.find((each) => each === wanted || each === `PLAN_${wanted}`);
  if (!code) throw new Fault('NOT_FOUND', `${visible(given)} is not a code of plans.`, { fix: 'countersign plan explain lists them' });
  const { trigger, example, fix } = PLAN_CODE_GUIDE[code];
  return [paint('bold', code), `  When     ${trigger}`, `  Example  ${example}`, `  Fix      ${fix}`].join('\n');
}
