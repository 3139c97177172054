// Keeps memory bounded: what ended long ago is in the ledger only.

/** Enough to find out whether a pass would drop anything; some of the oldest may live for long. */
const PROBED = 16;

/**
 * Drops the oldest entries that have ended, down to `keep`, once there are twice as many. A Map iterates in the order of insertion. Where
 * the oldest cannot be dropped yet, all are gone through only once for every `keep` new ones. `trim` makes those smaller that stay.
 */
export function forgetOldest<K, T>(entries: Map<K, T>, keep: number, hasEnded: (entry: T) => boolean, trim?: (entry: T) => void): void {
  if (entries.size <= keep * 2) return;
  if (entries.size % keep !== 0 && !oldestOf(entries).some(hasEnded)) return;
  const surplus = entries.size - keep;
  let dropped = 0;
  let older = surplus;
  for (const [id, entry] of entries) {
    if (dropped === surplus) return;
    if (hasEnded(entry)) {
      entries.delete(id);
      dropped++;
    } else if (older > 0) trim?.(entry);
    older--;
  }
}

function oldestOf<T>(entries: ReadonlyMap<unknown, T>): T[] {
  const oldest: T[] = [];
  for (const entry of entries.values()) {
    if (oldest.push(entry) === PROBED) break;
  }
  return oldest;
}

/** Drops the oldest of one kind, so that `keep` are left. */
export function forgetBeyond<K, T>(entries: Map<K, T>, keep: number, ofKind: (entry: T) => boolean): void {
  const found = [...entries].filter(([, entry]) => ofKind(entry));
  for (const [id] of found.slice(0, Math.max(0, found.length - keep))) entries.delete(id);
}
