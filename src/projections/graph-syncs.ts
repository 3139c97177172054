// Rebuilding the graph of a work tree, or exporting what it has beyond the seeds. A sync outlives the request that began it.

import { firstScan, LATE, type SyncReport, type TreeGraph, unlessLate } from '../codeindex/index.ts';
import type { GraphExportView, GraphSyncView } from '../protocol/index.ts';
import type { TreeGraphs } from './tree-graphs.ts';

export interface GraphSyncs {
  /** Rebuilds it from seeds, code and memory. */
  readonly sync: (cwd: string) => Promise<GraphSyncView>;
  /** How the last sync went. Does not start one. */
  readonly lastSync: (cwd: string) => Promise<GraphSyncView>;
  /** Writes what it has beyond the seeds to `.ai/graph/out`. */
  readonly export: (cwd: string) => Promise<GraphExportView>;
}

export interface GraphSyncDeps {
  readonly graphs: TreeGraphs;
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
}

export function graphSyncs({ graphs, locate }: GraphSyncDeps): GraphSyncs {
  /** The last sync of each tree, for callers that wait for its end. */
  const syncs = new Map<string, Promise<SyncReport>>();
  const treeAt = async (cwd: string): Promise<{ readonly root: string; readonly graph: TreeGraph }> => {
    const { id, root } = await locate(cwd);
    const { graph, index } = graphs.of(root, id);
    await firstScan(index);
    return { root, graph };
  };
  const viewOf = async (sync: Promise<SyncReport>): Promise<GraphSyncView> => {
    const report = await unlessLate(sync);
    if (report === LATE) return { state: 'running', report: null };
    // The same fields; only `readonly` differs.
    return { state: 'done', report: report as NonNullable<GraphSyncView['report']> };
  };
  return {
    sync: async (cwd) => {
      const { root, graph } = await treeAt(cwd);
      const sync = graph.sync();
      syncs.set(root, sync);
      return viewOf(sync);
    },
    lastSync: async (cwd) => {
      const last = syncs.get((await locate(cwd)).root);
      return last ? viewOf(last) : { state: 'none', report: null };
    },
    export: async (cwd) => {
      const { backend, notes, upserts, deletes, file } = await (await treeAt(cwd)).graph.export();
      return { backend, notes: [...notes], upserts, deletes, file };
    },
  };
}
