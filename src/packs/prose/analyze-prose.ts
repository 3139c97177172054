// Figures about one scene: sentences, paragraphs, dialogue, rhythm, repeated words, point of view, adverbs. Each with the lines that show it.

import type { GroundingArgs } from '../../protocol/index.ts';
import type { Place } from './facts/fact.ts';
import { isSpoken, type ProseText, type Sentence, wordsIn } from './text/prose-text.ts';

export type ProseFocus = NonNullable<GroundingArgs<'prose_analyzer'>['focus']>;

interface Measured extends Place {
  readonly words: number;
}

export interface ProseFigures {
  readonly path: string;
  readonly words: number;
  readonly sentences: number;
  readonly paragraphs: number;
  readonly pacing?: {
    readonly sentence_words: Spread & { readonly shortest: Measured | null; readonly longest: Measured | null };
    readonly paragraph_words: Spread & { readonly longest: Measured | null };
    /** Words between quotation marks, of all words. */
    readonly dialogue_ratio: number;
  };
  readonly rhythm?: {
    /** Standard deviation of sentence lengths, as a part of their mean: below 0.4 a text sounds even. */
    readonly variation: number;
    /** Three or more sentences in a row of nearly the same length. */
    readonly even_runs: readonly (Place & { readonly lengths: readonly number[] })[];
    /** Two or more sentences in a row that begin with the same word. */
    readonly same_openings: readonly (Place & { readonly word: string; readonly times: number })[];
  };
  readonly voice?: {
    readonly point_of_view: {
      readonly person: 'first' | 'second' | 'third' | 'unclear';
      readonly pronouns: Readonly<Record<string, number>>;
    };
    readonly repeated: readonly { readonly word: string; readonly count: number; readonly lines: readonly number[] }[];
    /** The same word twice within a few sentences. */
    readonly echoes: readonly (Place & { readonly word: string; readonly again_line: number })[];
    readonly adverbs: {
      readonly count: number;
      readonly per_1000_words: number;
      readonly examples: readonly (Place & { readonly word: string })[];
    };
  };
}

interface Spread {
  readonly mean: number;
  readonly median: number;
  readonly deviation: number;
}

const EXAMPLES_MAX = 5;

export function analyzeProse(text: ProseText, focus: ProseFocus = 'all', language = 'en'): ProseFigures {
  const measured = text.sentences.map((sentence) => ({ sentence, words: wordsIn(sentence.text, language) }));
  const wants = (part: ProseFocus) => focus === 'all' || focus === part;
  return {
    path: text.path,
    words: measured.reduce((sum, { words }) => sum + words.length, 0),
    sentences: text.sentences.length,
    paragraphs: text.paragraphs.length,
    ...(wants('pacing') ? { pacing: pacingOf(text, measured, language) } : {}),
    ...(wants('rhythm') ? { rhythm: rhythmOf(text, measured) } : {}),
    ...(wants('voice') ? { voice: voiceOf(text, measured) } : {}),
  };
}

interface MeasuredSentence {
  readonly sentence: Sentence;
  readonly words: readonly string[];
}

function pacingOf(text: ProseText, measured: readonly MeasuredSentence[], language: string): NonNullable<ProseFigures['pacing']> {
  const sentences = measured.map(({ sentence, words }): Measured => ({ ...placeOf(text, sentence), words: words.length }));
  const paragraphs = text.paragraphs.map(({ text: paragraph, start_line }): Measured => ({
    path: text.path,
    line: start_line,
    quote: cut(paragraph),
    words: wordsIn(paragraph, language).length,
  }));
  const spoken = measured.reduce(
    (sum, { sentence }) =>
      sum + sentence.speech.reduce((inner, { from, to }) => inner + wordsIn(sentence.text.slice(from, to), language).length, 0),
    0,
  );
  return {
    sentence_words: {
      ...spreadOf(sentences.map(({ words }) => words)),
      shortest: extreme(sentences, (a, b) => a < b),
      longest: extreme(sentences, (a, b) => a > b),
    },
    paragraph_words: { ...spreadOf(paragraphs.map(({ words }) => words)), longest: extreme(paragraphs, (a, b) => a > b) },
    dialogue_ratio: ratio(
      spoken,
      sentences.reduce((sum, { words }) => sum + words, 0),
    ),
  };
}

function rhythmOf(text: ProseText, measured: readonly MeasuredSentence[]): NonNullable<ProseFigures['rhythm']> {
  const { mean, deviation } = spreadOf(measured.map(({ words }) => words.length));
  return {
    variation: mean === 0 ? 0 : round(deviation / mean),
    even_runs: runsOf(measured, (a, b) => Math.abs(a.words.length - b.words.length) <= 1 && a.words.length >= 4, 3)
      .slice(0, EXAMPLES_MAX)
      .map((run) => ({ ...placeOf(text, run[0]!.sentence), lengths: run.map(({ words }) => words.length) })),
    same_openings: runsOf(measured, (a, b) => a.words[0] !== undefined && a.words[0].toLowerCase() === b.words[0]?.toLowerCase(), 2)
      .slice(0, EXAMPLES_MAX)
      .map((run) => ({ ...placeOf(text, run[0]!.sentence), word: run[0]!.words[0]!, times: run.length })),
  };
}

const PRONOUNS = {
  first: /^(?:i|me|my|mine|we|us|our)$/i,
  second: /^(?:you|your|yours)$/i,
  third: /^(?:he|him|his|she|her|hers|they|them|their)$/i,
} as const;
/** Words that end in -ly and are no adverbs. */
const NOT_ADVERBS = new Set(
  'family only early ugly lonely lovely friendly reply supply apply fly italy july belly bully jelly lily ally holy silly assembly butterfly likely elderly daily homely lively'.split(
    ' ',
  ),
);
const COMMON = new Set(
  'about after again against all also although always another any are because been before being between both but came come could did does down each even ever every first from gave get going gone had has have her here him his how into its itself just know like little made make many more most much must never not nothing now off old one only other our out over own put said same saw see she should some such take than that the their them then there these they thing this those though through time too under until upon very was way were what when where which while who will with without would you your'.split(
    ' ',
  ),
);
const ECHO_SENTENCES = 3;

function voiceOf(text: ProseText, measured: readonly MeasuredSentence[]): NonNullable<ProseFigures['voice']> {
  const narrated = measured.map(({ sentence }) => ({ sentence, words: narratedWords(sentence) }));
  const count = (form: RegExp) => narrated.reduce((sum, { words }) => sum + words.filter((word) => form.test(word)).length, 0);
  const pronouns = { first: count(PRONOUNS.first), second: count(PRONOUNS.second), third: count(PRONOUNS.third) };
  const total = measured.reduce((sum, { words }) => sum + words.length, 0);
  const adverbs = measured.flatMap(({ sentence, words }) =>
    words
      .filter((word) => /^\p{L}{3,}ly$/u.test(word) && !NOT_ADVERBS.has(word.toLowerCase()) && !/^\p{Lu}/u.test(word))
      .map((word) => ({ ...placeOf(text, sentence), word })),
  );
  return {
    point_of_view: { person: personOf(pronouns), pronouns },
    repeated: repeatedWords(measured),
    echoes: echoesIn(text, measured),
    adverbs: {
      count: adverbs.length,
      per_1000_words: total === 0 ? 0 : round((adverbs.length * 1000) / total),
      examples: adverbs.slice(0, EXAMPLES_MAX),
    },
  };
}

/** What is said by somebody does not show who tells the story. */
const narratedWords = (sentence: Sentence): readonly string[] =>
  Array.from(sentence.text.matchAll(/[\p{L}’']+/gu)).flatMap(({ 0: word, index }) => (isSpoken(sentence, index) ? [] : [word]));

function personOf({ first, second, third }: { first: number; second: number; third: number }): 'first' | 'second' | 'third' | 'unclear' {
  const all = first + second + third;
  if (all < 3) return 'unclear';
  if (first / all > 0.3) return 'first';
  if (second / all > 0.5) return 'second';
  return third / all > 0.5 ? 'third' : 'unclear';
}

const isContent = (word: string): boolean => word.length >= 4 && !COMMON.has(word);

function repeatedWords(measured: readonly MeasuredSentence[]) {
  const lines = new Map<string, number[]>();
  for (const { sentence, words } of measured)
    for (const word of words.map((each) => each.toLowerCase()))
      if (isContent(word)) lines.set(word, [...(lines.get(word) ?? []), sentence.start_line]);
  return [...lines]
    .filter(([, at]) => at.length >= 3)
    .toSorted(([a, atA], [b, atB]) => atB.length - atA.length || a.localeCompare(b))
    .slice(0, 2 * EXAMPLES_MAX)
    .map(([word, at]) => ({ word, count: at.length, lines: [...new Set(at)].slice(0, 2 * EXAMPLES_MAX) }));
}

function echoesIn(text: ProseText, measured: readonly MeasuredSentence[]) {
  const last = new Map<string, number>();
  const echoes: (Place & { word: string; again_line: number })[] = [];
  for (const [at, { sentence, words }] of measured.entries())
    for (const word of new Set(words.filter((each) => !/^\p{Lu}/u.test(each)).map((each) => each.toLowerCase()))) {
      if (!isContent(word) || word.length < 6) continue;
      const before = last.get(word);
      if (before !== undefined && at - before < ECHO_SENTENCES)
        echoes.push({ ...placeOf(text, measured[before]!.sentence), word, again_line: sentence.start_line });
      last.set(word, at);
    }
  return echoes.slice(0, EXAMPLES_MAX);
}

function runsOf<T>(items: readonly T[], alike: (a: T, b: T) => boolean, least: number): readonly (readonly T[])[] {
  const runs: T[][] = [];
  for (const item of items) {
    const open = runs.at(-1);
    if (open && alike(open.at(-1)!, item)) open.push(item);
    else runs.push([item]);
  }
  return runs.filter((run) => run.length >= least);
}

const extreme = (items: readonly Measured[], better: (a: number, b: number) => boolean): Measured | null =>
  items.reduce<Measured | null>((best, item) => (best === null || better(item.words, best.words) ? item : best), null);

function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) return { mean: 0, median: 0, deviation: 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return { mean: round(mean), median, deviation: round(deviation) };
}

const placeOf = ({ path }: ProseText, { start_line, text }: Sentence): Place => ({ path, line: start_line, quote: cut(text) });
const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…`.toWellFormed() : text);
const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : round(part / whole));
const round = (value: number): number => Math.round(value * 100) / 100;
