// Hunks onto a file's text. Their old lines have to be there exactly; where they are there more than once, the line number or the
// anchors of the patch have to say which ones are meant. Similar lines never match.

import { Fault } from '../../protocol/index.ts';
import { readAgain } from './file-tool.ts';
import type { Hunk } from './patch-lines.ts';

export function applyHunks(path: string, text: string, hunks: readonly Hunk[], knowsEnd: boolean): string {
  // A dialect that cannot express a missing final line end is read as if it had one, and the file keeps its own.
  const endless = !knowsEnd && text !== '' && !text.endsWith('\n');
  const lines = linesOf(endless ? `${text}\n` : text);
  const made: string[] = [];
  let done = 0;
  for (const [index, hunk] of hunks.entries()) {
    const old = hunk.lines.flatMap((line) => (line.kind === 'add' ? [] : [line.text]));
    const at = placeOf(lines, hunk, old, done, (why, fix) => {
      throw new Fault('BAD_REQUEST', `${path}, hunk ${index + 1}: ${why}; nothing was changed`, { fix, remedy: readAgain(path) });
    });
    made.push(...lines.slice(done, at), ...hunk.lines.flatMap((line) => (line.kind === 'remove' ? [] : [line.text])));
    done = at + old.length;
  }
  const result = [...made, ...lines.slice(done)].join('');
  return endless && result.endsWith('\n') ? result.slice(0, -1) : result;
}

export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

type Refuse = (why: string, fix: string) => never;

/** The index of the hunk's first old line. */
function placeOf(lines: readonly string[], hunk: Hunk, old: readonly string[], done: number, refuse: Refuse): number {
  if (old.length === 0) {
    if (lines.length === 0 || hunk.atEnd) return lines.length;
    return refuse('it only adds lines and has none around them', 'Give a line before or after them that stays');
  }
  const fits = (at: number): boolean =>
    at + old.length <= lines.length &&
    (!hunk.atEnd || at + old.length === lines.length) &&
    old.every((line, each) => lines[at + each] === line);
  if (hunk.before !== null && hunk.before >= done && fits(hunk.before)) return hunk.before;

  const from = afterAnchors(lines, hunk.anchors, done, refuse);
  const places: number[] = [];
  for (let at = from; at + old.length <= lines.length; at++) if (fits(at)) places.push(at);
  const [place] = places;
  if (place === undefined)
    return refuse(
      whyNowhere(lines, old, hunk.before ?? from),
      'Read the file again; context and removed lines have to be exactly as they are in it',
    );
  if (places.length > 1 && hunk.anchors.length === 0) {
    const shown = places.slice(0, 5).map((each) => each + 1);
    return refuse(
      `its lines are there ${places.length} times, at line ${shown.join(', ')}`,
      'Give more lines of context, or the right line number',
    );
  }
  return place;
}

function afterAnchors(lines: readonly string[], anchors: readonly string[], done: number, refuse: Refuse): number {
  let from = done;
  for (const anchor of anchors) {
    const found = lines.flatMap((line, index) => (index >= from && line.trim() === anchor ? [index] : []));
    if (found.length !== 1) {
      refuse(
        `the line ${JSON.stringify(anchor.slice(0, 200))} after @@ is there ${found.length} times`,
        'Name a line that is there once, as it is in the file',
      );
    }
    from = (found[0] ?? 0) + 1;
  }
  return from;
}

/** Names the first line that differs, at the place where most of the hunk fits. */
function whyNowhere(lines: readonly string[], old: readonly string[], expected: number): string {
  const first = old[0] ?? '';
  const last = lines.at(-1) ?? '';
  if (!last.endsWith('\n') && old.includes(`${last}\n`)) return 'the last line of the file has no line end, and the patch does not say so';
  const start = lines[expected] === first ? expected : lines.indexOf(first);
  if (start < 0) return `its first line ${shown(first)} is not in the rest of the file`;
  const differs = old.findIndex((line, each) => lines[start + each] !== line);
  if (differs < 0) return `its lines are at line ${start + 1}, but not where they have to be`;
  return `line ${start + differs + 1} is ${shown(lines[start + differs])} and not ${shown(old[differs])}`;
}

const shown = (line: string | undefined): string =>
  line === undefined ? 'the end of the file' : JSON.stringify(line.slice(0, 200).toWellFormed());
