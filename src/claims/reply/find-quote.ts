// Finds a quote in the lines of a file. White space, line ends and the form of quotation marks may differ; words may not.

/** The text with one space between words, and for each line where it begins in it. */
export interface SearchText {
  readonly text: string;
  readonly starts: readonly number[];
}

/** Same length for every character, so that places in both texts are the same. */
const plainQuotes = (text: string): string => text.replace(/[“”„‟«»″]/g, '"').replace(/[‘’‚‛′‹›]/g, "'");

export const comparable = (text: string): string => plainQuotes(text.normalize('NFC')).replace(/\s+/gu, ' ').trim();

export function searchText(lines: readonly string[]): SearchText {
  const starts: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  for (const line of lines) {
    starts.push(length);
    const piece = comparable(line);
    if (piece === '') continue;
    pieces.push(piece);
    length += piece.length + 1;
  }
  return { text: pieces.join(' '), starts };
}

export interface FoundQuote {
  readonly start_line: number;
  readonly end_line: number;
}

const WORD = /[\p{L}\p{M}\p{N}]/u;

/** The place of the quote; of several, the one nearest to `near`. Null: it is not there. */
export function findQuote(source: SearchText, quote: string, near: number | null): FoundQuote | null {
  const wanted = comparable(quote);
  let best: FoundQuote | null = null;
  for (let at = source.text.indexOf(wanted); at >= 0 && wanted !== ''; at = source.text.indexOf(wanted, at + 1)) {
    if (!isWhole(source.text, at, at + wanted.length)) continue;
    const found = { start_line: lineAt(source, at), end_line: lineAt(source, at + wanted.length - 1) };
    if (near === null) return found;
    if (best === null || Math.abs(found.start_line - near) < Math.abs(best.start_line - near)) best = found;
    if (found.start_line > near) break;
  }
  return best;
}

/** "he left" is not in "she left": a quote begins and ends with whole words. */
function isWhole(text: string, from: number, to: number): boolean {
  const splits = (at: number) => WORD.test(charBefore(text, at)) && WORD.test(charAfter(text, at));
  return !(from > 0 && splits(from)) && !(to < text.length && splits(to));
}

const charAfter = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at)!);
const charBefore = (text: string, at: number): string => {
  const code = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(at - 2, at) : text.charAt(at - 1);
};

/** The last line that begins at or before the place; an empty line begins where the next one does. */
export function lineAt({ starts }: SearchText, place: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (starts[middle]! <= place) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** For callers that have one quote. */
export const findQuoteIn = (lines: readonly string[], quote: string): FoundQuote | null => findQuote(searchText(lines), quote, null);
