// The remedy where no intent covers the work: propose one. A human confirms it.

import { escapeGlob, type Remedy, SCOPE_LIMITS } from '../protocol/index.ts';

/** `paths` are real paths. Null when a scope cannot express them: then only a human can help. */
export function proposeIntentRemedy(name: string, paths: readonly string[]): Remedy | null {
  const owned_scope = paths.slice(0, SCOPE_LIMITS.globs).map(escapeGlob);
  if (owned_scope.length === 0 || owned_scope.some((glob) => glob === '' || glob.length > SCOPE_LIMITS.characters)) return null;
  return { tool: 'propose_intent', args: { name: name.slice(0, 200).toWellFormed(), owned_scope } };
}
