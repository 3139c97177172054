// Which calls may be granted in advance, and the pattern that a human begins with. The server decides; this only offers.

import type { ApprovalRow } from '../../../src/protocol/index.ts';
import { askedIn } from './asked.ts';
import { countMarks } from './make-visible.ts';

/** For one intent, never for what cannot be undone, nor for a question. */
export const mayBeGranted = (row: ApprovalRow): boolean =>
  row.intent !== null && askedIn(row) === null && (row.command === null || row.command.class === 'MUTATING');

/** Empty where a field could not show it as it is, or where it would not fit the whole call: a human signs what they see. */
export function patternFor({ tool, command }: Pick<ApprovalRow, 'tool' | 'command'>): string {
  const [words = '', ...others] = command === null ? [tool] : new Set(command.reasons.map(({ part }) => part.trim()));
  return others.length === 0 && countMarks(words, 'marked') === 0 ? words : '';
}
