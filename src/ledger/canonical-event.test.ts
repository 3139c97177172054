// The functions made from the schemas say the same as the schemas: of good events, of broken ones, and of what JSON cannot carry.

import fc from 'fast-check';
import type { z } from 'zod';
import { expect, test } from 'vitest';
import { Event } from '../protocol/index.ts';
import { canonicalEvent, dataInOrder } from './canonical-event.ts';
import { canonicalJson, NotCanonical } from './canonical-json.ts';

type Schema = z.core.$ZodTypes;

const free = fc.jsonValue({ maxDepth: 2 });
const fieldsOf = (shape: Readonly<Record<string, unknown>>): fc.Arbitrary<object> => {
  const fields = Object.entries(shape).map(([name, schema]) => [name, arbitraryOf(schema as Schema)] as const);
  const requiredKeys = Object.keys(shape).filter((name) => (shape[name] as Schema)._zod.def.type !== 'optional');
  return fc.record(Object.fromEntries(fields), { requiredKeys, noNullPrototype: true });
};

/** Values that the schema takes. */
function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  const def = schema._zod.def as z.core.$ZodTypeDef & Record<string, unknown>;
  const checks = ((def['checks'] ?? []) as { _zod: { def: object } }[]).map(({ _zod }) => _zod.def);
  const { pattern, minimum = 0, maximum = 30 } = Object.assign({}, ...checks) as { pattern?: RegExp; minimum?: number; maximum?: number };
  switch (def.type) {
    case 'string':
      if (def['format'] === 'datetime')
        return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString());
      if (pattern) return fc.stringMatching(pattern);
      return fc.string({ minLength: minimum, maxLength: Math.min(maximum, minimum + 20), unit: 'binary' });
    case 'number':
      return fc.integer({ min: 1, max: 1_000 });
    case 'boolean':
      return fc.boolean();
    case 'literal':
      return fc.constantFrom(...(def['values'] as readonly unknown[]));
    case 'enum':
      return fc.constantFrom(...Object.values(def['entries'] as object));
    case 'nullable':
      return fc.option(arbitraryOf(def['innerType'] as Schema));
    case 'optional':
      return arbitraryOf(def['innerType'] as Schema);
    case 'array':
      return fc.array(arbitraryOf(def['element'] as Schema), { minLength: minimum, maxLength: Math.max(minimum, 2) });
    case 'union':
      return fc.oneof(...(def['options'] as readonly Schema[]).map(arbitraryOf));
    case 'object':
      return fieldsOf(def['shape'] as object as Record<string, unknown>);
    case 'record':
      return fc.dictionary(fc.string(), free, { maxKeys: 3, noNullPrototype: true });
    default:
      return free;
  }
}

const schemas = (Event as unknown as { _zod: { def: { options: readonly (Schema & { shape: { type: { value: string } } })[] } } })._zod.def
  .options;
const eventOf = new Map(schemas.map((schema) => [schema.shape.type.value, arbitraryOf(schema) as fc.Arbitrary<Event>]));

/** As JSON has it: what no text carries, such as a symbol's field, is in neither. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** What the schema and the canonical form say of it. */
function asSchemaSays(candidate: unknown): { event: Event; data: string } | null {
  const { success, data: event } = Event.safeParse(candidate);
  if (!success) return null;
  try {
    return plain({ event, data: canonicalJson(event.data) });
  } catch (error) {
    if (error instanceof NotCanonical) return null;
    throw error;
  }
}

function asWritten(candidate: unknown): { event: Event; data: string } | null {
  try {
    return plain(canonicalEvent(candidate as Event));
  } catch {
    return null;
  }
}

test('each event is checked and put in order by its function, as by its schema', () => {
  const tries = 25;
  for (const [type, events] of eventOf) {
    let sure = 0;
    fc.assert(
      fc.property(events, (event) => {
        if (dataInOrder(event) !== undefined) sure += 1;
        const expected = asSchemaSays(event);
        expect(expected).not.toBe(null);
        expect(asWritten(event)).toEqual(expected);
      }),
      { numRuns: tries },
    );
    // Not always: names such as `1` or `__proto__` inside free values are left to the schema.
    expect([type, sure > 0]).toEqual([type, true]);
  }
});

const strange = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    Number.NaN,
    -0,
    1.5,
    -1,
    2 ** 53,
    '',
    '\ud800',
    [],
    [undefined],
    {},
    new Map(),
    new Date(0),
    10n,
    Symbol.iterator,
  ),
  fc.constantFrom<unknown>(
    { __proto__: { type: 'x' } },
    JSON.parse('{"__proto__":{}}'),
    { 1: 'one', b: 2 },
    { [Symbol('hidden')]: 1 },
    { toJSON: () => 1 },
  ),
  fc.constantFrom(
    'GUARDED',
    'act_00000000000000000000000000',
    'INT-001',
    'a'.repeat(64),
    'a'.repeat(600),
    '2026-01-01T00:00:00.000Z',
    '2026-02-30T00:00:00.000Z',
  ),
  fc.anything(),
);

/** Every place in a value: the object or list, and the name in it. */
function placesIn(value: unknown): { readonly holder: Record<string, unknown>; readonly name: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])]);
}

test('an event with something else in one place passes only where its schema lets it pass, unchanged', () => {
  for (const events of eventOf.values())
    fc.assert(
      fc.property(events, fc.nat(), strange, fc.constantFrom('replace', 'remove', 'add'), (event, pick, value, how) => {
        const broken = structuredClone(event);
        const places = placesIn(broken);
        const { holder, name } = places[pick % places.length]!;
        const where = how === 'replace' ? name : Array.isArray(holder) ? String(holder.length) : 'extra';
        if (how === 'remove') delete holder[name];
        else Object.defineProperty(holder, where, { value, enumerable: true, configurable: true, writable: true });
        expect(asWritten(broken)).toEqual(asSchemaSays(broken));
      }),
      { numRuns: 60 },
    );
});

test('what hides from a look at its names is no event', () => {
  const opened = (input: object) => ({ type: 'defect_caught', data: input });
  const inherited = Object.create({ door: 'cli' }) as Record<string, unknown>;
  inherited['message'] = 'm';
  const candidates = [
    opened(inherited),
    opened({ door: 'cli', message: 'm', extra: undefined }),
    { ...opened({ door: 'cli', message: 'm' }), at: 1 },
    opened([]),
    null,
    'event',
  ];
  expect(candidates.map(dataInOrder)).toEqual(candidates.map(() => undefined));
});
