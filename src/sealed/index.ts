// sealed: runs of an agent inside walls of the operating system: their trees, homes and doors, what they changed, and its merge.
// Invariant: nothing of a run reaches the real tree but what a receipt explains and a human merges; nothing in a seal can act as a human.
// Refuses: to start a run where walls cannot be made, to merge a file that no receipt explains or that the real tree changed too.

export { runHandlers } from './handlers.ts';
export { SealedRuns, type SealedRunsDeps } from './sealed-runs.ts';
