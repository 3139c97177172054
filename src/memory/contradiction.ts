// Whether two statements contradict each other. Purely lexical: it finds statements in nearly the same words with one word negated or
// replaced by its opposite, and misses others. The result is shown to people and decides nothing.

import { sentencesOf } from './statement.ts';
import { STOP_WORDS } from './words.ts';

/** What a statement says, as far as it is compared. */
export interface Reading {
  /** Its subject words, without those that have an opposite. */
  readonly subject: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly numbers: readonly string[];
  readonly negated: boolean;
  /** Words that have an opposite: the pair's number and the side. */
  readonly sides: ReadonlyMap<number, 0 | 1>;
}

export interface ContradictionRule {
  readonly differsIn: string;
  readonly differs: (one: Reading, other: Reading) => boolean;
  readonly examples: {
    readonly contradict: readonly (readonly [string, string])[];
    readonly agree: readonly (readonly [string, string])[];
  };
}

/** Forms of one word are separated by a slash. */
export const OPPOSITES: readonly (readonly [string, string])[] = [
  ['enabled/enable/enables', 'disabled/disable/disables'],
  ['sync/synchronous/synchronously', 'async/asynchronous/asynchronously'],
  ['required/mandatory', 'optional'],
  ['allow/allows/allowed', 'deny/denies/denied/forbid/forbids/forbidden'],
  ['true', 'false'],
  ['tabs/tab', 'spaces/space'],
  ['on', 'off'],
  ['before', 'after'],
  ['public', 'private'],
  ['open/opened', 'closed/close'],
  ['mutable', 'immutable'],
  ['minimum/min/least', 'maximum/max/most'],
  ['first', 'last'],
  ['ascending', 'descending'],
  ['include/includes/included', 'exclude/excludes/excluded'],
  ['accept/accepts/accepted', 'reject/rejects/rejected'],
  ['valid', 'invalid'],
  ['safe', 'unsafe'],
  ['encrypted', 'unencrypted/plaintext'],
  ['stateless', 'stateful'],
  ['internal', 'external'],
  ['local', 'remote'],
  ['strict', 'lenient'],
  ['single', 'double'],
  ['uppercase', 'lowercase'],
  ['succeeds/succeed', 'fails/fail'],
  ['above', 'below'],
  ['increases/increase', 'decreases/decrease'],
  ['always', 'sometimes'],
];

export const CONTRADICTION_RULES: readonly ContradictionRule[] = [
  {
    differsIn: 'a negation',
    differs: (one, other) => one.negated !== other.negated,
    examples: {
      contradict: [
        ['Sessions survive a restart of the server', "Sessions don't survive a restart of the server"],
        ['`parseToken` checks the signature', '`parseToken` never checks the signature'],
      ],
      agree: [
        ['Sessions survive a restart of the server', 'Sessions survive restarts of the server'],
        ['`parseToken` checks the signature', '`parseHeader` never checks the signature'],
        ['Logins are not limited', 'The export runs every night'],
        ['The cache is enabled in production', 'The cache is not disabled in production'],
      ],
    },
  },
  {
    differsIn: 'a number',
    differs: ({ numbers: one }, { numbers: other }) => one.length > 0 && other.length > 0 && one.join(' ') !== other.join(' '),
    examples: {
      contradict: [
        ['Login attempts are limited to 5 per minute', 'Login attempts are limited to 10 per minute'],
        ['The build needs Node 20', 'The build needs Node v24.1'],
      ],
      agree: [
        ['Uploads are limited to 1000 rows', 'Uploads are limited to 1,000 rows'],
        ['Login attempts are limited to 5 per minute', 'Password resets expire after 10 minutes'],
        ['Login attempts are limited', 'Login attempts are limited to 5 per minute'],
      ],
    },
  },
  {
    differsIn: 'a word and its opposite',
    differs: (one, other) => [...one.sides].some(([pair, side]) => other.sides.get(pair) === 1 - side),
    examples: {
      contradict: [
        ['Caching is enabled in production', 'Caching is disabled in production'],
        ['The email field is required for invoices', 'The email field is optional for invoices'],
        ['Indent source files with tabs', 'Indent source files with spaces'],
      ],
      agree: [
        ['Caching is enabled in production', 'Caching is enabled in staging and disabled in production'],
        ['Indent Makefiles with tabs', 'Pad the printed table with spaces'],
      ],
    },
  },
];

/** How much of the two subjects must be the same. */
export const SUBJECT_OVERLAP = 0.75;
const SUBJECT_WORDS = 2;

const sideOf = new Map<string, readonly [number, 0 | 1]>(
  OPPOSITES.flatMap(([one, other], pair) => [
    ...one.split('/').map((word) => [word, [pair, 0]] as const),
    ...other.split('/').map((word) => [word, [pair, 1]] as const),
  ]),
);

export function readingOf(statement: string): Reading {
  const subject = new Set<string>();
  const names = new Set<string>();
  const numbers: string[] = [];
  const sides = new Map<number, 0 | 1>();
  let negations = 0;
  for (const token of sentencesOf(statement).flat()) {
    if (token.kind === 'negation') negations++;
    else if (token.kind === 'number') numbers.push(token.text);
    else if (token.kind === 'name') names.add(token.text);
    else if (token.kind === 'word') {
      const side = sideOf.get(token.plain);
      if (side) sides.set(...side);
      else if (!STOP_WORDS.has(token.plain)) subject.add(token.text);
    }
  }
  return { subject, names, numbers: numbers.toSorted(), negated: negations % 2 === 1, sides };
}

/** Exactly one difference: a double negation ("not enabled", "disabled") is no contradiction. */
export function contradict(one: Reading, other: Reading): boolean {
  const sameNames = countShared(one.names, other.names);
  if (sameNames < Math.max(one.names.size, other.names.size)) return false;
  const shared = countShared(one.subject, other.subject);
  const all = one.subject.size + other.subject.size - shared;
  if (shared + sameNames < SUBJECT_WORDS || shared < SUBJECT_OVERLAP * all) return false;
  return CONTRADICTION_RULES.filter(({ differs }) => differs(one, other)).length === 1;
}

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0;
  for (const each of one) if (other.has(each)) count++;
  return count;
}
