// The intent that a session works on when there is no choice: exactly one is active.

import { type Intent, sessionTraits } from '../protocol/index.ts';
import { readSettings } from './gather.ts';
import { effectiveMode } from './mode-limits.ts';
import type { KernelPorts } from './ports.ts';
import type { State } from './state.ts';

/**
 * Null where the agent has to choose or declare something: several intents or none, one that is cited already, STRICT (of the workspace
 * or of that very intent), PASSIVE. A sub-agent works on what its parent cited when it began, or cites by itself.
 */
export async function onlyIntentFor(ports: KernelPorts, state: State, session: string): Promise<Intent | null> {
  const entry = state.sessions.get(session);
  const [only, ...others] = entry ? state.activeIntents(entry.workspace) : [];
  if (!entry || !only || others.length > 0 || only.intent.id === entry.intent) return null;
  if (!sessionTraits(entry).reportsPrompts || entry.parent !== null) return null;
  const { settings, fault } = await readSettings(ports, entry.root);
  const dial = state.documents.dialOf(entry.root);
  const { minimumMode, pinnedMode } = state.modeLimits.applyTo(settings, entry.workspace, only.intent.id, dial);
  return fault === null && effectiveMode(entry.mode, minimumMode, pinnedMode) === 'GUARDED' ? only.intent : null;
}
