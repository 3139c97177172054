// A document that every action reads changes seldom, so its parsed form is cached by its text. The file itself is read each time, so the
// answer is never out of date.

/** Texts that a parser remembers: the documents of the work trees that agents are in now. */
const MAX_KNOWN = 8;

/** INVARIANT: `parse` is pure. Its result is shared, and frozen. */
export function parseOnce<T>(parse: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text) ?? frozen(parse(text));
    // Least recently used entries are dropped first.
    known.delete(text);
    known.set(text, found);
    for (const oldest of known.keys()) {
      if (known.size <= MAX_KNOWN) break;
      known.delete(oldest);
    }
    return found;
  };
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
