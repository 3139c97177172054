// Text as recall sees it. A word of code is taken both whole and apart: `parseUserToken`, `parse_user_token` and "parse user token" meet.

import { stem } from './stem.ts';

/** One word as it occurs in a text. */
export interface Word {
  /** As it was written. */
  readonly written: string;
  /** What its parts are looked up by, in order. */
  readonly parts: readonly Part[];
  /** Whole names in it: of `src/auth/parseUserToken.ts` the file's name without style, and the whole path. */
  readonly names: readonly string[];
}

export interface Part {
  readonly plain: string;
  readonly term: string;
}

const WORD = /[\p{L}\p{N}\p{M}_$]+(?:[-./:\\#@]+[\p{L}\p{N}\p{M}_$]+)*/gu;
const BETWEEN_NAMES = /[./:\\#@]+/;
/** Scripts without spaces between words are taken letter by letter. */
const PART =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\x00-\x7f\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;
const WRITTEN_MAX = 200;

export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const [written] of fold(text).matchAll(WORD))
    words.push(wordOf(written.length > WRITTEN_MAX ? written.slice(0, WRITTEN_MAX) : written));
  return words;
}

function wordOf(written: string): Word {
  // Nearly every word of a sentence.
  if (/^[a-z]+$/.test(written)) return { written, parts: [{ plain: written, term: termOf(written) }], names: [] };
  const parts: Part[] = [];
  const names: string[] = [];
  const segments = written.split(BETWEEN_NAMES);
  for (const segment of segments) {
    const found = (segment.match(PART) ?? []).map((part) => part.toLowerCase());
    for (const plain of found) parts.push({ plain, term: termOf(plain) });
    if (found.length > 1) names.push(nameTerm(found));
  }
  if (segments.length > 1) names.push(`=${segments.map((segment) => segment.toLowerCase()).join('.')}`);
  return { written, parts, names };
}

/** A name without its style. The sign keeps it apart from words: `rateLimit` is not the stem of anything. */
export const nameTerm = (parts: readonly string[]): string => `=${parts.join('')}`;
export const isName = (term: string): boolean => term.startsWith('=');

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  þ: 'th',
  ð: 'd',
};

/** `Übergröße` → `Ubergrosse`: people leave out marks that their keyboard lacks. */
export const fold = (text: string): string =>
  /^[\x00-\x7f]*$/.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .replace(/[ßẞæÆœŒøØłŁđĐıþð]/g, (letter) => LETTERS[letter] ?? letter);

const TERMS_MAX = 50_000;
const terms = new Map<string, string>();

/** The same stems are needed again and again. */
function termOf(plain: string): string {
  let term = terms.get(plain);
  if (term === undefined) {
    term = stem(plain);
    if (terms.size >= TERMS_MAX) terms.clear();
    terms.set(plain, term);
  }
  return term;
}

/** Words that form a question and that no memory is about. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about all also am an and any are as at be been being but by can could did do does doing done for from had has have how i if in into is it its
  just me my of on onto or our out please remind say should so some tell than that the their them then there these they this those to too up us
  was we were what when where which while who why will with would you your`.split(/\s+/),
);
