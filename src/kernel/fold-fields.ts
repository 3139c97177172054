// Saves a fold of the ledger as plain data and restores it. It takes every field, so that one that is added later is not
// forgotten: a fold that lost a field would answer differently after a restart.

type Fields = Record<string, unknown>;

/** Shares its values with the fold: serialise it before the fold continues. */
export function savedFields(fold: object): Fields {
  return Object.fromEntries(Object.entries(fold).map(([name, value]) => [name, isFold(value) ? savedFields(value) : value]));
}

/** Throws when a field is missing: another fold saved the data. */
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

/** An instance of one of our classes. */
const isFold = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Map) &&
  !(value instanceof Set) &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) !== Object.prototype;
