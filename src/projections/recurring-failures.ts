// What agents keep getting wrong in a workspace, and what ended it: a refusal that they ran into again and again, and a command that failed
// again and again until something was changed. Read from the ledger; nothing an agent says about it counts.

import type { EventOf, Receipt } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import type { SessionPlaces } from './session-places.ts';

/** How far back is looked. */
const RECENT = 500;
/** So often in a row, a failing command is more than a try. */
const FAILURES = 3;
const MAX_FILES = 3;
const MAX_COMMAND = 80;

export interface RecurringFailure {
  readonly what: string;
  readonly count: number;
  /** What ended it, completing "then it passed …"; null: nothing did so far. */
  readonly fix: string | null;
  /** The action, or the receipt, that shows it. */
  readonly shownBy: string;
}

/** The most frequent first. */
export async function recurringFailures(store: EventStore, places: SessionPlaces, workspace: string): Promise<RecurringFailure[]> {
  const settled = await store.find({ types: ['action_settled'], limit: RECENT });
  const receipts = settled.map(({ event }) => (event as EventOf<'action_settled'>).data.receipt).toReversed();
  const own: Receipt[] = [];
  for (const receipt of receipts) if ((await places.ofReceipt(receipt))?.workspace === workspace) own.push(receipt);
  const refused = await repeatedRefusals(store, places, workspace, own);
  return [...refused, ...failedCommands(own)].toSorted((a, b) => b.count - a.count);
}

async function repeatedRefusals(
  store: EventStore,
  places: SessionPlaces,
  workspace: string,
  receipts: readonly Receipt[],
): Promise<RecurringFailure[]> {
  const found = new Map<string, RecurringFailure>();
  for (const { event } of await store.find({ types: ['breaker_tripped'], limit: RECENT })) {
    const { session, action, tool, code } = (event as EventOf<'breaker_tripped'>).data;
    if ((await places.of(session))?.workspace !== workspace) continue;
    const what = `${tool} was refused with ${code} again and again`;
    const known = found.get(what);
    // Newest first: what passed after the newest one ended all of them. Ids are made in the order of time.
    const passed = receipts.find(
      ({ task_id, tool_id, status, action_id }) => task_id === session && tool_id === tool && status === 'done' && action_id > action,
    );
    const fix = known ? known.fix : passed ? `in the same session [${passed.receipt_id}]` : null;
    found.set(what, { what, count: (known?.count ?? 0) + 1, fix, shownBy: known?.shownBy ?? action });
  }
  return [...found.values()];
}

/** `receipts`: oldest first. */
export function failedCommands(receipts: readonly Receipt[]): RecurringFailure[] {
  const open = new Map<string, { count: number; changed: Set<string>; last: string }>();
  const found = new Map<string, RecurringFailure>();
  for (const { inputs, status, file_refs, receipt_id } of receipts) {
    for (const { changed } of open.values()) for (const { path } of file_refs) changed.add(path);
    const { command } = inputs;
    if (typeof command !== 'string') continue;
    const known = open.get(command);
    if (status === 'failed') open.set(command, { count: (known?.count ?? 0) + 1, changed: new Set(), last: receipt_id });
    else if (known) {
      open.delete(command);
      if (known.count >= FAILURES) found.set(command, failureOf(command, known.count, fixOf(known.changed), receipt_id));
    }
  }
  for (const [command, { count, last }] of open) if (count >= FAILURES) found.set(command, failureOf(command, count, null, last));
  return [...found.values()];
}

function failureOf(command: string, count: number, fix: string | null, shownBy: string): RecurringFailure {
  const line = command.replaceAll(/\s+/g, ' ').replaceAll('`', "'");
  const shown = line.length > MAX_COMMAND ? `${line.slice(0, MAX_COMMAND)}…` : line;
  return { what: `\`${shown}\` failed again and again`, count, fix, shownBy };
}

function fixOf(changed: ReadonlySet<string>): string {
  if (changed.size === 0) return 'with no file changed in between';
  const more = changed.size - MAX_FILES;
  return `after a change of ${[...changed].slice(0, MAX_FILES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
