// What a request says that only a human may make and that is refused: what was not done, and where a human can do it.

import { CODES, type Refusal, type RefusalCode } from '../protocol/index.ts';
import type { CallerJudgement } from './caller.ts';

export const authorityRefusal = (code: RefusalCode, message: string, required_action: string): Refusal => ({
  error_code: code,
  message,
  recoverable: CODES[code].retry !== 'never',
  required_action,
  remedy: null,
  also_missing: [],
});

/** A human who is not recognised gets every way that there is. */
export const placesFor = ({ kind }: CallerJudgement): string =>
  kind === 'uncertain'
    ? 'on the page, in a terminal that was open before the agent started, or with an enrolled key'
    : 'in a terminal of their own or on the page';

/** How a human gives a proof that a login does not give. The id of the question follows. */
export const HOW_TO_PROVE: Readonly<Record<string, string>> = {
  passphrase: 'Answer in a terminal, where your enrolled key signs it (countersign approver enroll makes one): countersign approve ',
  passkey: 'Nothing proves a passkey here yet; lower approvals.destructiveProof in the settings, then: countersign approve ',
};
