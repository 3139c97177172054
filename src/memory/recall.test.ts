import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureRecall } from '../../bench/corpus/recall-figures.ts';
import { verifies } from '../../test/verifies.ts';
import { makeCheck, makeCitation, makeClaim } from '../claims/claims.fixture.ts';
import type { ClaimStatus } from '../protocol/index.ts';
import { claimId, kept, memoryOf, merged, NOW, recalled, retired, WORKSPACE } from './memory.fixture.ts';

test('a name is found by itself, by its parts and in another style', () => {
  const memory = memoryOf('parseUserToken rejects old tokens', 'Users parse nothing', 'retry_limit is read once', 'Nothing here');
  for (const query of ['parseUserToken', 'parse user token', 'parse_user_token', 'parse-user-token', 'PARSEUSERTOKEN'])
    expect(recalled(memory, query)[0]).toBe(1);
  expect(recalled(memory, 'limit retries')).toEqual([3]);
  expect(recalled(memory, 'src/retry-limit.ts')).toEqual([3]);
});

test('other forms of a word, marks and an unfinished last word are found', () => {
  const memory = memoryOf('Validation of addresses is off', 'The Größe of uploads is checked');
  expect(recalled(memory, 'validating an address')).toEqual([1]);
  expect(recalled(memory, 'grosse')).toEqual([2]);
  expect(recalled(memory, 'uplo')).toEqual([2]);
  expect(recalled(memory, 'why is the address valida')).toEqual([1]);
});

test('nothing asked or nothing found is an empty answer', () => {
  const memory = memoryOf('Logins are limited');
  for (const query of ['', ' \n', '?!', 'zebra', 'what is the zebra']) expect(recalled(memory, query)).toEqual([]);
  expect(recalled(memory, 'logins', 0)).toEqual([]);
  expect(memory.recall('elsewhere', { query: 'logins', limit: 5, now: NOW })).toEqual([]);
});

test('words of asking count only when there are no others', () => {
  const memory = memoryOf('To be or not to be', 'Logins are limited');
  expect(recalled(memory, 'what are the logins to be')).toEqual([2]);
  expect(recalled(memory, 'to be')).toEqual([1]);
});

test('the kind, an approval, age and scope move what matches equally', () => {
  const statement = 'Logins are limited';
  const approved = { proof: 'login', via: 'cli' } as const;
  const memory = memoryOf(
    { statement, kind: 'note' },
    { statement, kind: 'claim' },
    { statement, kind: 'fact' },
    { statement, kind: 'decision' },
    { statement, kind: 'constraint' },
    { statement, kind: 'claim', approved },
    { statement, kind: 'claim', written_at: '2029-01-01T00:00:00.000Z' },
  );
  expect(recalled(memory, 'login')).toEqual([5, 6, 4, 3, 2, 1, 7]);
  const scoped = memoryOf({ statement, scope: ['docs/**'] }, { statement, citations: [makeCitation('src/auth/a.ts', 1, 'x')] });
  const hits = scoped.recall(WORKSPACE, { query: 'limits', limit: 2, now: NOW, scope: ['src/auth/**'] });
  expect(hits.map(({ claim }) => claim.id)).toEqual([claimId(2), claimId(1)]);
});

test('each hit says why', () => {
  const memory = memoryOf({
    statement: 'Login attempts are limited',
    rationale: 'agreed after the outage',
    kind: 'constraint',
    citations: [makeCitation('src/auth/login.ts', 3, 'x')],
    approved: { proof: 'login', via: 'cli' },
  });
  const asked = {
    query: 'why limit login after the outage',
    limit: 1,
    now: NOW,
    scope: ['src/auth/**'],
    statusOf: (): ClaimStatus => 'STALE',
  };
  const [hit] = memory.recall(WORKSPACE, asked);
  expect({ times: hit!.times, why: hit!.why, id: hit!.claim.id }).toEqual({
    id: claimId(1),
    times: 1,
    why: [
      'matches "limit", "login" in the statement',
      'matches "after", "outage" in the rationale',
      'matches "login" in its paths',
      'a constraint',
      "cites src/auth/login.ts, inside the intent's paths",
      'approved by a human',
      'said 1 day ago',
      'ranked lower: what it cites or checked has changed',
    ],
  });
});

verifies('N6', 'what is refuted or stale is ranked lower', () => {
  const memory = memoryOf('Logins are limited to 5', 'Logins are limited to 6', 'Logins are limited to 7');
  const statuses: Readonly<Record<string, ClaimStatus>> = { [claimId(3)]: 'REFUTED', [claimId(2)]: 'STALE' };
  const hits = memory.recall(WORKSPACE, { query: 'login limit', limit: 3, now: NOW, statusOf: ({ id }) => statuses[id] ?? null });
  expect(hits.map(({ claim, why }) => [claim.id, why.at(-1)])).toEqual([
    [claimId(1), 'said 1 day ago'],
    [claimId(2), 'ranked lower: what it cites or checked has changed'],
    [claimId(3), 'ranked lower: a check of it failed'],
  ]);
});

test('a memory built piece by piece answers like one built at once', () => {
  const word = fc.constantFrom('login', 'limit', 'parseToken', 'cache', 'retries', 'upload');
  const statement = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
  const step = fc.oneof(
    fc.record({ keep: statement }),
    fc.record({ retire: fc.nat(30) }),
    fc.record({ into: fc.nat(30), path: fc.constantFrom('src/login.ts', 'src/cache.ts') }),
    fc.constant('ask' as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), word, (steps, query) => {
      const asked = memoryOf();
      const silent = memoryOf();
      let count = 0;
      for (const each of steps) {
        if (each === 'ask') {
          recalled(asked, query);
          continue;
        }
        const record =
          'keep' in each
            ? kept(makeClaim({ id: claimId(++count), statement: each.keep }))
            : 'retire' in each
              ? retired(claimId(each.retire))
              : merged(claimId(each.into), makeClaim({ checks: [makeCheck({ type: 'file_exists', path: each.path })] }));
        asked.apply(record);
        silent.apply(record);
      }
      const answer = { query, limit: 40, now: NOW };
      expect(asked.recall(WORKSPACE, answer)).toEqual(silent.recall(WORKSPACE, answer));
    }),
    { numRuns: 150 },
  );
});

test('on held-out questions it answers better than a plain full-text index', () => {
  const { ours, fts5 } = measureRecall(2_000, 150, 7);
  expect(ours / fts5).toBeGreaterThan(1.15);
});

test('no question makes it throw', () => {
  const memory = memoryOf('Logins are limited', 'parseUserToken in src/auth/login.ts');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (query) => {
      for (const { score, why } of memory.recall(WORKSPACE, { query, limit: 3, now: NOW }))
        expect([Number.isFinite(score), why.length > 0]).toEqual([true, true]);
    }),
    { numRuns: 300 },
  );
});
