// Outlines of documents and data: the headings of Markdown, the keys of JSON.

import { parseSync } from 'oxc-parser';
import type { DefinitionKind } from '../model.ts';
import { RAW_TRANSFER } from '../parse-source.ts';
import type { SegmentBuilder } from '../segment/builder.ts';
import { isNode, nodeIn, nodesIn, plainKey, type SyntaxNode } from '../syntax-node.ts';
import { LineFinder } from './line-finder.ts';

/** Deeper keys are data, not structure. */
export const DEPTH_MAX = 6;
/** A file with more is data; what comes after is searched and not listed. */
export const KEYS_MAX = 5_000;
const HEAD_MAX = 120;

export function readMarkdown(out: SegmentBuilder, text: string): void {
  const lines = text.split('\n');
  const open: { readonly number: number; readonly rank: number }[] = [];
  let fence: string | null = null;
  let offset = 0;
  const last = lines.length - (lines.at(-1) === '' && lines.length > 1 ? 1 : 0);
  const close = (rank: number, line: number): void => {
    while (open.length > 0 && open.at(-1)!.rank >= rank) out.endDefinition(open.pop()!.number, line);
  };
  for (const [index, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (mark && fence === null) fence = mark[1]!;
    else if (mark && fence !== null && mark[1]!.startsWith(fence) && mark[2]!.trim() === '') fence = null;
    const heading = mark || fence !== null ? null : /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?[ \t\r]*$/.exec(line);
    const name = heading?.[2]?.replace(/(?:^|[ \t]+)#+$/, '').trim();
    if (heading && name) {
      const rank = heading[1]!.length;
      close(rank, index);
      const number = addEntry(out, name, 'heading', index + 1, 1, last, open.at(-1)?.number ?? -1, offset, offset + line.length);
      if (number >= 0) open.push({ number, rank });
    }
    offset += line.length + 1;
  }
  close(0, last);
}

export const addEntry = (
  out: SegmentBuilder,
  name: string,
  kind: DefinitionKind,
  line: number,
  column: number,
  endLine: number,
  container: number,
  start: number,
  end: number,
): number =>
  out.definition({
    name,
    kind,
    exported: false,
    startLine: line,
    startColumn: column,
    endLine,
    line,
    container,
    headStart: start,
    headEnd: Math.min(end, start + HEAD_MAX),
  });

/** JSON with comments and trailing commas as well: an expression of JavaScript. Gives the error, if any. */
export function readJson(out: SegmentBuilder, text: string): string | null {
  const lines = new LineFinder(text);
  const parsed = parseSync('a.ts', `(${text}\n)`, {
    lang: 'ts',
    sourceType: 'script',
    astType: 'ts',
    preserveParens: false,
    ...RAW_TRANSFER,
  });
  const [first] = nodesIn(parsed.program as unknown as SyntaxNode, 'body');
  const root = first ? nodeIn(first, 'expression') : null;
  let keys = 0;
  const visit = (value: unknown, container: number, depth: number): void => {
    if (!isNode(value) || depth > DEPTH_MAX) return;
    for (const element of nodesIn(value, 'elements')) visit(element, container, depth + 1);
    for (const property of nodesIn(value, 'properties')) {
      const name = plainKey(property);
      if (name === null || keys++ >= KEYS_MAX) continue;
      // The text was put into parentheses.
      const start = property.start - 1;
      const end = property.end - 1;
      const number = addEntry(out, name, 'key', lines.line(start), lines.column(start), lines.line(end), container, start, end);
      visit(nodeIn(property, 'value'), number, depth + 1);
    }
  };
  visit(root, -1, 0);
  return parsed.errors[0]?.message ?? null;
}
