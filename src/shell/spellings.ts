// The texts that a word may become: quotes removed, braces expanded, defaults applied, variables of this command filled in. Secrets and the
// gate's own files are looked for in all of them. What is not known becomes `*`: a pattern that may reach a place counts as reaching it.

import type { ParameterExpansionPart, Word, WordPart } from 'unbash';

/** What the variables of this command hold, as far as its text shows. */
export type Values = ReadonlyMap<string, readonly string[]>;

/** More than this, and a word is not followed. */
const MOST = 64;
const UNKNOWN_TEXT: readonly string[] = ['*'];
/** Quoted characters that would otherwise mean something are moved out of the way, and put back at the end. */
const AWAY = 0xe000;

const quoted = (text: string): string =>
  text.replace(/[{},*?[\]~$\\]/g, (character) => String.fromCharCode(AWAY + character.charCodeAt(0)));
const unquoted = (text: string): string =>
  text.replace(/[\ue000-\ue07f]/g, (character) => {
    const plain = String.fromCharCode(character.charCodeAt(0) - AWAY);
    return /[*?[\]]/.test(plain) ? `\\${plain}` : plain;
  });

/** Null: too many to follow. */
export function spellingsOf(word: Pick<Word, 'parts' | 'text' | 'value'>, values: Values): readonly string[] | null {
  return spellWord(word, { values, depth: DEEPEST });
}

/** The same, with a guess at what commands in it print. */
export function guessesOf(word: Pick<Word, 'parts' | 'text' | 'value'>, values: Values): readonly string[] {
  return spellWord(word, { values, depth: 0 }) ?? [];
}

interface Context {
  readonly values: Values;
  /** How many commands it is inside of. */
  readonly depth: number;
}

/** Deeper, or longer, and what a command prints is not followed. */
const DEEPEST = 2;
const LONGEST = 1_000;

function spellWord(word: Pick<Word, 'parts' | 'text' | 'value'>, context: Context): readonly string[] | null {
  if (word.parts === undefined) return [unquoted(word.text === word.value ? word.value : quoted(word.value))];
  const joined = product(word.parts.map((part) => spell(part, context)));
  if (joined === null) return null;
  const expanded: string[] = [];
  for (const text of joined) {
    const choices = bracesIn(text);
    if (choices === null || expanded.length + choices.length > MOST) return null;
    expanded.push(...choices);
  }
  return [...new Set(expanded.map(unquoted))];
}

function product(choices: readonly (readonly string[] | null)[]): string[] | null {
  let texts = [''];
  for (const choice of choices) {
    if (choice === null || texts.length * choice.length > MOST) return null;
    texts = texts.flatMap((text) => choice.map((next) => text + next));
  }
  return texts;
}

function spell(part: WordPart, context: Context): readonly string[] | null {
  switch (part.type) {
    case 'Literal':
      return [part.text.includes('\\') ? quoted(part.value) : part.value];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [quoted(part.value)];
    case 'DoubleQuoted':
    case 'LocaleString':
      return product(part.parts.map((child) => (child.type === 'Literal' ? [quoted(child.value)] : spell(child, context))));
    case 'Glob':
      return [part.text];
    case 'BraceExpansion':
      return [part.text.replace(/['"\\]/g, '')];
    case 'SimpleExpansion':
      return valueOf(part.text.slice(1), context.values);
    case 'ParameterExpansion':
      return spellParameter(part, context);
    case 'CommandExpansion':
      return spellOutput(part.text, part.script, context);
    case 'ExtendedGlob':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
      return UNKNOWN_TEXT;
  }
}

function valueOf(name: string, values: Values): readonly string[] {
  const known = values.get(name);
  if (known !== undefined) return known;
  return name === 'HOME' ? ['~'] : name === 'PWD' ? ['.'] : UNKNOWN_TEXT;
}

function spellParameter({ parameter, prefix, index, operation }: ParameterExpansionPart, context: Context): readonly string[] | null {
  if (prefix !== undefined || index !== undefined) return UNKNOWN_TEXT;
  const known = valueOf(parameter, context.values);
  if (operation === undefined) return known;
  if (operation.type !== 'Default') return UNKNOWN_TEXT;
  const given = spellWord(operation.operand, context);
  if (given === null) return null;
  return operation.operator.endsWith('?') ? known : operation.operator.endsWith('+') ? ['', ...given] : [...known, ...given];
}

/** What a command prints is often a word of its own text: `$(echo a)`, `$(find . -name a)`. */
function spellOutput(text: string, script: unknown, { values, depth }: Context): readonly string[] {
  if (/^(?:\$\(\s*pwd\s*\)|`\s*pwd\s*`)$/.test(text)) return ['.'];
  if (depth >= DEEPEST || text.length > LONGEST) return UNKNOWN_TEXT;
  return [...UNKNOWN_TEXT, ...printed(script, { values, depth: depth + 1 })];
}

/** What a command may print of its own words, such as names of files. */
export const namesIn = (node: unknown, values: Values): readonly string[] => printed(node, { values, depth: 0 });

function printed(node: unknown, context: Context): readonly string[] {
  const found = new Set<string>();
  for (const word of wordsIn(node)) {
    if (found.size >= MOST / 4) break;
    for (const text of word.text.length > LONGEST ? [] : (spellWord(word, context) ?? []))
      for (const one of decoded(text).split(/\s+/)) if (one !== '' && found.size < MOST / 4) found.add(quoteLess(one));
  }
  return [...found];
}

/** `printf '\x2eenv'` and `echo -e` print what the escapes stand for. */
const decoded = (text: string): string =>
  text.replace(/\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3}))/g, (_, hex?: string, octal?: string) =>
    String.fromCharCode(hex === undefined ? Number.parseInt(octal!, 8) : Number.parseInt(hex, 16)),
  );
const quoteLess = (text: string): string => text.replace(/['"\\]/g, '');

/** The words of a node of the tree; not those inside of words. */
function* wordsIn(node: unknown): Generator<Word> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && node.type === 'Word') yield node as Word;
  else for (const child of Object.values(node)) yield* wordsIn(child);
}

/** `a{b,c}d` is two words, `{a..z}` any character; null: too many. */
function bracesIn(text: string, depth = 0): string[] | null {
  const found = text.length > LONGEST ? null : firstBraces(text);
  if (found === null) return text.length > LONGEST && text.includes('{') ? null : [text];
  if (depth > 8) return null;
  const results: string[] = [];
  for (const choice of found.choices) {
    const rest = bracesIn(text.slice(0, found.at) + choice + text.slice(found.end), depth + 1);
    if (rest === null || results.length + rest.length > MOST) return null;
    results.push(...rest);
  }
  return results;
}

function firstBraces(text: string): { at: number; end: number; choices: string[] } | null {
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    const commas: number[] = [];
    let depth = 0;
    for (let i = at; i < text.length; i++) {
      if (text[i] === '{') depth++;
      else if (text[i] === ',' && depth === 1) commas.push(i);
      else if (text[i] === '}' && --depth === 0) {
        const inner = text.slice(at + 1, i);
        if (commas.length === 0 && !/^[^{}]+\.\.[^{}]+$/.test(inner)) break;
        const cuts = [at, ...commas, i];
        const choices = commas.length === 0 ? ['*'] : cuts.slice(1).map((cut, each) => text.slice(cuts[each]! + 1, cut));
        return { at, end: i + 1, choices };
      }
    }
  }
  return null;
}
