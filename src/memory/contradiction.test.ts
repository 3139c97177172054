import { expect, test } from 'vitest';
import { makeClaim } from '../claims/claims.fixture.ts';
import { contradict, CONTRADICTION_RULES, OPPOSITES, readingOf } from './contradiction.ts';
import { claimId, memoryOf, retired, WORKSPACE } from './memory.fixture.ts';

const clash = ([one, other]: readonly [string, string]): boolean => contradict(readingOf(one), readingOf(other));
const turned = ([one, other]: readonly [string, string]): readonly [string, string] => [other, one];

for (const { differsIn, examples } of CONTRADICTION_RULES) {
  test(`two that differ in ${differsIn} are found, and no others`, () => {
    expect(examples.contradict.filter((pair) => !clash(pair) || !clash(turned(pair)))).toEqual([]);
    expect(examples.agree.filter((pair) => clash(pair) || clash(turned(pair)))).toEqual([]);
  });
}

test('no word is on two sides', () => {
  const words = OPPOSITES.flatMap(([one, other]) => [...one.split('/'), ...other.split('/')]);
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
});

test('a memory shows the others that it does not go together with', () => {
  const memory = memoryOf(
    'Login attempts are limited to 5 per minute',
    'Login attempts are limited to 10 per minute',
    'Login attempts are not limited per minute',
    'Exports run every night',
  );
  const about = (statement: string): string[] => memory.contradictionsOf(WORKSPACE, makeClaim({ statement }));
  expect(memory.contradictionsOf(WORKSPACE, memory.get(WORKSPACE, claimId(1))!)).toEqual([claimId(2), claimId(3)]);
  expect(about('Login attempts are limited to 7 per minute')).toEqual([claimId(1), claimId(2), claimId(3)]);
  expect(about('Exports never run every night')).toEqual([claimId(4)]);
  expect(about('Nothing of the kind')).toEqual([]);
  memory.apply(retired(claimId(2)));
  expect(about('Login attempts are limited to 7 per minute')).toEqual([claimId(1), claimId(3)]);
});
