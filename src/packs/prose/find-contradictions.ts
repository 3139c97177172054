// Cross-references texts: who and what is named where, and where two places say what cannot both be true.

import type { GroundingArgs } from '../../protocol/index.ts';
import { eventDates, spelledTwice, wrongWeekdays } from './facts/about-events.ts';
import { factsAboutPeople } from './facts/about-people.ts';
import type { Fact, FactKind, Place } from './facts/fact.ts';
import { type NameBook, type NamedEntity, readNames } from './facts/names.ts';
import { dateOf, dayNumber } from './text/english-numbers.ts';
import type { ProseText } from './text/prose-text.ts';

export interface Contradiction {
  readonly kind: FactKind;
  readonly entity: string;
  readonly message: string;
  /** `possible`: one of them is said by somebody in the story, or a person may have moved. */
  readonly certainty: 'contradiction' | 'possible';
  readonly places: readonly (Place & { readonly value: string })[];
}

export interface CrossReference {
  readonly entities: readonly (NamedEntity & { readonly places: readonly Pick<Place, 'path' | 'line'>[] })[];
  readonly contradictions: readonly Contradiction[];
}

export type Focus = NonNullable<GroundingArgs<'consistency_checker'>['focus']>;

const KINDS: Readonly<Record<Exclude<Focus, 'general'>, readonly FactKind[]>> = {
  characters: ['eye_colour', 'hair_colour', 'age', 'death', 'birthplace', 'whereabouts'],
  terminology: ['term'],
  events: ['date', 'weekday', 'death', 'whereabouts'],
};

const ENTITIES_MAX = 60;
const PLACES_MAX = 5;

export function crossReference(texts: readonly ProseText[], focus: Focus = 'general'): CrossReference {
  const names = readNames(texts);
  const facts = [...factsAboutPeople(texts, names, dayOf), ...eventDates(texts, dayOf)];
  const all = [...contradicting(facts), ...wrongDays(texts), ...twoSpellings(texts, names)];
  const contradictions = focus === 'general' ? all : all.filter(({ kind }) => KINDS[focus].includes(kind));
  return { entities: placed(texts, names, focus), contradictions };
}

/** The day that a scene is on. */
function dayOf({ metadata }: ProseText): number | null {
  const date = dateOf(metadata.get('date')?.value ?? '');
  return date ? dayNumber(date) : null;
}

function placed(texts: readonly ProseText[], names: NameBook, focus: Focus): CrossReference['entities'] {
  const kinds = focus === 'characters' ? ['person'] : ['person', 'place', 'other'];
  const wanted = names.entities.filter(({ kind, count }) => kinds.includes(kind) && count > 0).slice(0, ENTITIES_MAX);
  const places = new Map(wanted.map(({ name }) => [name, [] as { path: string; line: number }[]]));
  for (const { path, sentences } of texts)
    for (const { text, start_line } of sentences)
      for (const { name } of names.mentionsIn(text)) {
        const found = places.get(names.personOf(name) ?? name);
        if (found && found.length < PLACES_MAX && found.at(-1)?.path !== path) found.push({ path, line: start_line });
      }
  return wanted.map((entity) => ({ ...entity, places: places.get(entity.name)! }));
}

function contradicting(facts: readonly Fact[]): readonly Contradiction[] {
  const about = Map.groupBy(facts, ({ kind, entity, when = '' }) => JSON.stringify([kind, entity, when.split(' ')[0]]));
  return [...about.values()].flatMap((group) => {
    const [first] = group;
    // The value that most places agree on comes first; each other one is held against it.
    const usual = group.toSorted((a, b) => supportOf(group, b) - supportOf(group, a) || group.indexOf(a) - group.indexOf(b))[0]!;
    const odd = group.filter((fact) => fact !== usual && excludes(usual, fact));
    const byValue = Map.groupBy(odd, ({ value }) => value);
    return [...byValue.values()].map((facts_): Contradiction => {
      const places = [usual, facts_[0]!];
      return {
        kind: first!.kind,
        entity: first!.entity,
        message: messageOf(usual, facts_[0]!),
        certainty: places.some(({ said }) => said) || first!.kind === 'whereabouts' ? 'possible' : 'contradiction',
        places: places.map(({ path, line, quote, value }) => ({ path, line, quote, value })),
      };
    });
  });
}

const supportOf = (group: readonly Fact[], fact: Fact): number => group.filter(({ value }) => value === fact.value).length;

/** Words for colours that can mean the same. */
const SHADES: Readonly<Record<string, readonly string[]>> = {
  gray: ['grey'],
  hazel: ['hazel', 'brown', 'green'],
  dark: ['dark', 'brown', 'black'],
  chestnut: ['brown', 'red', 'auburn'],
  auburn: ['auburn', 'red', 'brown'],
  ginger: ['red'],
  copper: ['red'],
  blonde: ['blond'],
  fair: ['blond'],
  golden: ['blond', 'amber'],
  gold: ['blond', 'amber'],
  silver: ['grey', 'white'],
  white: ['grey', 'white'],
  grey: ['grey', 'white', 'blue'],
};
const shadesOf = (colour: string): readonly string[] =>
  [...(SHADES[colour] ?? []), colour].flatMap((each) => [each, ...(SHADES[each] ?? [])]);

const DAYS_IN_YEAR = 365.25;
const WEEK = 7;

/** Whether both cannot be true. */
function excludes(a: Fact, b: Fact): boolean {
  if (a.value.toLowerCase() === b.value.toLowerCase()) return false;
  switch (a.kind) {
    case 'eye_colour':
    case 'hair_colour':
      return !shadesOf(a.value).some((shade) => shadesOf(b.value).includes(shade));
    case 'age': {
      const passed = a.day !== null && b.day !== null ? (b.day - a.day) / DAYS_IN_YEAR : 0;
      // A birthday may lie between them.
      return Math.abs(Number(b.value) - Number(a.value) - passed) > 1;
    }
    case 'date':
      return a.value.slice(-4) === b.value.slice(-4);
    case 'whereabouts': {
      const [partA, partB] = [a, b].map(({ when = '' }) => when.split(' ')[1] ?? null);
      const isSameWeek = a.day === null || b.day === null || Math.abs(a.day - b.day) < WEEK;
      return isSameWeek && partA === partB;
    }
    case 'birthplace':
    case 'death':
      return true;
    case 'weekday':
    case 'term':
      return false;
  }
}

const WORDS: Readonly<Record<FactKind, (entity: string, a: Fact, b: Fact) => string>> = {
  eye_colour: (entity, a, b) => `${entity} has ${a.value} eyes in one place and ${b.value} eyes in another`,
  hair_colour: (entity, a, b) => `${entity} has ${a.value} hair in one place and ${b.value} hair in another`,
  age: (entity, a, b) => `${entity} is ${a.value} in one place and ${b.value} in another`,
  date: (entity, a, b) => `The ${entity} is on ${a.value} in one place and on ${b.value} in another`,
  death: (entity, a, b) => `${entity} died in ${a.value} in one place and in ${b.value} in another`,
  birthplace: (entity, a, b) => `${entity} was born in ${a.value} in one place and in ${b.value} in another`,
  whereabouts: (entity, a, b) => `On ${capitalised(a.when ?? '')} ${entity} is at ${a.value} in one place and at ${b.value} in another`,
  weekday: () => '',
  term: () => '',
};
const messageOf = (a: Fact, b: Fact): string => WORDS[a.kind](a.entity, a, b);
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const wrongDays = (texts: readonly ProseText[]): readonly Contradiction[] =>
  wrongWeekdays(texts).map(({ path, line, quote, date, given, right }) => ({
    kind: 'weekday',
    entity: date,
    message: `${date} was a ${right}, not a ${given}`,
    certainty: 'contradiction',
    places: [{ path, line, quote, value: `${given}, ${date}` }],
  }));

function twoSpellings(texts: readonly ProseText[], names: NameBook): readonly Contradiction[] {
  return spelledTwice(names.entities).flatMap(([common, rare]): Contradiction[] => {
    const places = [common, rare].flatMap((name) => firstPlace(texts, name) ?? []);
    if (places.length < 2) return [];
    return [{ kind: 'term', entity: common, message: `“${rare}” may be “${common}”, spelled differently`, certainty: 'possible', places }];
  });
}

function firstPlace(texts: readonly ProseText[], name: string): Contradiction['places'][number] | null {
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'u');
  for (const { path, sentences } of texts) {
    const sentence = sentences.find(({ text }) => whole.test(text));
    if (sentence) return { path, line: sentence.start_line, quote: sentence.text, value: name };
  }
  return null;
}
