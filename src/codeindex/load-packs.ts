// Imports packs by their addresses. Nothing else in the program imports what its text does not name.

import type { CodePack } from './pack.ts';

/** Rejects for what is not a pack: the list is part of the program. */
export const loadPacks = (addresses: readonly string[]): Promise<readonly CodePack[]> => Promise.all(addresses.map(loadPack));

export async function loadPack(address: string): Promise<CodePack> {
  if (!address.startsWith('file:')) throw new Error(`${address} is not the address of a file`);
  const { pack } = (await import(address)) as { readonly pack?: CodePack };
  if (pack === undefined) throw new Error(`${address} exports no pack`);
  return pack;
}
