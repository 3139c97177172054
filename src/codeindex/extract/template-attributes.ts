// The attributes of a tag, and what Angular makes of them: plain values, inputs, outputs, references and directives with a star.

import { type Binding, type Expression, isAssignable, NotPlain, parseBindings, parseExpression } from './template-expression.ts';
import type { Place } from './template-blocks.ts';

export interface Attribute {
  readonly name: string;
  readonly start: number;
  /** Between its quotes; null: it has none. */
  readonly value: Place | null;
}

export interface Input extends Attribute {
  readonly what: 'input' | 'two_way';
  readonly expression: Expression | 'interpolated' | null;
}

export interface Output extends Attribute {
  /** Null: the same as that of an input. */
  readonly expression: Expression | null;
}

export interface Sorted {
  readonly literal: readonly Attribute[];
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  readonly references: readonly Attribute[];
  /** What stands behind a star. */
  readonly templateAttributes: { readonly literal: readonly Binding[]; readonly bound: readonly Binding[] } | null;
}

const ATTRIBUTE = /[ \t\n]*(?:([^\s"'<>/={}@\x00-\x20]+)(?:[ \t\n]*=[ \t\n]*(?:"([^"]*)"|'([^']*)'))?(?=[ \t\n/>])|(\/?>))/y;
const PLAIN = /^[A-Za-z_][\w.:-]*$/;
const BOUND = /^(\[\(|\[|\()([\w.$%-]+)(\)\]|\]|\))$/;
const CLOSED_BY: Readonly<Record<string, string>> = { '[(': ')]', '[': ']', '(': ')' };
const PREFIXED = /^(?:bind-|let-|ref-|on-|bindon-|animate\.|attr\.on)/i;
const NAMESPACE = /^([A-Za-z0-9]+):(.+)$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** `end` is behind the tag. */
export function readAttributes(
  text: string,
  start: number,
  limit: number,
): { readonly attributes: readonly Attribute[]; readonly end: number; readonly isClosed: boolean } {
  const attributes: Attribute[] = [];
  ATTRIBUTE.lastIndex = start;
  for (;;) {
    const found = ATTRIBUTE.exec(text);
    if (!found || ATTRIBUTE.lastIndex > limit) throw new NotPlain();
    const [whole, name, double, single, closing] = found;
    const end = ATTRIBUTE.lastIndex;
    if (closing !== undefined) return { attributes, end, isClosed: closing === '/>' };
    const value = double ?? single;
    const at = end - whole.trimStart().length;
    attributes.push({ name: name!, start: at, value: value === undefined ? null : [end - 1 - value.length, end - 1] });
  }
}

export function sortAttributes(text: string, tag: string, attributes: readonly Attribute[]): Sorted {
  const literal: Attribute[] = [];
  const inputs: Input[] = [];
  const outputs: Output[] = [];
  const references: Attribute[] = [];
  let templateAttributes: Sorted['templateAttributes'] = null;
  for (const attribute of attributes) {
    const { name, start, value } = attribute;
    const bound = BOUND.exec(name);
    if (name.startsWith('*')) {
      if (templateAttributes !== null || !IDENTIFIER.test(name.slice(1))) throw new NotPlain();
      templateAttributes = starred(text, attribute);
    } else if (name.startsWith('#')) {
      const reference = name.slice(1);
      if (!IDENTIFIER.test(reference) || references.some((each) => each.name === reference)) throw new NotPlain();
      references.push({ ...attribute, name: reference });
    } else if (bound) {
      const [, opening, inner, closing] = bound;
      if (CLOSED_BY[opening!] !== closing || PREFIXED.test(inner!)) throw new NotPlain();
      if (value !== null) refuse(text, value, /\{\{|&(?:#|[A-Za-z0-9]+;)/);
      if (opening === '(') outputs.push({ name: inner!, start, value: value ?? [start, start], expression: action(text, value) });
      else {
        const expression = value === null ? null : parseExpression(text, value[0], value[1]);
        const isTwoWay = opening === '[(';
        if (isTwoWay && (expression === null || !isAssignable(expression))) throw new NotPlain();
        inputs.push({ name: propertyName(tag, inner!), start, value, what: isTwoWay ? 'two_way' : 'input', expression });
        if (isTwoWay) outputs.push({ name: `${inner!}Change`, start, value, expression: null });
      }
    } else if (tag === 'ng-template' && name.startsWith('let-')) {
      if (!IDENTIFIER.test(name.slice(4))) throw new NotPlain();
    } else if (!PLAIN.test(name) || PREFIXED.test(name)) throw new NotPlain();
    else if (value !== null && isInterpolated(text, value)) {
      if (name.includes(':')) throw new NotPlain();
      refuse(text, value, /&(?:#|[A-Za-z0-9]+;)|<[A-Za-z/!?]/);
      inputs.push({ name: propertyName(tag, name), start, value, what: 'input', expression: 'interpolated' });
    } else literal.push({ ...attribute, name: name.replace(NAMESPACE, ':$1:$2') });
  }
  return { literal, inputs, outputs, references, templateAttributes };
}

function starred(text: string, { name, start, value }: Attribute): NonNullable<Sorted['templateAttributes']> {
  if (value !== null) refuse(text, value, /\{\{|&(?:#|[A-Za-z0-9]+;)/);
  const [from, to] = value ?? [start, start];
  const bindings = parseBindings(text, from, to, name.slice(1), start + 1);
  return { literal: bindings.filter((each) => each.value === null), bound: bindings.filter((each) => each.value !== null) };
}

function action(text: string, value: Place | null): Expression {
  const expression = value === null ? null : parseExpression(text, value[0], value[1], true);
  if (expression === null) throw new NotPlain();
  return expression;
}

function refuse(text: string, [start, end]: Place, what: RegExp): void {
  if (what.test(text.slice(start, end))) throw new NotPlain();
}

const isInterpolated = (text: string, [start, end]: Place): boolean => text.slice(start, end).includes('{{');

/** `foo` for `class.foo` and `attr.foo`, `width` for `style.width.px`. */
function propertyName(tag: string, name: string): string {
  const parts = name.split('.');
  if (parts.includes('')) throw new NotPlain();
  switch (parts.length > 1 ? parts[0] : '') {
    case 'attr':
      if (tag === 'ng-container') throw new NotPlain();
      return parts.slice(1).join('.');
    case 'class':
      return parts.slice(1).join('.');
    case 'style':
      if (parts[1]!.startsWith('--')) throw new NotPlain();
      return parts[1]!;
    default:
      return name;
  }
}
