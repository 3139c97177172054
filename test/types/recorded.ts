// What a door must not be able to write. The compiler checks this file: each expected error has to be there, or the type check fails.
// It is never run.

import type { Recorded, RecordedOutcome } from '../../src/kernel/index.ts';
// @ts-expect-error the room's front gives the type, not the value
import { Recorded as RecordedValue } from '../../src/kernel/index.ts';
import { Recorded as Sealed } from '../../src/kernel/settle.ts';

declare const outcome: RecordedOutcome;

// @ts-expect-error an object of the same shape is not a Recorded: it lacks the private member
export const literal: Recorded = { outcome, written: true };

// @ts-expect-error what happened is not the proof that it was written
export const bare: Recorded = outcome;

export function door(): Recorded {
  // @ts-expect-error a door cannot answer with an outcome that it made up
  return { kind: 'noted', output: null, refusal: null } satisfies RecordedOutcome;
}

export async function asyncDoor(): Promise<Recorded> {
  // @ts-expect-error nor later
  return Promise.resolve(outcome);
}

class Twin {
  readonly #written = true;
  readonly outcome = outcome;
  get written(): true {
    return this.#written;
  }
}
// @ts-expect-error a class with the same members is another class
export const twin: Recorded = new Twin();

// @ts-expect-error the constructor is private, even to one who reaches into the kernel's files
export const constructed = new Sealed(outcome);

// @ts-expect-error and so to a subclass
export class Forged extends Sealed {}

// @ts-expect-error so there is nothing to construct or to take apart
export const notAValue = RecordedValue;

declare const recorded: Recorded;
// @ts-expect-error what was recorded is not rewritten
recorded.outcome = outcome;
