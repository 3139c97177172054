// `.orchestration/intent_map.md`: which files, symbols and lines belong to which intent, for people to read. It is a view: it can be
// rebuilt from the ledger.
//
// INVARIANT: no name, path or reason can make the page show anything but itself: no link, no markup, no second line.

import { join } from 'node:path';
import type { IntentStatus, MutationClass } from '../protocol/index.ts';
import { ensureFolder, readDocument, replaceFile, textOf } from './document.ts';
import { UNWRITABLE } from './unwritable.ts';

const FOLDER = '.orchestration';
export const INTENT_MAP_FILE = `${FOLDER}/intent_map.md`;

const FILES_MAX = 200;
const SYMBOLS_MAX = 10;
const ANCHORS_MAX = 10;
/** Below the limit for documents. */
const MAP_MAX_BYTES = 900 * 1024;
/** For the line that says what is left out. */
const HEAD_SPARE_BYTES = 100;
const MAX_TEXT_LENGTH = 300;

interface Lines {
  readonly start_line: number;
  readonly end_line: number;
}

export interface IntentMapFile {
  /** Relative to the workspace's root. */
  readonly path: string;
  /** Of its last evolution for this intent; without one, of its last change. */
  readonly at: string;
  readonly receipt_id: string;
  readonly mutation: MutationClass | null;
  /** The lines that the last change wrote, while the file is as it left it. */
  readonly ranges: readonly Lines[];
  /** The symbols that changes for this intent touched, where they are now. */
  readonly symbols: readonly (Lines & { readonly name: string; readonly kind: string; readonly container: string | null })[];
}

export interface IntentMapEntry {
  readonly id: string;
  readonly name: string;
  readonly status: IntentStatus;
  readonly owned_scope: readonly string[];
  readonly files: readonly IntentMapFile[];
}

/** The same entries, in whatever order, give the same text. */
export function renderIntentMap(entries: readonly IntentMapEntry[]): string {
  const parts = [
    '<!-- Kept by Countersign and written again from its ledger: what is changed here by hand is lost. -->',
    '# Intent map',
    ...(entries.length === 0 ? ['There are no intents yet.'] : []),
  ];
  let room = MAP_MAX_BYTES;
  let unshown = 0;
  for (const entry of entries.toSorted((a, b) => compare(a.id, b.id) || compare(a.name, b.name))) {
    const head = [`## ${prose(entry.id)} · ${prose(entry.name)} (${entry.status})`, scopeLine(entry.owned_scope)];
    room -= Buffer.byteLength(head.join('')) + HEAD_SPARE_BYTES;
    if (room < 0) {
      unshown++;
      continue;
    }
    const files = newestFirst(entry.files);
    const shown: string[] = [];
    for (const file of files.slice(0, FILES_MAX)) {
      const text = fileLines(file).join('\n');
      const size = Buffer.byteLength(text) + 1;
      if (size > room) break;
      room -= size;
      shown.push(text);
    }
    parts.push(
      ...head,
      ...(shown.length > 0 ? [shown.join('\n')] : []),
      ...(files.length === 0 ? ['No file was changed for it yet.'] : []),
      ...leftOut(files.length - shown.length, 'file'),
    );
  }
  parts.push(...leftOut(unshown, 'intent'));
  return `${parts.join('\n\n')}\n`;
}

/** False when the file already had this content. */
export async function writeIntentMap(root: string, text: string): Promise<boolean> {
  await ensureFolder(root, FOLDER);
  const document = await readDocument(root, INTENT_MAP_FILE);
  if (document !== null && textOf(INTENT_MAP_FILE, document.bytes) === text) return false;
  await replaceFile(join(root, INTENT_MAP_FILE), document, Buffer.from(text));
  return true;
}

const leftOut = (left: number, what: string): readonly string[] =>
  left > 0 ? [`${left} more ${what}${left === 1 ? ' is' : 's are'} left out here.`] : [];

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** One line for a path: its last change. */
function newestFirst(files: readonly IntentMapFile[]): readonly IntentMapFile[] {
  const sorted = files.toSorted((a, b) => compare(b.at, a.at) || compare(a.path, b.path) || compare(b.receipt_id, a.receipt_id));
  const seen = new Set<string>();
  return sorted.filter(({ path }) => !seen.has(path) && seen.add(path));
}

const scopeLine = (globs: readonly string[]): string => {
  const shown = globs.slice(0, ANCHORS_MAX).map(code);
  return `Scope: ${[...shown, ...more(globs.length - shown.length)].join(', ') || 'nothing'}`;
};

function fileLines({ path, at, receipt_id, mutation, ranges, symbols }: IntentMapFile): readonly string[] {
  const touched = symbols.toSorted((a, b) => a.start_line - b.start_line || b.end_line - a.end_line || compare(a.name, b.name));
  const sorted = ranges.toSorted((a, b) => a.start_line - b.start_line || a.end_line - b.end_line);
  const anchors = sorted.slice(0, ANCHORS_MAX).map((range) => link(`${path}${anchorOf(range)}`, path, range));
  const what = mutation === null ? '' : `${mutation.class}, ${prose(mutation.because)}; `;
  return [
    `- ${link(path, path, null)}: ${what}${prose(at)}, receipt ${code(receipt_id)}`,
    ...touched.slice(0, SYMBOLS_MAX).map((symbol) => {
      const name = symbol.container === null ? symbol.name : `${symbol.container}.${symbol.name}`;
      return `  - ${prose(symbol.kind)} ${code(name)}: ${link(anchorOf(symbol), path, symbol)}`;
    }),
    ...more(touched.length - SYMBOLS_MAX, 'symbol').map((words) => `  - ${words}`),
    ...(anchors.length > 0 ? [`  - lines ${[...anchors, ...more(ranges.length - anchors.length)].join(', ')}`] : []),
  ];
}

const more = (left: number, what?: string): readonly string[] =>
  left > 0 ? [`${left} more${what === undefined ? '' : ` ${what}${left === 1 ? '' : 's'}`}`] : [];

const anchorOf = ({ start_line, end_line }: Lines): string =>
  `#L${Math.trunc(start_line)}${start_line === end_line ? '' : `-L${Math.trunc(end_line)}`}`;

/** The map lies one folder below the root. */
const link = (shown: string, path: string, lines: Lines | null): string => {
  const address = path
    .toWellFormed()
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll(/[()!'*~]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`))
    .join('/');
  return `[${code(shown)}](../${address}${lines ? anchorOf(lines) : ''})`;
};

const oneLine = (text: string): string => {
  const clean = text.toWellFormed().replaceAll(UNWRITABLE, ' ');
  return clean.length > MAX_TEXT_LENGTH ? `${clean.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…` : clean;
};

/** Text in which nothing is markup: fenced by more backticks than it holds. */
function code(text: string): string {
  const shown = oneLine(text);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = shown.trim() === '' || /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** A reader would turn these into markup, links or mentions. */
const prose = (text: string): string => oneLine(text).replaceAll(/[\\`*_[\]<>&#|~!$@]|:(?=\/\/)|(?<=www)\./gi, '\\$&');
