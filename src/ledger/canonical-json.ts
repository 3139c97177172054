// RFC 8785: one value, one text. What JSON cannot carry is refused with its place: dropped silently, it would be signed as if
// it had never been said.

import canonicalize from 'canonicalize';

/** Deeper nesting is refused; a value that contains itself ends here too. */
const MAX_DEPTH = 500;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export class NotCanonical extends TypeError {
  readonly path: string;
  constructor(path: string, what: string) {
    super(`${path}: ${what} has no canonical JSON`);
    this.name = 'NotCanonical';
    this.path = path;
  }
}

export function canonicalJson(value: unknown): string {
  const offence = findOffence(value, 0);
  if (offence !== null) throw new NotCanonical(`$${offence.path}`, offence.what);
  return canonicalize(value) as string;
}

interface Offence {
  readonly path: string;
  readonly what: string;
}

// The path is put together only on the way out of an offence, so that good values cost no strings.
function findOffence(value: unknown, depth: number): Offence | null {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? null : { path: '', what: 'a string with a lone surrogate' };
    case 'boolean':
      return null;
    case 'number':
      return Number.isFinite(value) ? null : { path: '', what: String(value) };
    case 'object':
      if (value === null) return null;
      if (depth > MAX_DEPTH) return { path: '', what: `a value nested deeper than ${MAX_DEPTH}` };
      return Array.isArray(value) ? findInArray(value, depth) : findInObject(value, depth);
    default:
      return { path: '', what: value === undefined ? 'undefined' : `a ${typeof value}` };
  }
}

function findInArray(items: readonly unknown[], depth: number): Offence | null {
  for (let i = 0; i < items.length; i++) {
    const offence = findOffence(items[i], depth + 1);
    if (offence !== null) return { path: `[${i}]${offence.path}`, what: offence.what };
  }
  return null;
}

function findInObject(object: object, depth: number): Offence | null {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    return { path: '', what: `an object of class ${object.constructor?.name ?? 'unknown'}` };
  }
  for (const key of Object.keys(object)) {
    const step = IDENTIFIER.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    if (!key.isWellFormed()) return { path: step, what: 'a name with a lone surrogate' };
    const offence = findOffence((object as Record<string, unknown>)[key], depth + 1);
    if (offence !== null) return { path: `${step}${offence.path}`, what: offence.what };
  }
  return null;
}
