// Keeps memory bounded: what ended long ago is in the ledger only.

/** Drops the oldest entries that have ended, down to `keep`, once there are twice as many. A Map iterates in the order of insertion. */
export function forgetOldest<K, T>(entries: Map<K, T>, keep: number, hasEnded: (entry: T) => boolean): void {
  if (entries.size <= keep * 2) return;
  let surplus = entries.size - keep;
  for (const [id, entry] of entries) {
    if (surplus === 0) return;
    if (hasEnded(entry)) {
      entries.delete(id);
      surplus--;
    }
  }
}

/** Drops the oldest of one kind, so that `keep` are left. */
export function forgetBeyond<K, T>(entries: Map<K, T>, keep: number, ofKind: (entry: T) => boolean): void {
  const found = [...entries].filter(([, entry]) => ofKind(entry));
  for (const [id] of found.slice(0, Math.max(0, found.length - keep))) entries.delete(id);
}
