// The daemon understood the request and refused it.

import { type Code, CODES } from '../protocol/plain.ts';
import type { Answer } from './transport.ts';

export class Refused extends Error {
  readonly code: Code;
  readonly fix: string | null;
  /** What it did instead, if anything: a proposal, for one. */
  readonly output: unknown;
  constructor(code: Code, message: string, fix: string | null, output: unknown) {
    super(message);
    this.name = 'Refused';
    this.code = code;
    this.fix = fix;
    this.output = output;
  }
}

/** Returns the answer; throws a refusal. `shown`: makes the daemon's text safe to display. */
export function bodyOf({ status, body }: Answer, shown: (text: string) => string = (text) => text): unknown {
  if (status < 400) return body;
  const { error, output } = (body ?? {}) as { error?: { code: Code; message: string; fix: string | null }; output?: unknown };
  // Not the daemon's own form: a proxy, or a daemon that died in the middle of its answer.
  if (!error) {
    const code = status === 401 ? 'UNAUTHENTICATED' : 'INTERNAL';
    throw new Refused(code, `The daemon answered ${status} without saying why.`, null, null);
  }
  const code = Object.hasOwn(CODES, error.code) ? error.code : 'INTERNAL';
  throw new Refused(code, shown(error.message), error.fix === null ? null : shown(error.fix), output ?? null);
}
