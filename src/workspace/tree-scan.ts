// Which files of a work tree changed since the last scan. Stamps select candidates, contents decide. The snapshot is only read here;
// `adoptScan` brings it up to date, so a change that could not be judged yet is found again.

import { NO_PATH_CONFIG } from './path-class.ts';
import { hashFile, NO_REST } from './tree-scan-hash.ts';
import { isSkippedPath } from './tree-scan-skip.ts';
import { Pace, type SeenFile, type SeenFolder, type TreeSnapshot, type Trouble, walkTree, type WalkOptions } from './tree-scan-walk.ts';

export interface TreeChange {
  readonly path: string;
  /** Null: there was no such file. */
  readonly before: SeenFile | null;
  /** Null: the file does not exist now. */
  readonly after: SeenFile | null;
}

export interface TreeScan {
  /** Files whose content changed. */
  readonly changes: readonly TreeChange[];
  /** Files that only have new stamps, or of which only the gate's own block changed; null: it held nothing else and is gone. */
  readonly refreshed: ReadonlyMap<string, SeenFile | null>;
  readonly folders: ReadonlyMap<string, SeenFolder>;
  readonly troubles: readonly Trouble[];
  readonly files: number;
  readonly hashed: number;
  /** Every folder was scanned. */
  readonly isWhole: boolean;
}

export const emptySnapshot = (): TreeSnapshot => ({ files: new Map(), folders: new Map() });

export interface ScanOptions extends WalkOptions {
  /** A new file that is larger is not read before it changes; what it held before that is not known then. */
  readonly readLaterAboveBytes?: number;
}

export async function scanTree(root: string, known: TreeSnapshot, options: ScanOptions = {}): Promise<TreeScan> {
  const walk = await walkTree(root, known, options);
  const changes: TreeChange[] = [];
  const refreshed = new Map<string, SeenFile | null>();
  const troubles = [...walk.troubles];
  const gone = new Set(walk.gone);
  const pace = new Pace();
  for (const [path, stamp] of walk.touched) {
    if (pace.isDue(8)) await pace.rest(options.signal);
    const before = known.files.get(path) ?? null;
    if (!before && stamp.size > (options.readLaterAboveBytes ?? Infinity)) {
      changes.push({ path, before, after: { ...stamp, sha256: null, restSha256: null, racy: false } });
      continue;
    }
    const hashed = await hashFile(root, path, stamp, pace, options.signal);
    if (hashed.kind === 'missing' && before) gone.add(path);
    // Left as before, so the next scan finds it again.
    if (hashed.kind === 'moving') troubles.push({ path, why: 'changed while it was read; it is looked at again' });
    if (hashed.kind === 'unreadable') {
      troubles.push({ path, why: hashed.why });
      // The last content that could be read is kept for comparison.
      refreshed.set(path, { ...hashed.stamp, sha256: before?.sha256 ?? null, restSha256: before?.restSha256 ?? null, racy: true });
    }
    if (hashed.kind !== 'file') continue;
    const after = hashed.file;
    if (before && isSameContent(before, after)) refreshed.set(path, after);
    else if (!before && after.restSha256 === NO_REST) refreshed.set(path, after);
    else changes.push({ path, before, after });
  }
  for (const path of gone) {
    const before = known.files.get(path) ?? null;
    // The settings now call it derived: it still exists but is no longer scanned.
    if (before?.restSha256 === NO_REST || isSkippedPath(path, options.paths ?? NO_PATH_CONFIG)) refreshed.set(path, null);
    else changes.push({ path, before, after: null });
  }
  return {
    changes,
    refreshed,
    folders: walk.folders,
    troubles,
    files: walk.files,
    hashed: walk.touched.size,
    isWhole: options.only === undefined,
  };
}

/** Brings the snapshot up to date, except for paths that must be reported again. */
export function adoptScan(snapshot: TreeSnapshot, scan: TreeScan, except: ReadonlySet<string> = new Set()): Map<string, SeenFile | null> {
  const written = new Map<string, SeenFile | null>(scan.refreshed);
  for (const { path, after } of scan.changes) if (!except.has(path)) written.set(path, after);
  for (const [path, file] of written) {
    if (file) snapshot.files.set(path, file);
    else snapshot.files.delete(path);
  }
  if (scan.isWhole) for (const folder of snapshot.folders.keys()) if (!scan.folders.has(folder)) snapshot.folders.delete(folder);
  for (const [path, folder] of scan.folders) snapshot.folders.set(path, folder);
  return written;
}

function isSameContent(before: SeenFile, after: SeenFile): boolean {
  if (before.sha256 === null) return false;
  return before.sha256 === after.sha256 || (before.restSha256 !== null && before.restSha256 === after.restSha256);
}
