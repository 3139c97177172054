// A marked block in a file that agents read and people own, such as `.github/copilot-instructions.md`.
//
// INVARIANT: no byte outside the block changes. Adding and then removing the block restores the file.

import { Fault } from '../protocol/index.ts';

const BEGIN = '<!-- countersign:begin (written by countersign init; edit outside of it) -->';
const END = '<!-- countersign:end -->';
const MARK = /^[ \t]*<!--[ \t]*countersign:(?<which>begin|end)\b.*-->[ \t]*\r?$/gm;

/** `text` null: there is no such file. */
export function withBlock(file: string, text: string | null, content: string): string {
  const place = blockIn(file, text ?? '');
  const eol = lineEndIn(place ? place.text : (text ?? ''));
  const block = [BEGIN, ...content.trim().split(/\r?\n/), END].join(eol);
  if (text === null || text === '') return `${block}${eol}`;
  if (place) return text.slice(0, place.start) + block + text.slice(place.end);
  // A file without a final line end keeps that: removing the block depends on it.
  return text.endsWith('\n') ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
}

/** Null: the file contained nothing else. */
export function withoutBlock(file: string, text: string): string | null {
  const place = blockIn(file, text);
  if (!place) return text;
  const eol = lineEndIn(place.text);
  const before = text.slice(0, place.start);
  const rest = text.slice(place.end);
  const after = rest.startsWith(eol) ? rest.slice(eol.length) : rest;
  if (before === '' && after === '') return null;
  if (after !== '') return before + after;
  const added = rest === '' ? eol + eol : eol;
  return before.endsWith(added) ? before.slice(0, -added.length) : before;
}

const lineEndIn = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

function blockIn(file: string, text: string): { start: number; end: number; text: string } | null {
  const marks = [...text.matchAll(MARK)];
  if (marks.length === 0) return null;
  const [begin, end] = marks;
  if (marks.length !== 2 || begin?.groups?.['which'] !== 'begin' || end?.groups?.['which'] !== 'end') {
    const line = text.slice(0, marks.at(-1)?.index).split('\n').length;
    throw new Fault('DOCUMENT_INVALID', `${file}:${line}: the marks of countersign's block are not one begin and one end.`, {
      fix: `Leave one pair of the lines \`${BEGIN}\` and \`${END}\`, or none; nothing was written`,
    });
  }
  const [from, to] = [begin.index, end.index + end[0].replace(/\r$/, '').length];
  return { start: from, end: to, text: text.slice(from, to) };
}
