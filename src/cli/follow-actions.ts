// Actions as they change, while a human watches; daemons may stop and start. It subscribes first and then fetches the list, so that nothing
// is missed in between; a row that repeats what was last shown of its action is not shown again.

import type { ActionRow } from '../protocol/index.ts';
import type { CommandContext } from './command-context.ts';

/** As many as a list has. */
const MAX_ROWS = 1_000;
const REMEMBERED = 2 * MAX_ROWS;
const RETRY_MS = 500;

/** `limit`: how many to begin with. A daemon that a human stopped stays stopped: it waits for the next one, and starts none. */
export async function followActions(
  { client, say, signal }: Pick<CommandContext, 'client' | 'say' | 'signal'>,
  limit: number,
  print: (row: ActionRow) => void,
): Promise<void> {
  /** What was last shown of an action, or skipped at the start. */
  const shown = new Map<string, string>();
  let isFirst = true;
  /** Rows that arrived while the list was fetched; null afterwards: then rows are shown as they arrive. */
  let heard: ActionRow[] | null = [];
  let fetched = Promise.resolve();

  await client.followAgain(
    {
      // What a stopping daemon did not deliver is fetched from the next one.
      onJoined: (resumed) => {
        const waiting: ActionRow[] = [];
        heard = resumed ? null : waiting;
        if (!resumed)
          fetched = catchUp().then(
            () => flush(waiting),
            () => {},
          );
      },
      onEvent: (topic, row) => {
        if (topic === 'action') (heard ?? { push: tell }).push(row as ActionRow);
      },
      onLost: () => say('The daemon has ended. What the next one records is shown here; Ctrl-C ends this.'),
    },
    signal,
    RETRY_MS,
  );
  await fetched;

  function flush(waiting: ActionRow[]): void {
    for (const row of waiting) tell(row);
    // Otherwise it belongs to an older connection: the newer one has its own list.
    if (heard === waiting) heard = null;
  }

  async function catchUp(): Promise<void> {
    const rows = (await client.ask('actions', { limit: MAX_ROWS })).reverse();
    if (isFirst) for (const row of rows.slice(0, -limit)) remember(row);
    else if (shown.size > 0 && !rows.some(({ id }) => shown.has(id)))
      say('More happened than the daemon keeps at hand: countersign receipts has the rest.');
    isFirst = false;
    for (const row of rows) tell(row);
  }

  function tell(row: ActionRow): void {
    if (shown.get(row.id) === JSON.stringify(row)) return;
    remember(row);
    print(row);
  }

  function remember(row: ActionRow): void {
    shown.delete(row.id);
    shown.set(row.id, JSON.stringify(row));
    for (const oldest of shown.keys()) {
      if (shown.size <= REMEMBERED) return;
      shown.delete(oldest);
    }
  }
}
