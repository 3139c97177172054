// What humans do with runs. A merge is shown first, then recorded as allowed, then done, then recorded as it came out:
//
//   preview → authority_allowed "run merge …" (durable) → the files → changes_merged (what really changed)

import path from 'node:path';
import type { CommandHandlers, Kernel } from '../kernel/index.ts';
import { type Event, type EventOf, Fault, type RunCommand, type RunView } from '../protocol/index.ts';
import { fileRef, makeChange, planHash, refuseOtherPlan, shownFiles, type TreeSnapshot } from '../workspace/index.ts';
import { compareRun, type MergedFile, type ReceiptedChange, type RunChanges } from './compare-run.ts';
import type { SealedRuns } from './sealed-runs.ts';

export interface RunHandlerDeps {
  readonly kernel: Kernel;
  readonly runs: SealedRuns;
  readonly look: (tree: string) => Promise<TreeSnapshot>;
  /** Every receipt about files of a tree, oldest first. */
  readonly receipted: (tree: string) => Promise<readonly ReceiptedChange[]>;
  readonly contentOf: (sha256: string) => Promise<Uint8Array | null>;
  readonly keepContent: (content: Uint8Array) => Promise<unknown>;
}

const FILES_PER_EVENT = 200;
const RANGES_PER_FILE = 200;

export function runHandlers(deps: RunHandlerDeps): Pick<CommandHandlers, RunCommand> {
  const { kernel, runs } = deps;
  const { authority } = kernel;
  return {
    start_run: {
      act: (caller, { program }) => authority.allowHuman(caller, `run --sealed -- ${path.basename(program)}`, () => ({})),
      show: (request) => runs.start(request),
    },
    enter_run: {
      act: (caller, { id }) => authority.allowHuman(caller, `run ${id} entered`, () => ({})),
      show: ({ id, pid }) => runs.enter(id, pid),
    },
    end_run: {
      act: (caller, { id }) => authority.allowHuman(caller, `run ${id} ended`, () => ({})),
      show: async ({ id, exit_code }) => {
        await runs.end(id, exit_code);
        return viewOf(deps, id, await changesOf(deps, id));
      },
    },
    merge_run: {
      act: async (caller, { id, dry_run, plan: agreed }) => {
        if (caller.kind !== 'human') return authority.refuse(caller, `run merge ${id}`);
        const { row } = runs.get(id);
        if (row.state === 'running') throw new Fault('CONFLICT', `${id} is still running.`, { fix: 'End the agent first' });
        const changes = await changesOf(deps, id);
        const view = viewOf(deps, id, changes);
        if (dry_run) return authority.allowHuman(caller, `run merge ${id} --dry-run`, () => view);
        refuseOtherPlan(agreed, view.plan, `countersign run merge ${id}`);
        // Kept first: what is replaced now can be restored later.
        for (const { before, after } of changes.files) for (const bytes of [before, after]) if (bytes) await deps.keepContent(bytes);
        return authority.workOnTree(caller, row.workspace, `run merge ${id}: ${changes.files.length} files`, async (human) => {
          const { failure, changed } = await makeChange(row.root, changes.files);
          if (failure === null) await runs.merged(id);
          const common = { workspace: row.workspace, root: row.root, run: id, tree: row.tree, human };
          const events = eventsOf(changed, changes.leftOut).map((part): Event => ({
            type: 'changes_merged',
            data: { ...common, ...part },
          }));
          return { events, failure, output: { ...view, run: runs.get(id).row, done: true } satisfies RunView };
        });
      },
    },
    discard_run: {
      act: (caller, { id }) => authority.allowHuman(caller, `run discard ${id}`, () => ({ id })),
      show: async ({ id }) => {
        await runs.discard(id);
        return { id };
      },
    },
  };
}

async function changesOf({ kernel, runs, look, receipted, contentOf }: RunHandlerDeps, id: string): Promise<RunChanges> {
  const { row, base } = runs.get(id);
  const { files: now } = await look(row.tree);
  const busy = (file: string) => kernel.views.actionChanging(row.root, file);
  return compareRun({ root: row.root, tree: row.tree, base, now, receipted: await receipted(row.tree), contentOf, busy });
}

const viewOf = ({ runs }: RunHandlerDeps, id: string, { files, leftOut }: RunChanges): RunView => ({
  ...{ run: runs.get(id).row, plan: planHash(id, files, leftOut), files: shownFiles(files, 'added') },
  ...{ left_out: [...leftOut], done: false },
});

type Part = Pick<EventOf<'changes_merged'>['data'], 'files' | 'left_out'>;

/** A record has a maximum size. */
function eventsOf(files: readonly MergedFile[], leftOut: RunChanges['leftOut']): Part[] {
  const refs = files.map((file) => {
    const ref = fileRef(file);
    return { ...ref, ranges: ref.ranges.length > RANGES_PER_FILE ? [] : ref.ranges, action: file.action };
  });
  const parts = Math.max(1, Math.ceil(refs.length / FILES_PER_EVENT), Math.ceil(leftOut.length / FILES_PER_EVENT));
  const slice = <T>(all: readonly T[], part: number): T[] => all.slice(part * FILES_PER_EVENT, (part + 1) * FILES_PER_EVENT);
  return Array.from({ length: parts }, (_, part) => ({ files: slice(refs, part), left_out: slice(leftOut, part) }));
}
