// Errors as an agent sees them: a fault keeps its message, a defect reveals nothing internal.

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
