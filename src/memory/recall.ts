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
const STATUS_WEIGHT: Readonly<Record<ClaimStatus, number>> = { VERIFIED: 1, CITED: 1, ASSERTED: 1, STALE: 0.6, REFUTED: 0.3 };
const SCOPE_WEIGHT = 1.25;
const APPROVED_WEIGHT = 1.15;
/** The share of the score that age can take away, and after how many days it has taken half of that. */
const AGE_WEIGHT = 0.15;
const HALF_AGED_DAYS = 60;
const DAY_MS = 86_400_000;

/** A name is worth more than a word; its parts, once it is looked up whole, less. */
const NAME_WEIGHT = 1.5;
const PART_OF_NAME_WEIGHT = 0.7;
/** Neighbouring words that are a name somewhere: "rate limit" for `rateLimit`. */
const JOINED_WEIGHT = 0.8;
const MAX_JOINED_WORDS = 3;
/** Terms that begin with the last word, which may not be typed to its end. */
const PREFIX_WEIGHT = 0.3;
const MAX_PREFIX_TERMS = 8;
const MIN_PREFIX_LENGTH = 3;
const MAX_QUERY_WORDS = 64;

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
  const terms = weightedTerms(index, words);
  const scope = asked.scope ?? [];
  const best: Candidate[] = [];
  const limit = Math.max(0, Math.floor(asked.limit));
  if (terms.size === 0 || limit === 0) return [];

  const now = asked.now.getTime();
  const maxScopeFactor = scope.length > 0 ? SCOPE_WEIGHT : 1;
  let worst: Candidate | undefined;
  index.matching(terms, limit, (number, match) => {
    // Each step costs more than the one before. A memory that could not get in even with the best values of later steps is skipped.
    if (worst && match * MAX_WEIGHT * maxScopeFactor < worst.score) return;
    const base = match * index.weightAt(number) * freshness(now - index.timeAt(number));
    if (base === 0 || (worst && base * maxScopeFactor < worst.score)) return;
    const entry = index.itemAt(number);
    const scopeFactor = scope.length > 0 && pathInside(entry.claim, scope) !== null ? SCOPE_WEIGHT : 1;
    const status = asked.statusOf?.(entry.claim) ?? null;
    const candidate = { entry, score: base * scopeFactor * (status === null ? 1 : STATUS_WEIGHT[status]) };
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

const MAX_WEIGHT = Math.max(...Object.values(KIND_WEIGHT)) * APPROVED_WEIGHT;
/** What a memory weighs for any query. */
export const weightOf = ({ kind, approved }: Claim): number => KIND_WEIGHT[kind] * (approved === null ? 1 : APPROVED_WEIGHT);

function freshness(milliseconds: number): number {
  const age = Math.max(0, milliseconds / DAY_MS);
  return 1 - (AGE_WEIGHT * age) / (age + HALF_AGED_DAYS);
}

/** Without stop words, unless there are no others. */
function contentWords(query: string): Word[] {
  const words = wordsOf(query).filter(({ parts }) => parts.length > 0);
  const content = words.filter(({ written }) => !STOP_WORDS.has(written.toLowerCase()));
  return (content.length > 0 ? content : words).slice(0, MAX_QUERY_WORDS);
}

/** The terms to search for, with their weights. */
function weightedTerms(index: TextIndex<Ranked>, words: readonly Word[]): Map<string, number> {
  const terms = new Map<string, number>();
  const add = (term: string, weight: number): void => void terms.set(term, Math.max(weight, terms.get(term) ?? 0));
  for (const { parts, names } of words) {
    for (const { term } of parts) add(term, names.length > 0 ? PART_OF_NAME_WEIGHT : 1);
    for (const name of names) add(name, NAME_WEIGHT);
  }
  const plain = words.flatMap(({ parts }) => parts.map((part) => part.plain));
  for (let length = 1; length <= MAX_JOINED_WORDS; length++)
    for (let at = 0; at + length <= plain.length; at++) {
      const name = nameTerm(plain.slice(at, at + length));
      if (index.frequency(name) > 0) add(name, JOINED_WEIGHT);
    }
  const last = plain.at(-1) ?? '';
  for (const term of index.startingWith(last, MAX_PREFIX_TERMS)) if (!terms.has(term)) add(term, PREFIX_WEIGHT);
  return terms;
}

const FIELD_WORDS: Readonly<Record<Field, string>> = { statement: 'the statement', rationale: 'the rationale', paths: 'its paths' };

function reasons(entry: Ranked, words: readonly Word[], asked: RecallQuery): string[] {
  const { claim } = entry;
  const why: string[] = [];
  const fields = fieldsOf(claim);
  for (const field of FIELDS) {
    const fieldTerms = new Set(wordsOf(fields[field]).flatMap((word) => [...termsOf(word)]));
    const matched = words.filter(
      (word, at) => [...termsOf(word)].some((term) => fieldTerms.has(term)) || (at === words.length - 1 && isPrefixOfOne(word, fieldTerms)),
    );
    const written = [...new Set(matched.map((word) => JSON.stringify(word.written)))];
    if (written.length > 0) why.push(`matches ${written.join(', ')} in ${FIELD_WORDS[field]}`);
  }
  if (why.length === 0) why.push('has a name that the words make together');
  why.push(`a ${claim.kind}`);
  const inside = pathInside(claim, asked.scope ?? []);
  if (inside !== null) why.push(`${inside}, inside the intent's paths`);
  if (claim.approved) why.push('approved by a human');
  const days = Math.max(0, Math.floor((asked.now.getTime() - entry.saidAt) / DAY_MS));
  why.push(days === 0 ? 'said within a day' : `said ${days} ${days === 1 ? 'day' : 'days'} ago`);
  const status = asked.statusOf?.(claim) ?? null;
  if (status === 'STALE') why.push('ranked lower: what it cites or checked has changed');
  if (status === 'REFUTED') why.push('ranked lower: a check of it failed');
  return why;
}

function isPrefixOfOne(word: Word, terms: ReadonlySet<string>): boolean {
  const last = word.parts.at(-1)?.plain ?? '';
  return last.length >= MIN_PREFIX_LENGTH && [...terms].some((term) => term.startsWith(last));
}
