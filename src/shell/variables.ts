// What the variables of one command hold, as far as its text shows: lists of loops, plain assignments, the last job that was started, a new
// temporary folder. Every value that a variable ever gets counts, whatever the order.

import type { Assignment, Word } from 'unbash';
import { guessesOf, spellingsOf, type Values } from './spellings.ts';
import { type Argument, literal } from './words.ts';

/** With these in the text, a variable may be set in a way that is not followed. */
const SETS_OTHERWISE =
  /\b(?:eval|source|declare|typeset|local|readonly|read|mapfile|readarray|getopts|let|unset|printf\s+-v)\b|(?:^|[;&|]\s*)\.\s/;
/** A folder or file that did not exist before, in the folder for temporary files; or the one that is named. */
const NEW_FOLDER =
  /^"?(?:\$\(|`)\s*mktemp((?:\s+-[dqt]{1,3}|\s+--(?:directory|quiet|tmpdir))*)(?:\s+([\w./-]*X{3,}[\w.-]*))?\s*(?:\)|`)"?$/;
const VARIABLE = /^\$(?:(\w+)|\{(\w+)\})((?:\/[\w.@+-]+)*)\/?$/;

export class Variables {
  readonly #values = new Map<string, readonly string[]>();
  /** With what commands may have printed. */
  readonly #guesses = new Map<string, readonly string[]>();
  /** By name: what it certainly holds wherever it is used. */
  readonly #certain = new Map<string, string>();
  readonly #jobs = new Set<string>();
  readonly #setOnce = new Map<string, boolean>();
  readonly #source: string;
  readonly #scratch: string | null;

  constructor(source: string, scratch: readonly string[] | undefined) {
    this.#source = source;
    this.#scratch = scratch?.[0] ?? null;
  }

  get guesses(): Values {
    return this.#guesses;
  }

  /** The list of a loop, or the arguments of `set`. */
  loop(name: string, words: readonly Word[]): void {
    for (const word of words) this.#add(name, word, []);
  }

  assign({ name, value, index, append }: Assignment): void {
    const words = value.type === 'Word' ? [value] : value.elements;
    for (const word of words) this.#add(name, word, append === true || index !== undefined ? ['*'] : []);
    if (value.type !== 'Word' || append === true || index !== undefined || value.text.length > 200) return;
    const isJob = /^"?\$(?:!|\{!\})"?$/.test(value.text);
    const [made, options, template] = NEW_FOLDER.exec(value.text) ?? [];
    if ((!isJob && made === undefined) || !this.#isSetOnce(name)) return;
    if (isJob) this.#jobs.add(name);
    if (made === undefined) return;
    if (template?.startsWith('/')) this.#certain.set(name, template);
    else if (this.#scratch !== null && (template === undefined || /-\w*t|--tmpdir/.test(options ?? '')))
      this.#certain.set(name, `${this.#scratch}/mktemp.${name}`);
  }

  #add(name: string, word: Word, more: readonly string[]): void {
    keep(this.#values, name, [...(spellingsOf(word, this.#values) ?? ['*']), ...more]);
    keep(this.#guesses, name, [...guessesOf(word, this.#guesses), ...more]);
  }

  #isSetOnce(name: string): boolean {
    const known = this.#setOnce.get(name);
    if (known !== undefined) return known;
    const once = !SETS_OTHERWISE.test(this.#source) && this.#source.split(new RegExp(`(?<![$\\w{])${name}(?!\\w)`)).length === 2;
    this.#setOnce.set(name, once);
    return once;
  }

  /** The argument with all that its variables may hold. Null: too many texts to follow. */
  filled(word: Word, read: Argument): Argument | null {
    if (read.value !== null) return read;
    const [, plain, braced, below] = VARIABLE.exec(read.text) ?? [];
    const name = plain ?? braced;
    if (name !== undefined && this.#jobs.has(name) && below === '') return { ...read, text: '$!' };
    const certain = name === undefined ? undefined : this.#certain.get(name);
    if (certain !== undefined) return { ...literal(certain + below), text: read.text };
    const may = spellingsOf(word, this.#values);
    if (may === null) return null;
    const among = guessesOf(word, this.#guesses).filter((text) => !may.includes(text));
    if (may.length === 1 && may[0] === read.text && among.length === 0) return read;
    return { ...read, may, ...(among.length === 0 ? {} : { among }) };
  }
}

/** Without quotes a value becomes several words. */
function keep(values: Map<string, readonly string[]>, name: string, texts: readonly string[]): void {
  const fields = texts.flatMap((text) => (/\s/.test(text) ? [text, ...text.split(/\s+/)] : [text]));
  values.set(name, [...new Set([...(values.get(name) ?? []), ...fields])].slice(0, 32));
}
