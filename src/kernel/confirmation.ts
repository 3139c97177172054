// A human's yes to a text, bound to what they were shown of it and, where they sign, to what they signed.

import { intentSha256 } from '../ledger/index.ts';
import { Fault, type Intent, type Statement } from '../protocol/index.ts';
import type { GivenSignature } from './approvers.ts';

/** What a human signed, if anything, and whether the strongest proof is asked for. */
export interface Confirmation {
  readonly statement: Statement;
  readonly given: GivenSignature | null;
  readonly strict: boolean;
  /** Of the intent as the human has seen it, whole. Null: none was shown. */
  readonly shown: string | null;
}

/** A text that changed between the display and the confirmation is a different text: it is not confirmed. */
export function checkShown({ given, shown }: Pick<Confirmation, 'given' | 'shown'>, intent: Intent): void {
  if (given === null && shown === null) return;
  if (shown !== intentSha256(intent))
    throw new Fault('CONFLICT', `${intent.id} does not say what was shown: it has changed since, or was not shown.`, {
      fix: 'Look again (countersign status), then confirm what is there now',
    });
}
