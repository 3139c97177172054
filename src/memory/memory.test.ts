import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { makeCheck, makeCitation, makeClaim } from '../claims/claims.fixture.ts';
import { newId } from '../protocol/index.ts';
import { claimId, kept, memoryOf, merged, NOW, recalled, recordOf, retired, WORKSPACE } from './memory.fixture.ts';

const human = { proof: 'login', via: 'cli' } as const;
const exists = { type: 'file_exists', path: 'src/a.ts' } as const;

test('events are folded by workspace, and it ignores all others', () => {
  const memory = memoryOf('Logins are limited');
  memory.apply(recordOf({ type: 'session_closed', data: { session: newId('ses'), reason: 'done' } }));
  const other = `wsp_${'1'.repeat(26)}`;
  memory.apply(recordOf({ type: 'claim_kept', data: { workspace: other, claim: makeClaim({ id: claimId(9) }) } }));
  expect([memory.size(WORKSPACE), memory.size(other), memory.size('none')]).toEqual([1, 1, 0]);
  expect(memory.get(WORKSPACE, claimId(9))).toBeNull();
  expect(memory.get(other, claimId(9))?.id).toBe(claimId(9));
  expect(recalled(memory, 'logins')).toEqual([1]);
});

test('checks and approvals change the claim, and retiring takes it away for good', () => {
  const memory = memoryOf({ checks: [makeCheck(exists)] }, 'Another');
  recalled(memory, 'logins');
  const again = makeCheck(exists, 'failed', '2030-06-01T00:00:00.000Z');
  memory.apply(recordOf({ type: 'claim_checked', data: { workspace: WORKSPACE, claim: claimId(1), checks: [again] } }));
  memory.apply(recordOf({ type: 'claim_approved', data: { workspace: WORKSPACE, claim: claimId(1), human } }));
  expect(memory.get(WORKSPACE, claimId(1))).toEqual(makeClaim({ id: claimId(1), checks: [again], approved: human }));
  expect(memory.recall(WORKSPACE, { query: 'logins', limit: 1, now: NOW })[0]?.why).toContain('approved by a human');

  memory.apply(retired(claimId(1)));
  expect([memory.get(WORKSPACE, claimId(1)), recalled(memory, 'logins'), memory.recent(WORKSPACE, 9).map(({ id }) => id)]).toEqual([
    null,
    [],
    [claimId(2)],
  ]);
  expect(memory.duplicateOf(WORKSPACE, makeClaim().statement, 'claim')).toBeNull();
  memory.apply(merged(claimId(1), makeClaim()));
  expect(memory.size(WORKSPACE)).toBe(1);
});

test('what is said again counts, brings its paths, and is the newest', () => {
  const memory = memoryOf('Logins are limited', 'Exports run at night', 'Imports run at noon');
  expect(recalled(memory, 'src/auth/login.ts')).toEqual([1]);
  memory.apply(merged(claimId(2), makeClaim({ citations: [makeCitation('src/auth/night.ts', 1, 'x')], written_at: NOW.toISOString() })));
  expect(memory.timesOf(WORKSPACE, claimId(2))).toBe(2);
  expect(memory.timesOf(WORKSPACE, claimId(7))).toBe(0);
  expect(recalled(memory, 'auth')).toEqual([2]);
  expect(memory.recent(WORKSPACE, 2).map(({ id }) => id)).toEqual([claimId(2), claimId(3)]);
  expect(memory.recent(WORKSPACE, 0)).toEqual([]);
});

verifies('T9', 'the same said again is found, so that it is kept once', () => {
  const memory = memoryOf(
    { statement: 'Logins are limited to 5.', kind: 'note' },
    { statement: 'logins are limited to 5', kind: 'decision', rationale: 'x' },
  );
  const same = (statement: string, kind: 'fact' | 'decision' | 'note' | 'constraint') =>
    memory.duplicateOf(WORKSPACE, statement, kind)?.id ?? null;
  expect(same('The logins are limited to 5', 'fact')).toBe(claimId(1));
  expect(same('The logins are limited to 5', 'decision')).toBe(claimId(2));
  expect(same('The logins are limited to 5', 'note')).toBe(claimId(1));
  expect(same('The logins are limited to 6', 'note')).toBeNull();
  memory.apply(kept(makeClaim({ id: claimId(3), kind: 'constraint', statement: 'Uploads are limited' })));
  expect(same('Upload is limited', 'constraint')).toBe(claimId(3));
  expect(memory.duplicateOf('elsewhere', 'Uploads are limited', 'note')).toBeNull();
});

test('many retired memories leave nothing behind', () => {
  const memory = memoryOf(...Array.from({ length: 3000 }, (_, at) => `Login rule ${at}`));
  expect(recalled(memory, 'login', 5000)).toHaveLength(3000);
  for (let at = 1; at <= 2990; at++) memory.apply(retired(claimId(at)));
  expect(recalled(memory, 'login', 5000)).toHaveLength(10);
  memory.apply(retired(claimId(2991)));
  expect(recalled(memory, 'login', 5000)).toHaveLength(9);
});
