import { expect, test } from 'vitest';
import { DECIDING, policyRevision } from './policy-revision.ts';

const RISK = { name: 'policy/risk', version: 1 };
const GLOBS = { name: 'workspace/globs', version: 3 };

test('the revision is the digest of the sorted names and versions, in whatever lists they are', () => {
  // printf 'policy/risk@1\nworkspace/globs@3' | sha256sum
  expect(policyRevision([[RISK], [GLOBS]])).toBe('6d91fe8433da1e4e');
  expect(policyRevision([[GLOBS, RISK], []])).toBe(policyRevision([[RISK], [GLOBS]]));
});

test('a raised version, another name and one more are other revisions', () => {
  const lists = [[RISK], [{ ...RISK, version: 2 }], [{ ...RISK, name: 'policy/scope' }], [RISK, GLOBS]];
  expect(new Set(lists.map((list) => policyRevision([list]))).size).toBe(4);
});

test('whatever decides is in the revision of the product once', () => {
  const names = DECIDING.flat().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(DECIDING.flat().filter(({ version }) => !Number.isInteger(version) || version < 1)).toEqual([]);
});
