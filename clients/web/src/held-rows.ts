// While a person reads further down, new rows wait above and nothing moves; visible rows still show their current state.

import type { ActionRow } from '../../../src/protocol/index.ts';

export interface HeldRows {
  readonly shown: readonly ActionRow[];
  readonly fresh: number;
}

/** `held`: the rows when the reader scrolled away, or null while they follow. */
export function holdRows(held: readonly ActionRow[] | null, rows: readonly ActionRow[]): HeldRows {
  if (held === null) return { shown: rows, fresh: 0 };
  const now = new Map(rows.map((row) => [row.id, row]));
  const shown = held.map((row) => now.get(row.id) ?? row);
  for (const row of held) now.delete(row.id);
  return { shown, fresh: now.size };
}
