// The event stream: rows as they change, as server-sent events. Each row is serialised once for all readers. A reader that
// does not read is dropped before its backlog costs memory; the browser reconnects and fetches the lists anew.

import type { ServerResponse } from 'node:http';
import type { StreamEvent } from '../../protocol/index.ts';

const BACKLOG_BYTES = 1024 * 1024;
const HEARTBEAT_MS = 15_000;

export class EventStream {
  private readonly readers = new Set<ServerResponse>();
  private readonly unsubscribe: () => void;
  private readonly heartbeat: NodeJS.Timeout;

  constructor(subscribe: (listener: (event: StreamEvent) => void) => () => void) {
    this.unsubscribe = subscribe(({ seq, topic, row }) => this.send(`id: ${seq}\nevent: ${topic}\ndata: ${JSON.stringify(row)}\n\n`));
    this.heartbeat = setInterval(() => this.send(': still here\n\n'), HEARTBEAT_MS);
    this.heartbeat.unref();
  }

  join(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'keep-alive' });
    response.write('retry: 1000\n\n');
    this.readers.add(response);
    response.on('close', () => this.readers.delete(response));
  }

  close(): void {
    clearInterval(this.heartbeat);
    this.unsubscribe();
    for (const reader of this.readers) reader.end();
  }

  private send(text: string): void {
    for (const reader of this.readers) {
      if (reader.writableLength > BACKLOG_BYTES) reader.destroy();
      else reader.write(text);
    }
  }
}
