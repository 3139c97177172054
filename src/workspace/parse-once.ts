// A document that is asked for at every action changes seldom: what its text was parsed as is kept for the next time. The file itself is
// read each time, so that nobody is told what stood there before.

/** Texts that a parser remembers: the documents of the work trees that agents are in now. */
const MOST = 8;

/** INVARIANT: `parse` is pure. What it gives is shared from then on, and frozen. */
export function parseOnce<T>(parse: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text) ?? frozen(parse(text));
    // The one that was asked for last is forgotten last.
    known.delete(text);
    known.set(text, found);
    for (const oldest of known.keys()) {
      if (known.size <= MOST) break;
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
