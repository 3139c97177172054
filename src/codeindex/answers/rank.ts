// The files that a question in words is about: BM25F over their paths, the names that they define and their texts.

import type { Definition, Found, RankedHit } from '../model.ts';
import type { Segment } from '../segment/segment.ts';
import { countsIn, termsOf, tokensOf } from '../text/terms.ts';
import type { TreeView } from './tree-view.ts';

/** `weight`: what a word there counts; `length`: how much a long field counts against it. */
const WEIGHING = { path: { weight: 3, length: 0 }, names: { weight: 2.5, length: 0.3 }, body: { weight: 1, length: 0.6 } } as const;
const SATURATION = 1.2;
/** Of the whole name of something that the file defines. */
const NAME_BONUS = 1.5;
const TERMS_MAX = 40;
const LIMIT = 20;
/** Tests and examples say the same words as what they are about. */
const BESIDE = /(?:^|[./_-])(?:tests?|specs?|mocks?|fixtures?|examples?|demos?|e2e|__tests__)(?:[./_-]|$)/i;
const BESIDE_FACTOR = 0.75;

/** Words that no question is about. */
export const STOP = new Set(
  'a an and are as at be by can do does for from has have how i if in into is it its me my not of on or our so that the their then there these this to up use used was we what when where which who why will with you your'.split(
    ' ',
  ),
);

interface Posting {
  readonly segment: Segment;
  readonly file: number;
  readonly packed: number;
}

export function rank(view: TreeView, question: string, limit = LIMIT): Found<RankedHit> {
  const terms = questionTerms(question);
  const segments = [...view.store.live()];
  let files = 0;
  let words = 0;
  for (const { segment, live } of segments)
    for (let file = 0; file < segment.fileCount; file++)
      if (live[file] === 1) {
        files++;
        words += segment.fileLengths[file]!;
      }
  const mean = Math.max(1, words / Math.max(1, files));
  const scores = new Map<string, { score: number; readonly words: { readonly term: string; readonly worth: number }[] }>();
  const rarity = new Map<string, number>();
  for (const term of terms) {
    const postings: Posting[] = [];
    for (const { segment, live } of segments) {
      const found = segment.posting(term);
      if (found)
        for (const [at, file] of found.files.entries()) if (live[file] === 1) postings.push({ segment, file, packed: found.counts[at]! });
    }
    if (postings.length === 0) continue;
    const idf = Math.log(1 + (files - postings.length + 0.5) / (postings.length + 0.5));
    rarity.set(term, idf);
    for (const { segment, file, packed } of postings) {
      const path = segment.path(file);
      const worth = idf * weigh(packed, segment.fileLengths[file]! / mean, term.startsWith('='));
      let entry = scores.get(path);
      if (!entry) scores.set(path, (entry = { score: 0, words: [] }));
      entry.score += worth;
      entry.words.push({ term, worth });
    }
  }
  for (const [path, entry] of scores) if (BESIDE.test(path)) entry.score *= BESIDE_FACTOR;
  const best = [...scores].sort((a, b) => b[1].score - a[1].score || (a[0] < b[0] ? -1 : 1));
  const hits = best.slice(0, limit).flatMap(([path, { score, words: met }]): RankedHit[] => {
    const definition = bestDefinition(view.definitionsIn(path), rarity);
    const line = definition?.line ?? 1;
    const citation = view.cite(path, line, line);
    if (!citation) return [];
    const shown = met.toSorted((a, b) => b.worth - a.worth).map(({ term }) => term.replace(/^=/, ''));
    return [{ path, score: Math.round(score * 1000) / 1000, words: shown, definition, citation }];
  });
  return { hits, incomplete: best.length > limit ? `the best ${limit} of ${best.length} files` : null };
}

function questionTerms(question: string): readonly string[] {
  const found = new Set<string>();
  const tokens = tokensOf(question);
  for (const token of tokens) if (!STOP.has(token.toLowerCase())) for (const term of termsOf(token)) found.add(term);
  // Words side by side may be one name: "parse config" and `parseConfig`.
  for (let at = 0; at + 1 < tokens.length; at++)
    if (/^[A-Za-z]+$/.test(tokens[at]! + tokens[at + 1]!)) found.add(`=${(tokens[at]! + tokens[at + 1]!).toLowerCase()}`);
  return [...found].slice(0, TERMS_MAX);
}

function weigh(packed: number, relativeLength: number, isName: boolean): number {
  const { path, names, body } = countsIn(packed);
  const weight =
    (path * WEIGHING.path.weight) / 1 +
    (names * WEIGHING.names.weight) / (1 - WEIGHING.names.length + WEIGHING.names.length * relativeLength) +
    (body * WEIGHING.body.weight) / (1 - WEIGHING.body.length + WEIGHING.body.length * relativeLength);
  const worth = weight / (weight + SATURATION);
  return isName && names > 0 ? worth * NAME_BONUS : worth;
}

/** The one whose name has most of the requested words, and few others. */
function bestDefinition(definitions: readonly Definition[], rarity: ReadonlyMap<string, number>): Definition | null {
  let best: Definition | null = null;
  let bestScore = 0;
  for (const definition of definitions) {
    const terms = tokensOf(definition.name).flatMap((token) => termsOf(token));
    let score = 0;
    for (const term of new Set(terms)) score += rarity.get(term) ?? 0;
    score = score / (1 + 0.15 * terms.length) + (definition.exported ? 0.2 : 0);
    if (score > bestScore + 0.2 || (best === null && score > 0.2)) {
      best = definition;
      bestScore = score;
    }
  }
  return best;
}
