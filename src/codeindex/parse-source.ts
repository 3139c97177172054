// From a file's name and text to its tree.
//
// INVARIANT: the native parser is only given what its stack can hold. It has no limit of its own: brackets nested deeply enough
// end the whole process, and an agent can write such a file. See `parser-thread.ts` for the stack.

import { extname } from 'node:path';
import { type Comment, type ParserOptions, parseSync, rawTransferSupported } from 'oxc-parser';
import { childrenOf, type SyntaxNode } from './syntax-node.ts';
import { unitsOf } from './text/units.ts';

export const SOURCE_MAX_BYTES = 1024 * 1024;
/** As deep as brackets could be nested if none of them was ever closed. */
const OPENERS_MAX = 100_000;
const DEPTH_MAX = 20_000;
/** 1 at the unit of each opening bracket. */
const OPENERS = Uint8Array.from({ length: 128 }, (_, unit) => ('([{<`'.includes(String.fromCharCode(unit)) ? 1 : 0));

interface Language {
  readonly lang: NonNullable<ParserOptions['lang']>;
  /** `unambiguous` where only the text can decide. */
  readonly sourceType: NonNullable<ParserOptions['sourceType']>;
}

export const PARSER_LANGUAGES: Readonly<Record<string, Language>> = {
  '.ts': { lang: 'ts', sourceType: 'unambiguous' },
  '.tsx': { lang: 'tsx', sourceType: 'unambiguous' },
  '.mts': { lang: 'ts', sourceType: 'module' },
  '.cts': { lang: 'ts', sourceType: 'commonjs' },
  '.js': { lang: 'jsx', sourceType: 'unambiguous' },
  '.jsx': { lang: 'jsx', sourceType: 'unambiguous' },
  '.mjs': { lang: 'jsx', sourceType: 'module' },
  '.cjs': { lang: 'jsx', sourceType: 'commonjs' },
};
/** For callers that parse many files: the tree is read from the parser's own memory instead of JSON text. */
export const RAW_TRANSFER: object = rawTransferSupported() ? { experimentalRawTransfer: true } : {};
const AMBIENT = /\.d(?:\.[^.]+)?\.[cm]?ts$/i;

export interface Source {
  readonly text: string;
  readonly program: SyntaxNode;
  readonly comments: readonly Comment[];
  /** Which code sees its top-level names: only itself, or every other script. */
  readonly topNames: 'own' | 'shared';
  /** Names and types only, which other files take in whole. */
  readonly ambient: boolean;
  /** The first error; the tree is then what could still be read. */
  readonly error: string | null;
}

/** How the text of a file is named where the parser does not know it. */
export const kindOf = (path: string): string => extname(path).toLowerCase() || 'nameless';

export const isProgram = (path: string): boolean => kindOf(path) in PARSER_LANGUAGES;

/** In words why a text is not given to the parser; null when it may be. */
export function tooLarge(text: string, units: Uint16Array = unitsOf(text)): string | null {
  if (3 * text.length > SOURCE_MAX_BYTES && Buffer.byteLength(text) > SOURCE_MAX_BYTES) return `is larger than ${SOURCE_MAX_BYTES} bytes`;
  if (units.length <= OPENERS_MAX) return null;
  let openers = 0;
  for (let at = 0; at < units.length; at++) openers += OPENERS[units[at]!] ?? 0;
  return openers > OPENERS_MAX ? `has more than ${OPENERS_MAX} opening brackets` : null;
}

/** The caller asked `isProgram` and `tooLarge` before. */
export function parseSource(path: string, text: string): Source {
  const language = PARSER_LANGUAGES[kindOf(path)]!;
  const ambient = AMBIENT.test(path);
  const parsed = parseSync(path, text, {
    lang: ambient ? 'dts' : language.lang,
    sourceType: language.sourceType,
    astType: 'ts',
    preserveParens: false,
    showSemanticErrors: true,
  });
  const isOwn = parsed.module.hasModuleSyntax || language.sourceType !== 'unambiguous';
  const program = parsed.program as unknown as SyntaxNode;
  return {
    text,
    program,
    comments: parsed.comments,
    topNames: isOwn ? 'own' : 'shared',
    ambient,
    error:
      parsed.errors.find(({ severity }) => severity === 'Error')?.message ??
      (isTooDeep(program) ? `it is nested deeper than ${DEPTH_MAX} levels` : null),
  };
}

/** Level by level, so that finding out takes no stack. */
function isTooDeep(program: SyntaxNode): boolean {
  let level: readonly SyntaxNode[] = [program];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) return true;
    level = level.flatMap(childrenOf);
  }
  return false;
}

export const lineAt = (text: string, offset: number): number => {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
};
