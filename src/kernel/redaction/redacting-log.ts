// Every append to the ledger passes here: events are stripped of secrets. State, index, streams and views are made from what is
// recorded, so they contain none either.

import type { EventLog } from '../ports.ts';
import type { Redactor } from './redactor.ts';

export function redactingLog(log: EventLog, redactor: Redactor): EventLog {
  return {
    append: (parts, options) =>
      log.append(
        parts.map((part) => ({
          ...part,
          events: part.events.map(({ type, data }) => ({ type, data: redactor.value(data) }) as (typeof part.events)[number]),
        })),
        options,
      ),
    ...(log.isShared === undefined ? {} : { isShared: log.isShared }),
    positions: (streams) => log.positions(streams),
    subscribe: (listener) => log.subscribe(listener),
    // Contents of the workspace's own files: an undo brings back exactly these bytes.
    putBlob: (bytes, options) => log.putBlob(bytes, options),
    getBlob: (sha256) => log.getBlob(sha256),
  };
}
