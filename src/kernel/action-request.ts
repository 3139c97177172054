// What a door hands to the spine: the request before, and what it saw after.

import type { Action, Actor, Door, Receipt, Refusal, ToolCall } from '../protocol/index.ts';
import type { SettingsRead } from './gather.ts';

/** What a door makes of its native request. Who is calling was resolved before: `session` is a principal's. */
export interface ActionRequest {
  /** The caller's own id of the action, by which the same call may be sent again. */
  readonly id?: string;
  readonly session: string;
  readonly workspace: string;
  readonly root: string;
  readonly cwd: string;
  readonly actor: Actor;
  readonly door: Door;
  readonly tool: string;
  /** As it came in. */
  readonly input: Record<string, unknown>;
  /** The registry's description of this call, where the door already has it; otherwise the kernel asks. */
  readonly call?: ToolCall;
  /** Why it cannot be run at all: there is no such tool, or the input does not fit. It is recorded like any other call that fails. */
  readonly invalidCall?: Refusal;
  /** Where this call has read them already. They hold for its first decision: one after a human's answer reads them again. */
  readonly settings?: SettingsRead;
  readonly parent?: string;
  readonly partOf?: Action['part_of'];
  readonly native?: Action['native'];
  /** The agent can put a question to its own human; a report that the action ran is then a yes. */
  readonly asksNatively?: boolean;
  /** Why the command would run without walls although a human requires them; absent: it would not, or they are not required. */
  readonly wallsMissing?: string;
  /** How long a human may take before the door has to answer. 0: do not wait. */
  readonly waitTimeoutMs: number;
  readonly signal: AbortSignal;
  /** Receives the progress of a running tool. */
  readonly report?: (text: string) => void;
}

export interface Observation {
  readonly output: unknown;
  readonly failed: boolean;
  /** Of a command: what confined it. */
  readonly walls?: Receipt['walls'];
}
