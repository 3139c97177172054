// The event stream: rows as they change, as server-sent events. Each row is serialised once for all readers, and no reader waits for
// another. One that does not read is dropped before its backlog costs memory; its last event says to fetch the lists, then reconnect.
// Each browser has one reader, however many tabs it has: browsers open six connections to one server, and the page needs some for its
// own requests. A reader that reconnects names its last event and receives what it missed, as far as that is kept.

import type { ServerResponse } from 'node:http';
import type { StreamEvent } from '../../protocol/index.ts';

/** A text that waits for many readers is held once: all of their backlogs together are little more than one. */
const BACKLOG_BYTES = 1024 * 1024;
/** Kept for readers that reconnect. Well below the backlog limit: catching up must not look like not reading. */
const RECENT_BYTES = BACKLOG_BYTES / 4;
const HEARTBEAT_MS = 15_000;
/** How long a dropped reader may take to read its last event. */
const CLOSE_TIMEOUT_MS = 5_000;
const MAX_READERS = 512;
const RETRY_MS = 1_000;
/** A replaced reader reconnects when its human returns to that tab, not by itself. */
const NEVER_MS = 24 * 3_600_000;

/** Who reads, and what of it. */
export interface Reading {
  /** The browser that it belongs to; null: not a browser's. */
  readonly browser: string | null;
  /** Only what belongs to this workspace; null: all. */
  readonly workspace: string | null;
  /** The last record that it received; null: none. */
  readonly after: number | null;
  /** Whether its login is still valid. */
  readonly mayStay: () => boolean;
}

interface Reader extends Reading {
  readonly response: ServerResponse;
}

interface Frame {
  readonly seq: number;
  readonly workspace: string;
  readonly text: string;
}

const ALL: Reading = { browser: null, workspace: null, after: null, mayStay: () => true };

export class EventStream {
  private readonly readers = new Set<Reader>();
  private readonly leaving = new Map<ServerResponse, NodeJS.Timeout>();
  /** Oldest first. */
  private readonly recent: Frame[] = [];
  private recentBytes = 0;
  private readonly unsubscribe: () => void;
  private readonly heartbeat: NodeJS.Timeout;

  constructor(subscribe: (listener: (event: StreamEvent) => void) => () => void, heartbeatMs = HEARTBEAT_MS) {
    this.unsubscribe = subscribe(({ seq, topic, row }) => {
      const frame = { seq, workspace: row.workspace, text: `id: ${seq}\nevent: ${topic}\ndata: ${JSON.stringify(row)}\n\n` };
      this.keep(frame);
      this.send(frame.text, frame.workspace);
    });
    this.heartbeat = setInterval(() => this.beat(), heartbeatMs);
    this.heartbeat.unref();
  }

  join(response: ServerResponse, reading: Reading = ALL): void {
    for (const other of this.readers)
      if (reading.browser !== null && other.browser === reading.browser)
        this.letGo(other, 'replaced', 'this browser follows elsewhere now', NEVER_MS);
    const [oldest] = this.readers;
    if (oldest && this.readers.size >= MAX_READERS) this.letGo(oldest, 'dropped', 'there are too many readers', RETRY_MS);
    const reader = { ...reading, response };
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'keep-alive' });
    const missed = this.missedBy(reading);
    response.write(
      `retry: ${RETRY_MS}\nevent: joined\ndata: ${JSON.stringify({ resumed: missed !== null })}\n\n${(missed ?? []).join('')}`,
    );
    this.readers.add(reader);
    response.on('close', () => {
      this.readers.delete(reader);
      clearTimeout(this.leaving.get(response));
      this.leaving.delete(response);
    });
  }

  close(): void {
    clearInterval(this.heartbeat);
    this.unsubscribe();
    for (const timer of this.leaving.values()) clearTimeout(timer);
    for (const { response } of this.readers) response.end();
  }

  private send(text: string, workspace: string | null): void {
    for (const reader of this.readers) {
      if (workspace !== null && reader.workspace !== null && reader.workspace !== workspace) continue;
      if (reader.response.writableLength > BACKLOG_BYTES) this.letGo(reader, 'dropped', 'it did not read', RETRY_MS);
      else reader.response.write(text);
    }
  }

  private beat(): void {
    for (const reader of this.readers) if (!reader.mayStay()) this.letGo(reader, 'dropped', 'its login has ended', RETRY_MS);
    this.send(': still here\n\n', null);
  }

  private keep(frame: Frame): void {
    this.recent.push(frame);
    this.recentBytes += frame.text.length;
    while (this.recentBytes > RECENT_BYTES) this.recentBytes -= this.recent.shift()?.text.length ?? this.recentBytes;
  }

  /**
   * Null: what it missed is unknown. A record may touch several rows and the break may be between them, so the last one is sent again:
   * rows replace rows.
   */
  private missedBy({ after, workspace }: Reading): string[] | null {
    const [first, last] = [this.recent[0], this.recent.at(-1)];
    if (after === null || !first || !last || after < first.seq || after > last.seq) return null;
    return this.recent
      .filter((frame) => frame.seq >= after && (workspace === null || workspace === frame.workspace))
      .map(({ text }) => text);
  }

  /** The closing event is queued after what was already sent. A reader that does not read it either is disconnected. */
  private letGo(reader: Reader, event: 'dropped' | 'replaced', why: string, retryMs: number): void {
    const { response } = reader;
    this.readers.delete(reader);
    response.end(`retry: ${retryMs}\nevent: ${event}\ndata: ${JSON.stringify({ why, next: 'fetch the lists, then follow again' })}\n\n`);
    const timer = setTimeout(() => response.destroy(), CLOSE_TIMEOUT_MS);
    timer.unref();
    this.leaving.set(response, timer);
  }
}
