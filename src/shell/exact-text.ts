// A second check of the tree: is every character of the command accounted for? The grammar is good, but it reads some texts differently
// from bash: `<(ls)# >f` as a comment, `1>(cmd)` as plain text. Text missing from the tree is not judged, so an incomplete tree proves
// nothing.

import type { HereDocBody, ParameterExpansionPart, Redirect, HereString, Word, WordPart } from 'unbash';

export interface Span {
  readonly pos: number;
  readonly end: number;
}

/** Placeholder for a span that was read. Hidden characters are refused earlier, so a command cannot contain one itself. */
const READ = '\u0001';
const BOUNDARY = /[\s;&|(){}!]/;
const NEVER_UNREAD: ReadonlySet<number> = new Set(Array.from(`${READ} \t\n;&|()`, (character) => character.charCodeAt(0)));
const FILLER =
  /\\\n|[{}](?=[\s;&|()\u0001]|$)|!(?=\s)|(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|time|-p)(?=[\s;&|()]|$)/y;

/** The first text of the region that no span covers and that is not a blank, an operator, a keyword or a comment. */
export function findUnreadText(source: string, region: Span, spans: readonly Span[]): string | null {
  const between: string[] = [];
  let at = region.pos;
  for (const span of spans.toSorted((a, b) => a.pos - b.pos)) {
    if (span.pos < at || span.end > region.end) return source.slice(span.pos, span.end);
    between.push(source.slice(at, span.pos));
    at = span.end;
  }
  const rest = [...between, source.slice(at, region.end)].join(READ);
  for (let i = 0; i < rest.length;) {
    if (NEVER_UNREAD.has(rest.charCodeAt(i))) {
      i++;
      continue;
    }
    const before = rest[i - 1];
    const fresh = before === undefined || BOUNDARY.test(before);
    // Only at the beginning of a word does # begin a comment.
    if (rest[i] === '#' && fresh) {
      const line = rest.indexOf('\n', i);
      i = line === -1 ? rest.length : line;
      continue;
    }
    FILLER.lastIndex = i;
    const filler = FILLER.exec(rest)?.[0];
    if (filler === undefined || (/^[a-z{!-]/.test(filler) && !fresh)) return rest.slice(i).replaceAll(READ, '…');
    i += filler.length;
  }
  return null;
}

const withoutEscapes = (text: string): string => (text.includes('\\') ? text.replace(/\\[\s\S]/g, '') : text);
const isPlain = (text: string): boolean => !/[<>()|&;"'\s\\`]|\$[A-Za-z0-9_({[@*#?$!'"-]/.test(withoutEscapes(text));
const isPlainInQuotes = (text: string): boolean => !/`|\$[A-Za-z0-9_({[@*#?$!-]/.test(withoutEscapes(text));
const joined = (parts: readonly { readonly text: string }[]): string => parts.map((part) => part.text).join('');

/** The parts cover the whole word, and the parts called literal are literal. */
export function isExact(word: Word): boolean {
  if (word.parts === undefined) return isPlain(word.text);
  return joined(word.parts) === word.text && word.parts.every(isExactPart);
}

export function isExactBody(body: HereDocBody): boolean {
  if (body.parts === undefined) return isPlainInQuotes(body.text);
  return (
    joined(body.parts) === body.text &&
    body.parts.every((part) => (part.type === 'Literal' ? isPlainInQuotes(part.text) : isExactPart(part)))
  );
}

/** The redirect consists of its descriptor, its operator and its target only. */
export function isExactRedirect(redirect: Redirect | HereString, text: string): boolean {
  const target = redirect.target?.text ?? '';
  return (
    text.endsWith(target) && /^(?:\d*|\{\w+\})(?:<<<|<>|<&|>&|>\||&>>|&>|>>|<|>)[ \t]*$/.test(text.slice(0, text.length - target.length))
  );
}

function isExactPart(part: WordPart): boolean {
  switch (part.type) {
    case 'Literal':
      return isPlain(part.text);
    case 'SingleQuoted':
      return /^'[^']*'$/.test(part.text);
    case 'AnsiCQuoted':
      return /^\$'(?:[^'\\]|\\[\s\S])*'$/.test(part.text);
    case 'DoubleQuoted':
    case 'LocaleString':
      return (
        part.text.endsWith(`"${joined(part.parts)}"`) &&
        part.parts.every((child) => (child.type === 'Literal' ? isPlainInQuotes(child.text) : isExactPart(child)))
      );
    case 'SimpleExpansion':
      return /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])$/.test(part.text);
    case 'ParameterExpansion':
      return isExactParameter(part);
    case 'Glob':
      return /^(?:\*|\?|\[[^\s<>()|&;$`"'\\]*\])$/.test(part.text);
    case 'BraceExpansion':
    case 'ExtendedGlob':
      return isPlain(part.text);
    case 'ArithmeticExpansion':
      return /^\$\(\([^`'"$\\]*\)\)$/.test(part.text);
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      // The text between is checked as a region of its own.
      return /^(?:[$<>]\([\s\S]*\)|`[\s\S]*`)$/.test(part.text);
  }
}

function isExactParameter({ text, parameter, prefix, index, operation }: ParameterExpansionPart): boolean {
  const head = `\${${prefix ?? ''}${parameter}${index === undefined ? '' : `[${index.text}]`}`;
  switch (operation?.type) {
    case undefined:
      return text === `${head}}`;
    case 'Default':
    case 'Remove':
    case 'Transform':
      return text === `${head}${operation.operator}${operation.operand.text}}`;
    case 'CaseModification':
      return text === `${head}${operation.operator}${operation.operand?.text ?? ''}}`;
    case 'Replace':
      return text === `${head}${operation.operator}${operation.pattern.text}/${operation.replacement.text}}`;
    case 'Slice':
      return text === `${head}:${operation.offset.text}${operation.length === undefined ? '' : `:${operation.length.text}`}}`;
    case 'Names':
    case 'Unknown':
      return false;
  }
}

/** The region between the delimiters of a substitution. */
export function regionOf(part: { readonly text: string } & Span): Span {
  const opening = part.text.startsWith('`') ? 1 : 2;
  return { pos: part.pos + opening, end: part.end - 1 };
}
