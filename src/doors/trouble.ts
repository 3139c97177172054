// Trouble as an agent hears it: a fault keeps its words, a defect tells nothing of the inside.

import { type Code, CODES, Fault, type Refusal } from '../protocol/index.ts';

export function refusalOfTrouble(error: unknown): Refusal {
  const fault = error instanceof Fault ? error : null;
  const code: Code = fault?.code ?? 'INTERNAL';
  return {
    error_code: code,
    message: fault?.message ?? CODES.INTERNAL.meaning,
    recoverable: CODES[code].retry !== 'never',
    required_action: fault?.fix ?? 'Tell a human; reading still works',
    remedy: null,
    also_missing: [],
  };
}
