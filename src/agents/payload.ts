// Native payloads, read or refused: what has an unknown form is never guessed at.

import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { Fault } from '../protocol/index.ts';
import type { NativeCall, TranslatedCall } from './adapter.ts';
import type { Input } from './dialect.ts';

const UNKNOWN_DIALECT = 'Tell a human: this client speaks a dialect that this version of the gate does not know';

export function parsePayload<S extends z.ZodType>(schema: S, payload: unknown): z.output<S> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Fault('BAD_REQUEST', `hook payload, ${issue?.path.join('.') || 'as a whole'}: ${issue?.message}`, { fix: UNKNOWN_DIALECT });
}

export function readCall(translate: (tool: string, input: Input) => TranslatedCall, tool: string, input: Input): TranslatedCall {
  try {
    return translate(tool, input);
  } catch (error) {
    throw new Fault('BAD_REQUEST', `${tool}: its input does not have the form that this client is known to send`, {
      cause: error,
      fix: UNKNOWN_DIALECT,
    });
  }
}

export const unknownEvent = (event: string): Fault =>
  new Fault('BAD_REQUEST', `The hook event ${event} is not one that Countersign installs`, { fix: 'Run countersign init again' });

export const native = (tool: string, callId: string | undefined): NativeCall => ({ tool, ...(callId === undefined ? {} : { callId }) });

/** For agents without call ids: the same before and after the call. */
export const idFromInput = (tool: string, input: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([tool, input]))
    .digest('hex');

/** Optional fields that are there. */
export const given = <T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
