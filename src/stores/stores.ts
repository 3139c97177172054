// The backends that a daemon can be started with.

import { Fault } from '../protocol/index.ts';
import { openEmbeddedStore } from './embedded/open-embedded-store.ts';
import type { EventStore } from './event-store.ts';
import type { LedgerWriterOptions } from './ledger-files/open-ledger-writer.ts';

export interface StoreOptions extends LedgerWriterOptions {
  /** The daemon's folder. */
  readonly dir: string;
}

export type OpenStore = (options: StoreOptions) => Promise<EventStore>;

/** One line for each, by the name that `COUNTERSIGN_STORE` chooses it with. The first is the default. */
export const STORES = {
  embedded: openEmbeddedStore,
} as const satisfies Readonly<Record<string, OpenStore>>;

export function storeNamed(name: string | undefined, stores: Readonly<Record<string, OpenStore>> = STORES): OpenStore {
  const [standard] = Object.values(stores);
  const chosen = name === undefined || name === '' ? standard : Object.hasOwn(stores, name) ? stores[name] : undefined;
  if (chosen) return chosen;
  throw new Fault('BAD_REQUEST', `There is no store ${JSON.stringify(name)}.`, {
    fix: `Set COUNTERSIGN_STORE to ${Object.keys(stores).join(' or ')}, or unset it`,
  });
}
