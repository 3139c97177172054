// RFC 8785: one value, one text. What JSON cannot represent is refused with its path: dropped silently, it would be missing
// from what is signed.

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

// JSON.stringify writes strings and numbers as RFC 8785 wants them and leaves only the order of names to us. A copy with its names in
// order, and then that one call, costs a third of writing the text piece by piece.
export function canonicalJson(value: unknown): string {
  const ordered = inOrder(value, 0);
  if (ordered !== undefined) return JSON.stringify(ordered);
  const offence = findOffence(value, 0);
  if (offence !== null) throw new NotCanonical(`$${offence.path}`, offence.what);
  return canonicalize(value) as string;
}

/** An object orders integer names before all others, and a `__proto__` cannot simply be assigned. */
const KEEPS_NO_PLACE = /^(?:\d|__proto__$)/;

/** The value with all its names in order; undefined when there is an offence in it, or a name that keeps no place. */
function inOrder(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? value : undefined;
    case 'number':
      return Number.isFinite(value) ? value : undefined;
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return null;
      if (depth > MAX_DEPTH) return undefined;
      return Array.isArray(value) ? arrayInOrder(value, depth) : objectInOrder(value as Record<string, unknown>, depth);
    default:
      return undefined;
  }
}

function arrayInOrder(items: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = inOrder(items[i], depth + 1);
    if (item === undefined) return undefined;
    copy.push(item);
  }
  return copy;
}

function objectInOrder(object: Record<string, unknown>, depth: number): unknown {
  if (!isPlain(object)) return undefined;
  const copy: Record<string, unknown> = {};
  // Not toSorted: the array is ours to change, and a copy costs as much as the sorting.
  for (const key of Object.keys(object).sort()) {
    const value = KEEPS_NO_PLACE.test(key) || !key.isWellFormed() ? undefined : inOrder(object[key], depth + 1);
    if (value === undefined) return undefined;
    copy[key] = value;
  }
  return copy;
}

function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === Object.prototype || prototype === null;
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
  if (!isPlain(object)) return { path: '', what: `an object of class ${object.constructor?.name ?? 'unknown'}` };
  for (const key of Object.keys(object)) {
    const step = IDENTIFIER.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    if (!key.isWellFormed()) return { path: step, what: 'a name with a lone surrogate' };
    const offence = findOffence((object as Record<string, unknown>)[key], depth + 1);
    if (offence !== null) return { path: `${step}${offence.path}`, what: offence.what };
  }
  return null;
}
