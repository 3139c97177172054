// Questions and requests of agents, distinguished from calls that wait for a yes.

import type { ApprovalRow } from '../../../src/protocol/index.ts';

export type Asked =
  | { readonly kind: 'question'; readonly question: string; readonly options: readonly string[] }
  | { readonly kind: 'scope'; readonly intent: string | null; readonly paths: readonly string[]; readonly reason: string };

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.length > 0 && value.every(isText);

/** Null also for a call with more in it than would be shown: this form must not hide anything. */
export function askedIn({ tool, input, intent, command }: Pick<ApprovalRow, 'tool' | 'input' | 'intent' | 'command'>): Asked | null {
  if (command !== null) return null;
  if (tool === 'request_human') {
    const { question, options, ...more } = input;
    if (!isText(question) || !(options === undefined || isTexts(options)) || Object.keys(more).length > 0) return null;
    return { kind: 'question', question, options: options ?? [] };
  }
  if (tool === 'request_scope') {
    const { intent_id = intent, paths, reason, ...more } = input;
    if (!(intent_id === null || isText(intent_id)) || !isTexts(paths) || !isText(reason) || Object.keys(more).length > 0) return null;
    return { kind: 'scope', intent: intent_id, paths, reason };
  }
  return null;
}
