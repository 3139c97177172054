// quality: the workspace's own checks: which there are, running them on a copy of the tree, and whose a failure is.
// Invariant: the tree itself changes in one way only: a formatter's result for files that the session changed passes the gate as an action.
// Refuses: to blame an agent for a failure that was there before, to run a check in the tree itself.

export { type EndingTurn, qualityAtStop } from './at-stop.ts';
export { QualityRuns, type RunCheck } from './check-runs.ts';
export { Quality } from './quality.ts';
export type { QualityPort } from './quality-port.ts';
