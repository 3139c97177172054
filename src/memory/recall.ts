// What recall finds and in which order, with the reasons in words.

import { pathInside } from '../claims/index.ts';
import type { Claim, ClaimKind, ClaimStatus } from '../protocol/index.ts';
import { type Field, type Fields, FIELDS, type TextIndex, termsOf } from './text-index.ts';
import { nameTerm, STOP_WORDS, type Word, wordsOf } from './words.ts';

export interface RecallQuery {
  readonly query: string;
  readonly limit: number;
  /** The globs of the intent that is worked on. */
  readonly scope?: readonly string[] | undefined;
  readonly now: Date;
  /** What is known about a claim's status; null where it was not computed. */
  readonly statusOf?: ((claim: Claim) => ClaimStatus | null) | undefined;
}

export interface Hit {
  readonly claim: Claim;
  /** How often it was said. */
  readonly times: number;
  readonly score: number;
  readonly why: string[];
}

/** A memory as it is ranked. */
export interface Ranked {
  readonly claim: Claim;
  readonly times: number;
  /** When it was last said, in milliseconds. */
  readonly saidAt: number;
}

const KIND_WEIGHT: Readonly<Record<ClaimKind, number>> = { constraint: 1.2, decision: 1.15, fact: 1.1, claim: 1, note: 0.95 };
const STATUS_WEIGHT: Readonly<Record<ClaimStatus, number>> = { VERIFIED: 1, ASSERTED: 1, STALE: 0.6, REFUTED: 0.3 };
const SCOPE_WEIGHT = 1.25;
const APPROVED_WEIGHT = 1.15;
/** How much age can take away at most, and its half-life in days. */
const AGE_WEIGHT = 0.15;
const AGE_HALF_DAYS = 60;
const DAY = 86_400_000;

/** A name is worth more than a word; its parts, once it is looked up whole, less. */
const NAME_WEIGHT = 1.5;
const PART_OF_NAME_WEIGHT = 0.7;
/** Neighbouring words that are a name somewhere: "rate limit" for `rateLimit`. */
const JOINED_WEIGHT = 0.8;
const JOINED_WORDS = 3;
const PREFIX_WEIGHT = 0.3;
const PREFIX_TERMS = 8;
const QUERY_WORDS = 64;

export const fieldsOf = (claim: Claim): Fields => ({
  statement: claim.statement,
  rationale: claim.rationale ?? '',
  paths: [
    ...claim.citations.map(({ path }) => path),
    ...claim.checks.flatMap(({ evidence }) => ('path' in evidence ? [evidence.path] : [])),
    ...claim.scope,
  ].join(' '),
});

export function recallFrom(index: TextIndex<Ranked>, asked: RecallQuery): Hit[] {
  const words = contentWords(asked.query);
  const terms = lookups(index, words);
  const scope = asked.scope ?? [];
  const best: Candidate[] = [];
  const limit = Math.max(0, Math.floor(asked.limit));
  if (terms.size === 0 || limit === 0) return [];

  const now = asked.now.getTime();
  const most = scope.length > 0 ? SCOPE_WEIGHT : 1;
  let worst: Candidate | undefined;
  index.matching(terms, limit, (number, match) => {
    // Each further step costs more than the one before, and most documents could not get in even at the best values of later steps.
    if (worst && match * WEIGHT_MAX * most < worst.score) return;
    const sure = match * index.weightAt(number) * freshness(now - index.timeAt(number));
    if (sure === 0 || (worst && sure * most < worst.score)) return;
    const entry = index.itemAt(number);
    const inside = scope.length > 0 && pathInside(entry.claim, scope) !== null ? SCOPE_WEIGHT : 1;
    const status = asked.statusOf?.(entry.claim) ?? null;
    const candidate = { entry, score: sure * inside * (status === null ? 1 : STATUS_WEIGHT[status]) };
    if (worst && !isBefore(candidate, worst)) return;
    if (worst) best.pop();
    let at = best.length;
    while (at > 0 && isBefore(candidate, best[at - 1] as Candidate)) at--;
    best.splice(at, 0, candidate);
    if (best.length === limit) worst = best.at(-1);
  });
  return best.map(({ entry, score }) => ({ claim: entry.claim, times: entry.times, score, why: reasons(entry, words, asked) }));
}

interface Candidate {
  readonly entry: Ranked;
  readonly score: number;
}

/** Equal ones: the newer first, then by id, so that the same question always has the same answer. */
function isBefore(one: Candidate, other: Candidate): boolean {
  if (one.score !== other.score) return one.score > other.score;
  if (one.entry.saidAt !== other.entry.saidAt) return one.entry.saidAt > other.entry.saidAt;
  return one.entry.claim.id > other.entry.claim.id;
}

const WEIGHT_MAX = Math.max(...Object.values(KIND_WEIGHT)) * APPROVED_WEIGHT;
/** What a memory weighs for any query. */
export const weightOf = ({ kind, approved }: Claim): number => KIND_WEIGHT[kind] * (approved === null ? 1 : APPROVED_WEIGHT);

function freshness(milliseconds: number): number {
  const age = Math.max(0, milliseconds / DAY);
  return 1 - (AGE_WEIGHT * age) / (age + AGE_HALF_DAYS);
}

/** Without the words that only make it a question, unless it has no others. */
function contentWords(query: string): Word[] {
  const words = wordsOf(query).filter(({ parts }) => parts.length > 0);
  const content = words.filter(({ written }) => !STOP_WORDS.has(written.toLowerCase()));
  return (content.length > 0 ? content : words).slice(0, QUERY_WORDS);
}

/** What to search for, with its weight. */
function lookups(index: TextIndex<Ranked>, words: readonly Word[]): Map<string, number> {
  const terms = new Map<string, number>();
  const want = (term: string, weight: number): void => void terms.set(term, Math.max(weight, terms.get(term) ?? 0));
  for (const { parts, names } of words) {
    for (const { term } of parts) want(term, names.length > 0 ? PART_OF_NAME_WEIGHT : 1);
    for (const name of names) want(name, NAME_WEIGHT);
  }
  const plain = words.flatMap(({ parts }) => parts.map((part) => part.plain));
  for (let length = 1; length <= JOINED_WORDS; length++)
    for (let at = 0; at + length <= plain.length; at++) {
      const name = nameTerm(plain.slice(at, at + length));
      if (index.frequency(name) > 0) want(name, JOINED_WEIGHT);
    }
  const last = plain.at(-1) ?? '';
  for (const term of index.startingWith(last, PREFIX_TERMS)) if (!terms.has(term)) want(term, PREFIX_WEIGHT);
  return terms;
}

const IN_WORDS: Readonly<Record<Field, string>> = { statement: 'the statement', rationale: 'the rationale', paths: 'its paths' };

function reasons(entry: Ranked, words: readonly Word[], asked: RecallQuery): string[] {
  const { claim } = entry;
  const why: string[] = [];
  const fields = fieldsOf(claim);
  for (const field of FIELDS) {
    const there = new Set(wordsOf(fields[field]).flatMap((word) => [...termsOf(word)]));
    const matched = words.filter(
      (word, at) => [...termsOf(word)].some((term) => there.has(term)) || (at === words.length - 1 && beginsOne(word, there)),
    );
    const written = [...new Set(matched.map((word) => JSON.stringify(word.written)))];
    if (written.length > 0) why.push(`matches ${written.join(', ')} in ${IN_WORDS[field]}`);
  }
  if (why.length === 0) why.push('has a name that the words make together');
  why.push(`a ${claim.kind}`);
  const inside = pathInside(claim, asked.scope ?? []);
  if (inside !== null) why.push(`${inside}, inside the intent's paths`);
  if (claim.approved) why.push('approved by a human');
  const days = Math.max(0, Math.floor((asked.now.getTime() - entry.saidAt) / DAY));
  why.push(days === 0 ? 'said within a day' : `said ${days} ${days === 1 ? 'day' : 'days'} ago`);
  const status = asked.statusOf?.(claim) ?? null;
  if (status === 'STALE') why.push('ranked lower: what it cites or checked has changed');
  if (status === 'REFUTED') why.push('ranked lower: a check of it failed');
  return why;
}

function beginsOne(word: Word, terms: ReadonlySet<string>): boolean {
  const last = word.parts.at(-1)?.plain ?? '';
  return last.length >= 3 && [...terms].some((term) => term.startsWith(last));
}
