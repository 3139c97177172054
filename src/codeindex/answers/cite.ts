// Lines of a text as a citation: the same lines and the same hash as `claims` computes from the file.

import { hash } from 'node:crypto';
import type { CodeCitation } from '../model.ts';

const EXCERPT_MAX = 2_000;

/** Null when the text has fewer lines. A carriage return belongs to the line's end. */
export function citation(path: string, text: string, fileSha256: string, startLine: number, endLine: number): CodeCitation | null {
  let start = 0;
  for (let line = 1; line < startLine; line++) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return null;
  }
  if (start >= text.length) return null;
  return citationAt(path, text, fileSha256, startLine, endLine, start);
}

/** The same, where the offset of the first line is known. */
export function citationAt(
  path: string,
  text: string,
  fileSha256: string,
  startLine: number,
  endLine: number,
  start: number,
): CodeCitation | null {
  let end = text.indexOf('\n', start);
  for (let line = startLine; line < endLine && end >= 0; line++) end = text.indexOf('\n', end + 1);
  const whole = text.slice(start, end < 0 ? text.length : end);
  const excerpt = startLine === endLine ? withoutReturn(whole) : joined(whole, end < 0, endLine - startLine + 1);
  if (excerpt === null) return null;
  return {
    path,
    start_line: startLine,
    end_line: endLine,
    sha256: hash('sha256', excerpt),
    excerpt: excerpt.length > EXCERPT_MAX ? `${excerpt.slice(0, EXCERPT_MAX).toWellFormed()}…` : excerpt,
    file_sha256: fileSha256,
  };
}

/** Several lines; null when there are fewer. */
function joined(whole: string, isLast: boolean, count: number): string | null {
  const lines = whole.split('\n');
  if (isLast && lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.length < count ? null : lines.map(withoutReturn).join('\n');
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
