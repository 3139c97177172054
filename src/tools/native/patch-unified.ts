// Unified diffs, plain or git's. Counts have to be right: they say where a hunk ends, and a wrong one could hide a file's header.

import { type FilePatch, headerOf, type Hunk, hunkLine, isHunkLine, type LineReader, type PatchLine } from './patch-lines.ts';

export function parseUnifiedDiff(reader: LineReader): FilePatch[] {
  const files: FilePatch[] = [];
  for (;;) {
    while (reader.peek()?.trim() === '') reader.take();
    if (reader.peek() === undefined) return files;
    files.push(parseFile(reader));
  }
}

interface GitHeader {
  /** The name of both sides, where they are the same. */
  readonly name: string | null;
  from: string | null;
  to: string | null;
  added: string | null;
  deleted: boolean;
}

function parseFile(reader: LineReader): FilePatch {
  const both = reader.takeHeader('diff --git ');
  const git = both === null ? null : parseGitHeader(reader, both);
  const names = parseNames(reader, git !== null);
  const hunks: Hunk[] = [];
  while (names && reader.peek()?.startsWith('@@')) hunks.push(parseHunk(reader));
  if (names && hunks.length === 0) reader.refuse('expected @@ -line,count +line,count @@');

  const from = names ? names.from : git !== null && git.added !== null ? null : (git?.from ?? git?.name ?? null);
  const to = names ? names.to : git?.deleted ? null : (git?.to ?? git?.name ?? null);
  if (git && ((git.added !== null && from !== null) || (git.deleted && to !== null)))
    reader.refuse('its header and its names say different things');
  if (from === null && to === null) return reader.refuse('there is no name of a file');
  if (from === null) {
    const lines = hunks.flatMap((hunk) => hunk.lines);
    if (hunks.length > 1 || lines.some(({ kind }) => kind !== 'add')) reader.refuse(`${to ?? ''} is new, so it has only + lines`);
    return { kind: 'add', path: to ?? '', content: lines.map(({ text }) => text).join(''), executable: git?.added === '100755' };
  }
  if (to === null) return { kind: 'delete', path: from, hunks };
  if (from !== to && (git?.from !== from || git.to !== to)) reader.refuse(`it names ${from} and ${to}; say "rename from" and "rename to"`);
  if (from === to && hunks.length === 0) reader.refuse(`nothing is said about ${from}`);
  return { kind: 'update', path: from, to: from === to ? null : to, hunks, knowsEnd: true };
}

const SKIPPED = ['index ', 'similarity index ', 'dissimilarity index '];
const PLAIN_MODES = new Set(['100644', '100755']);

function parseGitHeader(reader: LineReader, both: string): GitHeader {
  const header: GitHeader = { name: sameName(both), from: null, to: null, added: null, deleted: false };
  for (;;) {
    const line = headerOf(reader.peek() ?? '');
    if (line === '' || line.startsWith('--- ') || line.startsWith('diff --git ')) return header;
    const value = (prefix: string): string | null => reader.takeHeader(prefix);
    const mode = value('new file mode ') ?? null;
    if (mode !== null) {
      if (!PLAIN_MODES.has(mode)) reader.refuse('only plain files can be made, no links or modules');
      header.added = mode;
      continue;
    }
    if (value('deleted file mode ') !== null) header.deleted = true;
    else if (line.startsWith('rename from ')) header.from = unquoted(value('rename from ') ?? '', reader);
    else if (line.startsWith('rename to ')) header.to = unquoted(value('rename to ') ?? '', reader);
    else if (SKIPPED.some((prefix) => line.startsWith(prefix))) reader.take();
    else reader.refuse(`${JSON.stringify(line.slice(0, 60))} is not applied here`);
  }
}

/** `a/x b/x` → `x`. Where both differ, other lines name them. */
function sameName(both: string): string | null {
  const half = both.slice(0, (both.length - 1) / 2);
  const path = half.startsWith('a/') ? half.slice(2) : half;
  return both === `a/${path} b/${path}` ? path : null;
}

function parseNames(reader: LineReader, git: boolean): { from: string | null; to: string | null } | null {
  const old = reader.takeHeader('--- ');
  if (old === null) return git ? null : reader.refuse('expected "diff --git", "--- " or "*** Begin Patch"');
  const next = reader.takeHeader('+++ ') ?? reader.refuse('expected "+++ " after "--- "');
  const [from, to] = [old, next].map((name) => unquoted(name.split('\t')[0] ?? '', reader)) as [string, string];
  const prefixed = (from.startsWith('a/') || from === NOTHING) && (to.startsWith('b/') || to === NOTHING);
  const named = (name: string): string | null => (name === NOTHING ? null : prefixed ? name.slice(2) : name);
  return { from: named(from), to: named(to) };
}

const NOTHING = '/dev/null';

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** Git writes names with unusual bytes in quotes, as C does. */
function unquoted(name: string, reader: LineReader): string {
  if (!name.startsWith('"')) return name;
  const inner = /^"((?:[^"\\]|\\.)*)"$/.exec(name)?.[1] ?? reader.refuse('a name in quotes does not end');
  const bytes = Array.from(inner.matchAll(/\\([0-3][0-7]{2})|\\(.)|([^\\]+)/gu), ([, octal, escape, plain]) => {
    if (octal !== undefined) return Buffer.from([Number.parseInt(octal, 8)]);
    if (plain !== undefined) return Buffer.from(plain);
    return Buffer.from([ESCAPES[escape ?? ''] ?? reader.refuse(`a name has \\${escape ?? ''} in it`)]);
  });
  const decoded = Buffer.concat(bytes).toString('utf8');
  return decoded.includes('\ufffd') ? reader.refuse('a name is not valid UTF-8') : decoded;
}

function parseHunk(reader: LineReader): Hunk {
  const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(reader.peek() ?? '');
  if (!header) return reader.refuse('expected @@ -line,count +line,count @@');
  reader.take();
  const [start, oldCount, , newCount] = header.slice(1).map((digits) => (digits === undefined ? 1 : Number(digits))) as [
    number,
    number,
    number,
    number,
  ];
  const lines: PatchLine[] = [];
  let [oldLeft, newLeft] = [oldCount, newCount];
  while (oldLeft > 0 || newLeft > 0) {
    if (!isHunkLine(reader.peek())) reader.refuse(`the hunk has ${oldLeft} old and ${newLeft} new lines less than it says`);
    const read = hunkLine(reader.take() ?? '');
    if (read.kind !== 'add') oldLeft--;
    if (read.kind !== 'remove') newLeft--;
    if (oldLeft < 0 || newLeft < 0) reader.refuse('the hunk has more lines than it says');
    lines.push(withoutEnd(reader) ? { ...read, text: read.text.slice(0, -1) } : read);
  }
  return { before: oldCount === 0 ? start : start - 1, anchors: [], lines, atEnd: false };
}

function withoutEnd(reader: LineReader): boolean {
  if (!reader.peek()?.startsWith('\\ ')) return false;
  reader.take();
  return true;
}
