// Reads arguments against the options that a rule proves. An option that is not listed is a problem, never skipped.

import type { Argument } from './words.ts';

export interface OptionList {
  /** Letters of single-dash options that take no value. */
  readonly short?: string;
  /** Letters whose value is the rest of the word, or the next word. */
  readonly shortWithValue?: string;
  /** Double-dash options, exactly as written; an abbreviation is not listed and so not proven. */
  readonly long?: readonly string[];
  /** Double-dash options with a value, after `=` or in the next word. */
  readonly longWithValue?: readonly string[];
  /** Whole words that are fine as they are, such as `-Iseconds`. */
  readonly exact?: readonly string[];
  /** `-20` as a count. */
  readonly count?: boolean;
}

export interface ReadOptions {
  readonly operands: readonly Argument[];
  /** Every option met, with its value where it has one. */
  readonly options: readonly { readonly name: string; readonly value: Argument | null }[];
}

/** The options and operands, or what could not be proven, in words. */
export function readOptions(args: readonly Argument[], list: OptionList): ReadOptions | string {
  const operands: Argument[] = [];
  const options: { name: string; value: Argument | null }[] = [];
  let ended = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (ended) {
      operands.push(arg);
      continue;
    }
    if (arg.value === '--') {
      ended = true;
      continue;
    }
    if (arg.start === '' && arg.value === null) return `${arg.text} may become an option; write it after -- or begin it with ./`;
    if (!arg.start.startsWith('-') || arg.value === '-') {
      operands.push(arg);
      continue;
    }
    const option = readOption(arg, list);
    if (option === null) return `the option ${arg.text} is not known to be harmless`;
    if (option.needsValue) {
      const value = args[++i];
      // Implementations differ in which options take a value. A value that could itself be an option is read differently
      // by them, so it is not proven.
      if (value === undefined || value.start === '' || value.start.startsWith('-')) return `the value of ${arg.text} is not known`;
      options.push({ name: option.name, value });
    } else {
      options.push({
        name: option.name,
        value: option.value === null ? null : { ...arg, value: arg.value === null ? null : option.value, text: option.value },
      });
    }
  }
  return { operands, options };
}

export interface ReadOption {
  readonly name: string;
  readonly value: string | null;
  readonly needsValue: boolean;
}

export function readOption(arg: Argument, list: OptionList): ReadOption | null {
  const text = arg.value ?? arg.start;
  if (arg.value !== null && list.exact?.includes(arg.value)) return { name: arg.value, value: null, needsValue: false };
  if (arg.value !== null && list.count === true && /^-\d+$/.test(arg.value))
    return { name: '-count', value: arg.value.slice(1), needsValue: false };
  if (text.startsWith('--')) {
    const equals = text.indexOf('=');
    const name = equals === -1 ? text : text.slice(0, equals);
    if (equals !== -1) return list.longWithValue?.includes(name) ? { name, value: text.slice(equals + 1), needsValue: false } : null;
    if (arg.value === null) return null;
    if (list.long?.includes(name)) return { name, value: null, needsValue: false };
    return list.longWithValue?.includes(name) ? { name, value: null, needsValue: true } : null;
  }
  for (let i = 1; i < text.length; i++) {
    const letter = text[i]!;
    if (list.shortWithValue?.includes(letter)) {
      const rest = text.slice(i + 1);
      if (arg.value === null && rest === '') return null;
      return rest === '' ? { name: `-${letter}`, value: null, needsValue: true } : { name: `-${letter}`, value: rest, needsValue: false };
    }
    if (!list.short?.includes(letter)) return null;
  }
  // A cluster whose end is not known, such as -n*, may hold any letter.
  return arg.value === null ? null : { name: text, value: null, needsValue: false };
}
