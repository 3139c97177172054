// The facts for one action, read once: from the folded state, the settings and the tree.

import { type Action, type CommandReading, type Facts, Fault, type Mode, mutates, type Objection } from '../protocol/index.ts';
import type { KernelPorts, Settings } from './ports.ts';
import type { State } from './state.ts';

const RANK: Record<Mode, number> = { PASSIVE: 0, GUARDED: 1, STRICT: 2 };

/** An agent may always go down to PASSIVE; otherwise it is never below the minimum. A pin beats both. */
export function effectiveMode(declared: Mode | null, minimum: Mode | null, pinned: 'PASSIVE' | null): Mode {
  if (pinned || declared === null || declared === 'PASSIVE') return 'PASSIVE';
  return minimum !== null && RANK[minimum] > RANK[declared] ? minimum : declared;
}

/** Nothing known, so nothing claimed. Every change is refused by the fault itself until a human has mended the file. */
const SETTINGS_UNREADABLE: Settings = { minimumMode: null, pinnedMode: null, approvalTtlSeconds: 0 };

export async function readSettings(ports: KernelPorts, root: string): Promise<{ settings: Settings; fault: Fault | null }> {
  try {
    return { settings: await ports.workspace.settings(root), fault: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { settings: SETTINGS_UNREADABLE, fault: error };
  }
}

export interface Gathered {
  readonly facts: Facts;
  readonly settings: Settings;
  readonly preImages: readonly Uint8Array[];
  /** Trouble met on the way. It denies a change and lets a look pass. */
  readonly trouble: readonly Objection[];
}

export async function gather(
  ports: KernelPorts,
  state: State,
  policyRevision: string,
  action: Action,
  cwd: string,
  command: CommandReading | null,
): Promise<Gathered> {
  const session = state.sessions.get(action.session);
  const selected = session?.intent ? (state.intent(action.workspace, session.intent)?.intent ?? null) : null;
  const active = state.activeIntents(action.workspace);
  const { settings, fault } = await readSettings(ports, action.root);
  const trouble = fault && mutates(action.effects) ? [objectionOf(fault)] : [];
  const sighting = await ports.workspace.look({
    root: action.root,
    cwd,
    resources: action.resources,
    scope: selected?.owned_scope ?? null,
  });
  const approval = state.approvalFor(action, policyRevision, ports.now());

  const facts: Facts = {
    mode: {
      declared: session?.mode ?? null,
      minimum: settings.minimumMode,
      pinned: settings.pinnedMode,
      effective: effectiveMode(session?.mode ?? null, settings.minimumMode, settings.pinnedMode),
    },
    intent: {
      selected,
      active: active.map(({ intent }) => ({
        id: intent.id,
        name: intent.name,
        covers: ports.workspace.covers(intent.owned_scope, sighting.files),
      })),
    },
    files: [...sighting.files],
    command,
    approval:
      approval && approval.state !== 'spent' && approval.state !== 'expired'
        ? { id: approval.approval.id, state: approval.state, reason: approval.reason, proof: approval.human?.proof ?? null }
        : null,
  };
  return { facts, settings, preImages: sighting.preImages, trouble };
}

const objectionOf = (fault: Fault): Objection => ({
  policy: 'gather',
  outcome: 'deny',
  code: fault.code,
  message: fault.message,
  required_action: fault.fix ?? 'Tell a human: what the gate needs to know cannot be read',
  remedy: null,
});
