import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { ClaimKind, type Claim } from '../protocol/index.ts';
import { makeCheck, makeCitation } from './claims.fixture.ts';
import { objectionTo } from './objection.ts';

const draft = (kind: ClaimKind, given: Partial<Claim> = {}) => objectionTo({ kind, rationale: null, citations: [], checks: [], ...given });
const exists = { type: 'file_exists', path: 'a.ts' } as const;
const cited = [makeCitation('a.ts', 1, 'x')];

verifies('T9', 'a fact needs evidence, and all of it has to hold', () => {
  expect(draft('fact', { rationale: 'I am sure' })?.code).toBe('EVIDENCE_REQUIRED');
  expect(draft('fact', { citations: cited })).toBeNull();
  expect(draft('fact', { checks: [makeCheck(exists)] })).toBeNull();
  expect(draft('fact', { citations: cited, checks: [makeCheck(exists), makeCheck(exists, 'failed')] })).toEqual({
    code: 'EVIDENCE_FAILED',
    message: 'A fact is kept when all its evidence holds. file_exists failed: as the test says.',
  });
  expect(draft('fact', { citations: cited, checks: [makeCheck(exists, 'unchecked')] })).toEqual({
    code: 'EVIDENCE_FAILED',
    message: 'A fact is kept when all its evidence holds. file_exists could not be checked: as the test says.',
  });
});

verifies('T9', 'a decision or constraint needs a rationale', () => {
  for (const kind of ['decision', 'constraint'] as const) {
    expect(draft(kind, { citations: cited })).toEqual({
      code: 'RATIONALE_REQUIRED',
      message: `A ${kind} is kept with the reason for it, and none is given.`,
    });
    expect(draft(kind, { rationale: ' \n' })?.code).toBe('RATIONALE_REQUIRED');
    expect(draft(kind, { rationale: 'because' })).toBeNull();
  }
});

test('claims and notes need nothing, even with a check that failed', () => {
  for (const kind of ['claim', 'note'] as const) expect(draft(kind, { checks: [makeCheck(exists, 'failed')] })).toBeNull();
  expect(ClaimKind.options).toHaveLength(5);
});
