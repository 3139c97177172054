// Plans an undo, file by file: decided from the record and the tree, before anything is touched.
//
// INVARIANT: a plan only removes what the chosen changes brought. Later changes of the file are kept by a merge, or the file is left
// as it is; the plan reports which.

import { Fault, type FileRef, isRedacted } from '../protocol/index.ts';
import { governanceRule, mergeContents, type PlannedFile, readInRoot, sha256Of } from '../workspace/index.ts';

/** Files that changed at once, and by whom as far as the record shows. */
export interface RecordedChange {
  readonly seq: number;
  readonly files: readonly FileRef[];
  readonly by: { readonly kind: string };
}

/** Every recorded change of a file, in the order of the ledger. */
export interface ChangeHistory {
  /** Oldest first. */
  in(root: string): Promise<readonly RecordedChange[]>;
  /** The only action that can have made a change of this history; null: there is none, or more than one could have. */
  actionOf(change: RecordedChange): string | null;
  authorOf(action: string): ChangeAuthor | undefined;
}

interface ChangeAuthor {
  readonly action: string;
  readonly agent: string;
  readonly session: string;
  readonly intent: string | null;
}

export interface UndoPlan {
  readonly files: readonly PlannedFile[];
  readonly kept: readonly { readonly path: string; readonly why: string }[];
}

export interface PlanContext {
  readonly root: string;
  readonly recorded: readonly RecordedChange[];
  readonly changes: ChangeHistory;
  /** The action that may be changing this file right now. */
  readonly changing: (path: string) => string | null;
  readonly contentOf: (sha256: string) => Promise<Uint8Array | null>;
}

export async function planUndo(context: PlanContext, chosen: ReadonlySet<RecordedChange>): Promise<UndoPlan> {
  const files: PlannedFile[] = [];
  const kept: { path: string; why: string }[] = [];
  const histories = historiesOf(context.recorded, chosen);
  for (const [path, history] of [...histories].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const planned = await planFile(context, chosen, path, history);
    if (planned.file) files.push(planned.file);
    if (planned.why !== null) kept.push({ path, why: planned.why });
  }
  return { files, kept };
}

type Planned = { readonly file: PlannedFile | null; readonly why: string | null };
const left = (why: string): Planned => ({ file: null, why });

async function planFile(
  context: PlanContext,
  chosen: ReadonlySet<RecordedChange>,
  path: string,
  history: readonly Entry[],
): Promise<Planned> {
  if (isRedacted(path)) return left('its name held a secret, which is not on the record');
  const rule = governanceRule(path, 'write');
  if (rule !== null) return left(`it is the gate's own: ${rule}`);
  const busy = context.changing(path);
  if (busy !== null) return left(`${busy} is changing it right now`);
  const now = await readInRoot(context.root, path).catch((error: unknown) => {
    if (error instanceof Fault) return error;
    throw error;
  });
  if (now instanceof Fault) return left(now.message);

  const before = now?.bytes ?? null;
  let content = before;
  let merged = false;
  for (const run of runsOf(history, chosen).toReversed()) {
    const since = sinceWords(context.changes, history.slice(run.end), chosen, now?.sha256 ?? null);
    const step = await takeBack(content, run, since, context.contentOf);
    if ('why' in step) return left(step.why);
    content = step.content;
    merged ||= step.merged;
  }
  if (isSame(before, content)) return left('it is already as it was before');
  const stays = sinceWords(context.changes, history, chosen, now?.sha256 ?? null);
  const executable = before === null && history.some((entry) => entry.executable && chosen.has(entry.change));
  return { file: { path, before, after: content, merged, executable }, why: merged ? `only in part: ${stays}, and that stays` : null };
}

interface Entry {
  readonly change: RecordedChange;
  readonly before: string | null;
  readonly after: string | null;
  readonly executable: boolean;
}

/** Of every file that was chosen, all that is recorded of it. A receipt and a later look may report the same change. */
function historiesOf(recorded: readonly RecordedChange[], chosen: ReadonlySet<RecordedChange>): Map<string, Entry[]> {
  const histories = new Map<string, Entry[]>();
  for (const { files } of chosen) for (const { path } of files) histories.set(path, []);
  for (const change of recorded) {
    for (const { path, before_sha256: before, after_sha256: after, executable = false } of change.files) {
      const history = histories.get(path);
      const last = history?.at(-1);
      if (last?.before !== before || last.after !== after) history?.push({ change, before, after, executable });
    }
  }
  return histories;
}

/** Chosen changes that follow each other without anything between them. `end`: where the history continues. */
interface Run {
  readonly before: string | null;
  readonly after: string | null;
  readonly end: number;
}

function runsOf(history: readonly Entry[], chosen: ReadonlySet<RecordedChange>): Run[] {
  const runs: Run[] = [];
  history.forEach(({ change, before, after }, at) => {
    if (!chosen.has(change)) return;
    const last = runs.at(-1);
    if (last?.end === at && last.after === before) runs[runs.length - 1] = { before: last.before, after, end: at + 1 };
    else runs.push({ before, after, end: at + 1 });
  });
  return runs;
}

type Step = { readonly content: Uint8Array | null; readonly merged: boolean } | { readonly why: string };

async function takeBack(now: Uint8Array | null, run: Run, since: string, contentOf: PlanContext['contentOf']): Promise<Step> {
  const sha256 = now === null ? null : sha256Of(now);
  if (sha256 === run.before) return { content: now, merged: false };
  const old = run.before === null ? null : await contentOf(run.before);
  if (run.before !== null && old === null) return { why: 'its old content was not kept (it is too large, or was never seen)' };
  if (sha256 === run.after) return { content: old, merged: false };
  if (old === null) return { why: now === null ? 'it is gone already' : `it was made then, and ${since}` };
  if (now === null) return { why: 'it was removed since' };
  if (run.after === null) return { why: 'it was removed then, and made again since' };
  const base = await contentOf(run.after);
  if (base === null) return { why: `${since}, and the content in between was not kept` };
  const content = mergeContents(base, now, old);
  return content ? { content, merged: true } : { why: `the same lines were changed again: ${since}` };
}

/** Who else changed the file, in words that complete a sentence. */
function sinceWords(changes: ChangeHistory, later: readonly Entry[], chosen: ReadonlySet<RecordedChange>, now: string | null): string {
  const names = later.flatMap(({ change }) => {
    if (chosen.has(change)) return [];
    const action = changes.actionOf(change);
    const author = action === null ? undefined : changes.authorOf(action);
    return [author ? `${author.agent} (${author.action})` : change.by.kind === 'undo' ? 'an undo' : 'someone without a receipt'];
  });
  if (later.at(-1)?.after !== now || names.length === 0) names.push('someone without a receipt');
  return `${[...new Set(names)].join(', ')} changed it since`;
}

const isSame = (a: Uint8Array | null, b: Uint8Array | null): boolean => (a && b ? Buffer.compare(a, b) === 0 : a === b);
