// The scope that a human's yes adds to an intent. The answer itself grants it: the agent that asked may be gone.

import type { Intent, Refusal } from '../protocol/index.ts';
import { authorityRefusal } from './authority-refusal.ts';
import type { ApprovalEntry } from './state-entries.ts';

interface ScopeAsked {
  readonly intent: string;
  readonly paths: readonly string[];
}

/** Null: it asks for no scope, or no intent was cited that it could be for. */
export function scopeAsked({ action, decision }: ApprovalEntry): ScopeAsked | null {
  const asked = action.resources.find((each) => each.kind === 'human')?.scope;
  const intent = asked?.intent ?? decision.facts.intent.selected?.id ?? null;
  return asked && intent !== null ? { intent, paths: asked.paths } : null;
}

/** A yes that could not take effect is refused instead of recorded. */
export function widened(intent: Intent | undefined, { intent: id, paths }: ScopeAsked): Intent | Refusal {
  if (intent?.status === 'active') return { ...intent, owned_scope: [...new Set([...intent.owned_scope, ...paths])] };
  return authorityRefusal(
    'INTENT_NOT_ACTIVE',
    `${id} is ${intent?.status ?? 'unknown'}, so there is no scope to widen, and nothing was granted.`,
    `Make it active first (countersign intents activate ${id}), or reject the request`,
  );
}
