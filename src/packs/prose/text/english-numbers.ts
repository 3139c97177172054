// Numbers, months and weekdays of English text.

const UNITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const TEENS = ['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'];
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const WORDS = new Map<string, number>([
  ...[...UNITS, ...TEENS].map((word, value): [string, number] => [word, value]),
  ...TENS.map((word, at): [string, number] => [word, 20 + at * 10]),
]);

export const NUMBER = `(?:[0-9]{1,3}|(?:${TENS.join('|')})(?:[- ](?:${UNITS.slice(1, 10).join('|')}))?|${[...TEENS, ...UNITS.slice(1)].join('|')})`;

export function numberOf(text: string): number | null {
  if (/^[0-9]+$/.test(text)) return Number(text);
  const parts = text
    .toLowerCase()
    .split(/[- ]/)
    .map((word) => WORDS.get(word));
  return parts.includes(undefined) ? null : parts.reduce<number>((sum, value) => sum + value!, 0);
}

export const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
/** As English writes them: the forms below are for patterns that tell names from other words by their case. */
const MONTH = `(?:${MONTHS.map(capital).join('|')})`;
export const WEEKDAY = `(?:${WEEKDAYS.map(capital).join('|')})`;
const DAY = '[0-9]{1,2}(?:st|nd|rd|th)?';
const YEAR = '(?:1[0-9]|20)[0-9]{2}';
/** `12 October 1962`, `the 12th of October, 1962`, `October 12, 1962`. */
export const DATE = `(?:(?:the\\s+)?${DAY}(?:\\s+of)?\\s+${MONTH}(?:,?\\s+${YEAR})?|${MONTH}\\s+${DAY}(?:,?\\s+${YEAR})?)`;
export const YEAR_FORM = YEAR;

export interface CalendarDate {
  readonly day: number;
  readonly month: number;
  readonly year: number | null;
}

export function dateOf(text: string): CalendarDate | null {
  const month = MONTHS.findIndex((name) => text.toLowerCase().includes(name));
  const day = /\b([0-9]{1,2})(?:st|nd|rd|th)?\b/.exec(text)?.[1];
  const year = new RegExp(`\\b${YEAR}\\b`).exec(text)?.[0];
  if (month < 0 || day === undefined || Number(day) < 1 || Number(day) > 31) return null;
  return { day: Number(day), month, year: year === undefined ? null : Number(year) };
}

export const dateText = ({ day, month, year }: CalendarDate): string => {
  return `${day} ${capital(MONTHS[month]!)}${year === null ? '' : ` ${year}`}`;
};

/** Of the Gregorian calendar. */
export const weekdayOf = ({ day, month, year }: CalendarDate): number | null =>
  year === null ? null : new Date(Date.UTC(year, month, day)).getUTCDay();

export const dayNumber = ({ day, month, year }: CalendarDate): number | null =>
  year === null ? null : Math.floor(Date.UTC(year, month, day) / 86_400_000);
