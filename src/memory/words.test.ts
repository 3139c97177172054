import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inflectionStem, stem } from './stem.ts';
import { fold, wordsOf } from './words.ts';

const termsIn = (text: string) => wordsOf(text).map(({ parts, names }) => [parts.map(({ plain }) => plain).join(' '), ...names]);

test('a name is taken apart and kept whole, whatever its style', () => {
  expect(termsIn('parseUserToken parse_user_token PARSE_USER_TOKEN parse-user-token')).toEqual(
    Array.from({ length: 4 }, () => ['parse user token', '=parseusertoken']),
  );
  expect(termsIn('HTTPServer2')).toEqual([['http server 2', '=httpserver2']]);
  expect(termsIn('user.getName()')).toEqual([['user get name', '=getname', '=user.getname']]);
  expect(termsIn('src/auth/loginForm.ts')).toEqual([['src auth login form ts', '=loginform', '=src.auth.loginform.ts']]);
  expect(termsIn('A sentence, with 2 ends.')).toEqual([['a'], ['sentence'], ['with'], ['2'], ['ends']]);
});

test('marks are left out, and scripts without spaces are read letter by letter', () => {
  expect(fold('Größe Ærø ŁÓDŹ café')).toBe('Grosse AEro LODZ cafe');
  expect(termsIn('登录')).toEqual([['登 录', '=登录']]);
  expect(termsIn('вход ВХОД')).toEqual([['вход'], ['вход']]);
});

test('forms of a word meet', () => {
  const families = [
    'validate validates validated validating validation validator validators',
    'cache caches cached caching',
    'connect connects connected connecting connection connections',
    'configure configured configuration configurable',
    'parse parser parsing parsed',
    'retry retries retried retrying',
    'limit limits limited limiting',
    'deploy deployment deployments deploying',
    'log logs logged logging logger',
  ];
  expect(families.map((family) => new Set(family.split(' ').map(stem)).size)).toEqual(families.map(() => 1));
});

test('words that only look alike stay apart', () => {
  const pairs = ['string strict', 'thing this', 'need needle', 'bus but', 'process prose', 'token take', 'state station', 'user use'];
  expect(pairs.filter((pair) => new Set(pair.split(' ').map(stem)).size === 1)).toEqual([]);
});

test('inflection leaves another word another word', () => {
  expect(['limit', 'limits', 'limited', 'limiting'].map(inflectionStem)).toEqual(['limit', 'limit', 'limit', 'limit']);
  expect(new Set(['limit', 'limitation', 'limiter', 'unlimited'].map(inflectionStem)).size).toBe(4);
});

test('no text makes it throw, and no term is empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      for (const { parts, names } of wordsOf(text))
        expect([...parts.map(({ term }) => term), ...names].every((term) => term.length > 0)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
