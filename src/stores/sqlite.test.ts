import { expect, test } from 'vitest';
import { isTooOld } from './sqlite.ts';

test('a SQLite before 3.51.3 is too old', () => {
  const versions = ['2.99.99', '3.9.9', '3.51.2', '3.51.3', '3.52.0', '4.0.0', '0'];
  expect(versions.filter(isTooOld)).toEqual(['2.99.99', '3.9.9', '3.51.2', '0']);
});
