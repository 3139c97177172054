// A human's commands about what the gate did not hold: pauses, edits that wait, changes that no receipt explains.

import type { HumanWork } from '../doors/services.ts';
import type { Kernel } from '../kernel/index.ts';
import { Fault, type Mode, statements } from '../protocol/index.ts';
import type { BreakGlass } from './break-glass.ts';
import { readConfig } from './config.ts';
import type { Reconciler } from './reconcile.ts';

export type GapWork = Pick<HumanWork, 'settleEdit' | 'confirmDial' | 'pause' | 'endPause' | 'acknowledge'>;

export interface GapHouse {
  readonly kernel: Kernel;
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
  readonly minimumMode: (root: string) => Promise<Mode | null>;
  readonly reconciler: Pick<Reconciler, 'standing'>;
  readonly breakGlass: Pick<BreakGlass, 'end'>;
}

export function gapWork({ kernel, locate, minimumMode, reconciler, breakGlass }: GapHouse): GapWork {
  return {
    settleEdit: async (caller, { cwd, id, take, sha256, signed }) => {
      const { id: workspace, root } = await locate(cwd);
      const edited = kernel.state.documents.waitingFor(workspace, id)?.intent;
      const statement = statements.intentStatus(cwd, id, edited?.status ?? '', sha256 ?? '');
      const strict = (await minimumMode(root)) === 'STRICT';
      return kernel.documents.settleEdit(caller, workspace, id, take, { statement, given: signed, strict, shown: sha256 });
    },
    confirmDial: async (caller, { cwd, sha256 }) => {
      const { id: workspace, root } = await locate(cwd);
      const { pin, minimum } = (await readConfig(root)).mode;
      return kernel.documents.confirmDial(caller, workspace, root, { pin, minimum }, sha256);
    },
    pause: async (caller, { cwd, seconds, reason, signed }) =>
      kernel.gaps.pause(caller, { workspace: (await locate(cwd)).id, cwd, seconds, reason }, signed),
    endPause: async (caller, { cwd }) => {
      const { id: workspace, root } = await locate(cwd);
      const ended = await kernel.gaps.endPause(caller, workspace);
      // Hooks that were taken out without a daemon come back with it.
      return caller.kind === 'human' ? ((await breakGlass.end(root)) ?? ended) : ended;
    },
    acknowledge: async (caller, { cwd, files, signed }) => {
      const { id: workspace, root } = await locate(cwd);
      const standing = await reconciler.standing(root);
      const gone = files.find(
        (file) => !standing.some(({ path, after_sha256 }) => path === file.path && after_sha256 === file.after_sha256),
      );
      if (gone) {
        throw new Fault('CONFLICT', `${gone.path} is not among the changes without a receipt, or has changed again since.`, {
          fix: 'countersign reconcile, then countersign ack again',
        });
      }
      return kernel.gaps.acknowledge(caller, { workspace, root, files }, signed);
    },
  };
}
