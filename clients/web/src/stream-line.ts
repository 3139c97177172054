// The one line to the event stream that all tabs of a browser share: a browser opens six connections to one server, and every tab needs
// some to ask and to answer by. It runs in a worker that all tabs share and that lives as long as one of them does, so no tab leads.

import type { StreamEvent } from '../../../src/protocol/index.ts';

/** `follow`: from now on, and also after the line has ended. */
export type FromTab = 'follow' | 'leave';

export type ToTab =
  /** `resumed`: whoever was up to date still is. */
  | { readonly type: 'joined'; readonly resumed: boolean }
  | ({ readonly type: 'row' } & Pick<StreamEvent, 'topic' | 'row'>)
  /** `ended`: nobody tries again until a tab wants to follow. */
  | { readonly type: 'lost'; readonly ended: boolean }
  /** This browser follows elsewhere: with another version of the page, or without a worker. */
  | { readonly type: 'replaced' };

const TOPICS: readonly StreamEvent['topic'][] = ['action', 'approval', 'session', 'intent', 'workspace'];

export class StreamLine {
  private readonly tabs = new Set<MessagePort>();
  private source: EventSource | null = null;
  private joined = false;
  /** The id of the last event, so that the next line goes on behind it. */
  private last = '';

  connect(port: MessagePort): void {
    port.addEventListener('message', ({ data }: MessageEvent<FromTab>) => (data === 'follow' ? this.follow(port) : this.leave(port)));
    // Of a tab that was ended before it could say so, where the browser tells.
    port.addEventListener('close', () => this.leave(port));
    port.start();
  }

  private follow(port: MessagePort): void {
    this.tabs.add(port);
    if (this.source === null) this.open();
    else if (this.joined) port.postMessage({ type: 'joined', resumed: false } satisfies ToTab);
  }

  private leave(port: MessagePort): void {
    this.tabs.delete(port);
    if (this.tabs.size === 0) this.end();
  }

  private open(): void {
    const source = new EventSource(`/stream/events${this.last === '' ? '' : `?after=${this.last}`}`);
    this.source = source;
    source.addEventListener('joined', ({ data }: MessageEvent<string>) => {
      this.joined = true;
      this.tell({ type: 'joined', resumed: (JSON.parse(data) as { resumed: boolean }).resumed });
    });
    for (const topic of TOPICS)
      source.addEventListener(topic, ({ data, lastEventId }: MessageEvent<string>) => {
        this.last = lastEventId;
        this.tell({ type: 'row', topic, row: JSON.parse(data) as StreamEvent['row'] });
      });
    source.addEventListener('replaced', () => {
      this.end();
      this.tell({ type: 'replaced' });
    });
    source.addEventListener('error', () => {
      this.joined = false;
      // The browser tries again by itself after a lost line, but not after an answer that is no stream, such as a 401.
      const ended = source.readyState === EventSource.CLOSED;
      if (ended) this.end();
      this.tell({ type: 'lost', ended });
    });
  }

  private end(): void {
    this.source?.close();
    this.source = null;
    this.joined = false;
  }

  private tell(message: ToTab): void {
    for (const tab of this.tabs) tab.postMessage(message);
  }
}
