// Which paths of a tree may have changed, as the system reports it. A hint that saves a walk, never a proof: the system drops events
// when too many come at once, and does not say so here. Callers must walk the whole tree from time to time.

import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { NO_PATH_CONFIG, type PathConfig } from './path-class.ts';
import { isSkippedFolder } from './tree-scan-skip.ts';
import { statOf } from './tree-scan-walk.ts';

export interface TreeWatch {
  /** What may have changed since the last call; null: unknown, so the tree has to be walked. */
  readonly take: () => ReadonlySet<string> | null;
  readonly close: () => void;
}

export interface WatchOptions {
  readonly paths?: PathConfig;
  /** Watches are a resource that all programs of a user share. */
  readonly maxFolders?: number;
}

const FOLDERS_MAX = 8_192;
const DIRTY_MAX = 10_000;
/** Half of the system's queue: with this many at once, some events may have been dropped. */
const BURST_MAX = 8_192;

/** Null when the tree has more folders than may be watched, or the system gives no more watches. */
export function watchTree(root: string, folders: Iterable<string>, options: WatchOptions = {}): TreeWatch | null {
  const tree = new FolderWatches(root, options);
  // Elsewhere one watch covers all below it.
  const complete = process.platform === 'linux' ? [...folders].every((folder) => tree.add(folder)) : tree.add('', true);
  if (complete) return tree;
  tree.close();
  return null;
}

class FolderWatches implements TreeWatch {
  private readonly root: string;
  private readonly paths: PathConfig;
  private readonly maxFolders: number;
  private readonly watchers = new Map<string, FSWatcher>();
  private dirty = new Set<string>();
  private isComplete = true;
  private burst = 0;

  constructor(root: string, { paths = NO_PATH_CONFIG, maxFolders = FOLDERS_MAX }: WatchOptions) {
    this.root = root;
    this.paths = paths;
    this.maxFolders = maxFolders;
  }

  readonly take = (): ReadonlySet<string> | null => {
    const { dirty, isComplete } = this;
    this.dirty = new Set();
    this.isComplete = true;
    return isComplete ? dirty : null;
  };

  readonly close = (): void => {
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  };

  /** False when this folder cannot be watched. */
  add(folder: string, recursive = false): boolean {
    if (this.watchers.has(folder)) return true;
    if (this.watchers.size >= this.maxFolders) return false;
    try {
      const watcher = watch(folder === '' ? this.root : `${this.root}/${folder}`, { persistent: false, recursive }, (_event, name) =>
        this.changed(folder, name),
      );
      watcher.on('error', () => {
        this.isComplete = false;
        this.drop(folder);
      });
      this.watchers.set(folder, watcher);
      return true;
    } catch {
      return false;
    }
  }

  private changed(folder: string, name: string | null): void {
    if (this.burst++ === 0) setImmediate(() => (this.burst = 0));
    if (name === null || this.burst > BURST_MAX || this.dirty.size >= DIRTY_MAX) {
      this.isComplete = false;
      return;
    }
    const path = folder === '' ? name.replaceAll('\\', '/') : `${folder}/${name}`;
    this.dirty.add(path);
    if (process.platform !== 'linux') return;
    const isFolder = statOf(`${this.root}/${path}`)?.isDirectory() === true;
    // Watched before it is listed: entries that arrive in between are seen twice, not missed. The scan walks it whole.
    if (isFolder) this.addAll(path, name);
    else this.drop(path);
  }

  private addAll(folder: string, name: string): void {
    if (isSkippedFolder(folder, name, this.paths)) return;
    if (!this.add(folder)) this.isComplete = false;
    try {
      for (const entry of readdirSync(`${this.root}/${folder}`, { withFileTypes: true })) {
        if (entry.isDirectory()) this.addAll(`${folder}/${entry.name}`, entry.name);
      }
    } catch {
      // Gone again; its parent reports that.
    }
  }

  /** A folder that was moved away would keep reporting under its old name. */
  private drop(path: string): void {
    if (!this.watchers.has(path)) return;
    for (const [folder, watcher] of this.watchers) {
      if (folder !== path && !folder.startsWith(`${path}/`)) continue;
      watcher.close();
      this.watchers.delete(folder);
    }
  }
}
