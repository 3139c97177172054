// What a command changed, judged file by file: kept where the scope covers it, reverted where it does not, and left alone where the author
// is unclear.
//
// INVARIANT: a file is reverted only to its earlier content, and only while it still holds what the command wrote.

import { readlinkSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../../protocol/index.ts';
import { changeFiles, governanceRule, inScope, type PathConfig, type SeenFile, sha256Of, type TreeChange } from '../../workspace/index.ts';

export type ChangeKind = 'created' | 'changed' | 'deleted';

export interface ReportedChange {
  readonly path: string;
  readonly change: ChangeKind;
}

/** `why` completes "because …". */
export interface LeftChange extends ReportedChange {
  readonly why: string;
}

export interface JudgedChanges {
  /** In scope: they belong on the receipt. */
  readonly changed: readonly (ReportedChange & { readonly before_sha256: string | null })[];
  readonly rolledBack: readonly LeftChange[];
  /** As the command, or another process, left them. */
  readonly left: readonly LeftChange[];
}

export interface ChangeJudge {
  readonly root: string;
  readonly scope: readonly string[];
  readonly paths: PathConfig;
  readonly mayWrite: (path: string) => boolean;
  readonly whyNotOurs: (path: string, sha256: string | null) => string | null;
  /** Without a sandbox the author is not certain enough to revert. */
  readonly isWalled: boolean;
  readonly contentOf: (sha256: string) => Promise<Uint8Array | null>;
  readonly wasFolder: (path: string) => boolean;
}

/** More on one receipt than anyone reads; reconciliation reports the rest, file by file. */
const MAX_ON_RECEIPT = 1_000;

export async function judgeChanges(changes: readonly TreeChange[], judge: ChangeJudge): Promise<JudgedChanges> {
  const changed: (ReportedChange & { before_sha256: string | null })[] = [];
  const rolledBack: LeftChange[] = [];
  const left: LeftChange[] = [];
  for (const change of changes) {
    const { path, before, after } = change;
    // Another process changed what was closed to it: reconciliation says which action may have.
    if (!judge.mayWrite(path)) continue;
    const reported: ReportedChange = { path, change: before === null ? 'created' : after === null ? 'deleted' : 'changed' };
    const others = judge.whyNotOurs(path, after?.sha256 ?? null);
    const outside = whyOutside(path, judge);
    if (others !== null) left.push({ ...reported, why: others });
    else if (outside === null && isLink(after)) left.push({ ...reported, why: 'it is a link, and receipts are about contents' });
    else if (outside === null && changed.length < MAX_ON_RECEIPT) changed.push({ ...reported, before_sha256: before?.sha256 ?? null });
    else if (outside === null) left.push({ ...reported, why: 'there are too many for one receipt' });
    else {
      const failure = judge.isWalled ? await takeBack(change, judge) : 'without a sandbox it is not certain whose change it is';
      if (failure === null) rolledBack.push({ ...reported, why: outside });
      else left.push({ ...reported, why: `${outside}; it was not taken back: ${failure}` });
    }
  }
  return { changed, rolledBack, left };
}

function whyOutside(path: string, { scope, paths }: ChangeJudge): string | null {
  return governanceRule(path) ?? (inScope(scope, path, paths) === null ? 'it is outside the scope of the intent' : null);
}

const isLink = (file: SeenFile | null): boolean => file !== null && (file.mode & 0o170000) === 0o120000;

/** Null: it is unchanged. */
async function takeBack(change: TreeChange, judge: ChangeJudge): Promise<string | null> {
  const { path, before, after } = change;
  const { root, contentOf, wasFolder } = judge;
  const content = before === null ? null : before.sha256 === null ? undefined : await contentOf(before.sha256);
  if (content === undefined || (before !== null && content === null)) return 'what it held before was not kept';
  if (after?.sha256 === null) return 'it cannot be read';
  if (isLink(after)) {
    if (sha256Of(readlinkSync(join(root, path), { encoding: 'buffer' })) !== after?.sha256) return 'it changed since';
    unlinkSync(join(root, path));
    return takeBack({ path, before, after: null }, judge);
  }
  try {
    await changeFiles(root, [{ path, content, expect: after?.sha256 ?? null, ...(before ? { mode: before.mode & 0o777 } : {}) }]);
    if (before === null) removeEmptied(root, dirname(path), wasFolder);
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** Folders that the command created for a file that is gone again. */
function removeEmptied(root: string, folder: string, wasFolder: (path: string) => boolean): void {
  for (let place = folder; place !== '.' && !wasFolder(place); place = dirname(place)) {
    try {
      rmdirSync(join(root, place));
    } catch {
      // The folder is not empty.
      return;
    }
  }
}
