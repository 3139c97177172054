// Calls that were admitted and failed: the same one again and again is a loop, which the policy of that name ends.

import type { Action } from '../protocol/index.ts';

/** What counts as the same failing call: the same command, or a change of the same files. */
export function failureKey({ tool, resources, input_sha256 }: Action): string {
  const changed = resources.flatMap((resource) => (resource.kind === 'file' && resource.access !== 'read' ? [resource.path] : []));
  const isCommand = resources.some(({ kind }) => kind === 'command');
  return JSON.stringify([tool, !isCommand && changed.length > 0 ? changed : input_sha256]);
}
