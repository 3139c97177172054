// Quotations in what a reply says, outside its Evidence line. They may be proposals or titles, so they are no reason to refuse a reply; but
// one that is in no cited file must not look checked.

import type { ReplySources } from '../../protocol/index.ts';
import { findQuote, searchText } from './find-quote.ts';
import { type ReplyText, withoutCode } from './reply-text.ts';

const QUOTATION = /"([^"\n]+)"|“([^”\n]+)”/g;
/** Fewer are a name, a title or a word that is talked about. */
const WORDS_MIN = 4;
const KEPT_MAX = 10;
const KEPT_CHARACTERS = 200;

export const quotationsIn = (text: ReplyText): readonly string[] =>
  [...withoutCode(text).matchAll(QUOTATION)]
    .map(({ 1: plain, 2: typographic }) => (plain ?? typographic ?? '').trim())
    .filter((quote) => quote.split(/\s+/).length >= WORDS_MIN);

/** Those that are in none of the files. */
export async function quotationsOutside(text: ReplyText, paths: readonly string[], sources: ReplySources): Promise<string[]> {
  const quotes = [...new Set(quotationsIn(text))];
  if (quotes.length === 0) return [];
  const read = await Promise.all([...new Set(paths)].map((path) => sources.read(path)));
  const texts = read.flatMap((source) => (source.kind === 'file' ? [searchText(source.lines)] : []));
  // A sentence that is quoted inside another ends with the other's punctuation.
  const isIn = (quote: string) => texts.some((source) => findQuote(source, quote.replace(/[\s.,;:!?…]+$/, ''), null) !== null);
  return quotes
    .filter((quote) => !isIn(quote))
    .slice(0, KEPT_MAX)
    .map((quote) => quote.slice(0, KEPT_CHARACTERS).toWellFormed());
}
