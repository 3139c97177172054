// One state, one writer, one flush a frame: two hundred events in a second cost React at most one render per frame.

import { initialState, type PageEvent, type PageState, reduce } from './page-state.ts';

export interface Store {
  readonly get: () => PageState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly dispatch: (event: PageEvent) => void;
}

/** `soon` runs its argument once, later. */
export function createStore(soon: (flush: () => void) => void): Store {
  let state = initialState;
  let queue: PageEvent[] = [];
  const listeners = new Set<() => void>();

  function flush(): void {
    state = queue.reduce(reduce, state);
    queue = [];
    for (const listener of listeners) listener();
  }

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch: (event) => {
      queue.push(event);
      if (queue.length === 1) soon(flush);
    },
  };
}

/**
 * The next frame, or a timer in a hidden tab: frames stop there, and the count in the title is what a person in another tab
 * sees. A frame requested just before the tab was hidden never comes, so the timer is always set as well.
 */
export function nextFrame(flush: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    flush();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, 250);
}
