// An event held to its schema and brought into canonical order in one pass. From the schema that `protocol` declares, a plain function is
// made for each type of event when the first of its type comes: every record passes here, and the schema's own way costs twice as much.
// INVARIANT: whatever these functions let pass, the schema lets pass unchanged; a test holds the two together. Whatever they are not sure of
// is left to the schema, which knows what to say about it.

import { Event } from '../protocol/index.ts';
import { canonicalJson, inOrder, isPlain, KEEPS_NO_PLACE } from './canonical-json.ts';

export interface CanonicalEvent {
  readonly event: Event;
  /** Canonical JSON of the event's data. */
  readonly data: string;
}

/** Throws when it is no event, or has no canonical form. */
export function canonicalEvent(candidate: Event): CanonicalEvent {
  const data = dataInOrder(candidate);
  if (data !== undefined) return { event: { type: candidate.type, data } as Event, data: JSON.stringify(data) };
  const event = Event.parse(candidate);
  return { event, data: canonicalJson(event.data) };
}

/** A copy with its names in order; undefined when it is for others to say whether the value is good. */
type InOrder = (value: unknown) => unknown;

const byType = new Map<unknown, InOrder>();

/** The event's data, checked and in order; undefined when that is not sure. */
export function dataInOrder(candidate: unknown): unknown {
  if (typeof candidate !== 'object' || candidate === null || !isPlain(candidate) || Object.keys(candidate).length !== 2) return undefined;
  const { type, data } = candidate as Record<string, unknown>;
  let own = byType.get(type);
  if (own === undefined) {
    const shapes = (Event as unknown as Schema)._zod.def.options?.map(({ _zod }) => _zod.def.shape) ?? [];
    const shape = shapes.find((each) => each?.['type']?._zod.def.values?.includes(type));
    own = shape?.['data'] && functionFor(shape['data'], 0);
    if (own === undefined) return undefined;
    byType.set(type, own);
  }
  return own(data);
}

/** As much of a schema as is understood here. */
interface Schema {
  readonly _zod: { readonly def: Definition };
}

interface Definition extends Check {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
  readonly options?: readonly Schema[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
}

interface Check {
  readonly check?: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly value?: number;
  readonly inclusive?: boolean;
}

/** No schema nests deeper. What is free below one is held to a limit that counts from the top. */
const SCHEMA_DEPTH = 50;

const notSure: InOrder = () => undefined;
const anything: InOrder = (value) => inOrder(value, SCHEMA_DEPTH);
const functions = new Map<Schema, InOrder>();

function functionFor(schema: Schema, depth: number): InOrder {
  const known = functions.get(schema);
  if (known !== undefined) return known;
  const made = depth > SCHEMA_DEPTH ? notSure : make(schema._zod.def, depth);
  functions.set(schema, made);
  return made;
}

function make(definition: Definition, depth: number): InOrder {
  const { type, innerType, element, options = [], shape = {}, catchall } = definition;
  const limits = limitsOf(definition);
  if (limits === null) return notSure;
  switch (type) {
    case 'string':
      return textIn(limits);
    case 'number':
      return definition.format === 'safeint' ? integerIn(limits) : notSure;
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? value : undefined);
    case 'literal':
      return oneOf(definition.values ?? []);
    case 'enum':
      return oneOf(Object.values(definition.entries ?? {}));
    case 'unknown':
      return anything;
    case 'record':
      return isFree(definition) ? freeRecord : notSure;
    case 'nullable':
      return innerType ? nullOr(functionFor(innerType, depth)) : notSure;
    case 'array':
      return element ? listOf(functionFor(element, depth + 1), limits) : notSure;
    case 'union':
      return firstOf(options.map((option) => functionFor(option, depth)));
    case 'object':
      return catchall?._zod.def.type === 'never' ? objectOf(shape, depth) : notSure;
    default:
      return notSure;
  }
}

interface Limits {
  readonly patterns: readonly RegExp[];
  /** Of a length, or of a number. */
  readonly least: number;
  readonly most: number;
}

/** Null when there is a check that is not known here. */
function limitsOf({ type, check, format, pattern, checks = [] }: Definition): Limits | null {
  const patterns: RegExp[] = [];
  let [least, most] = [-Infinity, Infinity];
  const own = type === 'string' && check !== undefined ? [{ check, format, pattern } as Check] : [];
  for (const each of [...own, ...checks.map(({ _zod }) => _zod.def)]) {
    if (each.check === 'min_length' && each.minimum !== undefined) least = Math.max(least, each.minimum);
    else if (each.check === 'max_length' && each.maximum !== undefined) most = Math.min(most, each.maximum);
    else if (each.check === 'greater_than' && each.inclusive && each.value !== undefined) least = Math.max(least, each.value);
    else if (each.check === 'less_than' && each.inclusive && each.value !== undefined) most = Math.min(most, each.value);
    else if (each.check === 'string_format' && isPlainPattern(each)) patterns.push(each.pattern);
    else return null;
  }
  return { patterns, least, most };
}

/** One that keeps nothing from one text to the next, and is all that its format asks. */
const isPlainPattern = (check: Check): check is Check & { readonly pattern: RegExp } =>
  (check.format === 'regex' || check.format === 'datetime') && check.pattern?.global === false && !check.pattern.sticky;

const textIn =
  ({ patterns, least, most }: Limits): InOrder =>
  (value) => {
    if (typeof value !== 'string' || !value.isWellFormed() || value.length < least || value.length > most) return undefined;
    for (let i = 0; i < patterns.length; i++) if (!(patterns[i] as RegExp).test(value)) return undefined;
    return value;
  };

const integerIn =
  ({ least, most }: Limits): InOrder =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most ? value : undefined;

function oneOf(values: readonly unknown[]): InOrder {
  const known = new Set(values);
  return (value) => (known.has(value) ? value : undefined);
}

const nullOr =
  (inner: InOrder): InOrder =>
  (value) =>
    value === null ? null : inner(value);

function firstOf(options: readonly InOrder[]): InOrder {
  return (value) => {
    for (let i = 0; i < options.length; i++) {
      const copy = (options[i] as InOrder)(value);
      if (copy !== undefined) return copy;
    }
    return undefined;
  };
}

function listOf(element: InOrder, { least, most }: Limits): InOrder {
  return (value) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) return undefined;
    const copy: unknown[] = [];
    for (let i = 0; i < value.length; i++) {
      const item = element(value[i]);
      if (item === undefined) return undefined;
      copy.push(item);
    }
    return copy;
  };
}

/** Any names with any values. */
const isFree = ({ keyType, valueType }: Definition): boolean =>
  keyType?._zod.def.type === 'string' && !keyType._zod.def.checks?.length && valueType?._zod.def.type === 'unknown';

/** Nothing may hide from a look at its names. */
const freeRecord: InOrder = (value) =>
  typeof value === 'object' && value !== null && isPlain(value) && Reflect.ownKeys(value).length === Object.keys(value).length
    ? anything(value)
    : undefined;

/** No name more and none less. */
function objectOf(shape: Readonly<Record<string, Schema>>, depth: number): InOrder {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const { type, innerType } = schema._zod.def;
    const isOptional = type === 'optional' && innerType !== undefined;
    return { name, isOptional, inner: functionFor(isOptional ? innerType : schema, depth + 1) };
  });
  if (fields.some(({ name }) => KEEPS_NO_PLACE.test(name))) return notSure;
  fields.sort((a, b) => (a.name < b.name ? -1 : 1));
  return (value) => {
    if (typeof value !== 'object' || value === null || !isPlain(value)) return undefined;
    const copy: Record<string, unknown> = {};
    let taken = 0;
    for (let i = 0; i < fields.length; i++) {
      const { name, isOptional, inner } = fields[i] as (typeof fields)[number];
      const given = (value as Record<string, unknown>)[name];
      if (given === undefined && isOptional) continue;
      const item = inner(given);
      if (item === undefined) return undefined;
      copy[name] = item;
      taken += 1;
    }
    for (const _name in value) taken -= 1;
    return taken === 0 ? copy : undefined;
  };
}
