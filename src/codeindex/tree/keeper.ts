// Keeps the index of one tree up to date: scans the tree, has changed files parsed, and adds the results. One scan at a time.

import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { IndexChange, IndexEvent, IndexStatus } from '../model.ts';
import { type PathConfig, type Visibility, type TreeWatch, watchTree } from '../../workspace/plain.ts';
import { languageOf } from '../extract/language-of.ts';
import type { KeeperOptions } from './keeper-options.ts';
import { ParsePool, type ParsedBatch } from './parse-pool.ts';
import { IndexStore } from './store.ts';
import { isRacy, isSameStamp, type Stamp } from './stamp.ts';
import { stampAt, TreeRules, walkTree } from './walk.ts';

/** As much text as one segment takes. */
const BATCH = { bytes: 2_500_000, files: 800 } as const;
const WATCH_MS = 25;
/** The system drops events when too many come at once: the whole tree is scanned from time to time. */
const WHOLE_SCAN_MS = 60_000;
const SAVE_MS = 1_000;

export class TreeKeeper {
  readonly store: IndexStore;
  readonly #root: string;
  #visibility: Visibility;
  readonly #pool: ParsePool;
  readonly #onChange: (change: IndexChange) => void;
  /** Read with the first scan. */
  #rules: TreeRules | null = null;
  #watch: TreeWatch | null = null;
  readonly #wantsWatch: boolean;
  #state: IndexStatus['state'] = 'starting';
  #pending = 0;
  #isFollowing = false;
  #mustWatch: boolean;
  #revision = 0;
  #trouble: string | null = null;
  #scans: Promise<void> = Promise.resolve();
  #saveTimer: NodeJS.Timeout | undefined;
  readonly #ended = new AbortController();

  constructor(
    { root, folder, visibility, watch, threads, waitTimeoutMs, packs = [] }: KeeperOptions,
    onChange: (change: IndexChange) => void,
  ) {
    this.#root = root;
    this.#visibility = visibility;
    this.#wantsWatch = watch;
    this.#mustWatch = watch;
    this.store = new IndexStore(root, folder);
    this.#pool = new ParsePool(threads ?? Math.max(1, Math.min(4, availableParallelism())), packs, waitTimeoutMs);
    this.#onChange = onChange;
  }

  get revision(): number {
    return this.#revision;
  }

  status(): IndexStatus {
    let files = 0;
    let bytes = 0;
    let skipped = 0;
    let errors = 0;
    const languages: Record<string, number> = {};
    for (const [path, { place, event, stamp }] of this.store.entries) {
      if (place) {
        const language = languageOf(path);
        languages[language] = (languages[language] ?? 0) + 1;
        files++;
        bytes += stamp.size;
      } else if (event) skipped++;
      if (event?.kind === 'parse_error') errors++;
    }
    return {
      root: this.#root,
      state: this.#state,
      files,
      pending: this.#pending,
      ...this.store.counts(),
      bytes,
      languages,
      skipped,
      errors,
      revision: this.#revision,
      watching: this.#watch !== null,
      trouble: this.#trouble,
    };
  }

  *events(): Generator<IndexEvent> {
    for (const { event } of this.store.entries.values()) if (event) yield event;
  }

  /** Resolves when a scan that begins now has finished. `paths`: only there. */
  scan(paths: readonly string[] | null = null): Promise<void> {
    const next = this.#scans.then(() => (this.#ended.signal.aborted ? undefined : this.#scan(paths)));
    this.#scans = next.catch((error: unknown) => {
      this.#trouble = error instanceof Error ? error.message : String(error);
      if (this.#state === 'starting' || this.#state === 'indexing') this.#state = 'failed';
    });
    return this.#scans;
  }

  async #scan(paths: readonly string[] | null): Promise<void> {
    const scannedAt = Date.now();
    const isFirst = this.#state === 'starting';
    const isWhole = paths === null || this.#rules === null || paths.some(isRule);
    const rules = isWhole ? await TreeRules.read(this.#root, this.#visibility) : this.#rules!;
    this.#rules = rules;
    // Watching begins before the walk: what changes in between is seen twice, not missed.
    const found = new Map<string, Stamp | null>();
    if (isWhole) this.#walkAll(rules, found);
    else for (const path of paths) this.#scanPath(rules, path, found);
    const removed: string[] = [];
    const touched: { readonly path: string; readonly size: number }[] = [];
    for (const [path, stamp] of found) {
      const before = this.store.entries.get(path);
      if (stamp === null) {
        if (before) removed.push(path);
      } else if (!before || before.racy || !isSameStamp(before.stamp, stamp)) touched.push({ path, size: stamp.size });
    }
    for (const path of removed) this.store.delete(path);
    if (isFirst) this.#state = touched.length > 0 ? 'indexing' : 'ready';
    if (touched.length > 0 || removed.length > 0) await this.#takeIn(rules, touched, removed, scannedAt);
    this.#state = 'ready';
    if (this.#wantsWatch) this.#pool.warm();
  }

  /** What a human's settings say is derived is left out from now on; what they no longer say is taken in. */
  usePaths(paths: PathConfig): Promise<void> {
    this.#visibility = { ...this.#visibility, paths };
    // Watches of folders that were derived are missing.
    this.#watch?.close();
    this.#watch = null;
    this.#mustWatch = this.#wantsWatch;
    return this.scan();
  }

  #walkAll(rules: TreeRules, found: Map<string, Stamp | null>): void {
    const walked = walkTree(this.#root, rules);
    this.#trouble = walked.isCut ? 'there are more files than the index takes: the rest is left out' : null;
    if (this.#mustWatch) {
      this.#mustWatch = false;
      this.#watch = watchTree(this.#root, walked.folders, this.#visibility.paths ? { paths: this.#visibility.paths } : {});
      this.#follow();
    }
    for (const [path, stamp] of walked.files) found.set(path, stamp);
    if (this.store.entries.size > 0 && !walked.isCut)
      for (const path of this.store.entries.keys()) if (!found.has(path)) found.set(path, null);
  }

  #scanPath(rules: TreeRules, path: string, found: Map<string, Stamp | null>): void {
    const stamp = stampAt(this.#root, rules, path);
    if (stamp !== 'folder') found.set(path, stamp);
    if (stamp === null || stamp === 'folder') {
      const below = `${path}/`;
      for (const known of this.store.entries.keys()) if (known.startsWith(below)) found.set(known, null);
    }
    if (stamp === 'folder') for (const [file, each] of walkTree(this.#root, rules, path).files) found.set(file, each);
  }

  async #takeIn(
    rules: TreeRules,
    touched: readonly { readonly path: string; readonly size: number }[],
    removed: readonly string[],
    scannedAt: number,
  ): Promise<void> {
    this.#pending = touched.length;
    const changed: string[] = [];
    const gone = [...removed];
    const jobs = batches(touched).map(async (paths) => {
      const known: Record<string, string> = {};
      for (const path of paths) {
        const file = this.store.file(path);
        if (file) known[path] = file.segment.fileRow(file.slot).sha256;
      }
      for (const batch of await this.#pool.parse({ root: this.#root, paths, known })) this.#adopt(rules, batch, scannedAt, changed, gone);
      this.#pending -= paths.length;
    });
    await Promise.all(jobs);
    this.#pending = 0;
    if (this.#ended.signal.aborted) return;
    await this.#merge(rules, scannedAt);
    if (touched.length > BATCH.files) this.#pool.rest();
    if (changed.length > 0 || gone.length > 0) {
      this.#revision++;
      this.#onChange({ revision: this.#revision, changed, removed: gone });
    }
    this.#saveSoon();
  }

  #adopt(rules: TreeRules, { segment, files }: ParsedBatch, scannedAt: number, changed: string[], gone: string[]): void {
    if (this.#ended.signal.aborted) return;
    const number = segment === null ? 0 : this.store.addSegment(segment);
    for (const { path, stamp, slot, same, event } of files) {
      const before = this.store.entries.get(path);
      if (stamp === null && event === null) {
        if (this.store.delete(path)) gone.push(path);
        continue;
      }
      // A file that its parser dies of is not tried again before it changes.
      const known = stamp ?? stampAt(this.#root, rules, path);
      if (known === null || known === 'folder') continue;
      const racy = isRacy(known, scannedAt);
      if (same && before) this.store.set(path, { ...before, stamp: known, racy });
      else {
        this.store.set(path, { stamp: known, racy, place: slot < 0 ? null : { segment: number, slot }, event });
        if (slot >= 0) changed.push(path);
        else if (before?.place) gone.push(path);
      }
    }
  }

  /** Many small segments make every question slower. */
  async #merge(rules: TreeRules, scannedAt: number): Promise<void> {
    const paths = this.store.worthMerging();
    if (paths.length === 0) return;
    for (const batch of batches(paths.map((path) => ({ path, size: this.store.entries.get(path)!.stamp.size }))))
      for (const parsed of await this.#pool.parse({ root: this.#root, paths: batch, known: {} }))
        this.#adopt(rules, parsed, scannedAt, [], []);
  }

  /** Without a watch, which a very large tree does not get, the whole tree is scanned from time to time. */
  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const signal = this.#ended.signal;
    const run = async (): Promise<void> => {
      let lastWhole = Date.now();
      while (!signal.aborted) {
        await pause(WATCH_MS, undefined, { signal, ref: false });
        const dirty = this.#watch ? this.#watch.take() : NOTHING;
        const isDue = Date.now() - lastWhole > WHOLE_SCAN_MS;
        if (dirty === null || isDue) {
          lastWhole = Date.now();
          await this.scan();
        } else if (dirty.size > 0) {
          const wanted = [...dirty].filter((path) => !path.startsWith('.git/') && path !== '.git');
          if (wanted.length > 0) await this.scan(wanted);
        }
      }
    };
    run().catch(() => undefined);
  }

  #saveSoon(): void {
    if (this.#saveTimer) return;
    this.#saveTimer = setTimeout(() => {
      this.#saveTimer = undefined;
      this.store.save();
    }, SAVE_MS);
    this.#saveTimer.unref();
  }

  async close(): Promise<void> {
    this.#ended.abort();
    this.#watch?.close();
    clearTimeout(this.#saveTimer);
    await this.#pool.close();
    await this.#scans;
    this.store.save();
    this.#state = 'closed';
  }
}

const NOTHING: ReadonlySet<string> = new Set();

/** What git ignores may be others then. */
const isRule = (path: string): boolean => path.endsWith('.gitignore');

function batches(files: readonly { readonly path: string; readonly size: number }[]): string[][] {
  const found: string[][] = [];
  let batch: string[] = [];
  let bytes = 0;
  for (const { path, size } of files) {
    if (batch.length > 0 && (batch.length >= BATCH.files || bytes + size > BATCH.bytes)) {
      found.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(path);
    bytes += size;
  }
  if (batch.length > 0) found.push(batch);
  return found;
}
