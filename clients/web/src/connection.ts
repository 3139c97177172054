// Keeps the store fed for as long as the document lives: signs in, fetches the lists, follows the event stream, and does it
// again after every break. What arrives while lists are in flight is applied after them, so that no row goes back in time.

import type { StreamEvent } from '../../../src/protocol/index.ts';
import { ApiFault, fetchLists, fetchStatus, isSignedOut, logIn, troubleOf } from './api.ts';
import type { PageEvent, Trouble } from './page-state.ts';

type Dispatch = (event: PageEvent) => void;

const TOPICS: readonly StreamEvent['topic'][] = ['action', 'approval', 'session', 'intent'];
const STATUS_AFTER_EVENT_MS = 1_000;
/** An unwritable ledger sends no events, so the status is asked for even when all is quiet. */
const STATUS_IN_QUIET_MS = 15_000;
const LONGEST_RETRY_MS = 10_000;

export function keepConnected(dispatch: Dispatch): void {
  let source: EventSource | null = null;
  let attempt = 0;
  let signedOut = false;
  let replaced = false;
  let statusDue: ReturnType<typeof setTimeout> | null = null;

  function stop(connection: 'reconnecting' | 'signed_out', trouble: Trouble | null): void {
    source?.close();
    source = null;
    signedOut = connection === 'signed_out';
    dispatch({ type: 'connection', connection, trouble });
  }

  function fail(error: unknown, retry: number): void {
    stop(isSignedOut(error) ? 'signed_out' : 'reconnecting', troubleOf(error));
    if (signedOut) return;
    const mine = attempt;
    setTimeout(
      () => {
        if (mine === attempt) void start(retry + 1);
      },
      Math.min(LONGEST_RETRY_MS, 500 * 2 ** retry),
    );
  }

  async function start(retry: number): Promise<void> {
    const mine = ++attempt;
    replaced = false;
    source?.close();
    const refused = await exchangeCode();
    try {
      const status = await fetchStatus();
      if (mine !== attempt) return;
      signedOut = false;
      dispatch({ type: 'status', status });
      follow(mine, retry);
    } catch (error) {
      if (mine === attempt) fail(refused ?? error, retry);
    }
  }

  function follow(mine: number, retry: number): void {
    const stream = new EventSource('/stream/events');
    source = stream;
    let early: PageEvent[] | null = [];

    for (const topic of TOPICS) {
      stream.addEventListener(topic, (message: MessageEvent<string>) => {
        const event = { type: topic, row: JSON.parse(message.data) } as PageEvent;
        if (early === null) dispatch(event);
        else early.push(event);
        refreshStatusSoon();
      });
    }

    stream.addEventListener('open', () => void catchUp());

    // Newer tabs took its place. It takes it back when its human comes back to it.
    stream.addEventListener('replaced', () => {
      if (mine !== attempt) return;
      attempt++;
      replaced = true;
      stop('reconnecting', {
        code: 'CONFLICT',
        message: 'Newer tabs of this browser follow now.',
        fix: 'Come back to this tab to follow here',
      });
    });

    async function catchUp(): Promise<void> {
      const waiting: PageEvent[] = [];
      early = waiting;
      try {
        const [lists, status] = await Promise.all([fetchLists(), fetchStatus()]);
        // The stream may have broken and opened again meanwhile; then the later fetch counts.
        if (mine !== attempt || early !== waiting) return;
        dispatch({ type: 'lists', lists });
        dispatch({ type: 'status', status });
        for (const event of waiting) dispatch(event);
        early = null;
        retry = 0;
        dispatch({ type: 'connection', connection: 'live', trouble: null });
      } catch (error) {
        if (mine === attempt) fail(error, retry);
      }
    }

    stream.addEventListener('error', () => {
      if (mine !== attempt) return;
      dispatch({ type: 'connection', connection: 'reconnecting', trouble: null });
      // The browser tries again by itself after a lost line, but not after an answer that is no stream, such as a 401.
      if (stream.readyState === EventSource.CLOSED)
        fail(new ApiFault({ code: 'DAEMON_UNAVAILABLE', message: 'The event stream ended.', fix: null }), retry);
    });
  }

  function refreshStatusSoon(): void {
    statusDue ??= setTimeout(() => {
      statusDue = null;
      void refreshStatus();
    }, STATUS_AFTER_EVENT_MS);
  }

  async function refreshStatus(): Promise<void> {
    if (source?.readyState !== EventSource.OPEN) return;
    try {
      dispatch({ type: 'status', status: await fetchStatus() });
    } catch (error) {
      // A daemon that is gone is the stream's news; only a login that ended would go unnoticed.
      if (isSignedOut(error)) stop('signed_out', troubleOf(error));
    }
  }

  setInterval(() => void refreshStatus(), STATUS_IN_QUIET_MS);
  // A login link opened in this very tab changes only the fragment and loads nothing.
  addEventListener('hashchange', () => void (codeInAddress() !== null && start(0)));
  // Another tab may have signed in: the cookie is shared.
  document.addEventListener('visibilitychange', () => void ((signedOut || replaced) && !document.hidden && start(0)));
  addEventListener('focus', () => void (replaced && start(0)));
  void start(0);
}

const codeInAddress = (): string | null => new URLSearchParams(location.hash.slice(1)).get('code');

/** Takes the code out of the address before it is used, so that it never stays in the history; returns why it was refused. */
async function exchangeCode(): Promise<unknown> {
  const code = codeInAddress();
  if (code === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    await logIn(code);
    return undefined;
  } catch (error) {
    return error;
  }
}
