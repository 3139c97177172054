// Exact replacements of text. A text that is missing, or occurs more than once, is refused.

import { Fault } from '../../protocol/index.ts';
import { readAgain } from './file-tool.ts';

export interface ExactEdit {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean | undefined;
}

/** Occurrences are counted up to here; more make no difference. */
const COUNTED = 100;

/** Each edit sees the result of the edits before it. */
export function replaceExactly(path: string, text: string, edits: readonly ExactEdit[]): { text: string; replaced: number } {
  let current = text;
  let replaced = 0;
  for (const [index, { old_text, new_text, replace_all = false }] of edits.entries()) {
    const refuse = (why: string, fix: string): never => {
      throw new Fault('BAD_REQUEST', `edits.${index}: ${why}; nothing was changed`, { fix, remedy: readAgain(path) });
    };
    if (old_text === '') refuse('old_text is empty', 'Give the text that is to be replaced, or call write_file for a new file');
    if (old_text === new_text) refuse('old_text and new_text are the same', 'Leave this edit out');
    if (replace_all) {
      const parts = current.split(old_text);
      if (parts.length === 1) refuse(`old_text does not occur in ${path}${nearestTo(old_text, current)}`, READ_AGAIN);
      replaced += parts.length - 1;
      current = parts.join(new_text);
      continue;
    }
    const found = occurrences(current, old_text);
    const [at] = found;
    if (at === undefined) return refuse(`old_text does not occur in ${path}${nearestTo(old_text, current)}`, READ_AGAIN);
    if (found.length > 1) {
      const lines = found.slice(0, 5).map((each) => lineAt(current, each));
      const times = found.length === COUNTED ? `${COUNTED} times or more` : `${found.length} times`;
      refuse(
        `old_text occurs ${times} in ${path}, first at line ${lines.join(', ')}`,
        'Give more of the text around it, or set replace_all',
      );
    }
    replaced++;
    current = current.slice(0, at) + new_text + current.slice(at + old_text.length);
  }
  return { text: current, replaced };
}

const READ_AGAIN = 'Read the file again and copy the text exactly, with its spaces and line ends';

/** Overlapping ones too: `aa` occurs in `aaa` twice. */
function occurrences(text: string, wanted: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && found.length < COUNTED; at = text.indexOf(wanted, at + 1)) found.push(at);
  return found;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** Of long files and lines only so much is compared. */
const COMPARED_LINES = 20_000;
const COMPARED_CHARACTERS = 200;
const ALIKE = 0.5;

/** Completes the sentence that a text does not occur. */
function nearestTo(wanted: string, text: string): string {
  if (text.includes('\r\n') && text.includes(wanted.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n')))
    return ': the lines of the file end in CRLF';
  const telling = wanted.split('\n').reduce((best, line) => (line.trim().length > best.trim().length ? line : best), '');
  const pairs = pairsOf(telling);
  let best = { score: 0, line: 0, text: '' };
  for (const [index, line] of text.split('\n', COMPARED_LINES).entries()) {
    const score = likeness(pairs, pairsOf(line));
    if (score > best.score) best = { score, line: index + 1, text: line.trim() };
  }
  return best.score < ALIKE
    ? ''
    : `; the nearest is line ${best.line}: ${JSON.stringify(best.text.slice(0, COMPARED_CHARACTERS).toWellFormed())}`;
}

function pairsOf(line: string): Set<string> {
  const text = line.trim().slice(0, COMPARED_CHARACTERS);
  return new Set(Array.from({ length: text.length }, (_, at) => text.slice(at, at + 2)));
}

/** Dice's: 1 for the same pairs of letters, 0 for none. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared++;
  return (2 * shared) / (one.size + other.size);
}
