// Who and what has a name in a set of texts: people, places and other terms, with the shorter names that mean the same person.

import { MONTHS, WEEKDAYS } from '../text/english-numbers.ts';
import type { ProseText } from '../text/prose-text.ts';

export type NameKind = 'person' | 'place' | 'other';

export interface NamedEntity {
  readonly name: string;
  readonly kind: NameKind;
  readonly count: number;
  readonly aliases: readonly string[];
}

export interface Mention {
  /** As the text has it, without title and genitive. */
  readonly name: string;
  /** Place in the sentence. */
  readonly at: number;
  readonly end: number;
}

export interface NameBook {
  readonly entities: readonly NamedEntity[];
  /** The person that a name, a part of one, or a role such as `constable` means; null: no person, or not certain. */
  readonly personOf: (name: string) => string | null;
  readonly mentionsIn: (sentence: string) => readonly Mention[];
  /** `she`, `he`, or null where the texts do not show it. */
  readonly pronounOf: (person: string) => 'she' | 'he' | null;
}

const TITLES = new Set(
  'mr mrs ms miss dr sir madam lady lord uncle aunt father mother brother sister captain constable sergeant inspector professor doctor king queen prince princess saint st old young'.split(
    ' ',
  ),
);
const NOT_NAMES = new Set(
  [
    'i i’m i’ll i’ve i’d god the a an and but or if it he she they we you his her their its my our your this that these those there here then now when where what who why how',
    'not no yes oh ah well so as at in on of for from to with by behind before after above below between under over nothing nobody somebody everything everybody outside inside',
    'english french german latin christmas easter chapter act scene part pov',
    MONTHS.join(' '),
    WEEKDAYS.join(' '),
  ]
    .join(' ')
    .split(' '),
);

const CAPITALISED = /(?<![\p{L}\p{N}’'-])\p{Lu}[\p{L}’'-]*(?:\s+\p{Lu}[\p{L}’'-]*){0,3}/gu;
const SPEECH_VERB = '(?:said|says|asked|asks|answered|replied|whispered|shouted|cried|called|muttered|told|added|murmured|thought)';

const withoutGenitive = (word: string): string => word.replace(/[’']s?$/, '');
/** "You’re", "I’ll" and "Nobody’s" are no names. */
const isNoName = (word: string): boolean => NOT_NAMES.has(word.split(/[’']/)[0]!.toLowerCase());

interface Run extends Mention {
  readonly title: string | null;
  /** It begins a sentence, so its first word may be any word. */
  readonly isFirst: boolean;
}

/** Runs of capitalised words, without titles and without words that are never names. */
function runsIn(text: string): readonly Run[] {
  return Array.from(text.matchAll(CAPITALISED)).flatMap(({ 0: run, index }) => {
    const words = run.split(/\s+/);
    let from = 0;
    let title: string | null = null;
    while (from < words.length && (TITLES.has(words[from]!.toLowerCase()) || isNoName(words[from]!))) {
      title = TITLES.has(words[from]!.toLowerCase()) ? words[from]!.toLowerCase() : title;
      from++;
    }
    let to = from;
    // A genitive ends a name: "Mara’s Lamp" is two.
    while (to < words.length && !isNoName(words[to]!)) if (/[’']s?$/.test(words[to++]!)) break;
    const name = words.slice(from, to).map(withoutGenitive).join(' ');
    if (name.length < 2) return [];
    const at = index + run.indexOf(words[from]!);
    const before = text.slice(Math.max(0, index - 3), index);
    const isFirst = from === 0 && (/^[\s“"‘'«„—(-]*$/.test(text.slice(0, index)) || /[.!?…:;—“"«„‘(][”"’»)]?\s*[“"«„‘(]?$/.test(before));
    return [{ name, at, end: at + words.slice(from, to).join(' ').length, title, isFirst }];
  });
}

/** "Stubb Kills a Whale": the words of a heading are capitalised whatever they are. */
const isHeading = (text: string): boolean => {
  const words = text.match(/[\p{L}’']{4,}/gu) ?? [];
  return words.length > 2 && words.length < 12 && words.every((word) => /^\p{Lu}/u.test(word));
};

/** The names of all texts: a first look takes what is capitalised inside sentences, a second one what begins them. */
class Runs {
  readonly #byText = new Map<string, readonly Run[]>();
  readonly #inside = new Set<string>();
  /** Words of longer names. */
  readonly #parts = new Set<string>();
  readonly #lower = new Map<string, number>();
  /** How often a word alone begins a sentence. */
  readonly #first = new Map<string, number>();

  constructor(texts: readonly ProseText[]) {
    for (const { sentences } of texts)
      for (const { text } of sentences) {
        for (const [word] of text.matchAll(/(?<![\p{L}’'])\p{Ll}[\p{L}’']*/gu)) this.#lower.set(word, (this.#lower.get(word) ?? 0) + 1);
        if (!isHeading(text))
          for (const { name, isFirst } of runsIn(text))
            if (isFirst) this.#first.set(name, (this.#first.get(name) ?? 0) + 1);
            else this.#inside.add(name);
      }
    for (const name of this.#inside) if (name.includes(' ')) for (const word of name.split(' ')) this.#parts.add(word);
  }

  of(text: string): readonly Run[] {
    const known = this.#byText.get(text);
    if (known) return known;
    const runs = isHeading(text) ? [] : runsIn(text).flatMap((run) => this.#trim(run));
    this.#byText.set(text, runs);
    return runs;
  }

  /** More often a plain word than a name. */
  isPlain(word: string, count: number): boolean {
    return (this.#lower.get(word.toLowerCase()) ?? 0) >= count;
  }

  #trim(run: Run): readonly Run[] {
    const [first, ...rest] = run.name.split(' ');
    if (!run.isFirst || this.#inside.has(run.name) || this.#parts.has(run.name)) return [run];
    // Somebody whose name only ever begins sentences.
    if (rest.length === 0) return (this.#first.get(run.name) ?? 0) >= 2 && !this.#lower.has(run.name.toLowerCase()) ? [run] : [];
    if (!this.#lower.has(first!.toLowerCase())) return [run];
    return [{ ...run, name: rest.join(' '), at: run.at + first!.length + 1, isFirst: false }];
  }
}

export function readNames(texts: readonly ProseText[]): NameBook {
  const runs = new Runs(texts);
  const counts = new Map<string, number>();
  const certain = new Set<string>();
  const personVotes = new Map<string, number>();
  const placeVotes = new Map<string, number>();
  const roles = new Map<string, Set<string>>();
  const vote = (votes: Map<string, number>, name: string, by = 1) => votes.set(name, (votes.get(name) ?? 0) + by);
  const state = (name: string, votes: Map<string, number>, by: number) => {
    certain.add(name);
    vote(counts, name, 0);
    vote(votes, name, by);
  };

  for (const { sentences, metadata, title, path } of texts) {
    for (const { text } of sentences)
      for (const run of runs.of(text)) {
        vote(counts, run.name);
        for (const [votes, by] of votesFor(text, run, personVotes, placeVotes)) vote(votes, run.name, by);
        if (run.title !== null) certain.add(run.name);
        if (run.title !== null && !['old', 'young'].includes(run.title)) addTo(roles, run.title, run.name);
      }
    const pov = metadata.get('pov')?.value;
    if (pov !== undefined) for (const person of pov.split(/\s*,\s*/)) state(person, personVotes, 5);
    const place = metadata.get('place')?.value ?? metadata.get('location')?.value;
    if (place !== undefined) state(place.replace(/^the\s+/i, ''), placeVotes, 5);
    if (title !== null && isCard(path, metadata)) {
      state(title, personVotes, 10);
      const role = metadata.get('role')?.value;
      // "harbour master of Northhaven" → "harbour master"; "ferryman; brother of …" → "ferryman".
      if (role !== undefined)
        addTo(
          roles,
          role
            .toLowerCase()
            .split(/\s+of\s+|[,;(]/)[0]!
            .trim(),
          title,
        );
    }
  }

  const names = [...counts].flatMap(([name, count]) =>
    certain.has(name) || name.includes(' ') || !runs.isPlain(name, count) ? [name] : [],
  );
  const isPerson = (name: string) => (personVotes.get(name) ?? 0) > 0 && (personVotes.get(name) ?? 0) >= (placeVotes.get(name) ?? 0);
  const personOf = personFinder(names, isPerson, roles);
  const pronouns = pronounsOf(texts, runs, personOf);
  const aliases = Map.groupBy(
    names.filter((name) => personOf(name) !== null),
    (name) => personOf(name)!,
  );
  const entities = [
    ...[...aliases].map(([name, all]): NamedEntity => {
      const count = all.reduce((sum, each) => sum + (counts.get(each) ?? 0), 0);
      return { name, kind: 'person', aliases: all.filter((each) => each !== name), count };
    }),
    ...names
      .filter((name) => personOf(name) === null)
      .map((name): NamedEntity => ({
        name,
        kind: (placeVotes.get(name) ?? 0) > 0 ? 'place' : 'other',
        aliases: [],
        count: counts.get(name) ?? 0,
      })),
  ].toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name));
  const known = new Set(names);
  return {
    entities,
    personOf,
    mentionsIn: (sentence) => runs.of(sentence).filter(({ name }) => known.has(name)),
    pronounOf: (person) => pronouns.get(person) ?? null,
  };
}

const SPEAKS_AFTER = new RegExp(`^[,”"’]*\\s+${SPEECH_VERB}\\b`);
const SPEAKS_BEFORE = new RegExp(`\\b${SPEECH_VERB}\\s+$`);
const HAS_BODY = /^(?:\s+\p{Ll}+){0,2}\s+(?:eyes?|hair|face|hands?|mother|father|voice|arms?)\b/u;
const ACTS =
  /^[^.!?]{0,4}\s(?:was|had|did|stood|sat|looked|went|came|knew|felt|took|turned|put|wrote|smiled|laughed|stepped|died|got|walked|opened|folded)\b/;
const IS_PLACE = /\b(?:in|at|from|to|near|toward|towards|leave|reach|reached|of|the|The)\s+(?:the\s+)?$/;

/** What the words around a name say about it. */
function votesFor(
  text: string,
  { at, end, title }: Run,
  person: Map<string, number>,
  place: Map<string, number>,
): readonly (readonly [Map<string, number>, number])[] {
  const [left, right] = [text.slice(Math.max(0, at - 24), at), text.slice(end, end + 24)];
  return [
    ...(title !== null ||
    SPEAKS_AFTER.test(right) ||
    SPEAKS_BEFORE.test(left) ||
    (/[’']s?$/.test(text.slice(at, end)) && HAS_BODY.test(right))
      ? [[person, 2] as const]
      : []),
    ...(ACTS.test(right) ? [[person, 1] as const] : []),
    ...(IS_PLACE.test(left) ? [[place, 1] as const] : []),
  ];
}

const addTo = (map: Map<string, Set<string>>, key: string, value: string) => map.set(key, (map.get(key) ?? new Set()).add(value));

/** A character card: named so, or in a folder of characters. */
export const isCard = (path: string, metadata: ProseText['metadata']): boolean =>
  /(?:^|\/)(?:CHAR[-_]|characters?\/)/i.test(path) || metadata.has('role') || metadata.has('age') || metadata.has('born in');

function personFinder(
  names: readonly string[],
  isPerson: (name: string) => boolean,
  roles: ReadonlyMap<string, ReadonlySet<string>>,
): NameBook['personOf'] {
  const full = names.filter((name) => name.includes(' ') && (isPerson(name) || isPerson(name.split(' ')[0]!)));
  const [byFirst, byLast] = [0, -1].map((part) => Map.groupBy(full, (name) => name.split(' ').at(part)!));
  const fullNames = new Set(full);
  const people = new Set(names.filter(isPerson));
  const only = (candidates: readonly string[]): string | null => (candidates.length === 1 ? candidates[0]! : null);
  const direct = (name: string): string | null => {
    if (fullNames.has(name)) return name;
    const candidates = name.includes(' ') ? undefined : (byFirst!.get(name) ?? byLast!.get(name));
    if (candidates) return only(candidates);
    return people.has(name) ? name : null;
  };
  return (name) => {
    const held = roles.get(name.toLowerCase());
    return held ? only([...new Set([...held].flatMap((each) => direct(each) ?? []))]) : direct(name);
  };
}

/** By the pronouns in sentences that name one person. */
function pronounsOf(texts: readonly ProseText[], runs: Runs, personOf: NameBook['personOf']): ReadonlyMap<string, 'she' | 'he'> {
  const votes = new Map<string, { she: number; he: number }>();
  for (const { sentences } of texts)
    for (const { text } of sentences) {
      const named = runs.of(text).flatMap(({ name, end }) => {
        const person = personOf(name);
        return person === null ? [] : [{ person, end }];
      });
      const [first] = named;
      if (first === undefined || named.some(({ person }) => person !== first.person)) continue;
      const after = text.slice(first.end);
      const vote = votes.get(first.person) ?? { she: 0, he: 0 };
      vote.she += after.match(/\b(?:she|her|hers|herself)\b/gi)?.length ?? 0;
      vote.he += after.match(/\b(?:he|him|his|himself)\b/gi)?.length ?? 0;
      votes.set(first.person, vote);
    }
  return new Map([...votes].flatMap(([name, { she, he }]) => (she === he ? [] : [[name, she > he ? 'she' : 'he'] as const])));
}
