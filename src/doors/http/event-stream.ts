// The event stream: rows as they change, as server-sent events. Each row is serialised once for all readers, and no reader waits for
// another. One that does not read is let go before its backlog costs memory, and told how to go on: fetch the lists, then follow anew.
// Of one browser only the newest tabs follow: browsers open six connections to one server, and the page needs some to answer by.

import type { ServerResponse } from 'node:http';
import type { StreamEvent } from '../../protocol/index.ts';

const BACKLOG_BYTES = 1024 * 1024;
const HEARTBEAT_MS = 15_000;
/** How long a reader that was let go may take to read what it was told last. */
const FAREWELL_MS = 5_000;
const MOST_READERS = 64;
const TABS_OF_A_BROWSER = 3;
const RETRY_MS = 1_000;
/** A tab that was replaced comes back when its human does, not by itself. */
const NEVER_MS = 24 * 3_600_000;

interface Reader {
  readonly response: ServerResponse;
  /** The browser that it belongs to; null: not a browser's. */
  readonly browser: string | null;
}

export class EventStream {
  private readonly readers = new Set<Reader>();
  private readonly leaving = new Map<ServerResponse, NodeJS.Timeout>();
  private readonly unsubscribe: () => void;
  private readonly heartbeat: NodeJS.Timeout;

  constructor(subscribe: (listener: (event: StreamEvent) => void) => () => void) {
    this.unsubscribe = subscribe(({ seq, topic, row }) => {
      if (this.readers.size > 0) this.send(`id: ${seq}\nevent: ${topic}\ndata: ${JSON.stringify(row)}\n\n`);
    });
    this.heartbeat = setInterval(() => this.send(': still here\n\n'), HEARTBEAT_MS);
    this.heartbeat.unref();
  }

  join(response: ServerResponse, browser: string | null = null): void {
    const tabs = browser === null ? [] : [...this.readers].filter((other) => other.browser === browser);
    for (const other of tabs.slice(0, Math.max(0, tabs.length - TABS_OF_A_BROWSER + 1)))
      this.letGo(other, 'replaced', 'newer tabs of this browser follow now', NEVER_MS);
    const [oldest] = this.readers;
    if (oldest && this.readers.size >= MOST_READERS) this.letGo(oldest, 'dropped', 'there are too many readers', RETRY_MS);
    const reader = { response, browser };
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'keep-alive' });
    response.write(`retry: ${RETRY_MS}\n\n`);
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

  private send(text: string): void {
    for (const reader of this.readers) {
      if (reader.response.writableLength > BACKLOG_BYTES) this.letGo(reader, 'dropped', 'it did not read', RETRY_MS);
      else reader.response.write(text);
    }
  }

  /** The last words stand behind what is on its way already. Whoever does not even read these is cut off. */
  private letGo(reader: Reader, event: 'dropped' | 'replaced', why: string, retryMs: number): void {
    const { response } = reader;
    this.readers.delete(reader);
    response.end(`retry: ${retryMs}\nevent: ${event}\ndata: ${JSON.stringify({ why, next: 'fetch the lists, then follow anew' })}\n\n`);
    const timer = setTimeout(() => response.destroy(), FAREWELL_MS);
    timer.unref();
    this.leaving.set(response, timer);
  }
}
