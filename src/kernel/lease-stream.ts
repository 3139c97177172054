// How kernels that share a store keep each other from changing one file at once: an admitted change moves a stream of its work tree.

import { sha256Hex } from '../ledger/index.ts';
import { type Action, type StreamEventDraft, streams } from '../protocol/index.ts';
import type { EventLog } from './ports.ts';

export const changesFiles = ({ resources }: Action): boolean =>
  resources.some((resource) => resource.kind === 'file' && resource.access !== 'read');

/** The stream that a change of files moves where several kernels share a store. A single kernel has its lock of the tree. */
export const leaseStream = ({ isShared }: EventLog, action: Action): string | null =>
  isShared && changesFiles(action) ? streams.lease(action.workspace, sha256Hex(action.root).slice(0, 16)) : null;

export function leaseDrafts(log: EventLog, action: Action): StreamEventDraft[] {
  const { workspace, session, id } = action;
  const stream = leaseStream(log, action);
  return stream === null ? [] : [{ stream, event: { type: 'lease_taken', data: { workspace, session, action: id } } }];
}
