// What an adapter for one agent is: a translation in both directions, and where its hooks stand. An adapter never decides.

import type { Recorded } from '../../kernel/index.ts';
import type { Refusal } from '../../protocol/index.ts';

export interface HookAdapter {
  /** The last part of the hook's address and of `countersign hook NAME`. */
  readonly name: string;
  /** As it stands in records. */
  readonly agent: string;
  /** Where this agent's hooks stand in a work tree, and whether they still do. Settings that say nothing are not wired. */
  readonly wiring: {
    readonly file: string;
    readonly isIn: (settings: unknown) => boolean;
    /** Whether these settings, from whichever file of the agent, switch all hooks off. */
    readonly isSwitchedOffBy: (settings: unknown) => boolean;
  };
  /** Whether the agent waits for a yes or no at this event: what cannot be read there is denied. True for an event it does not know. */
  readonly decides: (event: string) => boolean;
  /** Native payload to neutral event. Throws a BAD_REQUEST fault for what it cannot read. */
  readonly read: (event: string, payload: unknown) => HookEvent;
  /** The text that the hook prints. */
  readonly write: (event: HookEvent, answer: HookAnswer) => string;
}

interface HookBase {
  readonly nativeSession: string;
  readonly cwd: string;
  readonly agentId?: string;
  /** The agent's own plan mode: it will only look. */
  readonly planning: boolean;
  readonly transcript?: string;
}

export type HookEvent = HookBase &
  (
    | { readonly kind: 'session_start' }
    | { readonly kind: 'prompt'; readonly turn: string | null; /** Null when the agent does not tell. */ readonly text: string | null }
    | { readonly kind: 'before'; readonly native: NativeCall; readonly call: TranslatedCall }
    | { readonly kind: 'after'; readonly native: NativeCall; readonly output: unknown; readonly failed: boolean }
    /** The agent is about to take over changed settings; `file` is the one that changed, where the agent tells. */
    | { readonly kind: 'settings_change'; readonly file?: string }
    | { readonly kind: 'stop' }
    | { readonly kind: 'session_end'; readonly reason: string }
  );

export interface NativeCall {
  readonly tool: string;
  readonly callId?: string;
}

export type TranslatedCall =
  /** One of the agent's own tools, in the registry's words. */
  | { readonly kind: 'tool'; readonly tool: string; readonly input: Record<string, unknown> }
  /** A tool of ours that the agent is about to call over MCP: the call itself comes through that door. */
  | { readonly kind: 'own'; readonly tool: string; readonly input: Record<string, unknown> };

export type HookAnswer =
  | { readonly kind: 'recorded'; readonly recorded: Recorded }
  /** Nothing to decide: text for the agent to know, or null. */
  | { readonly kind: 'context'; readonly recorded: Recorded; readonly text: string | null }
  /** Trouble before there was an action to record. */
  | { readonly kind: 'trouble'; readonly refusal: Refusal };
