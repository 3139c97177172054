// How long the contents that undo and blame read are kept. The ledger itself is never shortened.

import type { Kernel } from '../kernel/index.ts';
import type { EventStore } from '../stores/index.ts';

export interface RetentionOptions {
  readonly store: Pick<EventStore, 'expireBlobs'>;
  readonly kernel: Pick<Kernel, 'recordExpired'>;
  /** The work trees that are known and still there. */
  readonly roots: () => Promise<readonly string[]>;
  /** What a tree's settings say; null: for ever. */
  readonly daysOf: (root: string) => Promise<number | null>;
  readonly now: () => Date;
}

const DAY_MS = 24 * 3600 * 1000;

/** Contents are shared by all trees: the longest request holds, and one that says for ever, or cannot be read, holds them all. */
async function expireContents({ store, kernel, roots, daysOf, now }: RetentionOptions): Promise<void> {
  const requests = await Promise.all((await roots()).map((root) => daysOf(root).catch(() => null)));
  const longest = requests.reduce<number | null>((most, days) => (most === null || days === null ? null : Math.max(most, days)), 0);
  if (requests.length === 0 || longest === null) return;
  const olderThan = new Date(now().getTime() - longest * DAY_MS);
  const { count, bytes } = await store.expireBlobs(olderThan);
  if (count > 0) await kernel.recordExpired({ count, bytes, older_than: olderThan.toISOString() });
}

/** At once and then daily, until it is stopped. */
export function expireDaily(options: RetentionOptions, log: (message: string) => void): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = expireContents(options).catch((error: unknown) => log(`retention: ${String(error)}`));
  };
  run();
  const timer = setInterval(run, DAY_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
