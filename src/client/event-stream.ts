// The event stream, one line and many: server-sent events in the daemon's own form, and a line that reconnects after every
// break and resumes after the last event.

import type { StreamEvent } from '../protocol/index.ts';
import { ADDRESSES } from '../protocol/plain.ts';
import { eventPieces } from './event-pieces.ts';

export interface Follower {
  /** The id of the last event received, from any daemon. */
  readonly after?: number | null;
  /** Before all events. True: they begin with that id again, and nothing is missing between. */
  readonly onJoined?: (resumed: boolean) => void;
  readonly onEvent: (topic: StreamEvent['topic'], row: StreamEvent['row'], id: number) => void;
}

export interface StreamListener extends Follower {
  /** The line broke. It reconnects, and `onJoined` is called then. */
  readonly onLost?: () => void;
}

/** `replaced`: the daemon gave this browser's place to another line; this one must not reconnect. */
export type LineEnd = 'ended' | 'replaced';

export const streamPath = (after: number | null): string => `${ADDRESSES.events}${after === null ? '' : `?after=${after}`}`;

/** Hands over whole events out of text that comes in pieces. */
export class EventReader {
  readonly push = eventPieces((fields) => this.tell(fields));
  private readonly follower: Follower;
  end: LineEnd = 'ended';

  constructor(follower: Follower) {
    this.follower = follower;
  }

  private tell(fields: ReadonlyMap<string, string>): void {
    const [id, event = '', data] = ['id', 'event', 'data'].map((name) => fields.get(name));
    if (data === undefined) return;
    // Events without an id are about the stream itself.
    if (id !== undefined) this.follower.onEvent(event as StreamEvent['topic'], JSON.parse(data) as StreamEvent['row'], Number(id));
    else if (event === 'joined') this.follower.onJoined?.((JSON.parse(data) as { resumed: boolean }).resumed);
    else if (event === 'replaced') this.end = 'replaced';
  }
}

const RETRY_MS = 1_000;

/**
 * Follows until the signal ends it, or the daemon gives the place away. Rejects when the first line cannot be opened, or a later one is
 * refused: a daemon that is gone may come back, a login that ended does not.
 */
export async function followAgain(
  follow: (follower: Follower, signal: AbortSignal) => Promise<LineEnd>,
  { after = null, onJoined, onEvent, onLost }: StreamListener,
  signal: AbortSignal,
  retryMs = RETRY_MS,
): Promise<LineEnd> {
  let last = after;
  let isFirst = true;
  while (!signal.aborted) {
    const end = await follow(
      {
        after: last,
        onJoined: (resumed) => {
          isFirst = false;
          onJoined?.(resumed);
        },
        onEvent: (topic, row, id) => {
          last = id;
          onEvent(topic, row, id);
        },
      },
      signal,
    ).then(
      (how) => ({ how, wasOpen: true }),
      (error: unknown) => {
        if (isFirst || (error as { code?: unknown }).code !== 'DAEMON_UNAVAILABLE') throw error;
        return { how: 'ended' as const, wasOpen: false };
      },
    );
    if (signal.aborted) break;
    if (end.how === 'replaced') return 'replaced';
    if (end.wasOpen) onLost?.();
    await resting(retryMs, signal);
  }
  return 'ended';
}

function resting(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
