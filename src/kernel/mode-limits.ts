// The limits that humans set to the mode: a pin on PASSIVE or a minimum, for a workspace or for one intent of it.

import type { EventOf, Mode } from '../protocol/index.ts';
import type { Settings } from './ports.ts';

/** Strictness. */
const RANK: Record<Mode, number> = { PASSIVE: 0, GUARDED: 1, STRICT: 2 };

type Limit = Pick<EventOf<'mode_limited'>['data'], 'pin' | 'minimum'>;

/** `undefined` leaves the pin, or the minimum, as it is. */
export interface ModeLimitRequest {
  readonly workspace: string;
  readonly intent: string | null;
  readonly pin?: Limit['pin'] | undefined;
  readonly minimum?: Limit['minimum'] | undefined;
}

export class ModeLimits {
  private readonly limits = new Map<string, Limit>();

  set({ workspace, intent, pin, minimum }: EventOf<'mode_limited'>['data']): void {
    this.limits.set(key(workspace, intent), { pin, minimum });
  }

  /** A limit with what a human wants changed. */
  changed({ workspace, intent, pin, minimum }: ModeLimitRequest): Limit {
    const before = this.of(workspace, intent) ?? { pin: null, minimum: null };
    return { pin: pin === undefined ? before.pin : pin, minimum: minimum === undefined ? before.minimum : minimum };
  }

  of(workspace: string, intent: string | null): Limit | null {
    return this.limits.get(key(workspace, intent)) ?? null;
  }

  /**
   * The settings with the strictest of four limits: what the settings file says now, what it said when a human was last known to have
   * written it (`confirmed`), the workspace's limit, and the cited intent's. So editing the file cannot lower what a human set.
   */
  applyTo<S extends Pick<Settings, 'minimumMode' | 'pinnedMode'>>(
    settings: S,
    workspace: string,
    intent: string | null,
    confirmed: Limit | null,
  ): S {
    const all: readonly Limit[] = [
      { pin: settings.pinnedMode, minimum: settings.minimumMode },
      confirmed ?? NO_LIMIT,
      this.of(workspace, null) ?? NO_LIMIT,
      intent === null ? NO_LIMIT : (this.of(workspace, intent) ?? NO_LIMIT),
    ];
    return {
      ...settings,
      pinnedMode: all.some(({ pin }) => pin !== null) ? 'PASSIVE' : null,
      minimumMode: all.reduce<Mode | null>((highest, { minimum }) => higher(highest, minimum), null),
    };
  }
}

const NO_LIMIT: Limit = { pin: null, minimum: null };

const key = (workspace: string, intent: string | null): string => JSON.stringify([workspace, intent]);

export const higher = (one: Mode | null, other: Mode | null): Mode | null =>
  one === null || (other !== null && RANK[other] > RANK[one]) ? other : one;

/** An agent may always go down to PASSIVE; otherwise it is never below the minimum. A pin beats both. */
export function effectiveMode(declared: Mode | null, minimum: Mode | null, pinned: 'PASSIVE' | null): Mode {
  if (pinned || declared === null || declared === 'PASSIVE') return 'PASSIVE';
  return higher(declared, minimum) ?? declared;
}
