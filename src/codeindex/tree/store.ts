// What is indexed: which content of which file is in which segment. Kept in a folder, so that a restart reads no source again.
//
//   manifest.json   every file with its stamp and its place; written last, and replaced by a rename
//   NUMBER.segment  a segment each; one that the manifest does not name is left over and removed

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexEvent } from '../model.ts';
import { Segment } from '../segment/segment.ts';
import { SEGMENT_VERSION, widthOf } from '../segment/tables.ts';
import type { Stamp } from './stamp.ts';

export interface Entry {
  readonly stamp: Stamp;
  /** It has to be read again, whatever its stamp says. */
  readonly racy: boolean;
  /** Null: it was left out, and the event says why. */
  readonly place: Place | null;
  readonly event: IndexEvent | null;
}

export interface Place {
  readonly segment: number;
  readonly slot: number;
}

interface Held {
  readonly number: number;
  /** Read on first use. */
  loaded: Segment | null;
  readonly slots: number;
  live: Uint8Array;
  liveCount: number;
  readonly bytes: number;
  /** Rows of dead files among them. */
  readonly definitions: number;
  readonly references: number;
}

interface Manifest {
  readonly version: number;
  readonly root: string;
  readonly next: number;
  readonly segments: readonly (readonly [number: number, slots: number, bytes: number, definitions: number, references: number])[];
  readonly files: readonly (readonly [
    path: string,
    size: number,
    mtime: number,
    ctime: number,
    ino: number,
    segment: number,
    slot: number,
    kind: string,
    why: string,
  ])[];
}

const MANIFEST = 'manifest.json';
/** A larger one is read from its file on request: memory need not hold a whole tree while it is read. */
const KEPT_BYTES = 256 * 1024;

/** One file of a segment, alive. */
export interface LiveFile {
  readonly segment: Segment;
  readonly slot: number;
}

export class IndexStore {
  readonly #folder: string | null;
  readonly #root: string;
  readonly entries = new Map<string, Entry>();
  readonly #segments = new Map<number, Held>();
  #next = 1;
  #isDirty = false;

  /** `folder`: null keeps everything in memory. */
  constructor(root: string, folder: string | null) {
    this.#root = root;
    this.#folder = folder;
    if (folder === null) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      this.#load(JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest);
    } catch {
      // The file is missing, of another version or cut short: everything is read again.
      this.entries.clear();
      this.#segments.clear();
    }
    this.#removeLeftovers(folder);
  }

  #load({ version, root, next, segments, files }: Manifest): void {
    if (version !== SEGMENT_VERSION || root !== this.#root) return;
    this.#next = next;
    const present = new Set(readdirSync(this.#folder!));
    for (const [number, slots, bytes, definitions, references] of segments)
      if (present.has(`${number}.segment`))
        this.#segments.set(number, {
          number,
          loaded: null,
          slots,
          live: new Uint8Array(slots),
          liveCount: 0,
          bytes,
          definitions,
          references,
        });
    for (const [path, size, mtime, ctime, ino, number, slot, kind, why] of files) {
      const held = number === 0 ? null : this.#segments.get(number);
      if (held === undefined) continue;
      const event = kind === '' ? null : { kind: kind as IndexEvent['kind'], path, why };
      this.entries.set(path, { stamp: { size, mtime, ctime, ino }, racy: false, place: held ? { segment: number, slot } : null, event });
      if (held) {
        held.live[slot] = 1;
        held.liveCount++;
      }
    }
  }

  #removeLeftovers(folder: string): void {
    for (const name of readdirSync(folder)) {
      const number = /^(\d+)\.segment$/.exec(name)?.[1];
      if ((number !== undefined && !this.#segments.has(Number(number))) || name.endsWith('.half'))
        rmSync(join(folder, name), { force: true });
    }
  }

  /** Its number, by which entries name it. */
  addSegment(buffer: ArrayBuffer): number {
    const number = this.#next++;
    const segment = new Segment(buffer);
    if (this.#folder !== null) writeFileSync(join(this.#folder, `${number}.segment`), new Uint8Array(buffer), { mode: 0o600 });
    this.#segments.set(number, {
      number,
      loaded: this.#folder === null || buffer.byteLength <= KEPT_BYTES ? segment : null,
      slots: segment.fileCount,
      live: new Uint8Array(segment.fileCount),
      liveCount: 0,
      bytes: buffer.byteLength,
      definitions: segment.table('definitions').length / widthOf('definitions'),
      references: segment.table('references').length / widthOf('references'),
    });
    return number;
  }

  set(path: string, entry: Entry): void {
    const before = this.entries.get(path)?.place ?? null;
    // Releasing the place that it keeps could drop a whole segment.
    if (before === null || before.segment !== entry.place?.segment || before.slot !== entry.place.slot) this.#release(path);
    this.entries.set(path, entry);
    const held = entry.place && this.#segments.get(entry.place.segment);
    if (held && entry.place && held.live[entry.place.slot] === 0) {
      held.live[entry.place.slot] = 1;
      held.liveCount++;
    }
    this.#isDirty = true;
  }

  delete(path: string): boolean {
    this.#release(path);
    this.#isDirty = true;
    return this.entries.delete(path);
  }

  #release(path: string): void {
    const place = this.entries.get(path)?.place;
    const held = place && this.#segments.get(place.segment);
    if (!held || !place || held.live[place.slot] === 0) return;
    held.live[place.slot] = 0;
    held.liveCount--;
    if (held.liveCount === 0) this.#drop(held);
  }

  #drop({ number }: Held): void {
    this.#segments.delete(number);
    if (this.#folder !== null) rmSync(join(this.#folder, `${number}.segment`), { force: true });
  }

  /** Files of segments that are small or mostly dead, when there are many of those: worth one segment together. */
  worthMerging(): readonly string[] {
    const small = [...this.#segments.values()].filter(({ liveCount, slots }) => liveCount < 16 || liveCount * 2 < slots);
    if (small.length < 24) return [];
    const numbers = new Set(small.map(({ number }) => number));
    return [...this.entries].flatMap(([path, { place }]) => (place && numbers.has(place.segment) ? [path] : []));
  }

  /** In all segments; of a file that changed, until its segment is merged, the old rows too. */
  counts(): { readonly definitions: number; readonly references: number } {
    let definitions = 0;
    let references = 0;
    for (const held of this.#segments.values()) {
      definitions += held.definitions;
      references += held.references;
    }
    return { definitions, references };
  }

  *live(): Generator<{ readonly segment: Segment; readonly live: Uint8Array }> {
    for (const held of this.#segments.values()) {
      const segment = this.#read(held);
      if (segment) yield { segment, live: held.live };
    }
  }

  file(path: string): LiveFile | null {
    const place = this.entries.get(path)?.place;
    const held = place && this.#segments.get(place.segment);
    const segment = held ? this.#read(held) : null;
    return segment && place ? { segment, slot: place.slot } : null;
  }

  #read(held: Held): Segment | null {
    if (held.loaded) return held.loaded;
    try {
      const bytes = readFileSync(join(this.#folder!, `${held.number}.segment`));
      held.loaded = new Segment(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (held.loaded.fileCount !== held.slots) throw new Error('it is another one');
      return held.loaded;
    } catch {
      this.#forget(held);
      return null;
    }
  }

  /** The folder was cleaned: its files are new to the index. */
  #forget(held: Held): void {
    this.#segments.delete(held.number);
    for (const [path, { place }] of this.entries) if (place?.segment === held.number) this.entries.delete(path);
    this.#isDirty = true;
  }

  save(): void {
    if (this.#folder === null || !this.#isDirty) return;
    const manifest: Manifest = {
      version: SEGMENT_VERSION,
      root: this.#root,
      next: this.#next,
      segments: [...this.#segments.values()].map(({ number, slots, bytes, definitions, references }) => [
        number,
        slots,
        bytes,
        definitions,
        references,
      ]),
      // Files as new as their scan are scanned again after a restart.
      files: [...this.entries].map(([path, { stamp, racy, place, event }]) => [
        path,
        stamp.size,
        racy ? -1 : stamp.mtime,
        stamp.ctime,
        stamp.ino,
        place?.segment ?? 0,
        place?.slot ?? 0,
        event?.kind ?? '',
        event?.why ?? '',
      ]),
    };
    const half = join(this.#folder, `${MANIFEST}.half`);
    writeFileSync(half, JSON.stringify(manifest), { mode: 0o600 });
    renameSync(half, join(this.#folder, MANIFEST));
    this.#isDirty = false;
  }
}
