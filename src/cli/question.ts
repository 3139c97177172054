// Approvals that are questions or requests of an agent rather than calls that wait: shown and answered as what they are.

import type { ApprovalRow, BoundApproval } from '../protocol/index.ts';
import { Fault, SCOPE_LIMITS } from '../protocol/plain.ts';

export type Asked =
  | { readonly kind: 'question'; readonly question: string; readonly options: readonly string[] }
  | { readonly kind: 'scope'; readonly intent: string | null; readonly paths: readonly string[]; readonly reason: string };

/** Null: a call that waits for a yes. */
export function askedIn({ tool, input, intent, command }: ApprovalRow): Asked | null {
  if (command !== null) return null;
  if (tool === 'request_human') {
    const { question, options = [], ...more } = input;
    const isShown = typeof question === 'string' && isTexts(options) && (options.length > 0 || input['options'] === undefined);
    return isShown && isEmpty(more) ? { kind: 'question', question, options } : null;
  }
  if (tool === 'request_scope') {
    const { intent_id = intent, paths, reason, ...more } = input;
    const isShown = typeof reason === 'string' && isTexts(paths) && paths.length > 0 && paths.length <= SCOPE_LIMITS.globs;
    const isNamed = typeof intent_id === 'string' || (intent_id === null && input['intent_id'] === undefined);
    return isShown && isNamed && isEmpty(more) ? { kind: 'scope', intent: intent_id, paths, reason } : null;
  }
  return null;
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((each) => typeof each === 'string');
/** A call with more in it than what is shown is not shown as a question. */
const isEmpty = (more: object): boolean => Object.keys(more).length === 0;

export const isQuestion = (row: ApprovalRow): boolean => askedIn(row)?.kind === 'question';

/** What a signature under an approval is about. */
export const boundIn = ({ id, action_id, input_sha256, policy_revision }: ApprovalRow): BoundApproval => ({
  id,
  action: action_id,
  input_sha256,
  policy_revision,
});

/** The answer that the agent gets. One of the options must be chosen, by number or text; a question without options may get a plain yes. */
export function chosenAnswer(row: ApprovalRow, text: string | undefined): string | undefined {
  const asked = askedIn(row);
  if (asked?.kind !== 'question') {
    if (text === undefined) return undefined;
    throw new Fault('BAD_REQUEST', `${row.id} is not a question, so it takes no answer in words.`, {
      fix: `countersign approve ${row.id}, or countersign reject ${row.id} --reason "…"`,
    });
  }
  const { options } = asked;
  const said = text?.trim();
  if (said === '') throw new Fault('BAD_REQUEST', 'The answer is empty.', { fix: `countersign approve ${row.id} --answer "…"` });
  if (options.length === 0) return said;
  const chosen = options.find((option) => option === said) ?? (/^[1-9][0-9]?$/.test(said ?? '') ? options[Number(said) - 1] : undefined);
  if (chosen !== undefined) return chosen;
  throw new Fault('BAD_REQUEST', said === undefined ? 'The agent offers options; choose one.' : 'That is not one of the options.', {
    fix: `countersign approve ${row.id} --answer N, with N from 1 to ${options.length}; countersign approvals shows them`,
  });
}
