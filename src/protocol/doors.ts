// Doors and their traits. A record names the door; the kernel and the policies decide by traits and know no door by name.

import { z } from 'zod';

export const DoorTraits = z.strictObject({
  /** `agent`: agents act with their own tools, and ask the gate before and after. `gate`: the gate acts for them. */
  executes: z.enum(['agent', 'gate']),
});
export type DoorTraits = z.infer<typeof DoorTraits>;

/** As a record names it. */
export const DoorName = z.string().regex(/^[a-z][a-z-]{0,30}$/);

/** Each door states its traits with what it passes on. */
export interface Door extends DoorTraits {
  readonly name: string;
}

/** Their records do not state traits, and are judged by these. A new door is not added here: its records do. */
export const FIRST_DOORS = {
  hook: { name: 'hook', executes: 'agent' },
  mcp: { name: 'mcp', executes: 'gate' },
  http: { name: 'http', executes: 'gate' },
  cli: { name: 'cli', executes: 'gate' },
  /** Models that the daemon itself calls. */
  chat: { name: 'chat', executes: 'gate' },
} as const satisfies Readonly<Record<string, Door>>;

const firstDoor = (name: string): Door | undefined => Object.values<Door>(FIRST_DOORS).find((door) => door.name === name);

interface RecordedDoor {
  readonly door: string;
  readonly executes?: DoorTraits['executes'] | undefined;
}

/** The door of a recorded action. One that is not known, and states nothing, is judged as the gate: that refuses more. */
export const doorOf = ({ door, executes }: RecordedDoor): Door =>
  executes === undefined ? (firstDoor(door) ?? { name: door, executes: 'gate' }) : { name: door, executes };

export const traitsOf = (recorded: RecordedDoor): DoorTraits => doorOf(recorded);

export const recordedDoor = ({ name, executes }: Door): RecordedDoor =>
  firstDoor(name) === undefined ? { door: name, executes } : { door: name };

/** Some door with these traits: for examples, and for what the gate does by itself. */
export const doorThat = ({ executes }: DoorTraits): Door => Object.values<Door>(FIRST_DOORS).find((door) => door.executes === executes)!;

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
