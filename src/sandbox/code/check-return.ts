// Whether code returned what it was to return: of the declared shape, and something that was really computed.

import { z } from 'zod';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;
type Type = (typeof TYPES)[number];

/** The part of JSON Schema that is checked. A pattern would be run here, so there is none. */
export interface ReturnShape {
  readonly type: Type | readonly Type[];
  readonly properties?: Readonly<Record<string, ReturnShape>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: ReturnShape | undefined;
}

const TypeName = z.enum(TYPES);
export const ReturnShape: z.ZodType<ReturnShape> = z.lazy(() =>
  z.strictObject({
    type: z.union([TypeName, z.array(TypeName).min(1)]),
    properties: z.record(z.string(), ReturnShape).optional(),
    required: z.array(z.string()).optional(),
    items: ReturnShape.optional(),
  }),
);

/** Where the value is not of the shape, in words; null: it is. */
export function shapeMismatch(value: unknown, shape: ReturnShape, at = 'the value'): string | null {
  const types: readonly Type[] = typeof shape.type === 'string' ? [shape.type] : shape.type;
  if (!types.some((type) => isOf(value, type))) return `${at} is ${typeOf(value)}, not ${types.join(' or ')}`;
  if (Array.isArray(value)) {
    for (const [number, each] of shape.items ? value.entries() : []) {
      const wrong = shapeMismatch(each, shape.items!, `${at}[${number}]`);
      if (wrong !== null) return wrong;
    }
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const missing = shape.required?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at} has no ${missing}`;
  for (const [name, inner] of Object.entries(shape.properties ?? {})) {
    if (!Object.hasOwn(value, name)) continue;
    const wrong = shapeMismatch((value as Readonly<Record<string, unknown>>)[name], inner, `${at}.${name}`);
    if (wrong !== null) return wrong;
  }
  return null;
}

const typeOf = (value: unknown): Type => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as Type;
};
const isOf = (value: unknown, type: Type): boolean => (type === 'integer' ? Number.isInteger(value) : typeOf(value) === type);

/** Words that say that nothing was computed. */
const EMPTY_WORD =
  /^(?:|to-?do|fix-?me|tbd|n\/?a|none|null|undefined|nil|placeholder|stub|dummy|ok|okay|done|success|successful|completed?|finished|yes|not (?:yet )?implemented|implement me|lorem ipsum.*|foo|bar|test|result|value|hello,? world!?|\.{3}|…)[.!]*$/i;
/** Fields that say that it went well, and nothing more. */
const STATUS_FIELD = /^(?:ok|status|state|success|done|result|message|completed)$/i;

/** Nothing, an empty word, or only such things inside. A number or a truth value alone is a result. */
export function isPlaceholder(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return EMPTY_WORD.test(value.trim());
  if (Array.isArray(value)) return value.every(isPlaceholder);
  if (typeof value !== 'object') return false;
  return Object.entries(value).every(([name, each]) => isPlaceholder(each) || (each === true && STATUS_FIELD.test(name)));
}
