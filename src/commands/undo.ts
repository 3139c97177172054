// A human undoes what agents did: a preview first, then a record that it is allowed, then the change, then a record of the real outcome.
//
//   preview → authority_allowed "undo …" (durable) → the files → changes_undone (what really changed)
//
// A crash in between leaves the first record without the second; what had changed by then is found as untracked.

import type { CommandAct, CommandHandlers, Kernel, SessionView } from '../kernel/index.ts';
import { type Event, type EventOf, Fault, type FileRef, newId, streams, type UndoTarget, type UndoView } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import { fileRef, headRevision, makeChange, planHash, refuseOtherPlan, shownFiles } from '../workspace/index.ts';
import type { Locate } from './for-human.ts';
import { type ChangeHistory, planUndo, type RecordedChange, type UndoPlan } from './undo-plan.ts';

export interface UndoDeps {
  readonly kernel: Kernel;
  readonly store: EventStore;
  readonly changes: ChangeHistory;
  readonly locate: Locate;
}

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
    refuseOtherPlan(agreed, view.plan, 'countersign undo …');
    if (plan.files.length === 0) return kernel.authority.allowHuman(caller, `undo ${words}`, () => ({ ...view, done: true }));

    // Kept first: the content replaced now can be compared line by line, and restored, later.
    for (const { before, after } of plan.files) for (const bytes of [before, after]) if (bytes) await store.putBlob(bytes);
    const command = `undo ${words}: ${listOf(plan.files.map(({ path }) => path))}`;
    return kernel.authority.workOnTree(caller, workspace, command, async (human) => {
      const { failure, changed } = await makeChange(root, plan.files);
      const kept = failure === null ? plan.kept : [...plan.kept, ...without(plan.files, changed, failure.message)];
      const common = { workspace, root, target: words, human };
      const [status, revision] = [failure === null ? ('done' as const) : ('failed' as const), await headRevision(root)];
      const parts = partsOf(changed.map(fileRef), kept).map((part) => ({
        ...part,
        receipt: { receipt_id: newId('rcp'), status, revision },
      }));
      const actions = wholly(changes, chosen, new Set(kept.map(({ path }) => path)));
      const events = parts.map((part, at): Event => ({
        type: 'changes_undone',
        data: { ...common, ...part, ...(at === 0 ? { actions } : {}) },
      }));
      const receipts = parts.map(({ receipt }) => receipt.receipt_id);
      return { events, failure, output: { ...view, kept: [...kept], done: true, receipts } satisfies UndoView };
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
function partsOf(files: readonly FileRef[], kept: UndoPlan['kept']): Part[] {
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

const viewOf = (target: string, { files, kept }: UndoPlan): UndoView => ({
  ...{ target, plan: planHash(target, files, kept), files: shownFiles(files, 'restored') },
  ...{ kept: [...kept], done: false, receipts: [] },
});

/** What stayed as it was because of a failure. */
const without = <F extends { readonly path: string }>(
  files: readonly F[],
  changed: readonly F[],
  why: string,
): { path: string; why: string }[] => files.filter((file) => !changed.includes(file)).map(({ path }) => ({ path, why }));
