// Reconciles while a hook waits. If it takes too long, it continues in the background and its findings go out with the next hook.

import { setTimeout as delay } from 'node:timers/promises';
import type { TurnPorts } from '../kernel/index.ts';
import type { Reconciler, Untracked } from '../projections/index.ts';

/** Well below a hook client's timeout. */
const TIMEOUT_MS = 8_000;
const NAMED_PATHS = 10;

/** `isObserved`: nothing is said to an agent that is only observed. */
export function reconcileInTime(
  reconciler: Reconciler,
  isObserved: (session: string) => boolean,
  log: (message: string) => void,
): TurnPorts['reconcile'] {
  return async ({ root, session, how }) => {
    const done = new AbortController();
    const reconciled = reconciler
      .reconcile(root, how)
      .catch((error: unknown) => log(`reconcile ${root}: ${String(error)}`))
      .finally(() => done.abort());
    await Promise.race([reconciled, delay(TIMEOUT_MS, undefined, { signal: done.signal, ref: false }).catch(() => {})]);
    const found = reconciler.foundFor(session);
    return isObserved(session) ? null : wordsFor(found);
  };
}

function wordsFor(found: readonly Untracked[]): string | null {
  if (found.length === 0) return null;
  const paths = [...new Set(found.map(({ path }) => path))];
  const more = paths.length > NAMED_PATHS ? ` and ${paths.length - NAMED_PATHS} more` : '';
  const actions = [...new Set(found.flatMap((each) => each.actions))];
  return [
    `Countersign: ${paths.length === 1 ? 'a file' : `${paths.length} files`} changed in this turn without a receipt, most likely by ${actions.length === 1 ? `your command ${actions[0]}` : 'your commands'}: ${paths.slice(0, NAMED_PATHS).join(', ')}${more}.`,
    'It is on the record as UNTRACKED_MUTATION. Change files with the file tools, and tell the human what the command did.',
  ].join('\n');
}
