// A context pack by its ref. Whatever else is kept under that hash is not shown: contents of files are kept in the same place.

import { packHash } from '../plan/index.ts';
import { ContextPack } from '../protocol/index.ts';

/** Null: there is no such pack, or it was deleted with old contents. */
export async function keptPack(
  store: { readonly getBlob: (sha256: string) => Promise<Uint8Array | null> },
  ref: string,
): Promise<ContextPack | null> {
  const hash = packHash(ref);
  const bytes = hash === null ? null : await store.getBlob(hash);
  if (!bytes) return null;
  try {
    return ContextPack.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}
