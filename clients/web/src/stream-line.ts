// The one connection to the event stream that all tabs of a browser share: a browser opens six connections to one server, and every tab
// needs some for requests. It runs in a shared worker that lives as long as one of the tabs, so no tab is the leader.

import { createClient } from '../../../src/client/index.ts';
import type { StreamEvent } from '../../../src/protocol/index.ts';
import { webTransport } from './web-transport.ts';

/** `follow`: from now on, also after the connection has ended. */
export type FromTab = 'follow' | 'leave';

export type ToTab =
  /** `resumed`: a tab that was up to date still is. */
  | { readonly type: 'joined'; readonly resumed: boolean }
  | ({ readonly type: 'row' } & Pick<StreamEvent, 'topic' | 'row'>)
  /** `ended`: no retry until a tab wants to follow. */
  | { readonly type: 'lost'; readonly ended: boolean }
  /** This browser follows elsewhere: with another version of the page, or without a worker. */
  | { readonly type: 'replaced' };

const client = createClient(webTransport);

export class StreamLine {
  private readonly tabs = new Set<MessagePort>();
  /** Ends the connection; null: not connected. */
  private line: AbortController | null = null;
  private joined = false;
  /** The id of the last event, so that the next connection continues after it. */
  private last: number | null = null;

  connect(port: MessagePort): void {
    port.addEventListener('message', ({ data }: MessageEvent<FromTab>) => (data === 'follow' ? this.follow(port) : this.leave(port)));
    // For a tab that was closed before it could say so, where the browser reports that.
    port.addEventListener('close', () => this.leave(port));
    port.start();
  }

  private follow(port: MessagePort): void {
    this.tabs.add(port);
    if (this.line === null) this.open();
    else if (this.joined) port.postMessage({ type: 'joined', resumed: false } satisfies ToTab);
  }

  private leave(port: MessagePort): void {
    this.tabs.delete(port);
    if (this.tabs.size === 0) this.end();
  }

  private open(): void {
    const line = new AbortController();
    this.line = line;
    /** After a connection has ended, late events are dropped. */
    const unlessOver = (then: () => void) => void (this.line === line && then());
    client
      .followAgain(
        {
          after: this.last,
          onJoined: (resumed) =>
            unlessOver(() => {
              this.joined = true;
              this.tell({ type: 'joined', resumed });
            }),
          onEvent: (topic, row, id) =>
            unlessOver(() => {
              this.last = id;
              this.tell({ type: 'row', topic, row });
            }),
          onLost: () =>
            unlessOver(() => {
              this.joined = false;
              this.tell({ type: 'lost', ended: false });
            }),
        },
        line.signal,
      )
      .then(
        (how) => unlessOver(() => this.end(how === 'replaced' ? { type: 'replaced' } : null)),
        // No connection opened, or the daemon refused it, as after a login has ended.
        () => unlessOver(() => this.end({ type: 'lost', ended: true })),
      );
  }

  private end(word: ToTab | null = null): void {
    this.line?.abort();
    this.line = null;
    this.joined = false;
    if (word) this.tell(word);
  }

  private tell(message: ToTab): void {
    for (const tab of this.tabs) tab.postMessage(message);
  }
}
