// Sealed runs, wired: their doors are the HTTP door's, their trees are looked at by reconciliation.

import type { HttpDoor } from '../doors/http/server.ts';
import type { Kernel } from '../kernel/index.ts';
import type { FileChanges, Reconciler } from '../projections/index.ts';
import type { RunRow } from '../protocol/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { runHandlers, SealedRuns } from '../sealed/index.ts';
import type { EventStore } from '../stores/index.ts';
import { locateWorkspace } from '../workspace/index.ts';

export interface SealedRunsOptions {
  readonly home: string;
  readonly privateFolders: readonly string[];
  readonly sandbox: () => Promise<Sandbox>;
  readonly store: EventStore;
  readonly reconciler: () => Reconciler;
  readonly http: () => HttpDoor;
  readonly now: () => Date;
}

export interface OpenedRuns {
  readonly runs: SealedRuns;
  readonly rows: () => RunRow[];
  /** Whether it is the tree of a run. */
  readonly isSealed: (root: string) => boolean;
  readonly handlers: (kernel: Kernel, changes: FileChanges) => ReturnType<typeof runHandlers>;
  /** The workspace of a folder: that of the real tree for one in a run. */
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string; readonly sealed: boolean }>;
}

export function openSealedRuns({ home, privateFolders, sandbox, store, reconciler, http, now }: SealedRunsOptions): OpenedRuns {
  const look = async (tree: string) => {
    await reconciler().reconcile(tree);
    return reconciler().knownTree(tree);
  };
  const runs = new SealedRuns({
    // Beside the daemon's folder: no governed tool may touch what is inside it.
    dir: `${home}-runs`,
    ...{ privateFolders, look, now },
    hasWalls: async () => (await sandbox()).kind === 'bubblewrap',
    locate: locateWorkspace,
    door: (seal) => http().sealedServer(seal),
    ownPort: () => (http().loopbackServer.address() as { port: number } | null)?.port ?? 0,
  });
  return {
    runs,
    rows: () => runs.rows(),
    isSealed: (root) => runs.placeOf(root) !== null,
    handlers: (kernel, changes) =>
      runHandlers({
        ...{ kernel, runs, look },
        receipted: async (tree) =>
          (await changes.in(tree)).flatMap(({ files, by }) => (by.kind === 'receipt' ? [{ action: by.author.action, files }] : [])),
        contentOf: (sha256) => store.getBlob(sha256),
        keepContent: (content) => store.putBlob(content),
      }),
    locate: async (dir) => {
      const sealed = runs.placeOf(dir);
      return sealed ? { ...sealed, sealed: true } : { ...(await locateWorkspace(dir)), sealed: false };
    },
  };
}
