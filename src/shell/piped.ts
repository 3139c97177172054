// What a command in a pipe gets from those before it, as far as their text shows.

import type { CommandNode, Pipeline, AndOr } from 'unbash';
import { DECODER } from './command-text.ts';
import { namesIn, type Values } from './spellings.ts';
import { heredocTexts } from './statement-shapes.ts';

export interface Piped {
  /** Words that may be names of files. */
  readonly words: readonly string[];
  /** Whole texts: here-documents, what echo prints. */
  readonly texts: readonly string[];
  /** Words that the last of them prints, where its text says exactly which. */
  readonly said: readonly string[];
  /** One of them decodes what it reads. */
  readonly decoded: boolean;
}

export const NOTHING_PIPED: Piped = { words: [], texts: [], said: [], decoded: false };

const MOST = 64;

export function pipedThrough(before: Piped, node: CommandNode | Pipeline | AndOr, source: string, values: Values): Piped {
  if (before.words.length >= MOST) return { ...before, said: [] };
  return {
    words: [...before.words, ...namesIn(node, values)],
    texts: [...before.texts, ...textsOf(node)],
    said: saidBy(node),
    decoded: before.decoded || DECODER.test(source),
  };
}

function textsOf(node: CommandNode | Pipeline | AndOr): string[] {
  if (node.type !== 'Command') return [];
  const name = node.name?.value ?? '';
  if (name !== 'echo' && name !== 'printf') return heredocTexts(node.redirects);
  const words = node.args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text)).filter((word) => !/^-[neE]+$/.test(word));
  return [words.join(' ').replaceAll('\\n', '\n')];
}

function saidBy(node: CommandNode | Pipeline | AndOr): readonly string[] {
  const name = node.type === 'Command' ? (node.name?.value ?? '') : '';
  return name === 'echo' || name === 'printf' || name === 'cat' ? wordsOf(textsOf(node)) : [];
}

/** The words of plain texts; of any other, none. */
export const wordsOf = (texts: readonly string[]): readonly string[] =>
  texts
    .map((text) => text.replace(/^%s\s/, ''))
    .flatMap((text) => (/[$`\\'"%]/.test(text) ? [] : text.split(/\s+/).filter((word) => word !== '')))
    .slice(0, MOST);
