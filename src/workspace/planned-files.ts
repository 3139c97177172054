// A change of files that a human sees before it is made: shown with its differences, bound to exactly that by a hash, then made as one
// change.

import { createHash } from 'node:crypto';
import { Fault, type FileRef } from '../protocol/index.ts';
import { changeFiles } from './change-files.ts';
import { changedRanges } from './changes.ts';
import { shortDiff } from './line-diff.ts';
import { readInRoot, sha256Of } from './tree-file.ts';

export interface PlannedFile {
  readonly path: string;
  /** As it is now, and as it will be; null: no such file. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  /** What else happened to it since stays in it. */
  readonly merged: boolean;
  /** Of a file that is added. */
  readonly executable: boolean;
}

/** Of how many files a person reads the difference; the rest is counted. */
const DIFF_FILES = 200;

export const hashOf = (bytes: Uint8Array | null): string | null => (bytes === null ? null : sha256Of(bytes));

/** `added`: the word for a file that is not there yet. */
export const shownFiles = <W extends string>(files: readonly PlannedFile[], added: W) =>
  files.map(({ path, before, after, merged }, at) => ({
    path,
    change: after === null ? ('removed' as const) : before === null ? added : merged ? ('merged' as const) : ('changed' as const),
    before_sha256: hashOf(before),
    after_sha256: hashOf(after),
    diff: at < DIFF_FILES ? shortDiff(path, before, after) : `--- ${path}\n… not shown: there are ${files.length} files`,
  }));

/** Of what a human is shown; `left`: what stays as it is. Another plan for the same subject has another hash. */
export function planHash(subject: string, files: readonly PlannedFile[], left: readonly { readonly path: string }[]): string {
  const bound = files.map(({ path, before, after }) => [path, hashOf(before), hashOf(after)]);
  return createHash('sha256')
    .update(JSON.stringify([subject, bound, left.map(({ path }) => path)]))
    .digest('hex');
}

/** `agreed`: the hash of the plan that the human was shown; null: none was. */
export function refuseOtherPlan(agreed: string | null, plan: string, again: string): void {
  if (agreed !== null && agreed !== plan)
    throw new Fault('CONFLICT', 'Something changed since this was shown, so that it would come out differently now.', {
      fix: `Look at it again: ${again}`,
    });
}

/** All of it or, after a failure, what was really changed by then: read from the files, not from the plan. */
export async function makeChange<F extends PlannedFile>(
  root: string,
  files: readonly F[],
): Promise<{ readonly failure: Error | null; readonly changed: readonly F[] }> {
  const wanted = files.map(({ path, before, after, executable }) => ({
    ...{ path, content: after, expect: hashOf(before) },
    ...(executable ? { mode: 0o755 } : {}),
  }));
  const failure = await changeFiles(root, wanted).then(
    () => null,
    (error: Error) => error,
  );
  if (failure === null) return { failure, changed: files };
  const now = await Promise.all(files.map(({ path }) => readInRoot(root, path).catch(() => null)));
  const isChanged = ({ before, after }: F, at: number) => (now[at]?.sha256 ?? null) === hashOf(after) && hashOf(before) !== hashOf(after);
  return { failure, changed: files.filter(isChanged) };
}

export const fileRef = ({ path, before, after }: PlannedFile): FileRef => ({
  path,
  before_sha256: hashOf(before),
  after_sha256: hashOf(after),
  ranges: changedRanges(before, after),
});
