// What is folded from the ledger, put away as plain data and taken up again. It takes every field, so that one that is added later is
// not forgotten: a fold that forgot something would answer otherwise after a start than before it.

type Fields = Record<string, unknown>;

/** Shares what it holds with the fold: to be serialised before the fold goes on. */
export function savedFields(fold: object): Fields {
  return Object.fromEntries(Object.entries(fold).map(([name, value]) => [name, isFold(value) ? savedFields(value) : value]));
}

/** Throws when a field is missing: what was saved is then of another fold. */
export function restoreFields(fold: object, saved: unknown): void {
  const fields = fold as Fields;
  for (const [name, value] of Object.entries(fields)) {
    const kept = (saved as Fields)[name];
    if (kept === undefined) throw new TypeError(`${name} was not saved`);
    if (value instanceof Map) for (const [key, each] of kept as Map<unknown, unknown>) value.set(key, each);
    else if (value instanceof Set) for (const each of kept as Set<unknown>) value.add(each);
    else if (isFold(value)) restoreFields(value, kept);
    else fields[name] = kept;
  }
}

/** An object of a class of ours. */
const isFold = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Map) &&
  !(value instanceof Set) &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) !== Object.prototype;
