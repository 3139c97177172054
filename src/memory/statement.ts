// A statement read for comparing it with another. What would change its meaning is kept apart and exact: numbers, names from code,
// signs, negations. What would not is dropped: case, punctuation, a few words that carry nothing, and inflection.

import { inflectionStem } from './stem.ts';
import { fold } from './words.ts';

export type Token =
  | { readonly kind: 'word'; readonly text: string; readonly plain: string }
  | { readonly kind: 'number' | 'name' | 'sign' | 'negation'; readonly text: string };

/** A sentence's tokens in order; words as their stems, names as they are written. */
export type Sentence = readonly Token[];

const TOKEN =
  /`[^`\n]+`|(?:(?<![\p{L}\p{N}_.])\.|(?<![\p{L}\p{N}_-])-{1,2}(?=\p{L}))?[\p{L}\p{N}_$]+(?:[-./:\\#@]+[\p{L}\p{N}_$]+)*|[\p{S}%*&#@/\\]|!(?=[\p{L}=])|(?<![\p{L}\p{N})])[-−](?=\d)/gu;
const NUMBER = /^v?(\d[\d.]*)$/;
const NUMBER_WITH_UNIT = /^(\d[\d.]*)([a-zµ]{1,5})$/;
/** Parts joined by a sign, letters with digits, capitals inside, a leading dot or dash. */
const NAME = /[_$./:\\#@-]|\d|\p{Ll}\p{Lu}|\p{Lu}{2}/u;

const NEGATIONS = new Set('not no never none nor neither without cannot nothing nobody nowhere'.split(' '));
/** Words that can be left out of a sentence without changing its meaning. */
const FILLERS = new Set(
  'a an the is are be been that which there this these its our we please just also very really actually basically simply'.split(' '),
);
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(ca)n['’]t\b/giu, 'can not'],
  [/\b(wo)n['’]t\b/giu, 'will not'],
  [/\b(\p{L}+)n['’]t\b/giu, '$1 not'],
  [/\bcannot\b/giu, 'can not'],
  [/\b(it|that|there|here|what|who)['’]s\b/giu, '$1 is'],
  [/\b(\p{L}+)['’]re\b/giu, '$1 are'],
  [/['’]s\b/giu, ''],
];

export function sentencesOf(statement: string): Sentence[] {
  let text = statement.replace(/(?<=\d),(?=\d{3}\b)/g, '');
  if (/['’]|cannot/i.test(text)) for (const [pattern, instead] of CONTRACTIONS) text = text.replace(pattern, instead);
  return text
    .split(/[.;!?](?=\s|$)|\n/u)
    .map((sentence) => [...fold(sentence).matchAll(TOKEN)].flatMap(([written]) => tokensFor(written)))
    .filter((tokens) => tokens.length > 0);
}

function tokensFor(written: string): readonly Token[] {
  if (written.startsWith('`')) return [{ kind: 'name', text: written.slice(1, -1).trim() }];
  const number = NUMBER.exec(written);
  if (number) return [{ kind: 'number', text: number[1] ?? '' }];
  const withUnit = NUMBER_WITH_UNIT.exec(written);
  if (withUnit) return [{ kind: 'number', text: withUnit[1] ?? '' }, wordToken(withUnit[2] ?? '')];
  if (!/[\p{L}\p{N}]/u.test(written)) return [{ kind: 'sign', text: written }];
  if (/^\p{Lu}+$/u.test(written)) return [{ kind: 'word', text: written.toLowerCase(), plain: written.toLowerCase() }];
  if (NAME.test(written)) return [{ kind: 'name', text: written }];
  const plain = written.toLowerCase();
  if (NEGATIONS.has(plain)) return [{ kind: 'negation', text: 'not' }];
  return FILLERS.has(plain) ? [] : [wordToken(plain)];
}

const wordToken = (plain: string): Token => ({ kind: 'word', text: inflectionStem(plain), plain });

/**
 * Two statements with the same key say the same: they differ in case, punctuation, inflection, fillers, contractions or the order of
 * whole sentences only. Nothing looser is used: one noun more or another order of words is another statement, and a wrong merge
 * loses one of two memories, where a missed one only keeps a memory twice.
 */
export function statementKey(statement: string): string {
  const sentences = sentencesOf(statement).map((tokens) =>
    tokens.map(({ kind, text }) => (kind === 'word' ? text : `${kind}:${text}`)).join(' '),
  );
  return sentences.length === 0 ? `as written: ${statement}` : sentences.toSorted().join(' | ');
}
