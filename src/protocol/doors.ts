// The traits of each door. A record names the door; the kernel and the policies decide by these traits and know no door by name. They
// are looked up by the stored name, so an old record is judged as before.

import { z } from 'zod';

export interface DoorTraits {
  /** `agent`: agents act with their own tools, and ask the gate before and after. `gate`: the gate acts for them. */
  readonly executes: 'agent' | 'gate';
}

/** One line for each. */
const DOORS = {
  hook: { executes: 'agent' },
  mcp: { executes: 'gate' },
  http: { executes: 'gate' },
  cli: { executes: 'gate' },
  /** Models that the daemon itself calls. */
  chat: { executes: 'gate' },
} as const satisfies Readonly<Record<string, DoorTraits>>;

/** As a record names it. */
export const Door = z.enum(Object.keys(DOORS) as (keyof typeof DOORS)[]);
export type Door = z.infer<typeof Door>;

export const traitsOf = ({ door }: { readonly door: Door }): DoorTraits => DOORS[door];

/** Some door with these traits: for examples, and for what the gate does by itself. */
export const doorThat = ({ executes }: DoorTraits): Door =>
  (Object.keys(DOORS) as Door[]).find((door) => DOORS[door].executes === executes)!;

/**
 * `sealed`: its hooks reported it from inside a sealed run. `hooked`: the agent's hooks reported it. `advisory`: only our own tools saw it; it unlocks
 * nothing else. `contained`: a model that the daemon itself calls.
 */
export const SessionLevel = z.enum(['sealed', 'hooked', 'advisory', 'contained']);
export type SessionLevel = z.infer<typeof SessionLevel>;

export interface SessionTraits {
  /** Its door gets an event when a prompt comes in and when the agent stops. */
  readonly reportsPrompts: boolean;
  /** It is a program that can act past the gate: edit files, start commands. */
  readonly isProgram: boolean;
}

const SESSIONS: Readonly<Record<SessionLevel, SessionTraits>> = {
  sealed: { reportsPrompts: true, isProgram: true },
  hooked: { reportsPrompts: true, isProgram: true },
  advisory: { reportsPrompts: false, isProgram: true },
  contained: { reportsPrompts: true, isProgram: false },
};

export const sessionTraits = ({ level }: { readonly level: SessionLevel }): SessionTraits => SESSIONS[level];

/** For an unknown session. */
export const LEAST_LEVEL: SessionLevel = 'advisory';
