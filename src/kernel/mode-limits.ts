// The human's dial: a pin on PASSIVE or a minimum, for a workspace or for one intent of it.

import type { EventOf, Mode } from '../protocol/index.ts';
import type { Settings } from './ports.ts';

const RANK: Record<Mode, number> = { PASSIVE: 0, GUARDED: 1, STRICT: 2 };

type Limit = Pick<EventOf<'mode_limited'>['data'], 'pin' | 'minimum'>;

export class ModeLimits {
  private readonly limits = new Map<string, Limit>();

  set({ workspace, intent, pin, minimum }: EventOf<'mode_limited'>['data']): void {
    this.limits.set(key(workspace, intent), { pin, minimum });
  }

  of(workspace: string, intent: string | null): Limit | null {
    return this.limits.get(key(workspace, intent)) ?? null;
  }

  /**
   * The strictest of the settings' file, of its content when a human was last known to have written it (`taken`), of the workspace's
   * limit and the cited intent's: a file alone cannot lower what a human set.
   */
  over<S extends Pick<Settings, 'minimumMode' | 'pinnedMode'>>(
    settings: S,
    workspace: string,
    intent: string | null,
    taken: Limit | null,
  ): S {
    const all: readonly Limit[] = [
      { pin: settings.pinnedMode, minimum: settings.minimumMode },
      taken ?? NONE,
      this.of(workspace, null) ?? NONE,
      intent === null ? NONE : (this.of(workspace, intent) ?? NONE),
    ];
    return {
      ...settings,
      pinnedMode: all.some(({ pin }) => pin !== null) ? 'PASSIVE' : null,
      minimumMode: all.reduce<Mode | null>((highest, { minimum }) => higher(highest, minimum), null),
    };
  }
}

const NONE: Limit = { pin: null, minimum: null };

const key = (workspace: string, intent: string | null): string => JSON.stringify([workspace, intent]);

export const higher = (one: Mode | null, other: Mode | null): Mode | null =>
  one === null || (other !== null && RANK[other] > RANK[one]) ? other : one;

/** An agent may always go down to PASSIVE; otherwise it is never below the minimum. A pin beats both. */
export function effectiveMode(declared: Mode | null, minimum: Mode | null, pinned: 'PASSIVE' | null): Mode {
  if (pinned || declared === null || declared === 'PASSIVE') return 'PASSIVE';
  return higher(declared, minimum) ?? declared;
}
