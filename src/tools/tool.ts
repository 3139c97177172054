// What a tool is: a name, a schema, what a call would do, and, if the gate executes it, how. One file a tool.
// The shape of a call, of its context and of its result is the kernel's port; rooms below the kernel restate it in types only.

import type { z } from 'zod';
import type { CommandReading, Effect, Intent, Mode, Refusal, RefusalCode, Remedy, Resource } from '../protocol/index.ts';
import { CODES } from '../protocol/index.ts';

export interface Tool<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** For the agent that reads the list of tools. */
  readonly description: string;
  readonly input: S;
  readonly declare: (input: z.output<S>, place: Place) => Declaration;
  /** Absent: agents execute it by themselves, under a name of their own. */
  readonly run?: (input: z.output<S>, context: Context) => Promise<Result>;
  /** Every call of it is an observation. */
  readonly readOnly?: true;
  /** MCP surfaces that offer it. */
  readonly surfaces: readonly Surface[];
}

export type Surface = 'hooked' | 'contract';

export interface Place {
  readonly root: string;
  readonly cwd: string;
}

export interface Declaration {
  readonly effects: readonly Effect[];
  readonly resources: readonly Resource[];
  readonly command?: CommandReading;
}

export interface Result {
  readonly output: unknown;
  readonly refusal?: Refusal;
  readonly events?: readonly { readonly stream: string; readonly event: import('../protocol/index.ts').Event }[];
}

export interface Context {
  readonly session: {
    readonly id: string;
    readonly workspace: string;
    readonly level: string;
    readonly mode: Mode | null;
    readonly intent: string | null;
    readonly turn: string;
  };
  readonly intents: readonly IntentLike[];
  readonly settings: { readonly minimumMode: Mode | null; readonly pinnedMode: 'PASSIVE' | null };
  readonly questions: readonly unknown[];
  readonly nextIntentId: () => string;
  readonly child: (
    tool: string,
    input: Record<string, unknown>,
  ) => Promise<{ output: unknown; refusal: Refusal | null; receiptId: string | null }>;
}

type IntentLike = {
  readonly [K in keyof Intent]: Intent[K] extends string[] ? readonly string[] : Intent[K] extends string ? string : Intent[K];
};

export const defineTool = <S extends z.ZodType>(tool: Tool<S>): Tool<S> => tool;

export const refuse = (code: RefusalCode, message: string, required_action: string, remedy: Remedy | null): Result => {
  const refusal: Refusal = {
    error_code: code,
    message,
    recoverable: CODES[code].retry !== 'never',
    required_action,
    remedy,
    also_missing: [],
  };
  return { output: refusal, refusal };
};

export const plan = (): Declaration => ({ effects: ['plan'], resources: [] });
