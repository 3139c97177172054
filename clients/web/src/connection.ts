// Keeps the store up to date while the document is open: signs in, fetches the lists, follows the event stream, and does it again after
// every break. What arrives while lists are in flight is applied after them, so that no row goes back in time.

import { fetchLists, fetchOverview, isSignedOut, logIn, troubleOf } from './api.ts';
import { Fault } from '../../../src/protocol/plain.ts';
import type { PageEvent, Trouble } from './page-state.ts';
import { type FromTab, StreamLine, type ToTab } from './stream-line.ts';

type Dispatch = (event: PageEvent) => void;

const STANDING_AFTER_EVENT_MS = 1_000;
/** An unwritable ledger sends no events, so the state is polled even without events. */
const STANDING_IN_QUIET_MS = 15_000;
const MAX_RETRY_MS = 10_000;

export function keepConnected(dispatch: Dispatch): void {
  const port = openLine();
  const say = (word: FromTab) => port.postMessage(word);
  let attempt = 0;
  let signedOut = false;
  let replaced = false;
  /** How often it failed in a row. */
  let retry = 0;
  /** No streamed event is missing here. */
  let current = false;
  /** Events that arrived while the lists were being fetched; null: the lists are here. */
  let early: PageEvent[] | null = null;
  let overviewDue: ReturnType<typeof setTimeout> | null = null;

  function stop(connection: 'reconnecting' | 'signed_out', trouble: Trouble | null): void {
    attempt++;
    current = false;
    signedOut = connection === 'signed_out';
    if (signedOut) say('leave');
    dispatch({ type: 'connection', connection, trouble });
  }

  function fail(error: unknown): void {
    stop(isSignedOut(error) ? 'signed_out' : 'reconnecting', troubleOf(error));
    if (signedOut) return;
    const mine = attempt;
    setTimeout(
      () => {
        if (mine === attempt) void start();
      },
      Math.min(MAX_RETRY_MS, 500 * 2 ** retry++),
    );
  }

  async function start(): Promise<void> {
    const mine = ++attempt;
    replaced = false;
    current = false;
    const refused = await exchangeCode();
    try {
      const overview = await fetchOverview();
      if (mine !== attempt) return;
      signedOut = false;
      dispatch({ type: 'overview', overview });
      say('follow');
    } catch (error) {
      if (mine === attempt) fail(refused ?? error);
    }
  }

  async function catchUp(): Promise<void> {
    const mine = attempt;
    const waiting: PageEvent[] = [];
    early = waiting;
    try {
      const [lists, overview] = await Promise.all([fetchLists(), fetchOverview()]);
      // The stream may have broken and reopened since; then the later fetch counts.
      if (mine !== attempt || early !== waiting) return;
      dispatch({ type: 'lists', lists });
      dispatch({ type: 'overview', overview });
      for (const event of waiting) dispatch(event);
      early = null;
      goLive();
    } catch (error) {
      if (mine === attempt && early === waiting) fail(error);
    }
  }

  function goLive(): void {
    current = true;
    retry = 0;
    dispatch({ type: 'connection', connection: 'live', trouble: null });
  }

  function hear(message: ToTab): void {
    switch (message.type) {
      case 'joined':
        if (signedOut) return;
        if (message.resumed && current) goLive();
        else void catchUp();
        return;
      case 'row': {
        if (message.topic !== 'workspace') {
          const event = { type: message.topic, row: message.row } as PageEvent;
          if (early === null) dispatch(event);
          else early.push(event);
        }
        refreshOverviewSoon();
        return;
      }
      case 'lost':
        if (signedOut) return;
        dispatch({ type: 'connection', connection: 'reconnecting', trouble: null });
        if (message.ended) fail(new Fault('DAEMON_UNAVAILABLE', 'The event stream ended.'));
        return;
      case 'replaced':
        // It reconnects when its human returns to it.
        replaced = true;
        stop('reconnecting', {
          code: 'CONFLICT',
          message: 'Newer tabs of this browser follow now.',
          fix: 'Come back to this tab to follow here',
        });
    }
  }

  function refreshOverviewSoon(): void {
    overviewDue ??= setTimeout(() => {
      overviewDue = null;
      void refreshOverview();
    }, STANDING_AFTER_EVENT_MS);
  }

  async function refreshOverview(): Promise<void> {
    // A hidden tab is not read; the stream keeps the count in its title up to date.
    if (!current || document.hidden) return;
    try {
      dispatch({ type: 'overview', overview: await fetchOverview() });
    } catch (error) {
      // The stream notices a missing daemon; only an expired login would go unnoticed.
      if (isSignedOut(error)) stop('signed_out', troubleOf(error));
    }
  }

  port.addEventListener('message', ({ data }: MessageEvent<ToTab>) => hear(data));
  port.start();
  setInterval(() => void refreshOverview(), STANDING_IN_QUIET_MS);
  // A login link opened in this same tab changes only the fragment and loads nothing.
  addEventListener('hashchange', () => void (codeInAddress() !== null && start()));
  // Another tab may have signed in: the cookie is shared.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    if (signedOut || replaced) void start();
    else void refreshOverview();
  });
  addEventListener('focus', () => void (replaced && start()));
  addEventListener('pagehide', () => say('leave'));
  addEventListener('pageshow', ({ persisted }) => void (persisted && start()));
  void start();
}

/** Where tabs cannot share a worker, each has its own connection, and the newest tab follows. */
function openLine(): MessagePort {
  if (typeof SharedWorker !== 'undefined')
    return new SharedWorker(new URL('./stream-worker.ts', import.meta.url), { type: 'module', name: 'countersign' }).port;
  const { port1, port2 } = new MessageChannel();
  new StreamLine().connect(port2);
  return port1;
}

const codeInAddress = (): string | null => new URLSearchParams(location.hash.slice(1)).get('code');

/** Removes the code from the address before it is used, so that it never stays in the history; returns why it was refused. */
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
