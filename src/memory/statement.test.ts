import fc from 'fast-check';
import { expect, test } from 'vitest';
import { statementKey } from './statement.ts';

const SAME: readonly (readonly [string, string])[] = [
  ['Logins are limited to 5 a minute.', 'logins  are Limited to 5 a minute'],
  ['The upload is limited', 'Uploads are limited!'],
  ["Sessions don't survive a restart", 'Sessions do not survive the restart'],
  ['It cannot be undone', "It can't be undone"],
  ['`parseToken` checks the signature', '"parseToken" checks signatures'],
  ['Exports run at night. Imports run at noon.', 'Imports run at noon; exports run at night'],
  ['At most 1,000 rows', 'at most 1000 rows'],
  ['We use the API', 'we use our api'],
];

const DIFFERENT: readonly (readonly [string, string])[] = [
  ['Logins are limited to 5 a minute', 'Logins are limited to 6 a minute'],
  ['Logins are limited', 'Logins are not limited'],
  ['Logins are never limited', 'Logins are limited'],
  ['getUser is cached', 'getUsers is cached'],
  ['`user` is cached', '`users` is cached'],
  ['userId is a number', 'userID is a number'],
  ['The client calls the server', 'The server calls the client'],
  ['Copies from cache to disk', 'Copies to cache from disk'],
  ['Migrations run before the build', 'Migrations run after the build'],
  ['Logins are limited', 'Admin logins are limited'],
  ['The limit is -5', 'The limit is 5'],
  ['a < b', 'a > b'],
  ['Settings are in .env', 'Settings are in env'],
  ['Call it with --force', 'Call it with force'],
  ['src/** is covered', 'src/* is covered'],
  ['Written in C', 'Written in C++'],
  ['Requires Node 20.1', 'Requires Node 20.10'],
  ['It must be signed', 'It may be signed'],
  ['ready if !enabled', 'ready if enabled'],
];

test('the same is said when only case, punctuation, inflection, fillers or the order of sentences differ', () => {
  expect(SAME.filter(([a, b]) => statementKey(a) !== statementKey(b))).toEqual([]);
});

test('two that differ in a number, a negation, a name, a sign or a word are two', () => {
  expect(DIFFERENT.filter(([a, b]) => statementKey(a) === statementKey(b))).toEqual([]);
});

test('a statement without any word is only the same as itself', () => {
  expect(statementKey('…')).not.toBe(statementKey('。'));
  expect(statementKey('the')).toBe(statementKey('the'));
});

test('another number is another statement, wherever it is', () => {
  const word = fc.constantFrom('login', 'limits', 'the', 'parseToken', 'of', 'not', 'v2', '.', '`a`', '-');
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 8 }),
      fc.array(word, { maxLength: 8 }),
      fc.nat(999),
      fc.nat(999),
      (before, after, one, other) => {
        const key = (number: number): string => statementKey([...before, number, ...after].join(' '));
        expect(key(one) === key(other)).toBe(one === other);
      },
    ),
    { numRuns: 300 },
  );
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }), (text) => {
      expect(statementKey(text)).not.toBe('');
    }),
    { numRuns: 300 },
  );
});
