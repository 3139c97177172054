// Text search: the trigrams of what has to be there choose the files, the rest is looked for in their texts.

import type { Found, TextHit, TextQuestion } from '../model.ts';
import { type LineMatch, lineMatcher } from '../text/line-matcher.ts';
import { trigramsOf } from '../text/trigrams.ts';
import type { Segment } from '../segment/segment.ts';
import { citationAt } from './cite.ts';
import { covering, type TreeView } from './tree-view.ts';

const LIMIT = 200;
const CONTEXT_MAX = 20;
const SHOWN_MAX = 300;

export function search(view: TreeView, question: TextQuestion): Found<TextHit> {
  const { limit = LIMIT, under = '' } = question;
  const context = Math.min(CONTEXT_MAX, question.context ?? 0);
  const matcher = lineMatcher(question);
  const covers = covering(question.glob);
  const isUnder = under === '' ? () => true : (path: string) => path === under || path.startsWith(`${under}/`);
  const hits: TextHit[] = [];
  for (const path of candidates(view, matcher.literal, (each) => isUnder(each) && covers(each)).sort()) {
    const read = view.textOf(path);
    if (!read) continue;
    for (const match of matcher.matches(read.text, limit + 1 - hits.length)) {
      if (hits.length === limit) return { hits, incomplete: `more than ${limit} matches` };
      hits.push(hitOf(path, read.text, read.sha256, match, context));
    }
  }
  return { hits, incomplete: null };
}

function candidates(view: TreeView, literal: string, covers: (path: string) => boolean): string[] {
  const trigrams = literal.includes('\n') ? [] : [...trigramsOf(literal)];
  const found: string[] = [];
  for (const { segment, live } of view.store.live()) {
    for (const file of filesWithAll(segment, trigrams)) {
      if (live[file] !== 1) continue;
      const path = segment.path(file);
      if (covers(path)) found.push(path);
    }
  }
  return found;
}

/** The files that have every trigram, the rarest first. */
function filesWithAll(segment: Segment, trigrams: readonly number[]): Iterable<number> {
  if (trigrams.length === 0) return Array(segment.fileCount).keys();
  const lists = trigrams.map((trigram) => segment.filesWith(trigram)).sort((a, b) => a.length - b.length);
  let found: number[] = [...lists[0]!];
  for (const list of lists.slice(1)) {
    if (found.length === 0) break;
    // Both rise: files are added in order.
    let at = 0;
    found = found.filter((file) => {
      while (at < list.length && list[at]! < file) at++;
      return list[at] === file;
    });
  }
  return found;
}

function hitOf(path: string, text: string, sha256: string, { line, column, start, end }: LineMatch, context: number): TextHit {
  const before = linesBefore(text, start, context);
  const after = linesAfter(text, end, context);
  return {
    path,
    line,
    column,
    text: shown(text.slice(start, end)),
    before: before.map(shown),
    after: after.map(shown),
    citation: citationAt(path, text, sha256, line, line, start)!,
  };
}

const shown = (line: string): string => {
  const text = line.trimEnd();
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX).toWellFormed()}…` : text;
};

function linesBefore(text: string, start: number, count: number): string[] {
  const found: string[] = [];
  for (let end = start - 1; end >= 0 && found.length < count;) {
    const from = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    found.unshift(text.slice(from, end));
    end = from - 1;
  }
  return found;
}

function linesAfter(text: string, end: number, count: number): string[] {
  const found: string[] = [];
  for (let from = end + 1; from < text.length && found.length < count;) {
    const feed = text.indexOf('\n', from);
    found.push(text.slice(from, feed < 0 ? text.length : feed));
    from = feed < 0 ? text.length : feed + 1;
  }
  return found;
}
