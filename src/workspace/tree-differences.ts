// Where a tree differs from the last scan, or from what a receipt since then says.

import { isRedacted } from '../protocol/index.ts';
import type { PathConfig } from './path-class.ts';
import type { TreeChange, TreeScan } from './tree-scan.ts';
import type { ScanMark } from './tree-scan-file.ts';
import { NO_REST, restHash } from './tree-scan-hash.ts';
import { isSkippedPath } from './tree-scan-skip.ts';
import type { SeenFile, TreeSnapshot } from './tree-scan-walk.ts';

/** The file's content after the last recorded change. */
export interface Explained {
  readonly sha256: string | null;
  readonly seq: number;
  readonly at: string;
}

/** What the record says about the files of a work tree. */
export interface Explanations {
  /** A file's name as it is recorded: without secrets. */
  shown(path: string): string;
  /** Of every file about which the record says something after `seq`, by its name as recorded. */
  explainedSince(root: string, seq: number): Map<string, Explained>;
  explainedAt(root: string, path: string): Explained | undefined;
}

export interface Difference {
  readonly path: string;
  readonly beforeSha256: string | null;
  readonly after: SeenFile | null;
  /** What a receipt since the last scan says about it. */
  readonly explained: Explained | null;
}

export interface LookedAt {
  readonly root: string;
  readonly snapshot: TreeSnapshot;
  /** Null at the first scan: everything is new, and there are only receipts to compare with. */
  readonly last: ScanMark | null;
  readonly paths: PathConfig;
  /** Postponed files, each with the scan before it was first postponed. */
  readonly held: ReadonlyMap<string, Pick<ScanMark, 'at' | 'seq'>>;
  /** When this scan began. */
  readonly begunMs: number;
}

export function differencesIn(
  scan: TreeScan,
  { root, snapshot, last, paths, held, begunMs }: LookedAt,
  record: Explanations,
): Difference[] {
  const changed = new Map(scan.changes.map((change) => [change.path, change]));
  const receipted = record.explainedSince(root, last?.seq ?? 0);
  const found: Difference[] = [];
  // For a first scan, what changed during it.
  const changes = last
    ? scan.changes
    : scan.changes.filter(({ path, after }) => isNewerThan(after, begunMs) && !receipted.has(record.shown(path)));
  for (const { path, before, after } of changes) {
    const since = held.get(path)?.seq;
    const latest = record.explainedAt(root, path);
    const explained = receipted.get(record.shown(path)) ?? (since !== undefined && latest && latest.seq > since ? latest : null);
    found.push({ path, beforeSha256: explained ? explained.sha256 : (before?.sha256 ?? null), after, explained });
  }
  for (const [path, explained] of receipted) {
    // No file has this recorded name (secrets are removed); the real file is among the changes.
    if (isRedacted(path)) continue;
    if (isSkippedPath(path, paths) || (last && changed.has(path))) continue;
    const after = changed.get(path)?.after ?? (scan.refreshed.has(path) ? scan.refreshed.get(path) : snapshot.files.get(path)) ?? null;
    if ((after?.sha256 ?? null) !== explained.sha256) found.push({ path, beforeSha256: explained.sha256, after, explained });
  }
  return found;
}

/** A file being replaced has such a name for a moment, beside its target. One that stays is reported like any other. */
const TEMPORARY = /(?:^|\/)\.(?:[^/]+\.[0-9a-f]{24}|countersign-[0-9a-f]{32})\.tmp$/;
const TEMPORARY_MS = 10_000;

export const isTemporaryFile = ({ path, before, after }: TreeChange, now: Date): boolean =>
  before === null && TEMPORARY.test(path) && isNewerThan(after, now.getTime() - TEMPORARY_MS);

const isNewerThan = (file: SeenFile | null, ms: number): boolean => file !== null && Number(file.ctimeNs / 1_000_000n) > ms;

/** `contentOf`: a content by its hash, where it was kept. */
export async function isExplained(
  { path, after, explained }: Difference,
  contentOf: (sha256: string) => Promise<Uint8Array | null>,
): Promise<boolean> {
  if (!explained) return false;
  if ((after?.sha256 ?? null) === explained.sha256) return true;
  // The gate may have updated its own block in it since.
  const rest = after ? after.restSha256 : NO_REST;
  if (rest === null || explained.sha256 === null) return false;
  const content = await contentOf(explained.sha256);
  return content !== null && restHash(path, content) === rest;
}
