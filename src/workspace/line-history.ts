// Who wrote each line of a file: the recorded changes, replayed in order over the contents before and after them.
//
// INVARIANT: a line is attributed to a change only if that change added it. What happened between two recorded changes belongs to neither,
// and where a line may come from several places all of them are named.

import { createHash } from 'node:crypto';
import type { FileRef } from '../protocol/index.ts';
import { carryLines, type Carried } from './line-carry.ts';
import { type LineForm, LineForms } from './line-forms.ts';

/** A file's content at one moment. `sha256` null: there was no such file. `lines` null: the file existed, and its content was not kept. */
export interface HistoryContent {
  readonly sha256: string | null;
  readonly lines: readonly string[] | null;
}

export interface HistoryChange<O> {
  readonly path: string;
  readonly before: HistoryContent;
  readonly after: HistoryContent;
  /** Lines of `after` that it wrote; only asked when a content was not kept. */
  readonly ranges: FileRef['ranges'];
  readonly origin: O;
  /** It only restored something: a content that was there before keeps its earlier origins. */
  readonly restores: boolean;
}

/** Changes that were made at once: what one of them removes, another may bring back under a new name. */
export type HistoryStep<O> = readonly HistoryChange<O>[];

/** Where a line comes from; `path` is what the file was called then. Several only when it is ambiguous. */
export interface LineOrigin<O> {
  readonly among: readonly { readonly origin: O; readonly path: string }[];
}

export interface HistoryWords<O> {
  /** The content before the first recorded change. */
  readonly first: O;
  /** Changed between two recorded changes, or where contents were not kept. Null: nothing was recorded on that side. */
  readonly between: (earlier: O | null, later: O | null) => O;
}

/** Two contents that share at least this part of their lines are one file under two names. */
const SAME_FILE = 0.6;

/** The names that a file may have had, with its current one: changes of other files can be skipped. */
export function formerNames<
  C extends { readonly path: string; readonly before_sha256: string | null; readonly after_sha256: string | null },
>(steps: readonly (readonly C[])[], path: string): Set<string> {
  const paths = new Set([path]);
  for (const step of steps.toReversed()) {
    if (!step.some((change) => paths.has(change.path) && change.before_sha256 === null)) continue;
    for (const change of step) if (change.after_sha256 === null) paths.add(change.path);
  }
  return paths;
}

interface FileState<O> {
  sha256: string | null;
  /** The last content that was kept, and where its lines come from. */
  lines: readonly string[];
  forms: readonly LineForm[];
  origins: readonly LineOrigin<O>[];
  /** Changes since then that left a content which was not kept. */
  unkept: HistoryChange<O>[];
  last: O | null;
  readonly versions: Map<string, readonly LineOrigin<O>[]>;
}

/** Steps are applied in order. A content is held only until the next one of its file. */
export class LineHistory<O> {
  private readonly words: HistoryWords<O>;
  private readonly forms = new LineForms();
  private readonly files = new Map<string, FileState<O>>();
  constructor(words: HistoryWords<O>) {
    this.words = words;
  }

  /** Of every line of the file as it is now; null when there is no such file or its content was not kept. */
  originsOf(path: string): LineOrigin<O>[] | null {
    const file = this.files.get(path);
    return !file || file.sha256 === null || file.unkept.length > 0 ? null : [...file.origins];
  }

  apply(step: HistoryStep<O>): void {
    for (const change of step) this.reach(change);
    const gone = step.flatMap(({ path, after }) => (after.sha256 === null ? [this.files.get(path)!] : []));
    const sources = gone.map(({ forms, origins }) => ({ forms, origins }));
    for (const change of step) {
      const file = this.files.get(change.path)!;
      if (file.sha256 === null && change.after.lines !== null) this.create(file, change, sources);
      else this.advance(file, change);
      file.last = change.origin;
    }
  }

  /** Brings a file to the content that a change found. */
  private reach({ path, before, origin }: HistoryChange<O>): void {
    const known = this.files.get(path);
    const file: FileState<O> = known ?? { sha256: null, lines: [], forms: [], origins: [], unkept: [], last: null, versions: new Map() };
    this.files.set(path, file);
    if (file.sha256 === before.sha256) return;
    const by = known ? this.words.between(file.last, origin) : this.words.first;
    this.advance(file, { path, before: { sha256: file.sha256, lines: [] }, after: before, ranges: [], origin: by, restores: true });
  }

  private create(file: FileState<O>, change: HistoryChange<O>, sources: readonly Pick<FileState<O>, 'forms' | 'origins'>[]): void {
    const next = this.forms.of(change.after.lines ?? []);
    const shares = sources.map(({ forms }) => sharedLines(forms, next));
    const best = Math.max(0, ...shares);
    const from = sources.filter((_, at) => best >= SAME_FILE && shares[at] === best);
    if (from.length === 0) return this.advance(file, change);
    const own: LineOrigin<O> = { among: [{ origin: change.origin, path: change.path }] };
    const versions = from.map(({ forms, origins }) => originsAfter(carryLines(forms, next), origins, () => own));
    this.settle(
      file,
      change,
      next,
      versions[0]!.map((_, line) => joined(versions.map((origins) => origins[line]!))),
    );
  }

  /** From the content that the file has to the one after the change. */
  private advance(file: FileState<O>, change: HistoryChange<O>): void {
    const { after, path, origin } = change;
    if (after.sha256 === file.sha256) return;
    if (after.sha256 === null) return this.settle(file, change, [], []);
    if (after.lines === null) {
      file.sha256 = after.sha256;
      file.unkept.push(change);
      return;
    }
    const returned = change.restores ? file.versions.get(after.sha256) : undefined;
    const next = this.forms.ofNext(after.lines, file);
    const own: LineOrigin<O> = { among: [{ origin, path }] };
    const written = file.unkept.length === 0 ? () => own : this.writtenUnseen(file, change, own);
    // A change that creates a file again wrote all of it, even if the content is the same as before.
    const forms = file.sha256 === null && !change.restores ? [] : file.forms;
    this.settle(file, change, next, returned ?? originsAfter(carryLines(forms, next), file.origins, written));
  }

  /** The last content was not kept: only lines that a change's own ranges name are known to be its. */
  private writtenUnseen(file: FileState<O>, change: HistoryChange<O>, own: LineOrigin<O>): (line: number) => LineOrigin<O> {
    const { path, after, ranges } = change;
    const between: LineOrigin<O> = { among: [{ origin: this.words.between(file.last, change.origin), path }] };
    const lines = after.lines ?? [];
    const found = new Map<number, LineOrigin<O>>();
    for (const unkept of file.unkept) {
      for (const range of unkept.ranges) {
        const start = placeOf(lines, range);
        for (let line = range.start_line; start !== null && line <= range.end_line; line++)
          found.set(start + line - range.start_line, { among: [{ origin: unkept.origin, path }] });
      }
    }
    const isOwn = (line: number) => ranges.some(({ start_line, end_line }) => line + 1 >= start_line && line + 1 <= end_line);
    return (line) => (isOwn(line) ? own : (found.get(line) ?? between));
  }

  private settle(file: FileState<O>, { after }: HistoryChange<O>, forms: readonly LineForm[], origins: readonly LineOrigin<O>[]): void {
    file.sha256 = after.sha256;
    // A deleted file keeps its last content: it may come back.
    if (after.sha256 === null) return;
    file.lines = after.lines ?? [];
    file.forms = forms;
    file.origins = origins;
    file.unkept = [];
    file.versions.set(after.sha256, origins);
  }
}

function originsAfter<O>(
  { from, several }: Carried,
  origins: readonly LineOrigin<O>[],
  written: (line: number) => LineOrigin<O>,
): LineOrigin<O>[] {
  const after: LineOrigin<O>[] = [];
  for (let line = 0; line < from.length; line++) {
    const sources = several.get(line);
    if (sources) after.push(joined(sources.map((each) => origins[each]!)));
    else after.push(from[line]! >= 0 ? origins[from[line]!]! : written(line));
  }
  return after;
}

function joined<O>(origins: readonly LineOrigin<O>[]): LineOrigin<O> {
  const [first] = origins;
  if (first && origins.every((origin) => origin === first)) return first;
  const among = new Map<O, LineOrigin<O>['among'][number]>();
  for (const origin of origins) for (const each of origin.among) if (!among.has(each.origin)) among.set(each.origin, each);
  return { among: [...among.values()] };
}

/** How much of the larger of two contents is in the other, by lines that say something. */
function sharedLines(a: readonly LineForm[], b: readonly LineForm[]): number {
  const counts = new Map<number, number>();
  const withTokens = (forms: readonly LineForm[]) => forms.filter(({ tokens }) => tokens.length > 0);
  for (const { id } of withTokens(a)) counts.set(id, (counts.get(id) ?? 0) + 1);
  let shared = 0;
  for (const { id } of withTokens(b)) {
    const count = counts.get(id) ?? 0;
    if (count > 0) shared++;
    counts.set(id, count - 1);
  }
  const most = Math.max(withTokens(a).length, withTokens(b).length);
  return most === 0 ? 0 : shared / most;
}

/** Where the lines of a range are now, by their hash: at their place, or nearby where lines came or went above them. */
function placeOf(lines: readonly string[], range: FileRef['ranges'][number]): number | null {
  const NEARBY = 200;
  const count = range.end_line - range.start_line + 1;
  for (let away = 0; away <= NEARBY; away++) {
    for (const start of away === 0 ? [range.start_line - 1] : [range.start_line - 1 - away, range.start_line - 1 + away]) {
      if (start < 0 || start + count > lines.length) continue;
      const text = lines.slice(start, start + count).join('\n');
      // The last line of a file may have no newline.
      if ([`${text}\n`, text].some((each) => createHash('sha256').update(each).digest('hex') === range.sha256)) return start;
    }
  }
  return null;
}
