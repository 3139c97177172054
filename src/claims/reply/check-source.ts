// Quotes and places in one source, as it is now.

import type { EvidencePart, EvidenceProblem, ReplyCitation, ReplySources, SourceText } from '../../protocol/index.ts';
import { hashOfLines } from '../cite.ts';
import { candidateQuotes } from './candidate-quotes.ts';
import { type PartFinding, problem, refused } from './finding.ts';
import { comparable, findQuote, searchText } from './find-quote.ts';

type Content = Extract<EvidencePart, { kind: 'content' }>;
type Structural = Extract<EvidencePart, { kind: 'structural' }>;
type FileSource = Extract<SourceText, { kind: 'file' }>;
type Lines = Pick<ReplyCitation, 'start_line' | 'end_line'>;

const QUOTE_CHARACTERS_MIN = 8;
/** Scripts without spaces say as much in fewer characters. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const DENSE_CHARACTERS_MIN = 4;

export async function checkContent({ quote, path, lines }: Content, sources: ReplySources): Promise<PartFinding> {
  const short = comparable(quote);
  if (!short.includes(' ') && short.length < (DENSE.test(short) ? DENSE_CHARACTERS_MIN : QUOTE_CHARACTERS_MIN))
    return refused(problem('quote_too_short', `${shown(quote)} is too short to show anything. Quote the sentence`));
  const source = await sources.read(path);
  if (source.kind !== 'file') return refused(await unknownSource(path, source, sources));
  const text = searchText(source.lines);
  const near = lines?.start_line ?? null;
  // Models escape a quotation mark inside a quote, as in JSON. A file that really has the backslash is found first.
  const found = findQuote(text, quote, near) ?? findQuote(text, quote.replaceAll(/\\(["'“”])/g, '$1'), near);
  if (found)
    return {
      problems: [],
      paths: [source.path],
      citations: [citation(source, found)],
    };
  const candidates = candidateQuotes(source.path, text, quote);
  const hint = candidates.length > 0 ? 'Use one of the passages that it does have' : 'Read the file and quote what it says';
  return {
    problems: [problem('quote_not_found', `${shown(quote)} is not in ${source.path}. ${hint}`)],
    // Which source it names does not depend on what it says there.
    paths: [source.path],
    candidates,
  };
}

export async function checkStructure({ path, lines, section }: Structural, sources: ReplySources): Promise<PartFinding> {
  if (lines === null && section === null)
    return refused(
      problem(
        'claim_unsupported',
        `${shown(path)} names no line and no section. Write path:lines, path §section, or a quote with its path`,
      ),
    );
  const source = await sources.read(path);
  if (source.kind !== 'file') return refused(await unknownSource(path, source, sources));
  const place = lines ?? sectionIn(source.lines, section ?? '');
  if (place === null)
    return refused(
      problem('section_unknown', `${source.path} has no section ${shown(section ?? '')}. Name a heading or an entry that it has`),
    );
  if (place.end_line > source.lines.length)
    return refused(problem('lines_unknown', `${source.path} has ${source.lines.length} lines, so it has no line ${place.end_line}`));
  return {
    problems: [],
    paths: [source.path],
    citations: [citation(source, place)],
  };
}

function citation({ path, lines, source }: FileSource, { start_line, end_line }: Lines): ReplyCitation {
  const first = start_line - (source?.first_line ?? 0);
  return {
    ...{ path, start_line, end_line, sha256: hashOfLines(lines.slice(start_line - 1, end_line)) },
    // A line that is made, such as the title of a scene, is not in the manuscript.
    ...(source && first >= 0
      ? {
          source: {
            path: source.path,
            start_line: source.source_line + first,
            end_line: source.source_line + first + end_line - start_line,
          },
        }
      : {}),
  };
}

/** A heading, or an entry of a list, that is or begins with the name. */
function sectionIn(lines: readonly string[], name: string): Lines | null {
  const wanted = plainName(name);
  if (wanted === '') return null;
  const entries = lines.flatMap((line, at) => (ENTRY.test(line) ? [{ name: plainName(line), line: at + 1 }] : []));
  const entry =
    entries.find((each) => each.name === wanted) ??
    entries.find((each) => each.name.startsWith(wanted) && !/^[\p{L}\p{N}]/u.test(each.name.slice(wanted.length)));
  return entry ? { start_line: entry.line, end_line: entry.line } : null;
}

const ENTRY = /^\s*(?:#{1,6}\s|[-*+]\s|[0-9]+[.)]\s|\*\*[^*]+\*\*|\|)/;
const plainName = (text: string): string =>
  comparable(text.replace(/^\s*(?:#{1,6}|[-*+])\s+/, '').replace(/[*_`|]+/g, ' '))
    .toLowerCase()
    .replace(/[\s:.]+$/, '');

/** Says which file may have been meant: models often leave out the folder. */
export async function unknownSource(
  path: string,
  source: Exclude<SourceText, { kind: 'file' }>,
  sources: ReplySources,
): Promise<EvidenceProblem> {
  const name = path.split('/').at(-1)?.toLowerCase() ?? '';
  const like =
    source.kind === 'missing'
      ? (await sources.paths()).filter((each) => each.toLowerCase().endsWith(`/${name}`) || each.toLowerCase() === name)
      : [];
  const hint = like.length > 0 ? `There is ${like.slice(0, 3).join(', ')}` : 'Locate the file first';
  return problem('source_unknown', `${shown(path)} ${source.why}. ${hint}`);
}

export const shown = (text: string): string => JSON.stringify(text.length > 120 ? `${text.slice(0, 119)}…` : text);
