// A claim for tests, with everything that a test does not care about filled in.

import { createHash } from 'node:crypto';
import { type Citation, type Claim, type Evidence, type EvidenceCheck, newId } from '../protocol/index.ts';

export const NOON = '2030-05-01T12:00:00.000Z';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const makeClaim = (given: Partial<Claim> = {}): Claim => ({
  id: newId('clm'),
  kind: 'claim',
  statement: 'Logins are limited to five a minute',
  rationale: null,
  citations: [],
  checks: [],
  receipts: [],
  scope: [],
  session: null,
  agent: 'test',
  written_at: NOON,
  approved: null,
  ...given,
});

export const makeCheck = (evidence: Evidence, result: EvidenceCheck['result'] = 'passed', checked_at = NOON): EvidenceCheck => ({
  evidence,
  result,
  detail: 'as the test says',
  checked_at,
});

export const makeCitation = (path: string, start_line: number, text: string): Citation => ({
  path,
  start_line,
  end_line: start_line + text.split('\n').length - 1,
  sha256: sha256(text),
});
