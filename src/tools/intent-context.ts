// `<intent_context>`: what an agent has to know about the intent that it cited, within a budget of bytes.

import type { ChangeView } from '../protocol/index.ts';

interface IntentText {
  readonly id: string;
  readonly name: string;
  readonly owned_scope: readonly string[];
  readonly constraints: readonly string[];
  readonly acceptance_criteria: readonly string[];
}

/** It is in every agent's context: the limits of the work always fit, the rest as far as there is room. */
export const INTENT_CONTEXT_BYTES = 4_096;
const LINE_CHARACTERS = 300;

/** Lines are single and unmarked, so that a name or a constraint cannot close the block or open another. */
export function intentContext(intent: IntentText, recent: readonly ChangeView[]): string {
  const head = ['<intent_context>', `${intent.id}: ${oneLine(intent.name)}`];
  const tail = ['</intent_context>'];
  const changes = recent.map(({ at, agent, tool, paths, receipt }) => `${at} ${paths.join(', ')} (${tool} by ${agent}, ${receipt})`);
  // A share each, so that a long list of one kind does not push out the others.
  let left = INTENT_CONTEXT_BYTES - bytesOf([...head, ...tail]);
  const sections = [
    ['May change', intent.owned_scope, 0.4],
    ['Constraints', intent.constraints, 0.6],
    ['Acceptance criteria', intent.acceptance_criteria, 0.7],
    ['Recent changes', changes, 1],
  ] as const;
  const lines = sections.flatMap(([title, items, share]) => {
    const section = within(Math.floor(left * share), title, items);
    left -= bytesOf(section);
    return section;
  });
  return [...head, ...lines, ...tail].join('\n');
}

function within(bytes: number, title: string, items: readonly string[]): string[] {
  const lines = [`${title}:`];
  const room = bytes - bytesOf([...lines, leftOut(items.length)]);
  let used = 0;
  for (const [index, item] of items.entries()) {
    const line = `- ${oneLine(item)}`;
    used += bytesOf([line]);
    if (used > room) return [...lines, leftOut(items.length - index)];
    lines.push(line);
  }
  return items.length > 0 ? lines : [...lines, '- none'];
}

const leftOut = (count: number): string => `- and ${count} more: see countersign://intents`;

const bytesOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);

const oneLine = (text: string): string => {
  const line = text
    .replace(/[\s\p{C}]+/gu, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›');
  return line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS).toWellFormed()}…` : line;
};
