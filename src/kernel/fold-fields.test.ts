import { expect, test } from 'vitest';
import { restoreFields, savedFields } from './fold-fields.ts';

class Inner {
  readonly names = new Set<string>();
  readonly plain: Record<string, number> = {};
}
class Outer {
  readonly entries = new Map<string, number>();
  readonly inner = new Inner();
  list: string[] = [];
  last: string | null = null;
  count = 0;
}

function filled(): Outer {
  const fold = new Outer();
  fold.entries.set('a', 1).set('b', 2);
  fold.inner.names.add('x');
  fold.inner.plain['y'] = 3;
  fold.list.push('z');
  Object.assign(fold, { last: 'l', count: 7 });
  return fold;
}

test('a fold that was put away is the same again, for any fields', () => {
  const saved = structuredClone(savedFields(filled()));
  expect(saved).toEqual({
    ...{
      entries: new Map([
        ['a', 1],
        ['b', 2],
      ]),
      list: ['z'],
      last: 'l',
      count: 7,
    },
    inner: { names: new Set(['x']), plain: { y: 3 } },
  });
  const fold = new Outer();
  const { entries, inner } = fold;
  restoreFields(fold, saved);
  expect(fold).toEqual(filled());
  // Holders of a part of it see the restored values.
  expect([fold.entries === entries, fold.inner === inner, entries.size]).toEqual([true, true, 2]);
});

test('a field that was not saved, at any depth, is an error and no empty field', () => {
  const { count: _count, ...without } = savedFields(filled());
  expect(() => restoreFields(new Outer(), without)).toThrow('count was not saved');
  expect(() => restoreFields(new Outer(), { ...savedFields(filled()), inner: { names: new Set() } })).toThrow('plain was not saved');
});
