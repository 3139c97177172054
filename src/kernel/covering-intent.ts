// The intent that a change is for, where several are active and exactly one covers all that the change writes.

import { type Intent, mutates, sessionTraits, type ToolCall } from '../protocol/index.ts';
import type { SettingsRead } from './gather.ts';
import { effectiveMode } from './mode-limits.ts';
import type { KernelPorts } from './ports.ts';
import type { SessionEntry } from './state-entries.ts';
import type { State } from './state.ts';

type Written = Pick<ToolCall, 'effects' | 'resources' | 'readIn'>;

/**
 * Null where the agent has to name one: it named one in this turn, none or several cover the change, what a command writes is not known,
 * STRICT, PASSIVE. A sub-agent works on what its parent cited.
 */
export async function coveringIntentFor(
  ports: KernelPorts,
  state: State,
  { session, root, cwd, call, settings: read }: { session: string; root: string; cwd: string; call: Written; settings: SettingsRead },
): Promise<Intent | null> {
  const entry = state.sessions.get(session);
  const active = entry && mutates(call.effects) ? state.activeIntents(entry.workspace) : [];
  if (!entry || active.length < 2 || !isOpenToChoice(entry) || read.fault !== null) return null;
  const covering: Intent[] = [];
  for (const { intent } of active) if (await covers(ports, intent, { root, cwd, call, settings: read.settings })) covering.push(intent);
  const [only, ...others] = covering;
  if (!only || others.length > 0 || only.id === entry.intent) return null;
  const { minimumMode, pinnedMode } = state.modeLimits.applyTo(read.settings, entry.workspace, only.id, state.documents.dialOf(root));
  return effectiveMode(entry.mode, minimumMode, pinnedMode) === 'GUARDED' ? only : null;
}

/** What the agent itself cited holds for its turn. */
const isOpenToChoice = (entry: SessionEntry): boolean =>
  sessionTraits(entry).reportsPrompts &&
  entry.parent === null &&
  (entry.intent === null || entry.intentBy === 'door' || entry.intentTurn !== entry.turn);

async function covers(
  { workspace }: KernelPorts,
  { owned_scope: scope }: Intent,
  { root, cwd, call, settings: { paths, network } }: { root: string; cwd: string; call: Written; settings: SettingsRead['settings'] },
): Promise<boolean> {
  const reading = call.readIn?.({ scope, paths, network });
  if (reading?.class === 'WRITES_OUTSIDE') return false;
  const { files } = await workspace.observe({ root, cwd, resources: call.resources, scope, paths });
  const written = files.filter(({ access }) => access !== 'read');
  const known = (reading?.writes ?? []).filter(({ resolved }) => resolved !== null);
  return written.every(({ scope_glob }) => scope_glob !== null) && written.length + known.length > 0;
}
