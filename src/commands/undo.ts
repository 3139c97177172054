// A human undoes what agents did: a preview first, then a record that it is allowed, then the change, then a record of the real outcome.
//
//   preview → authority_allowed "undo …" (durable) → the files → changes_undone (what really changed)
//
// A crash in between leaves the first record without the second; what had changed by then is found as untracked.

import { createHash } from 'node:crypto';
import type { CommandAct, CommandHandlers, Kernel, SessionView } from '../kernel/index.ts';
import { type Event, type EventOf, Fault, type FileRef, newId, streams, type UndoTarget, type UndoView } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import { changedRanges, changeFiles, headRevision, readInRoot, sha256Of, shortDiff } from '../workspace/index.ts';
import type { Locate } from './for-human.ts';
import { type ChangeHistory, type PlannedFile, planUndo, type RecordedChange, type UndoPlan } from './undo-plan.ts';

export interface UndoDeps {
  readonly kernel: Kernel;
  readonly store: EventStore;
  readonly changes: ChangeHistory;
  readonly locate: Locate;
}

/** Of how many files a person reads the difference; the rest is counted. */
const DIFF_FILES = 200;
const LISTED_PATHS = 50;
const PART_BYTES = 256 * 1024;

export const undoHandlers = (deps: UndoDeps) => ({ undo: { act: undoAct(deps) } }) satisfies Partial<CommandHandlers>;

function undoAct(deps: UndoDeps): CommandAct<'undo'> {
  const { kernel, store, changes, locate } = deps;
  return async (caller, { cwd, target, dry_run, plan: agreed }) => {
    if (caller.kind !== 'human') return kernel.authority.refuse(caller, `undo ${wordsOf(target)}`);
    const { id: workspace, root } = await locate(cwd);
    const recorded = await changes.in(root);
    const { words, chosen } = await choose(deps, root, recorded, target);
    const changing = (path: string) => kernel.views.actionChanging(root, path);
    const plan = await planUndo({ root, recorded, changes, changing, contentOf: (sha256) => store.getBlob(sha256) }, chosen);
    const view = viewOf(words, plan);
    if (dry_run) return kernel.authority.allowHuman(caller, `undo ${words} --dry-run`, () => view);
    if (agreed !== null && agreed !== view.plan)
      throw new Fault('CONFLICT', 'Something changed since this was shown, so that it would come out differently now.', {
        fix: 'Look at it again: countersign undo …',
      });
    if (plan.files.length === 0) return kernel.authority.allowHuman(caller, `undo ${words}`, () => ({ ...view, done: true }));

    // Kept first: the content replaced now can be compared line by line, and restored, later.
    for (const { before, after } of plan.files) for (const bytes of [before, after]) if (bytes) await store.putBlob(bytes);
    const command = `undo ${words}: ${listOf(plan.files.map(({ path }) => path))}`;
    return kernel.authority.workOnTree(caller, workspace, command, async (human) => {
      const wanted = plan.files.map(({ path, before, after, executable }) => ({
        path,
        content: after,
        expect: hashOf(before),
        ...(executable ? { mode: 0o755 } : {}),
      }));
      const failure = await changeFiles(root, wanted).then(
        () => null,
        (error: Error) => error,
      );
      const { files, kept } = await whatChanged(root, plan, failure);
      const common = { workspace, root, target: words, human };
      const [status, revision] = [failure === null ? ('done' as const) : ('failed' as const), await headRevision(root)];
      const parts = partsOf(files, kept).map((part) => ({ ...part, receipt: { receipt_id: newId('rcp'), status, revision } }));
      const actions = wholly(changes, chosen, new Set(kept.map(({ path }) => path)));
      const events = parts.map((part, at): Event => ({
        type: 'changes_undone',
        data: { ...common, ...part, ...(at === 0 ? { actions } : {}) },
      }));
      const receipts = parts.map(({ receipt }) => receipt.receipt_id);
      return { events, failure, output: { ...view, kept, done: true, receipts } satisfies UndoView };
    });
  };
}

const wordsOf = (target: UndoTarget): string => {
  if ('action' in target) return target.action;
  if ('intent' in target) return `intent ${target.intent}`;
  return 'turn' in target ? `turn ${target.turn ?? ''}`.trim() : `session ${target.session ?? ''}`.trim();
};

function listOf(paths: readonly string[]): string {
  const more = paths.length - LISTED_PATHS;
  return [...paths.slice(0, LISTED_PATHS), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** The chosen actions of which nothing is left: none of their files was kept. */
function wholly(changes: ChangeHistory, chosen: ReadonlySet<RecordedChange>, kept: ReadonlySet<string>): string[] {
  const stays = new Map<string, boolean>();
  for (const change of chosen) {
    const action = changes.actionOf(change);
    if (action === null) continue;
    stays.set(action, stays.get(action) === true || change.files.some(({ path }) => kept.has(path)));
  }
  return [...stays].flatMap(([action, isLeft]) => (isLeft ? [] : [action]));
}

type Part = Pick<EventOf<'changes_undone'>['data'], 'files' | 'kept'>;

/** A record has a maximum size. Line details are left out where they alone would fill one. */
function partsOf(files: readonly FileRef[], kept: Part['kept']): Part[] {
  const parts: Part[] = [{ files: [], kept: [] }];
  let room = PART_BYTES;
  const into = (bytes: number): Part => {
    if (bytes > room) {
      parts.push({ files: [], kept: [] });
      room = PART_BYTES;
    }
    room -= bytes;
    return parts.at(-1)!;
  };
  const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  for (const file of files) {
    const listed = sizeOf(file) > PART_BYTES ? { ...file, ranges: [] } : file;
    into(sizeOf(listed)).files.push(listed);
  }
  for (const each of kept) into(sizeOf(each)).kept.push(each);
  return parts;
}

const hashOf = (bytes: Uint8Array | null): string | null => (bytes === null ? null : sha256Of(bytes));

async function choose(
  { kernel, store, changes }: UndoDeps,
  root: string,
  recorded: readonly RecordedChange[],
  target: UndoTarget,
): Promise<{ words: string; chosen: Set<RecordedChange> }> {
  const authorOf = (change: RecordedChange) => changes.authorOf(changes.actionOf(change) ?? '');
  const found = (words: string, which: (change: RecordedChange) => boolean) => {
    const chosen = new Set(recorded.filter(which));
    if (chosen.size > 0) return { words, chosen };
    throw new Fault('NOT_FOUND', `The record knows of no file in ${root} that ${words} changed.`, {
      fix: 'countersign receipts shows what changed which files; countersign sessions lists the sessions',
    });
  };
  if ('action' in target) return found(target.action, (change) => changes.actionOf(change) === target.action);
  if ('intent' in target) return found(`intent ${target.intent}`, (change) => authorOf(change)?.intent === target.intent);

  const session = sessionIn(kernel.views.sessionsIn(root), 'turn' in target ? target.turn : target.session);
  const workers = kernel.views.withSubAgents(session.id);
  const isTheirs = (change: RecordedChange) => workers.has(authorOf(change)?.session ?? '');
  if ('session' in target) return found(`session ${session.id}`, isTheirs);
  const [begun] = await store.find({ stream: streams.session(session.id), types: ['turn_begun'], limit: 1 });
  return found(`turn ${session.turn} of ${session.id}`, (change) => change.seq > (begun?.seq ?? 0) && isTheirs(change));
}

/** The session that was named, or the one that was active last. */
function sessionIn(sessions: readonly SessionView[], id: string | null): SessionView {
  const here = sessions.filter((session) => (id === null ? session.parent === null : session.id === id));
  const newest = here.toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1))[0];
  if (newest) return newest;
  throw new Fault('NOT_FOUND', id === null ? 'No agent has been in this work tree yet.' : `There is no session ${id} in this work tree.`, {
    fix: 'countersign sessions lists them',
  });
}

function viewOf(target: string, { files, kept }: UndoPlan): UndoView {
  const shown = files.map(({ path, before, after, merged }, at) => ({
    path,
    change:
      after === null ? ('removed' as const) : before === null ? ('restored' as const) : merged ? ('merged' as const) : ('changed' as const),
    before_sha256: hashOf(before),
    after_sha256: hashOf(after),
    diff: at < DIFF_FILES ? shortDiff(path, before, after) : `--- ${path}\n… not shown: there are ${files.length} files`,
  }));
  const bound = shown.map(({ path, before_sha256, after_sha256 }) => [path, before_sha256, after_sha256]);
  const plan = createHash('sha256')
    .update(JSON.stringify([target, bound, kept.map(({ path }) => path)]))
    .digest('hex');
  return { target, plan, files: shown, kept: [...kept], done: false, receipts: [] };
}

/** Read from the files, not from the plan. */
async function whatChanged(
  root: string,
  { files, kept }: UndoPlan,
  failure: Error | null,
): Promise<{ files: FileRef[]; kept: { path: string; why: string }[] }> {
  if (failure === null) return { files: files.map(refOf), kept: [...kept] };
  const refs: FileRef[] = [];
  const stayed: { path: string; why: string }[] = [...kept];
  for (const file of files) {
    if (await isChanged(root, file)) refs.push(refOf(file));
    else stayed.push({ path: file.path, why: failure.message });
  }
  return { files: refs, kept: stayed };
}

async function isChanged(root: string, { path, before, after }: PlannedFile): Promise<boolean> {
  const now = await readInRoot(root, path).catch(() => null);
  return (now?.sha256 ?? null) === hashOf(after) && hashOf(before) !== hashOf(after);
}

const refOf = ({ path, before, after }: PlannedFile): FileRef => ({
  path,
  before_sha256: hashOf(before),
  after_sha256: hashOf(after),
  ranges: changedRanges(before, after),
});
