// One form of a value as bytes: the same value has the same hash, whatever order its keys were written in.

import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

export function canonicalBytes(value: unknown): Uint8Array {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('a value without a JSON form cannot be hashed');
  return new TextEncoder().encode(text);
}

export const hashOf = (bytes: Uint8Array): string => hash('sha256', bytes);

export const canonicalHash = (value: unknown): string => hashOf(canonicalBytes(value));
