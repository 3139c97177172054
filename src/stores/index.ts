// stores: where events and blobs are kept.
// Owns the store seam, the contract suite that every backend passes, the writer of the ledger's files, which every backend uses, and the
// embedded backend (SQLite index, blobs in files).
// Invariant: what was acknowledged is there after any crash; what was refused never counts as written.
// Refuses: a second writer, a write onto a chain that does not verify, an invalid event.

export * from './event-store.ts';
export { openEmbeddedStore } from './embedded/open-embedded-store.ts';
export type { EmbeddedStoreOptions } from './embedded/open-embedded-store.ts';
export { type OpenStore, STORES, storeNamed, type StoreOptions } from './stores.ts';
