// The remedy where no intent covers the work: propose one. A human confirms it. Only the agent knows what should change.

import { BLANKS, escapeGlob, type Remedy, SCOPE_LIMITS } from '../protocol/index.ts';

/** `paths` are real paths. If a scope cannot express them, the agent names it too. */
export function proposeIntentRemedy(paths: readonly string[]): Remedy {
  const owned_scope = paths.slice(0, SCOPE_LIMITS.globs).map(escapeGlob);
  const isExpressed = owned_scope.length > 0 && owned_scope.every((glob) => glob !== '' && glob.length <= SCOPE_LIMITS.characters);
  return isExpressed
    ? { tool: 'propose_intent', args: { owned_scope }, fill: { name: BLANKS.name } }
    : { tool: 'propose_intent', args: {}, fill: { name: BLANKS.name, owned_scope: BLANKS.scope } };
}
