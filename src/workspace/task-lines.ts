// The lines of `tinyTasks.md`, each with what it is in Markdown. Nothing is decided here about what the lines mean.
//
// INVARIANT: time grows with the length of the text only. No expression can try the same characters twice.

import type { Complaint } from './complaints.ts';

export type LineKind =
  | { readonly kind: 'heading'; readonly level: number; readonly title: string }
  /** `box` is null for a bullet without one. */
  | { readonly kind: 'item'; readonly indent: string; readonly bullet: string; readonly box: Box | null; readonly content: string }
  /** Meant as a task, it seems, but not one. */
  | { readonly kind: 'broken'; readonly what: string }
  | { readonly kind: 'prose' | 'blank' | 'rule' | 'fence' | 'comment' };

export interface Box {
  readonly checked: boolean;
  /** Where the character between the brackets is in the text. */
  readonly at: number;
}

export type Line = LineKind & {
  readonly number: number;
  /** Offsets in the text: where the line begins (after a byte order mark), and where the next one does. */
  readonly start: number;
  readonly next: number;
  /** Of a fenced block or a comment: whether its first line is. */
  readonly indented: boolean;
};

const FENCE = /^[ \t]*(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+([^]*))?$/;
const RULE = /^[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const ITEM = /^([ \t]*)([-*+])([ \t]+)(\S[^]*)$/;
const BOX = /^\[([ xX])\](?=[ \t]|$)/;
/** Short brackets that are no link: `[y]`, `[]`, `[ x ]`, `[ ]no space`. */
const NEARLY_BOX = /^\[(?:[ xX]\](?![([])|(?:[^\]]?|[ \t]{0,4}[xX]?[ \t]{0,4})\](?![([:]))/u;
/** A box without a bullet, after a number, or after an unknown bullet sign. */
const NEARLY_ITEM = /^[ \t]*(?:[-*+]\[[^\]]?\](?!\()|(?:(?:[^\p{L}\p{N}\s]{1,2}|\d{1,9}[.)])[ \t]*)?\[[ xX]\](?=[ \t]|$))/u;

export function readLines(text: string, complain: (complaint: Complaint) => void): Line[] {
  const lines: Line[] = [];
  let block: Block | null = null;
  for (let start = text.startsWith('\ufeff') ? 1 : 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline + 1;
    const raw = text.slice(start, newline < 0 ? text.length : newline);
    const content = newline > 0 && raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const number = lines.length + 1;
    if (content.includes('\r')) complain({ line: number, what: 'has a carriage return inside; end lines with LF or CRLF' });
    if (content.includes('\0')) complain({ line: number, what: 'has a NUL character' });

    const opened: Block | null = block === null ? blockOpenedBy(content, number) : null;
    const inside: Block | null = block ?? opened;
    const place = { number, start, next };
    if (inside !== null) {
      lines.push({ ...place, kind: inside.kind, indented: inside.indented });
      block = inside.isClosedBy(content, inside === opened) ? null : inside;
    } else lines.push({ ...place, ...kindOf(content, start), indented: /^[ \t]/.test(content) });
    start = next;
  }
  if (block !== null) complain({ line: block.number, what: `the ${block.name} that starts here never ends` });
  return lines;
}

/** A fenced block or a comment: its lines are not tasks. */
interface Block {
  readonly kind: 'fence' | 'comment';
  readonly name: string;
  readonly number: number;
  readonly indented: boolean;
  readonly isClosedBy: (content: string, isFirst: boolean) => boolean;
}

function blockOpenedBy(content: string, number: number): Block | null {
  const indented = /^[ \t]/.test(content);
  const trimmed = content.trimStart();
  if (trimmed.startsWith('<!--')) return { kind: 'comment', name: 'comment', number, indented, isClosedBy: (each) => each.includes('-->') };

  const fence = FENCE.exec(content)?.[1];
  // Inline code may begin a line with three marks; then it ends there as well.
  if (fence === undefined || (fence.startsWith('`') && trimmed.slice(fence.length).includes('`'))) return null;
  const isClosedBy = (each: string, isFirst: boolean): boolean => !isFirst && each.trim() === FENCE.exec(each)?.[1] && each.includes(fence);
  return { kind: 'fence', name: 'code block', number, indented, isClosedBy };
}

function kindOf(content: string, start: number): LineKind {
  if (content.trim() === '') return { kind: 'blank' };
  const heading = HEADING.exec(content);
  if (heading) return { kind: 'heading', level: (heading[1] ?? '').length, title: withoutClosing((heading[2] ?? '').trim()) };
  if (RULE.test(content)) return { kind: 'rule' };

  const item = ITEM.exec(content);
  if (!item)
    return NEARLY_ITEM.test(content) ? { kind: 'broken', what: 'looks like a task, but begins with no `- [ ] `' } : { kind: 'prose' };
  const [, indent = '', bullet = '', gap = '', rest = ''] = item;
  const box = BOX.exec(rest);
  if (box) {
    const at = start + indent.length + bullet.length + gap.length + 1;
    return { kind: 'item', indent, bullet, box: { checked: box[1] !== ' ', at }, content: rest.slice(3).trim() };
  }
  if (NEARLY_BOX.test(rest)) return { kind: 'broken', what: 'has a box that is neither `[ ] ` nor `[x] `' };
  return { kind: 'item', indent, bullet, box: null, content: rest.trim() };
}

const withoutClosing = (title: string): string => title.replace(/(?:^|[ \t])#+$/, '').trim();
