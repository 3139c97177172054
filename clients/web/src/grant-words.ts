// Which calls may be granted in advance, and the suggested pattern. The server decides; this only offers.

import type { ApprovalRow } from '../../../src/protocol/index.ts';
import { askedIn } from './asked.ts';
import { countMarks } from './make-visible.ts';

/** For one intent, never for irreversible calls or questions. */
export const mayBeGranted = (row: ApprovalRow): boolean =>
  row.intent !== null && askedIn(row) === null && (row.command === null || row.command.class === 'MUTATING');

/** Empty where a field could not show it exactly, or where it would not match the whole call: a human signs what they see. */
export function patternFor({ tool, command }: Pick<ApprovalRow, 'tool' | 'command'>): string {
  const [words = '', ...others] = command === null ? [tool] : new Set(command.reasons.map(({ part }) => part.trim()));
  return others.length === 0 && countMarks(words, 'marked') === 0 ? words : '';
}
