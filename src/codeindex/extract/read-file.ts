// One file into a segment: the right parser for its language, and what to do when that parser fails. Parsers that many trees have no
// file for are loaded with the first one: every thread would wait for them.

import { hash } from 'node:crypto';
import { parseSync } from 'oxc-parser';
import type { IndexEvent } from '../model.ts';
import type { CodePack } from '../pack.ts';
import { kindOf, PARSER_LANGUAGES, RAW_TRANSFER, tooLarge } from '../parse-source.ts';
import type { SegmentBuilder } from '../segment/builder.ts';
import type { SyntaxNode } from '../syntax-node.ts';
import { readJson, readMarkdown } from './documents.ts';
import { isGrammar, languageOf, textOrSkip } from './language-of.ts';
import { passingUnitsOf } from '../text/units.ts';
import { ProgramReader } from './program.ts';
import { loadFallback, readBrokenProgram } from './program-fallback.ts';
import { LineFinder } from './line-finder.ts';

/** What is said about a file besides its facts; `skipped` ones have none. */
export type ReadEvent = IndexEvent | null;

/** Never rejects: whatever a parser does is an event. */
export async function readIntoSegment(
  out: SegmentBuilder,
  path: string,
  bytes: Buffer,
  packs: readonly CodePack[],
  sha256 = hash('sha256', bytes, 'buffer'),
): Promise<ReadEvent> {
  const read = textOrSkip(path, bytes);
  if ('why' in read) return { kind: 'skipped', path, why: read.why };
  const { text } = read;
  const language = languageOf(path);
  const units = passingUnitsOf(text);
  out.beginFile();
  const large = language === 'text' ? null : tooLarge(text, units);
  let error = large === null ? null : `${large}: it is searched, and not parsed`;
  if (large === null) {
    try {
      error = await parse(out, path, text, packs);
    } catch (thrown) {
      out.takeBack();
      error = `the parser failed: ${thrown instanceof Error ? thrown.message.split('\n')[0] : 'no reason given'}`;
    }
  }
  out.endFile({ path, language, sha256, bytes: bytes.length, lines: lineCount(text), units }, error);
  return error === null ? null : { kind: 'parse_error', path, why: error };
}

function lineCount(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** The first error, or null. */
async function parse(out: SegmentBuilder, path: string, text: string, packs: readonly CodePack[]): Promise<string | null> {
  const language = languageOf(path);
  switch (language) {
    case 'typescript':
    case 'javascript':
      return parseProgram(out, path, text, packs);
    case 'markdown':
      readMarkdown(out, text);
      return null;
    case 'json':
      return readJson(out, text);
    case 'yaml':
      return (await import('./yaml-document.ts')).readYaml(out, text);
    default: {
      const pack = packs.find(({ templateLanguages }) => templateLanguages.includes(language));
      if (pack) return pack.readTemplate(out, { path, text, lines: new LineFinder(text), inside: null, of: -1 });
      return isGrammar(language) ? (await import('./grammar.ts')).readWithGrammar(out, language, text) : null;
    }
  }
}

async function parseProgram(out: SegmentBuilder, path: string, text: string, packs: readonly CodePack[]): Promise<string | null> {
  const { lang, sourceType } = PARSER_LANGUAGES[kindOf(path)]!;
  const parsed = parseSync(path, text, {
    lang: /\.d(?:\.[^.]+)?\.[cm]?ts$/i.test(path) ? 'dts' : lang,
    sourceType,
    astType: 'ts',
    preserveParens: false,
    ...RAW_TRANSFER,
  });
  const program = parsed.program as unknown as SyntaxNode;
  const broken = parsed.errors.find(({ severity }) => severity === 'Error');
  if (broken && (program['body'] as readonly unknown[]).length === 0) {
    await loadFallback();
    readBrokenProgram(out, path, text);
    return broken.message;
  }
  const reader = new ProgramReader(out, path, text, packs);
  reader.read(program);
  let error = broken?.message ?? null;
  for (const { pack, number, start, end } of reader.templates)
    error ??= await pack.readTemplate(out, { path, text, lines: reader.lines, inside: { start, end }, of: number });
  return error;
}
