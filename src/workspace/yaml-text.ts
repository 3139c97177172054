// Positions in the text of a YAML document, found through its nodes, so that a change leaves all other bytes alone.

import { isCollection, isPair } from 'yaml';

export const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

export const startOf = (node: unknown): number | null =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range) ? Number(node.range[0]) : null;

/** Where the last real content of a node ends. The node's own range would take in comments that follow it. */
export function contentEnd(node: unknown): number | null {
  if (isPair(node)) return contentEnd(node.value) ?? contentEnd(node.key);
  if (isCollection(node) && !node.flow && node.items.length > 0) return contentEnd(node.items.at(-1));
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range) ? Number(node.range[1]) : null;
}

/** How far a node is indented; null when something other than spaces precedes it on its line. */
export function columnOf(text: string, offset: number | null): number | null {
  if (offset === null) return null;
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).replace('\ufeff', '');
  return /^ *$/.test(before) ? before.length : null;
}

/** Where a line can go after the line of `end`, and after the comments that are indented as part of it. */
export function placeAfter(text: string, end: number, column: number): number {
  let at = end > 0 && text[end - 1] === '\n' ? end : endOfLine(text, end);
  for (let line = at; line < text.length;) {
    const next = endOfLine(text, line);
    const content = text.slice(line, next);
    const indent = content.search(/[^ \t\r\n]/);
    if (indent >= 0 && !(content[indent] === '#' && indent > column)) break;
    if (indent >= 0) at = next;
    line = next;
  }
  return at;
}

export function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? text.length : newline + 1;
}

export const lineEnded = (text: string, eol: string): string => (text === '' || text.endsWith('\n') ? text : text + eol);

/** Plain where every YAML version reads it as this text; otherwise quoted as JSON. */
export function scalarText(value: string): string {
  const plain = /^[A-Za-z][\w./*-]*(?: [\w./*-]+)*$/.test(value) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(value);
  return plain
    ? value
    : JSON.stringify(value).replace(
        /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
}
