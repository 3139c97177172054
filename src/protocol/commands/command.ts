// What every command consists of.

import { z } from 'zod';
import { Sha256 } from '../ids.ts';
import { Countersignature } from '../intent.ts';
import type { Statement } from './statements.ts';

/**
 * How a command can reach the daemon: from a terminal over the owner's socket, from the logged-in page, or from a client with its own
 * enrolled key. Such a client may run in the same process as agents, so that only its signature counts, as the proof `dialog`.
 */
export type CallerKind = 'terminal' | 'page' | 'client';

export interface CommandDeclaration {
  /** Any other caller is refused before the input is read; whether a human is calling is judged after that. */
  readonly who: readonly CallerKind[];
  /** Fields that the path names come from the address, all others from the body. */
  readonly input: z.ZodType;
  /** What is answered when it was done. */
  readonly output: z.ZodType;
  /** What a human's key signs, from the parsed input and what both sides know. Absent: it is not signed. */
  readonly statement?: (input: never, known: never) => Statement;
}

export const ANY_HUMAN = ['terminal', 'page'] as const;
/** For commands that need no stronger proof than a dialog; every client's signature covers exactly that. */
export const ANY_HUMAN_OR_CLIENT = [...ANY_HUMAN, 'client'] as const;
/** For what gives a human's power, or concerns the human's own files. */
export const AT_TERMINAL = ['terminal'] as const;

export const None = z.strictObject({});
export const Here = z.strictObject({ cwd: z.string() });
/** By an enrolled key, over the statement that the daemon makes of the same input. */
export const Signed = Countersignature.omit({ statement: true }).nullable().default(null);
/** Of the text that the human was shown: the command is for exactly that text. Null: none was shown. */
export const Shown = Sha256.nullable().default(null);
