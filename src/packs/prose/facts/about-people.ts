// What sentences say about people: colours of eyes and hair, ages, deaths, birthplaces, and where they were when.

import { dateOf, DATE, dateText, NUMBER, numberOf, WEEKDAY, YEAR_FORM } from '../text/english-numbers.ts';
import { isSpoken, type ProseText, type Sentence } from '../text/prose-text.ts';
import type { Fact, FactKind } from './fact.ts';
import { isCard, type NameBook } from './names.ts';

const COLOURS =
  'blue|green|brown|gr[ae]y|hazel|black|amber|violet|dark|golden|gold|red|ginger|auburn|blonde?|fair|white|silver|chestnut|copper';
const QUALIFIED = `(?:(?:a|an|the|very|so|quite|deep|pale|light|dark|bright|clear|soft|cold|warm|dull|faded|jet|coal|snow|long|short|thick|thin|curly|straight|wild|tangled|wet|own|big|large|small|kind|tired|sharp|startling(?:ly)?|almost|nearly|still|all|thinning)[\\s,]+){0,3}`;
const NAME = '\\p{Lu}[\\p{L}-]+(?:\\s+\\p{Lu}[\\p{L}-]+){0,2}';
const OWNER = `(?:(${NAME})[’']s?|\\b([Hh]er|[Hh]is)\\b)`;
/** What is no longer, not yet, or not so. */
const NOT_NOW =
  /\b(?:dyed?|bleached|wig|painted|used to be|once been|no longer|not|never|like|as if|as though|if|would|might|could|imagined?|dreamed)\b|n[’']t\b/i;

interface Found {
  readonly kind: FactKind;
  readonly value: string;
  /** A name or a role; null: by the pronoun or by the sentence. */
  readonly owner: string | null;
  readonly pronoun: 'she' | 'he' | null;
  readonly at: number;
  readonly text: string;
  readonly when?: string;
}

export function factsAboutPeople(texts: readonly ProseText[], names: NameBook, dayOf: (text: ProseText) => number | null): readonly Fact[] {
  return texts.flatMap((text) => [...cardFacts(text, names, dayOf(text)), ...sentenceFacts(text, names, dayOf(text))]);
}

/** `Age: 34` on somebody's card. */
function cardFacts({ path, title, metadata }: ProseText, names: NameBook, day: number | null): readonly Fact[] {
  const entity = title !== null && isCard(path, metadata) ? names.personOf(title) : null;
  if (entity === null) return [];
  const rows: readonly (readonly [FactKind, string, (value: string) => string | null])[] = [
    ['age', 'age', (value) => agesIn(value)],
    ['eye_colour', 'eyes', colourIn],
    ['hair_colour', 'hair', colourIn],
    ['birthplace', 'born in', (value) => value],
    ['birthplace', 'birthplace', (value) => value],
    ['death', 'died', (value) => new RegExp(YEAR_FORM).exec(value)?.[0] ?? null],
  ];
  return rows.flatMap(([kind, key, read]) => {
    const entry = metadata.get(key);
    const value = entry ? read(entry.value) : null;
    return entry && value !== null
      ? [{ kind, entity, value, path, line: entry.line, quote: `${key}: ${entry.value}`, said: false, day }]
      : [];
  });
}

const agesIn = (text: string): string | null => {
  const age = new RegExp(`\\b${NUMBER}\\b`, 'i').exec(text)?.[0];
  return age === undefined ? null : String(numberOf(age));
};
const colourIn = (text: string): string | null => new RegExp(`\\b(?:${COLOURS})\\b`, 'i').exec(text)?.[0].toLowerCase() ?? null;

function sentenceFacts(text: ProseText, names: NameBook, day: number | null): readonly Fact[] {
  const facts: Fact[] = [];
  const recent = new RecentPeople(text, names);
  for (const [index, sentence] of text.sentences.entries()) {
    for (const found of foundIn(sentence)) {
      const entity = found.owner === null ? recent.before(index, found.at, found.pronoun) : ownerOf(found.owner, names, recent, index);
      if (entity === null) continue;
      const { kind, value, when } = found;
      const said = isSpoken(sentence, found.at);
      facts.push({
        kind,
        entity,
        value,
        path: text.path,
        line: lineOf(sentence, found),
        quote: sentence.text,
        said,
        day,
        ...(when === undefined ? {} : { when }),
      });
    }
  }
  return facts;
}

/** The line of the words, by how far into the sentence they are. */
const lineOf = ({ start_line, end_line, text }: Sentence, { at }: Found): number =>
  start_line + Math.round(((end_line - start_line) * at) / Math.max(1, text.length));

function ownerOf(owner: string, names: NameBook, recent: RecentPeople, index: number): string | null {
  // "When Sten Holm": a sentence may begin with one more capital.
  const words = owner.split(' ');
  const person = words.map((_, from) => names.personOf(words.slice(from).join(' '))).find((each) => each !== null);
  if (person !== undefined) return person;
  // "The young woman": whoever the scene was about.
  return /^\p{Lu}/u.test(owner) ? null : recent.roleIn(index, owner);
}

/** A sentence without one of these says nothing that is looked for; most have none. */
const WORTH_READING = new RegExp(
  `\\b(?:eyes|hair|died|drowned|killed|passed away|death|born|native)\\b|-(?:eyed|haired|old)\\b|\\b${NUMBER}\\b|\\b${WEEKDAY}\\b`,
  'i',
);

function foundIn({ text }: Sentence): readonly Found[] {
  if (!WORTH_READING.test(text)) return [];
  const found: Found[] = [];
  const each = (form: RegExp, read: (match: RegExpMatchArray) => Omit<Found, 'at' | 'text'> | null) => {
    for (const match of text.matchAll(form)) {
      const clause = text.slice(Math.max(0, match.index - 30), match.index + match[0].length);
      const fact = NOT_NOW.test(clause) ? null : read(match);
      if (fact) found.push({ ...fact, at: match.index, text: match[0] });
    }
  };
  const owned = (kind: FactKind, value: string | undefined, name: string | undefined, pronoun: string | undefined) =>
    value === undefined ? null : { kind, value: value.toLowerCase(), owner: name ?? null, pronoun: pronounOf(pronoun) };

  for (const [part, kind] of [
    ['eyes', 'eye_colour'],
    ['hair', 'hair_colour'],
  ] as const) {
    // "Mara’s green eyes", "her pale blue eyes".
    each(new RegExp(`${OWNER}\\s+${QUALIFIED}(${COLOURS})(?:[\\s,-]+\\p{Ll}+){0,1}\\s+${part}\\b`, 'gu'), ([, name, pronoun, colour]) =>
      owned(kind, colour, name, pronoun),
    );
    // "Her eyes were a pale blue", "his hair had gone white".
    each(
      new RegExp(
        `${OWNER}\\s+(?:\\p{Ll}+\\s+)?${part}\\s*,?\\s+(?:were|was|are|is|had (?:been|gone)|looked)\\s+${QUALIFIED}(${COLOURS})\\b(?!\\s+with)`,
        'gu',
      ),
      ([, name, pronoun, colour]) => owned(kind, colour, name, pronoun),
    );
    // "Mara has green eyes", "she had long red hair".
    each(
      new RegExp(`(?:(${NAME})|\\b([Ss]he|[Hh]e))\\s+ha[sd]\\s+${QUALIFIED}(${COLOURS})(?:[\\s,-]+\\p{Ll}+){0,1}\\s+${part}\\b`, 'gu'),
      ([, name, pronoun, colour]) => owned(kind, colour, name, pronoun),
    );
    // "Mara was a tall woman with green eyes", "Mara, a stranger with red hair,".
    each(
      new RegExp(`(${NAME})(?:,|\\s+(?:was|is))\\s+an?\\s+(?:\\p{Ll}+\\s+){1,3}with\\s+${QUALIFIED}(${COLOURS})\\s+${part}\\b`, 'gu'),
      ([, name, colour]) => owned(kind, colour, name, undefined),
    );
  }
  // "the brown-eyed constable", "brown-eyed Mara".
  each(new RegExp(`\\b(${COLOURS})-(eyed|haired)\\s+(?:(${NAME})|(\\p{Ll}+(?:\\s+master)?))`, 'gu'), ([, colour, part, name, role]) => ({
    ...{ kind: part === 'eyed' ? 'eye_colour' : 'hair_colour', value: colour!.toLowerCase(), pronoun: null },
    owner: name ?? role ?? null,
  }));

  // "Mara, green-eyed and tall,".
  each(new RegExp(`(${NAME}),\\s+(?:\\p{Ll}+,?\\s+(?:and\\s+)?)?(${COLOURS})-(eyed|haired)\\b`, 'gu'), ([, name, colour, part]) =>
    owned(part === 'eyed' ? 'eye_colour' : 'hair_colour', colour, name, undefined),
  );

  const age = (value: string | undefined, name: string | undefined, pronoun?: string) => {
    const years = value === undefined ? null : numberOf(value);
    return years === null || years < 1 || years > 120
      ? null
      : { kind: 'age' as const, value: String(years), owner: name ?? null, pronoun: pronounOf(pronoun) };
  };
  // "At thirty-seven, Mara", "Tomas, 61,", "Jonah, who was twenty-two".
  each(new RegExp(`\\b[Aa]t\\s+(${NUMBER}),?\\s+(?:(${NAME})|(she|he)\\b)`, 'gu'), ([, years, name, pronoun]) => age(years, name, pronoun));
  each(
    new RegExp(`(${NAME}),\\s+(?:who\\s+(?:was|is)\\s+|aged\\s+|now\\s+)?(${NUMBER})(?:\\s+years\\s+old)?(?=,|\\s+and\\b)`, 'gu'),
    ([, name, years]) => age(years, name),
  );
  each(
    new RegExp(
      `(?:(${NAME})|\\b([Ss]he|[Hh]e))(?:\\s+(?:was|is)|[’']s)\\s+(?:only\\s+|just\\s+|barely\\s+|now\\s+)?(${NUMBER})(?:\\s+years\\s+old\\b|(?=[.,;]|\\s+(?:and|but|now)\\b))`,
      'gu',
    ),
    ([, name, pronoun, years]) => age(years, name, pronoun),
  );
  each(
    new RegExp(
      `(?:(${NAME})|\\b([Ss]he|[Hh]e))\\s+(?:had\\s+)?(?:just\\s+)?turned\\s+(${NUMBER})(?=[.,;]|\\s+(?:and|but|that|this|in|on)\\b)`,
      'gu',
    ),
    ([, name, pronoun, years]) => age(years, name, pronoun),
  );
  each(new RegExp(`\\b(${NUMBER})-year-old\\b(?:\\s+(${NAME}))?`, 'gu'), ([, years, name]) => age(years, name));

  // "Sten Holm died in 1979", "When Edda died, in 1974".
  each(
    new RegExp(
      `(${NAME})\\s+(?:died|drowned|was killed|passed away),?\\s+(?:in|on)\\s+(?:\\p{L}+\\s+|${DATE})?\\s*(${YEAR_FORM})\\b`,
      'gu',
    ),
    ([, name, year]) => owned('death', year, name, undefined),
  );
  each(new RegExp(`(${NAME})[’']s\\s+death,?\\s+in\\s+(${YEAR_FORM})\\b`, 'gu'), ([, name, year]) => owned('death', year, name, undefined));

  const birthplace = (place: string | undefined, name: string | undefined, pronoun?: string) =>
    place === undefined ? null : { kind: 'birthplace' as const, value: place, owner: name ?? null, pronoun: pronounOf(pronoun) };
  each(new RegExp(`(?:(${NAME})|\\b([Ss]he|[Hh]e))\\s+(?:was|is|had been)\\s+born\\s+in\\s+(${NAME})`, 'gu'), ([, name, pronoun, place]) =>
    birthplace(place, name, pronoun),
  );
  each(new RegExp(`\\b[Aa]\\s+native\\s+of\\s+(${NAME}),\\s+(?:(${NAME})|(she|he)\\b)`, 'gu'), ([, place, name, pronoun]) =>
    birthplace(place, name, pronoun),
  );
  each(new RegExp(`(${NAME}),\\s+(?:who\\s+was\\s+)?(?:born\\s+in|a\\s+native\\s+of)\\s+(${NAME})`, 'gu'), ([, name, place]) =>
    birthplace(place, name),
  );

  return [...found, ...whereaboutsIn(text)];
}

const PART_OF_DAY = '(?:morning|afternoon|evening|night)';
const PLACE = `(?:the\\s+)?(?:\\p{Lu}[\\p{L}-]+(?:\\s+\\p{Lu}[\\p{L}-]+){0,2}|(?<=the\\s+)\\p{Ll}+(?:\\s+house)?)`;
const STAYED = '(?:was|were|stood|sat|stayed|had been|remained|slept|waited|worked)';

/** "On Tuesday evening Tomas was at the mill", "Tomas spent Tuesday evening at the mill". */
function whereaboutsIn(text: string): readonly Found[] {
  const forms = [
    new RegExp(
      `\\b[Oo]n\\s+(?<day>${WEEKDAY})(?:\\s+(?<part>${PART_OF_DAY}))?,?\\s+(?<name>${NAME})\\s+${STAYED}\\s+(?:still\\s+)?(?:in|at|on)\\s+(?<place>${PLACE})`,
      'gu',
    ),
    new RegExp(
      `(?<name>${NAME})\\s+(?:had\\s+)?spent\\s+(?:all\\s+(?:of\\s+)?|the\\s+whole\\s+of\\s+)?(?<day>${WEEKDAY})(?:\\s+(?<part>${PART_OF_DAY}))?\\s+(?:in|at|on)\\s+(?<place>${PLACE})`,
      'gu',
    ),
    new RegExp(
      `(?<name>${NAME})\\s+${STAYED}\\s+(?:in|at|on)\\s+(?<place>${PLACE})\\s+(?:all\\s+(?:day\\s+)?)?on\\s+(?<day>${WEEKDAY})(?:\\s+(?<part>${PART_OF_DAY}))?`,
      'gu',
    ),
  ];
  return forms.flatMap((form) =>
    Array.from(text.matchAll(form)).flatMap(({ 0: match, index, groups }) => {
      const { day, part, name, place } = groups as Readonly<Record<string, string | undefined>>;
      if (!/^\p{Lu}/u.test(name ?? '') || NOT_NOW.test(text.slice(Math.max(0, index - 20), index + match.length))) return [];
      const when = [day, part]
        .filter((word) => word !== undefined)
        .join(' ')
        .toLowerCase();
      return [
        { kind: 'whereabouts' as const, value: place!.replace(/^the\s+/i, ''), owner: name!, pronoun: null, at: index, text: match, when },
      ];
    }),
  );
}

const pronounOf = (word: string | undefined): 'she' | 'he' | null =>
  word === undefined ? null : /^(?:she|her)$/i.test(word) ? 'she' : 'he';

export const dateValue = (text: string): string | null => {
  const date = dateOf(text);
  return date ? dateText(date) : null;
};

/** Who a pronoun means: the last person named before it that it can mean, in the paragraph or in the one before. */
class RecentPeople {
  readonly #text: ProseText;
  readonly #names: NameBook;
  readonly #named = new Map<number, readonly { readonly person: string; readonly at: number }[]>();

  constructor(text: ProseText, names: NameBook) {
    this.#text = text;
    this.#names = names;
  }

  before(index: number, at: number, pronoun: 'she' | 'he' | null): string | null {
    const { sentences } = this.#text;
    const { paragraph } = sentences[index]!;
    const fits = (person: string) =>
      pronoun === null || this.#names.pronounOf(person) === null || this.#names.pronounOf(person) === pronoun;
    for (let back = index; back >= 0 && sentences[back]!.paragraph >= paragraph - 1; back--) {
      const found = this.#in(back).findLast(({ person, at: place }) => (back < index || place < at) && fits(person));
      if (found) return found.person;
    }
    // In her own scene, she is whom it is about.
    const pov = this.#text.metadata.get('pov')?.value;
    const person = pov === undefined ? null : this.#names.personOf(pov);
    return person !== null && pronoun !== null && this.#names.pronounOf(person) === pronoun ? person : this.#after(index, at, fits);
  }

  /** "His white hair lifted. “Tomas Rell,” he said": the next name in the same paragraph. */
  #after(index: number, at: number, fits: (person: string) => boolean): string | null {
    const { sentences } = this.#text;
    for (let next = index; next < sentences.length && sentences[next]!.paragraph === sentences[index]!.paragraph; next++) {
      const found = this.#in(next).find(({ person, at: place }) => (next > index || place > at) && fits(person));
      if (found) return found.person;
    }
    return null;
  }

  /** A role that only one person has, or the only person near it. */
  roleIn(index: number, role: string): string | null {
    const held = this.#names.personOf(role);
    if (held !== null) return held;
    const near = new Set(
      [index - 1, index, index + 1].flatMap((at) => (at in this.#text.sentences ? this.#in(at).map(({ person }) => person) : [])),
    );
    return /^(?:man|woman|girl|boy)$/.test(role) && near.size === 1 ? [...near][0]! : null;
  }

  #in(index: number): readonly { readonly person: string; readonly at: number }[] {
    const known = this.#named.get(index);
    if (known) return known;
    const named = this.#names.mentionsIn(this.#text.sentences[index]!.text).flatMap(({ name, at }) => {
      const person = this.#names.personOf(name);
      return person === null ? [] : [{ person, at }];
    });
    this.#named.set(index, named);
    return named;
  }
}
