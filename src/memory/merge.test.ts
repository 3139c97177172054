import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { makeCheck, makeCitation, makeClaim } from '../claims/claims.fixture.ts';
import { Claim, CLAIM_LIMITS, ClaimKind, newId } from '../protocol/index.ts';
import { mayMerge, merge } from './merge.ts';

const exists = { type: 'file_exists', path: 'a.ts' } as const;
const earlier = '2030-04-01T00:00:00.000Z';
const later = '2030-06-01T00:00:00.000Z';

test('what both bring is joined, and the first saying stays', () => {
  const [one, other] = [newId('rcp'), newId('rcp')];
  const into = makeClaim({ receipts: [one], scope: ['src/**'], citations: [makeCitation('a.ts', 1, 'x')], checks: [makeCheck(exists)] });
  const addition = makeClaim({
    statement: 'logins are LIMITED to five a minute',
    rationale: 'brute force',
    receipts: [other, one],
    scope: ['docs/**'],
    citations: [makeCitation('b.ts', 3, 'y\nz')],
    checks: [{ ...makeCheck(exists, 'passed', later), detail: 'again' }],
    written_at: earlier,
    agent: 'another',
  });
  expect(merge(into, addition)).toEqual({
    ...into,
    rationale: 'brute force',
    receipts: [one, other],
    scope: ['src/**', 'docs/**'],
    citations: [...into.citations, ...addition.citations],
    checks: addition.checks,
    written_at: earlier,
  });
});

verifies('T9', 'only evidence makes a claim a fact', () => {
  const into = makeClaim({ kind: 'note' });
  expect(merge(into, makeClaim({ kind: 'fact', rationale: 'I am sure' })).kind).toBe('note');
  expect(merge(into, makeClaim({ kind: 'fact', checks: [makeCheck(exists, 'unchecked')] })).kind).toBe('note');
  expect(merge(into, makeClaim({ kind: 'fact', checks: [makeCheck(exists)] })).kind).toBe('fact');
  expect(merge(into, makeClaim({ kind: 'constraint' })).kind).toBe('note');
  expect(merge(into, makeClaim({ kind: 'constraint', rationale: 'law' })).kind).toBe('constraint');
  expect(merge(makeClaim({ kind: 'fact' }), makeClaim({ kind: 'note' })).kind).toBe('fact');
});

test('an approval does not move to another kind', () => {
  const approved = { proof: 'login', via: 'cli' } as const;
  const fact = makeClaim({ kind: 'fact', checks: [makeCheck(exists)] });
  expect(merge(makeClaim({ approved }), makeClaim()).approved).toEqual(approved);
  expect(merge(makeClaim({ approved }), fact).approved).toBeNull();
  expect(merge(makeClaim(), makeClaim({ approved })).approved).toBeNull();
});

verifies('N6', 'no author refutes a fact with evidence of their own', () => {
  const fact = makeClaim({ kind: 'fact', checks: [makeCheck(exists)] });
  const beside = makeCheck({ type: 'file_exists', path: 'unrelated' }, 'failed');
  expect(merge(fact, makeClaim({ checks: [beside] })).checks).toEqual(fact.checks);
  const again = makeCheck(exists, 'failed', later);
  expect(merge(fact, makeClaim({ checks: [again] })).checks).toEqual([again]);
  expect(merge(makeClaim(), makeClaim({ checks: [beside] })).checks).toEqual([beside]);
});

test('lines that are cited again replace the old citation of them', () => {
  const into = makeClaim({ citations: [makeCitation('a.ts', 5, 'old'), makeCitation('a.ts', 9, 'kept')] });
  const newer = makeCitation('a.ts', 4, 'new\nlines');
  expect(merge(into, makeClaim({ citations: [newer, newer] })).citations).toEqual([makeCitation('a.ts', 9, 'kept'), newer]);
});

test('what is joined stays within the limits of a claim, the newest kept', () => {
  const citations = (path: string) => Array.from({ length: CLAIM_LIMITS.citations }, (_, at) => makeCitation(path, at + 1, 'x'));
  const scope = (name: string) => Array.from({ length: CLAIM_LIMITS.scope }, (_, at) => `${name}${at}/**`);
  const joined = merge(
    makeClaim({ citations: citations('a.ts'), scope: scope('a') }),
    makeClaim({ citations: citations('b.ts'), scope: scope('b') }),
  );
  expect(Claim.parse(joined).citations).toEqual(citations('b.ts'));
});

test('a fact, a decision and a constraint are three things', () => {
  const pairs = ClaimKind.options.flatMap((into) => ClaimKind.options.map((addition) => [into, addition] as const));
  expect(pairs.filter(([into, addition]) => !mayMerge(into, addition))).toEqual([
    ['fact', 'decision'],
    ['fact', 'constraint'],
    ['decision', 'fact'],
    ['decision', 'constraint'],
    ['constraint', 'fact'],
    ['constraint', 'decision'],
  ]);
});
