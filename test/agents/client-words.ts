// How hooked clients differ, as data: their names for the same tools, and what they lack.

import type { Client } from '../lab/clients/client.ts';
import type { ScriptedTurn, ToolCall } from '../lab/scripted-model.ts';

/** Paths are absolute. */
export interface ClientWords {
  readonly client: Client;
  /** As records name it. */
  readonly agent: string;
  readonly own: (tool: string, args?: Record<string, unknown>) => ToolCall;
  readonly edit: (path: string, before: string, after: string) => ToolCall;
  readonly read: (path: string) => ToolCall;
  readonly shell: (command: string) => ToolCall;
  /** Hands the task to a sub-agent and waits for it. */
  readonly subAgent: (task: string) => readonly ScriptedTurn[];
  /** What the sub-agent's own conversation begins with, where that is not its task. */
  readonly subAgentHears?: string;
  /** A command that a human is asked about; `rm -rf` by default. */
  readonly destroy?: (path: string) => string;
  /** A read-only call, and what its answer contains, where reading a file needs the shell. */
  readonly look?: { readonly call: ToolCall; readonly answers: string };
  readonly limits?: Partial<Limits>;
}

export interface Limits {
  /** The agent gets the reason for a refusal and may continue. */
  readonly hearsRefusals: boolean;
  /** The agent can be sent back at the end of a turn. */
  readonly canBeSentBack: boolean;
  /** The gate's text at the start reaches the model. */
  readonly hearsGrounding: boolean;
  /** Hooks are run by a shell that the wiring can keep from reading BASH_ENV. */
  readonly plainShell: boolean;
  /** Its sub-agents are known apart from it, or not at all. */
  readonly subAgents: 'apart' | 'as one';
}

export const limitsOf = ({ limits }: ClientWords): Limits => ({
  hearsRefusals: true,
  canBeSentBack: true,
  hearsGrounding: true,
  plainShell: true,
  subAgents: 'apart',
  ...limits,
});
