// When something happened, weekdays that do not fit their date, and names that are spelled in two ways.

import { editDistance } from '../../../workspace/index.ts';
import { capital, DATE, dateOf, dateText, WEEKDAY, weekdayOf, WEEKDAYS } from '../text/english-numbers.ts';
import { isSpoken, type ProseText } from '../text/prose-text.ts';
import type { Fact, Place } from './fact.ts';
import type { NamedEntity } from './names.ts';

const EVENT =
  '(?:fire|wedding|marriage|funeral|battle|storm|flood|murder|accident|explosion|crash|election|coronation|shipwreck|wreck|earthquake|trial|hearing|robbery|ball|siege|strike|eclipse)';
const FORMS: readonly RegExp[] = [
  new RegExp(`\\b[Tt]he\\s+(?<event>${EVENT})(?:\\s+(?:of|on)|,)\\s+(?:was\\s+(?:on\\s+)?)?(?<date>${DATE})`, 'gu'),
  new RegExp(`(?<date>${DATE}),?\\s+(?:the\\s+)?(?:day|night|morning|evening|afternoon)\\s+of\\s+the\\s+(?<event>${EVENT})`, 'gu'),
  new RegExp(
    `\\b[Tt]he\\s+(?<event>${EVENT})\\s+(?:happened|took\\s+place|was|broke\\s+out|began|started)\\s+on\\s+(?<date>${DATE})`,
    'gu',
  ),
];

/** Full dates only: "the fire of 1962" and "the fire of 1971" may be two fires. */
export function eventDates(texts: readonly ProseText[], dayOf: (text: ProseText) => number | null): readonly Fact[] {
  return texts.flatMap((text) =>
    text.sentences.flatMap((sentence) =>
      FORMS.flatMap((form) =>
        Array.from(sentence.text.matchAll(form)).flatMap(({ groups, index }): Fact[] => {
          const date = dateOf(groups!['date']!);
          if (date === null || date.year === null) return [];
          const entity = groups!['event']!.toLowerCase();
          return [
            {
              kind: 'date',
              entity,
              value: dateText(date),
              path: text.path,
              line: sentence.start_line,
              quote: sentence.text,
              said: isSpoken(sentence, index),
              day: dayOf(text),
            },
          ];
        }),
      ),
    ),
  );
}

export interface WrongWeekday extends Place {
  readonly date: string;
  readonly given: string;
  readonly right: string;
}

export function wrongWeekdays(texts: readonly ProseText[]): readonly WrongWeekday[] {
  const form = new RegExp(`\\b(${WEEKDAY}),?\\s+(${DATE})`, 'gu');
  const inText = (path: string, line: number, text: string): readonly WrongWeekday[] =>
    Array.from(text.matchAll(form)).flatMap(([, given, written]) => {
      const date = dateOf(written!);
      const right = date ? weekdayOf(date) : null;
      if (date === null || right === null || WEEKDAYS[right] === given!.toLowerCase()) return [];
      return [{ path, line, quote: text, date: dateText(date), given: capital(given!), right: capital(WEEKDAYS[right]!) }];
    });
  return texts.flatMap(({ path, metadata, sentences }) => [
    ...[...metadata.values()].flatMap(({ value, line }) => inText(path, line, value)),
    ...sentences.flatMap(({ text, start_line }) => inText(path, start_line, text)),
  ]);
}

/** Different on purpose. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['north', 'south'],
  ['east', 'west'],
  ['upper', 'lower'],
  ['old', 'new'],
  ['first', 'last'],
];
const isOpposite = (a: string, b: string): boolean => OPPOSITES.some((pair) => pair.includes(a) && pair.includes(b));

/** A name that is there once or twice, and another one, more frequent, that differs in one word by one or two letters. */
export function spelledTwice(entities: readonly NamedEntity[]): readonly (readonly [common: string, rare: string])[] {
  const spelled = entities.flatMap(({ name, count }) => {
    const words = name.split(' ');
    return words.length > 1 && count > 0
      ? words.map((word, at) => ({
          name,
          count,
          word: word.toLowerCase(),
          isLast: at === words.length - 1,
          rest: words.with(at, '_').join(' '),
        }))
      : [];
  });
  return [...Map.groupBy(spelled, ({ rest }) => rest).values()].flatMap((group) =>
    group.flatMap((rare) => {
      if (rare.count > 2) return [];
      const common = group.find(
        (other) => other.count > rare.count && isMisspelled(other.word, rare.word) && !(rare.isLast && isInflected(other.word, rare.word)),
      );
      return common ? [[common.name, rare.name] as const] : [];
    }),
  );
}

/** "Pacific Oceans" is no other spelling of "Pacific Ocean". */
const isInflected = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.startsWith(short) && /^(?:s|es|n|er|ers|r)$/.test(long.slice(short.length));
};

function isMisspelled(one: string, other: string): boolean {
  if (isOpposite(one, other) || one.charAt(0) !== other.charAt(0)) return false;
  const longest = Math.max(one.length, other.length);
  return longest >= 4 && editDistance(one, other) <= (longest >= 5 ? 2 : 1);
}
