// One turn with a model at a time in a workspace, first come first served: two tool loops at once would spend each other's budgets of a small
// model, and mix their receipts.

export class TurnQueue {
  readonly #last = new Map<string, Promise<void>>();

  /** `onWait` is called when another turn has to end first. Rejects with the signal's reason when it is aborted before its turn. */
  async hold<T>(workspace: string, signal: AbortSignal, work: () => Promise<T>, onWait: () => void): Promise<T> {
    const before = this.#last.get(workspace);
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    // A caller that goes away while it waits keeps its place until those before it are done, so that the order stays.
    const place = (before ?? Promise.resolve()).then(() => done);
    this.#last.set(workspace, place);
    try {
      if (before) {
        onWait();
        await unlessAborted(before, signal);
      }
      signal.throwIfAborted();
      return await work();
    } finally {
      release();
      const forget = () => void (this.#last.get(workspace) === place && this.#last.delete(workspace));
      place.then(forget, forget);
    }
  }
}

async function unlessAborted(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([waiting, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
