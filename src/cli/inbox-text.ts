// What waits for a human, as text: in full where they decide, in one line where they only need to know.

import type { InboxItem } from '../protocol/index.ts';
import { visible } from '../protocol/plain.ts';
import { approvalText, editText, intentText, paint } from './terminal-text.ts';

const indented = (text: string): string[] => text.split('\n').map((line) => `  ${line}`);

const HEADS: Readonly<Record<string, string>> = {
  intent: 'is proposed',
  edit: 'was edited',
  rule: 'is a proposed rule: commands that fit would pass without a question',
};

/** Everything a person needs to decide, nothing cut. */
export function inboxText(item: InboxItem): string {
  const { kind, id, root, what, yes, no, approval, proposal, edit } = item;
  if (approval) return approvalText(approval);
  const body = proposal ? intentText({ ...proposal.intent, status: 'proposed' }) : edit ? editText(edit) : visible(what);
  return [
    `${paint('yellow', '◆')} ${paint('bold', id)}  ${HEADS[kind] ?? kind} in ${visible(root)}`,
    ...indented(body),
    `  ${yes}${no === null ? '' : `   |   ${no}`}`,
  ].join('\n');
}

const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

/** What it is, and the command that says yes. An edit is shown whole: what it grants may be in its last words. */
export const inboxLines = ({ id, agent, what, yes, edit }: InboxItem): string[] => [
  `${paint('yellow', '◆')} ${id}  ${agent === null ? '' : `${visible(agent)} `}${edit ? visible(what) : cut(visible(what), 80)}`,
  `    ${yes}`,
];
