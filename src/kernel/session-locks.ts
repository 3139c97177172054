// One call at a time per session, first come first served. Held for the moment between reading facts and writing the record,
// never while a human is asked.

export class SessionLocks {
  private readonly tails = new Map<string, Promise<void>>();

  async hold<T>(session: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(session) ?? Promise.resolve();
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    const tail = before.then(() => done);
    this.tails.set(session, tail);
    await before;
    try {
      return await work();
    } finally {
      release();
      if (this.tails.get(session) === tail) this.tails.delete(session);
    }
  }
}

/** A change of an intent holds this from its read to its write. */
export const intentsLock = (workspace: string): string => `intents ${workspace}`;
