// Reconciliation: the tree is compared with what the receipts say, and every change that none of them explains is recorded.
//
//   scan → what changed since the last scan → minus receipts → minus git's own movements → untracked_mutation
//
// INVARIANT: a change is forgotten only after it is on the record. A scan that fails leaves everything to the next one.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  adoptScan,
  appendScan,
  attribute,
  changesByGit,
  type Difference,
  differencesIn,
  emptySnapshot,
  governanceRule,
  inScope,
  isExplained,
  isGitAtWork,
  isTemporaryFile,
  type ScanMark,
  NO_PATH_CONFIG,
  type PathConfig,
  readGitMark,
  readSnapshotFile,
  scanTree,
  type TreeScan,
  type TreeSnapshot,
  TreeTooLarge,
  type TreeWatch,
  type Trouble,
  watchTree,
  writeSnapshotFile,
} from '../../workspace/index.ts';
import { restoreFields, savedFields } from '../../kernel/index.ts';
import type { FileObservation, LedgerRecord } from '../../protocol/index.ts';
import { ReconcileFold, type Untracked } from './fold.ts';
import { type CommandWindow, CommandWindows } from './command-windows.ts';

export interface ReconcilerOptions {
  /** A private folder for what was seen. */
  readonly dir: string;
  /** What a human's settings say is derived. */
  readonly pathsOf: (root: string) => Promise<PathConfig>;
  readonly workspaceOf: (root: string) => Promise<string>;
  /** Puts findings on the record, durably. */
  readonly record: (found: readonly Untracked[]) => Promise<unknown>;
  /** A content by its hash, where it was kept. */
  readonly contentOf: (sha256: string) => Promise<Uint8Array | null>;
  /** A file's name as it is recorded. */
  readonly shownName?: (path: string) => string;
  /** Commands that left something running which lived at that time. */
  readonly leftRunning?: (atMs: number) => readonly string[];
  readonly now: () => Date;
  readonly maxFiles?: number;
  readonly watchedFromFiles?: number;
  readonly log: (message: string) => void;
}

export interface Reconciliation {
  readonly root: string;
  readonly at: string;
  /** It was the first one: there was nothing to compare with but receipts. */
  readonly isFirst: boolean;
  readonly files: number;
  readonly found: readonly Untracked[];
  /** Changes that git made itself. */
  readonly byGit: number;
  /** Changes of files that an action or git is at work on: the next scan judges them. */
  readonly postponed: number;
  readonly troubles: readonly Trouble[];
}

/** `quick`: what the watcher saw is enough, where there is one. */
export type ScanKind = 'whole' | 'quick';

interface Tree {
  readonly file: string;
  snapshot: TreeSnapshot;
  last: ScanMark | null;
  /** Lines of the stored file; Infinity until this daemon has written it. */
  lines: number;
  watch: TreeWatch | null;
  /** What is derived here, as it was at the last scan. */
  paths: PathConfig;
  /** The tree is not walked: only files named by receipts are examined. */
  isTooLarge: boolean;
  /** Postponed files, each with the scan before it was first postponed. */
  held: ReadonlyMap<string, Pick<ScanMark, 'at' | 'seq'>>;
  byGit: number;
  running: Promise<unknown>;
  waiting: { readonly kind: ScanKind; readonly result: Promise<Reconciliation> } | null;
}

/** What an action may take as its own, and what it took. */
interface Claim {
  readonly action: string;
  readonly scope: readonly string[];
  readonly claimed: Untracked[];
}

const isOwn = ({ path: file, attribution, actions }: Untracked, { action, scope }: Claim, paths: PathConfig): boolean =>
  attribution === 'window' &&
  actions.length === 1 &&
  actions[0] === action &&
  governanceRule(file) === null &&
  inScope(scope, file, paths) !== null;

/** For a smaller tree a walk is cheaper than a watcher. */
const WATCHED_FROM_FILES = 20_000;
/** At the first scan; without a limit it would read a whole folder of recordings. */
const READ_LATER_BYTES = 16 * 1024 * 1024;

export class Reconciler {
  private readonly options: ReconcilerOptions;
  private readonly fold: ReconcileFold;
  private readonly trees = new Map<string, Promise<Tree>>();
  private readonly sinceMs: number;
  private readonly windows: CommandWindows;
  private readonly closing = new AbortController();

  constructor(options: ReconcilerOptions) {
    this.options = options;
    this.fold = new ReconcileFold(options.shownName);
    this.sinceMs = options.now().getTime();
    this.windows = new CommandWindows(this.fold, options.now);
  }

  apply(record: LedgerRecord): void {
    this.fold.apply(record);
  }

  save(): unknown {
    return savedFields(this.fold);
  }

  restore(saved: unknown): void {
    restoreFields(this.fold, saved);
  }

  /** Compares the tree as it is now or later. Comparisons of one tree run one after the other; callers that wait for the next one share it. */
  async reconcile(root: string, kind: ScanKind = 'whole'): Promise<Reconciliation> {
    const tree = await this.treeOf(root);
    if (tree.waiting && (tree.waiting.kind === 'whole' || kind === 'quick')) return tree.waiting.result;
    const result = tree.running.then(() => {
      if (tree.waiting?.result === result) tree.waiting = null;
      return this.compare(root, tree, kind);
    });
    tree.waiting = { kind, result };
    tree.running = result.catch(() => {});
    return result;
  }

  /** While git holds its own lock for the commit that asks: what it is about to commit is judged now. */
  async reconcileForCommit(root: string): Promise<Reconciliation> {
    const tree = await this.treeOf(root);
    const result = tree.running.then(() => this.compare(root, tree, 'whole', null, true));
    tree.running = result.catch(() => {});
    return result;
  }

  /**
   * Files in scope that changed while only this action could have done it, as they were before. They are left to its receipt: until
   * that is written they count as not compared. Other changes are recorded.
   */
  async changedBy(root: string, action: string, scope: readonly string[]): Promise<FileObservation[]> {
    const tree = await this.treeOf(root);
    const claim: Claim = { action, scope, claimed: [] };
    const result = tree.running.then(() => this.compare(root, tree, 'quick', claim));
    tree.running = result.catch(() => {});
    this.fold.isOver(action, new Date((await result).at));
    const wasExecutable = (file: string) => ((tree.snapshot.files.get(file)?.mode ?? 0) & 0o100) !== 0;
    return claim.claimed.map(({ path: file, before_sha256: sha256 }) => ({
      ...(wasExecutable(file) ? { executable: true as const } : {}),
      path: file,
      real: file,
      access: 'write',
      sha256,
      unresolved: null,
      governance: null,
      scope_glob: null,
    }));
  }

  /** A copy of what is known of a tree, for a command that the gate is about to run in it. */
  async knownTree(root: string): Promise<TreeSnapshot> {
    const tree = await this.treeOf(root);
    if (!tree.last && !tree.isTooLarge) await this.reconcile(root);
    const { files, folders } = tree.snapshot;
    return { files: new Map(files), folders: new Map(folders) };
  }

  /** A command that the gate runs. Until its receipt is written, what it may write is left to it. */
  openWindow(root: string, action: string | null, mayWrite: (path: string) => boolean): CommandWindow {
    return this.windows.open(root, action, mayWrite);
  }

  /** What was found in this turn and may have been done by the session. */
  foundFor(session: string): readonly Untracked[] {
    return this.fold.foundFor(session);
  }

  /** Changes that no receipt explains and that the tree still holds, newest first. */
  async unexplained(root: string): Promise<readonly Untracked[]> {
    const { snapshot, held } = await this.treeOf(root);
    const holds = ({ path: file, after_sha256 }: Untracked) =>
      !held.has(file) && (snapshot.files.get(file)?.sha256 ?? null) === after_sha256;
    return this.fold.untrackedIn(root).filter(holds).toReversed();
  }

  async countsOf(
    root: string,
  ): Promise<{ readonly untracked: Readonly<Record<Untracked['attribution'], number>>; readonly byGit: number }> {
    return { untracked: this.fold.countsOf(root), byGit: (await this.trees.get(root))?.byGit ?? 0 };
  }

  async close(): Promise<void> {
    this.closing.abort();
    for (const opening of this.trees.values()) {
      const tree = await opening.catch(() => null);
      await tree?.running;
      tree?.watch?.close();
    }
  }

  private treeOf(root: string): Promise<Tree> {
    const known = this.trees.get(root);
    if (known) return known;
    const opening = this.openTree(root).catch((error: unknown) => {
      this.trees.delete(root);
      throw error;
    });
    this.trees.set(root, opening);
    return opening;
  }

  private async openTree(root: string): Promise<Tree> {
    const { dir } = this.options;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const file = path.join(dir, `${createHash('sha256').update(root).digest('hex').slice(0, 32)}.jsonl`);
    const stored = await readSnapshotFile(file, root);
    const snapshot = stored ? { files: stored.files, folders: emptySnapshot().folders } : emptySnapshot();
    const running = Promise.resolve();
    return {
      file,
      snapshot,
      last: stored?.mark ?? null,
      lines: Infinity,
      watch: null,
      paths: NO_PATH_CONFIG,
      isTooLarge: false,
      held: new Map(),
      byGit: 0,
      running,
      waiting: null,
    };
  }

  private async compare(root: string, tree: Tree, kind: ScanKind, claim: Claim | null = null, forCommit = false): Promise<Reconciliation> {
    this.closing.signal.throwIfAborted();
    const begun = this.options.now();
    const at = begun.toISOString();
    const { last } = tree;
    // A work tree that was removed as a whole is not compared: its files did not change.
    if (!existsSync(root)) {
      const troubles = [{ path: '.', why: 'is not there' }];
      return { root, at, isFirst: last === null, files: 0, found: [], byGit: 0, postponed: 0, troubles };
    }
    const { seq } = this.fold;
    const before = this.pathsInWork(root);
    const writableBefore = this.windows.writable(root);
    // Git's position before the walk is kept, the one after it is used for the judgement: it may move in between.
    const git = await readGitMark(root);
    const scan = await this.scan(root, tree, kind);
    const isGitBusy = !forCommit && (await isGitAtWork(root, this.options.now()));

    const inWork = new Set([...before, ...this.pathsInWork(root)]);
    const writableNow = this.windows.writable(root);
    const isAtCommand = (file: string): boolean => writableBefore(file) || writableNow(file);
    const postponed = new Set(scan.changes.filter((change) => isTemporaryFile(change, begun)).map((change) => change.path));
    const unexplained: Difference[] = [];
    for (const difference of differencesIn(scan, { root, ...tree, begunMs: begun.getTime() }, this.fold)) {
      const { path: file } = difference;
      const latest = this.fold.explainedAt(root, file);
      // Its receipt may come, or came, while the tree was walked: what was seen may be older than that, or newer.
      if (postponed.has(file) || inWork.has(this.fold.shown(file)) || isAtCommand(file) || (latest?.seq ?? 0) > seq) postponed.add(file);
      else if (await isExplained(difference, this.options.contentOf)) continue;
      else if (isGitBusy) postponed.add(file);
      else unexplained.push(difference);
    }

    const from = last ? new Date(last.at) : begun;
    const wasSeen = (file: string, sha256: string): boolean => this.fold.wasSeen(file, sha256);
    const byGit = await changesByGit(root, { from, before: last?.git ?? null, now: await readGitMark(root), wasSeen }, unexplained);
    const all = await this.findings(
      root,
      tree,
      at,
      unexplained.filter(({ path: file }) => !byGit.has(file)),
      claim !== null,
    );
    const isClaimed = (each: Untracked) => claim !== null && isOwn(each, claim, tree.paths);
    for (const each of all.filter(isClaimed)) {
      claim?.claimed.push(each);
      postponed.add(each.path);
    }
    const found = all.filter((each) => !isClaimed(each));
    if (found.length > 0) await this.options.record(found);

    if (!tree.isTooLarge) await this.keep(root, tree, scan, postponed, { at, seq, git });
    tree.byGit += byGit.size;
    for (const { path: file, why } of scan.troubles) this.options.log(`reconcile: ${root}: ${file} ${why}`);
    const counts = { files: scan.files, byGit: byGit.size, postponed: postponed.size };
    return { root, at, isFirst: last === null, found, troubles: scan.troubles, ...counts };
  }

  private async scan(root: string, tree: Tree, kind: ScanKind): Promise<TreeScan> {
    const { signal } = this.closing;
    const paths = await this.options.pathsOf(root);
    if (JSON.stringify(tree.paths) !== JSON.stringify(paths)) tree.snapshot.folders.clear();
    tree.paths = paths;
    // A receipt arrives before the system has reported the change that it describes.
    const receipted = [...this.fold.explainedSince(root, tree.last?.seq ?? 0).keys(), ...tree.held.keys()];
    if (tree.isTooLarge) return scanTree(root, emptySnapshot(), { signal, paths, only: new Set(receipted) });
    const dirty = tree.watch?.take() ?? null;
    if (kind === 'quick' && dirty && tree.last) {
      return scanTree(root, tree.snapshot, { signal, paths, only: new Set([...dirty, ...receipted]) });
    }
    try {
      return await scanTree(root, tree.snapshot, {
        signal,
        paths,
        ...(tree.last ? {} : { readLaterAboveBytes: READ_LATER_BYTES }),
        ...(this.options.maxFiles === undefined ? {} : { maxFiles: this.options.maxFiles }),
      });
    } catch (error) {
      if (!(error instanceof TreeTooLarge)) throw error;
      this.options.log(`reconcile: ${error.message}: only files with receipts are compared`);
      tree.isTooLarge = true;
      tree.last = null;
      return this.scan(root, tree, kind);
    }
  }

  private pathsInWork(root: string): Set<string> {
    return new Set(this.fold.openSpans(root).flatMap(({ paths }) => [...paths]));
  }

  private async findings(
    root: string,
    tree: Tree,
    at: string,
    differences: readonly Difference[],
    endsCommand: boolean,
  ): Promise<Untracked[]> {
    if (differences.length === 0) return [];
    const workspace = await this.options.workspaceOf(root);
    return differences.flatMap(({ path: file, beforeSha256, after, explained }): Untracked[] => {
      const after_sha256 = after?.sha256 ?? null;
      if (beforeSha256 === after_sha256) return [];
      const seen = tree.held.get(file)?.at ?? tree.last?.at ?? explained?.at ?? at;
      // What is gone has no time of its own. At the end of a command: whoever ended before the receipt that left the file there did not
      // remove it.
      const isLater = endsCommand && after === null && explained !== null && explained.sha256 === beforeSha256 && explained.at > seen;
      const from = isLater ? explained.at : seen;
      const fromMs = Date.parse(from);
      const whose = attribute(
        { path: this.fold.shown(file), changedMs: after && Number(after.ctimeNs / 1_000_000n) },
        {
          fromMs,
          toMs: this.options.now().getTime(),
          daemonSinceMs: this.sinceMs,
          spans: this.fold.spansSince(root, fromMs),
          leftRunning: this.options.leftRunning ?? (() => []),
        },
      );
      const to = tree.last ? at : this.options.now().toISOString();
      return [{ workspace, root, path: file, before_sha256: beforeSha256, after_sha256, window: { from, to }, ...whose }];
    });
  }

  private async keep(root: string, tree: Tree, scan: TreeScan, postponed: ReadonlySet<string>, mark: ScanMark): Promise<void> {
    const written = adoptScan(tree.snapshot, scan, postponed);
    const { files, folders } = tree.snapshot;
    // Receipts that were there before count for a postponed file as well.
    const since = tree.last ?? { at: mark.at, seq: 0 };
    tree.held = new Map([...postponed].map((file) => [file, tree.held.get(file) ?? since]));
    tree.last = mark;
    try {
      if (tree.lines > 2 * files.size + 1_000) tree.lines = await writeSnapshotFile(tree.file, root, files, mark);
      else tree.lines += await appendScan(tree.file, written, mark);
    } catch (error) {
      tree.lines = Infinity;
      this.options.log(`reconcile: ${tree.file} cannot be written: ${String(error)}`);
    }
    if (!tree.watch && scan.isWhole && files.size >= (this.options.watchedFromFiles ?? WATCHED_FROM_FILES))
      tree.watch = watchTree(root, folders.keys(), { paths: tree.paths });
  }
}
