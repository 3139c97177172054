// What a quote that is not in the file may have meant: the passages with most of its words in the same order.

import type { CandidateQuote } from '../../protocol/index.ts';
import { comparable, lineAt, type SearchText } from './find-quote.ts';

const CANDIDATES_MAX = 3;
const LIKENESS_MIN = 0.5;
/** A longer quote is compared by its beginning. */
const WORDS_MAX = 60;
/** So many windows are compared word by word. */
const WINDOWS_MAX = 40;

interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const wordsOf = (text: string): readonly Word[] =>
  Array.from(text.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu), ({ 0: word, index }) => ({
    text: word.toLowerCase(),
    from: index,
    to: index + word.length,
  }));

export function candidateQuotes(path: string, source: SearchText, quote: string): readonly CandidateQuote[] {
  const wanted = wordsOf(comparable(quote))
    .slice(0, WORDS_MAX)
    .map(({ text }) => text);
  if (wanted.length < 2) return [];
  const words = wordsOf(source.text);
  const compared = bestWindows(words, wanted)
    .map(({ from }) => commonRun(words.slice(from, from + wanted.length + 2), wanted))
    .filter(({ count }) => count / wanted.length >= LIKENESS_MIN)
    .toSorted((a, b) => b.count - a.count);
  const chosen: CandidateQuote[] = [];
  const taken: { readonly from: number; readonly to: number }[] = [];
  for (const { first, last, count } of compared) {
    if (chosen.length === CANDIDATES_MAX) break;
    if (taken.some(({ from, to }) => first.from < to && from < last.to)) continue;
    taken.push({ from: first.from, to: last.to });
    chosen.push({
      path,
      start_line: lineAt(source, first.from),
      end_line: lineAt(source, last.to - 1),
      text: source.text.slice(first.from, last.to),
      likeness: Math.round((count / wanted.length) * 100) / 100,
    });
  }
  return chosen;
}

/** By how many of the words each window has, in any order: cheap, for the whole file. */
function bestWindows(words: readonly Word[], wanted: readonly string[]): readonly { from: number; count: number }[] {
  const need = new Map<string, number>();
  for (const word of wanted) need.set(word, (need.get(word) ?? 0) + 1);
  const size = wanted.length;
  const have = new Map<string, number>();
  const windows: { from: number; count: number }[] = [];
  let count = 0;
  const move = (word: string, by: 1 | -1) => {
    const limit = need.get(word);
    if (limit === undefined) return;
    const now = have.get(word) ?? 0;
    have.set(word, now + by);
    if (by === 1 ? now < limit : now <= limit) count += by;
  };
  for (let at = 0; at < words.length; at++) {
    move(words[at]!.text, 1);
    if (at >= size) move(words[at - size]!.text, -1);
    if (count / size >= LIKENESS_MIN) windows.push({ from: Math.max(0, at - size + 1), count });
  }
  return windows.toSorted((a, b) => b.count - a.count).slice(0, WINDOWS_MAX);
}

/** The longest common run of words in order, and the words of the source that it begins and ends with. */
function commonRun(window: readonly Word[], wanted: readonly string[]): { first: Word; last: Word; count: number } {
  const table = Array.from({ length: window.length + 1 }, () => new Uint16Array(wanted.length + 1));
  for (let i = window.length - 1; i >= 0; i--)
    for (let j = wanted.length - 1; j >= 0; j--)
      table[i]![j] = window[i]!.text === wanted[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
  let first: Word | null = null;
  let last = window[0]!;
  for (let i = 0, j = 0; i < window.length && j < wanted.length;) {
    if (window[i]!.text === wanted[j]) {
      first ??= window[i]!;
      last = window[i]!;
      i++;
      j++;
    } else if (table[i + 1]![j]! >= table[i]![j + 1]!) i++;
    else j++;
  }
  return { first: first ?? last, last, count: table[0]![0]! };
}
