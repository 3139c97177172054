// Refusals in the words that an agent reads, and the final answer where a call waits for a decision.

import { type Refusal, type Remedy, visible } from '../protocol/index.ts';
import type { HookAnswer, WaitingCall } from './adapter.ts';

/** The problem, the remedy, the exact call, what else is missing. `ownToolName`: our tool's name as this agent knows it. */
export function explain(refusal: Refusal, ownToolName: (tool: string) => string, waiting?: WaitingCall): string {
  const { error_code, message, required_action, remedy, also_missing, approval_id } = refusal;
  return [
    ...(waiting && approval_id ? [answerLine(approval_id, waiting)] : []),
    `Countersign ${error_code}: ${message}`,
    `What to do: ${required_action}.`,
    ...(remedy ? [`Call: ${ownToolName(remedy.tool)} ${JSON.stringify(remedy.args)}${blanksOf(remedy)}`] : []),
    ...(approval_id && error_code === 'APPROVAL_REQUIRED' ? [`Question for the human: ${approval_id}`] : []),
    ...also_missing.map((missing) => `Also missing: ${missing.message} [${missing.error_code}]`),
  ].join('\n');
}

const SHOWN = 120;

/** For a question that is still open: how a person answers it. `input`: of the call, in the registry's words. */
export function waitingCall(
  refusal: Refusal,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  page: string,
): WaitingCall | undefined {
  if (refusal.error_code !== 'APPROVAL_REQUIRED') return undefined;
  const { command, path } = input;
  return { what: typeof command === 'string' ? command : `${tool} ${typeof path === 'string' ? path : ''}`.trim(), page };
}

/** First, because agents show their human only the beginning. The end of an id names it. */
export function answerLine(id: string, { what, page }: WaitingCall): string {
  const [line = ''] = what.split('\n');
  const shown = line.length > SHOWN || line !== what ? `${line.slice(0, SHOWN)}…` : line;
  return `A human answers this: countersign approve ${id.slice(-6)} or ${page} for ${visible(shown)}`;
}

/** Arguments that the agent fills in itself. */
const blanksOf = ({ fill = {} }: Remedy): string =>
  Object.entries(fill)
    .map(([name, what]) => `, with "${name}": ${what}`)
    .join('');

/** For agents that can ask their own human; all others get a no. */
export function questionOf(answer: HookAnswer): string | null {
  if (answer.kind !== 'recorded' || answer.recorded.outcome.kind !== 'asked') return null;
  const { message, approval_id } = answer.recorded.outcome.refusal;
  return `Countersign: ${message} Countersign it? (${approval_id ?? 'no id'})`;
}

export type Decision = { readonly say: 'allow' | 'deny'; readonly reason: string } | { readonly say: 'nothing' };

/** `nothing`: the agent's own permissions still apply. The gate narrows; it widens only for its own tools and what a human approved. */
export function decisionOf(answer: HookAnswer, ownToolName: (tool: string) => string): Decision {
  if (answer.kind === 'trouble') return { say: 'deny', reason: explain(answer.refusal, ownToolName) };
  if (answer.kind === 'context') return { say: 'allow', reason: answer.text ?? 'a tool of the gate itself' };
  if (answer.kind === 'send_back') return { say: 'deny', reason: answer.reason };
  const { outcome } = answer.recorded;
  if (outcome.kind === 'refused' || outcome.kind === 'asked') {
    const waiting = answer.kind === 'recorded' ? answer.waiting : undefined;
    return { say: 'deny', reason: explain(outcome.refusal, ownToolName, waiting) };
  }
  if (outcome.kind === 'admitted' && outcome.approval !== null)
    return { say: 'allow', reason: `a human approved this exact call (${outcome.approval})` };
  return { say: 'nothing' };
}
