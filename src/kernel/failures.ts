// Calls that were admitted and failed: the same one again and again is a loop, which the policy of that name ends.

import type { Action, Receipt } from '../protocol/index.ts';
import { countRefusal, type Streak } from './breaker.ts';

/** What counts as the same failing call: the same command, or a change of the same files. */
export function failureKey({ tool, resources, input_sha256 }: Action): string {
  const changed = resources.flatMap((resource) => (resource.kind === 'file' && resource.access !== 'read' ? [resource.path] : []));
  const isCommand = resources.some(({ kind }) => kind === 'command');
  return JSON.stringify([tool, !isCommand && changed.length > 0 ? changed : input_sha256]);
}

/** A failure counts while nothing is changed: a test that fails again after an edit is no loop. */
export function noteFailure(failures: Map<string, Streak>, action: Action, { status, file_refs }: Receipt, at: string): void {
  if (status === 'failed') countRefusal(failures, failureKey(action), action.at, at);
  else failures.delete(failureKey(action));
  if (status === 'done' && file_refs.length > 0) failures.clear();
}
