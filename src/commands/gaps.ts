// What the gate did not control: pauses, and changes that no receipt explains.

import type { CommandHandlers, Kernel, Recorded } from '../kernel/index.ts';
import { Fault, type UntrackedRow } from '../protocol/index.ts';
import type { Locate } from './for-human.ts';

export interface GapDeps {
  readonly kernel: Kernel;
  readonly locate: Locate;
  /** Changes without a receipt that a work tree still holds. */
  readonly unexplained: (root: string) => Promise<readonly Pick<UntrackedRow, 'path' | 'after_sha256'>[]>;
  /** Restores hooks that were removed while no daemon ran; null: there were none. */
  readonly restoreHooks: (root: string) => Promise<Recorded | null>;
}

export function gapHandlers({ kernel, locate, unexplained, restoreHooks }: GapDeps) {
  return {
    pause: {
      act: async (caller, { cwd, seconds, reason, signed }) =>
        kernel.gaps.pause(caller, { workspace: (await locate(cwd)).id, cwd, seconds, reason }, signed),
    },
    end_pause: {
      act: async (caller, { cwd }) => {
        const { id: workspace, root } = await locate(cwd);
        const ended = await kernel.gaps.endPause(caller, workspace);
        // Hooks that were removed without a daemon are restored by it.
        return caller.kind === 'human' ? ((await restoreHooks(root)) ?? ended) : ended;
      },
    },
    acknowledge: {
      act: async (caller, { cwd, files, reason, signed }) => {
        const { id: workspace, root } = await locate(cwd);
        const check = async () => {
          const found = await unexplained(root);
          const gone = files.find(
            (file) => !found.some(({ path, after_sha256 }) => path === file.path && after_sha256 === file.after_sha256),
          );
          if (gone) {
            throw new Fault('CONFLICT', `${gone.path} is not among the changes without a receipt, or has changed again since.`, {
              fix: 'countersign reconcile, then countersign ack again',
            });
          }
        };
        return kernel.gaps.acknowledge(caller, { workspace, root, files, ...(reason === undefined ? {} : { reason }) }, signed, check);
      },
    },
  } satisfies Partial<CommandHandlers>;
}
