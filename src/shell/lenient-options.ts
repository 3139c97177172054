// Reads arguments as the command itself would, as far as its options are known. Unlike `options.ts` it proves nothing: an unlisted option
// counts as one without a value.

import { type Argument, literal } from './words.ts';

export interface KnownOptions {
  /** Letters of options that take a value. */
  readonly values?: string;
  readonly longValues?: readonly string[];
  /** Letters whose value, if any, is the rest of the word: `-i.bak`. */
  readonly attached?: string;
  /** Other long options that callers ask for, so that abbreviations are found. */
  readonly long?: readonly string[];
}

export interface LenientArguments {
  readonly operands: readonly Argument[];
  /** Every option in its order; `name` with its dashes, long ones in full. */
  readonly options: readonly { readonly name: string; readonly value: Argument | null }[];
  /** Some word may have become an unseen option. */
  readonly unsure: boolean;
}

export function readLeniently(args: readonly Argument[], known: KnownOptions): LenientArguments {
  const operands: Argument[] = [];
  const options: { name: string; value: Argument | null }[] = [];
  const longs = [...(known.longValues ?? []), ...(known.long ?? [])];
  let unsure = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg.value === '--') {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (!arg.start.startsWith('-') || arg.value === '-') {
      if (arg.value === null && arg.start === '') unsure = true;
      operands.push(arg);
      continue;
    }
    const text = arg.value ?? arg.start;
    const rest = (from: number): Argument => (arg.value === null ? { ...arg, start: text.slice(from) } : literal(text.slice(from)));
    if (text.startsWith('--')) {
      const equals = text.indexOf('=');
      if (arg.value === null && equals < 0) unsure = true;
      const name = fullName(equals < 0 ? text : text.slice(0, equals), longs);
      if (equals >= 0) options.push({ name, value: rest(equals + 1) });
      else options.push({ name, value: known.longValues?.includes(name) ? (args[++i] ?? null) : null });
      continue;
    }
    // A dash before unknown text may be any option.
    if (arg.value === null && text.length === 1) unsure = true;
    for (let at = 1; at < text.length; at++) {
      const name = `-${text[at]}`;
      const last = at + 1 === text.length && arg.value !== null;
      if (known.attached?.includes(text[at]!)) {
        options.push({ name, value: last ? null : rest(at + 1) });
        break;
      }
      if (known.values?.includes(text[at]!)) {
        options.push({ name, value: last ? (args[++i] ?? null) : rest(at + 1) });
        break;
      }
      options.push({ name, value: null });
      if (at + 1 === text.length && arg.value === null) unsure = true;
    }
  }
  return { operands, options, unsure };
}

/** An abbreviation stands for the one option that begins with it. */
function fullName(name: string, longs: readonly string[]): string {
  if (longs.includes(name)) return name;
  const candidates = new Set(longs.filter((long) => long.startsWith(name)));
  return candidates.size === 1 ? [...candidates][0]! : name;
}

export const hasAny = (read: LenientArguments, names: readonly string[]): boolean => read.options.some(({ name }) => names.includes(name));

export const valuesOf = (read: LenientArguments, names: readonly string[]): Argument[] =>
  read.options.flatMap(({ name, value }) => (names.includes(name) && value !== null ? [value] : []));
