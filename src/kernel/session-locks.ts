// One call at a time for each key, first come first served: a session, or the intents of a workspace. Held for the moment between reading facts and writing the record,
// never while a human is asked.

export class SessionLocks {
  private readonly tails = new Map<string, Promise<void>>();

  async hold<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key) ?? Promise.resolve();
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    const tail = before.then(() => done);
    this.tails.set(key, tail);
    await before;
    try {
      return await work();
    } finally {
      release();
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }
}

/** A change of an intent holds this from its read to its write. */
export const intentsLock = (workspace: string): string => `intents ${workspace}`;
