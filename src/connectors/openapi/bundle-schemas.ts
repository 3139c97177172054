// Parts of an operation without references into other documents. What is not a schema is put in place; each schema is listed once, by a
// name of its own, so that schemas which refer to themselves or to one another stay finite.

import { Fault } from '../../protocol/index.ts';
import { ConnectorFailure } from '../failure.ts';
import type { Node } from './slice-spec.ts';
import { type SpecDocuments, stepName } from './spec-documents.ts';

export interface Bundled {
  /** By name; `$ref: "#/schemas/NAME"` means one of these. */
  readonly schemas: Readonly<Record<string, unknown>>;
  /** References that lead nowhere, or that may not be followed. */
  readonly unresolved: readonly { readonly ref: string; readonly why: string }[];
  /** Schemas that are needed only far below, and were left out because the slice is large. */
  readonly leftOut: readonly string[];
}

const MOST_CHARACTERS = 200_000;
const MOST_INLINED = 10_000;
/** Their contents are data, not schemas. */
const DATA_KEYS = new Set(['example', 'examples', 'default', 'enum', 'const']);
/** Their keys are names that the author chose. */
const NAMED_KEYS = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'definitions',
  '$defs',
  'responses',
  'headers',
  'content',
]);

interface Where {
  readonly place: string;
  readonly inSchema: boolean;
  /** The keys are names, so that one of them may also be called `default`. */
  readonly areNames?: boolean;
  /** References that led here. */
  readonly above: readonly string[];
}

interface Wanted {
  readonly name: string;
  readonly value: unknown;
  readonly place: string;
}

export async function bundleSchemas(documents: SpecDocuments, parts: Node, place: string): Promise<Bundled & { readonly parts: Node }> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const open: Wanted[] = [];
  const unresolved = new Map<string, string>();
  let inlined = 0;

  const nameFor = (pointer: string, at: string): string => {
    const last =
      (
        stepName(pointer.split('/').at(-1) ?? '') ||
        at
          .split('/')
          .at(-1)!
          .replace(/\.\w+$/, '')
      ).replaceAll(/[^\w.-]+/g, '_') || 'schema';
    let name = last;
    for (let number = 2; taken.has(name); number++) name = `${last}_${number}`;
    taken.add(name);
    return name;
  };

  const refTo = async (ref: string, from: string): Promise<string> => {
    const { value, place: at, pointer } = await documents.follow(ref, from);
    const key = `${at}#${pointer}`;
    const known = names.get(key);
    if (known !== undefined) return `#/schemas/${known}`;
    const name = nameFor(pointer, at);
    names.set(key, name);
    open.push({ name, value, place: at });
    return `#/schemas/${name}`;
  };

  const resolved = async <T>(ref: string, then: () => Promise<T>): Promise<T | null> => {
    try {
      return await then();
    } catch (error) {
      // A file that may not be read, or is not there, is a fault of the reader.
      if (!(error instanceof ConnectorFailure || error instanceof Fault)) throw error;
      unresolved.set(ref, error.message);
      return null;
    }
  };

  const copy = async (value: unknown, where: Where): Promise<unknown> => {
    const { place: at, inSchema, areNames = false, above } = where;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      // One after the other: the same description always gives the same slice.
      for (const each of value) list.push(await copy(each, where));
      return list;
    }
    if (typeof value !== 'object' || value === null) return value;
    const node = value as Node;
    const ref = areNames ? undefined : node['$ref'];
    if (typeof ref === 'string' && inSchema) {
      const { $ref: _ref, ...siblings } = node;
      return { ...siblings, $ref: (await resolved(ref, () => refTo(ref, at))) ?? ref };
    }
    if (typeof ref === 'string') {
      if (above.includes(ref) || ++inlined > MOST_INLINED) return { $ref: ref };
      const part = await resolved(ref, () => documents.follow(ref, at));
      return part ? copy(part.value, { place: part.place, inSchema, above: [...above, ref] }) : { $ref: ref };
    }
    const entries: [string, unknown][] = [];
    for (const [key, each] of Object.entries(node)) {
      if (areNames) entries.push([key, await copy(each, { place: at, inSchema, above })]);
      else if (DATA_KEYS.has(key)) entries.push([key, each]);
      else if (key === 'mapping' && inSchema) entries.push([key, await mapping(each, at)]);
      else
        entries.push([key, await copy(each, { place: at, inSchema: inSchema || key === 'schema', areNames: NAMED_KEYS.has(key), above })]);
    }
    return Object.fromEntries(entries);
  };

  /** A discriminator names schemas by references that are plain texts. */
  const mapping = async (value: unknown, at: string): Promise<unknown> => {
    if (typeof value !== 'object' || value === null) return value;
    const entries: [string, unknown][] = [];
    for (const [key, ref] of Object.entries(value) as [string, unknown][])
      entries.push([key, typeof ref === 'string' && /[#/.]/.test(ref) ? ((await resolved(ref, () => refTo(ref, at))) ?? ref) : ref]);
    return Object.fromEntries(entries);
  };

  const made = (await copy(parts, { place, inSchema: false, above: [] })) as Node;
  const schemas: Record<string, unknown> = {};
  const leftOut: string[] = [];
  let characters = JSON.stringify(made).length;
  // In the order in which they were met: what an operation names itself comes before what is far below.
  for (const { name, value, place: at } of open) {
    if (characters > MOST_CHARACTERS) {
      leftOut.push(name);
      continue;
    }
    schemas[name] = await copy(value, { place: at, inSchema: true, above: [] });
    characters += JSON.stringify(schemas[name]).length;
  }
  return { parts: made, schemas, leftOut, unresolved: [...unresolved].map(([ref, why]) => ({ ref, why })) };
}
