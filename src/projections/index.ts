// projections: whatever is folded from the ledger to be read: views in the workspace, rows, statistics, blame, reconciliation, snapshots.
// Invariant: rebuilt from the ledger alone; a projection that fails fails no request.
// Refuses: to decide, to answer from an index that lags behind the ledger where a decision needs it.

export { ControlRoomViews } from './control-room-views.ts';
export { Conversations } from './conversations.ts';
export { openStories, type Stories } from './stories.ts';
export { FileChanges } from './file-changes.ts';
export { FoldRegistry, FOLDS } from './folds.ts';
export { graphSyncs } from './graph-syncs.ts';
export { IntentMapView } from './intent-map-view.ts';
export { keptPack } from './kept-pack.ts';
export { answerQueries } from './queries.ts';
export type { CommandWindow } from './reconcile/command-windows.ts';
export type { Untracked } from './reconcile/fold.ts';
export { Reconciler } from './reconcile/reconciler.ts';
export { RowStream } from './row-stream.ts';
export { readSnapshot, restoreSnapshot, Snapshots } from './snapshots.ts';
export { StateView } from './state-view.ts';
export { receiptsOfSession, toolReceipt } from './tool-receipts.ts';
export { TreeGraphs } from './tree-graphs.ts';
export { Projections } from './workspace-views.ts';
