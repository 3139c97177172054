// Changes a JSON text so that it means something else, and leaves the spelling of all the rest: a person's comments, order, indentation,
// line ends and one-line lists. Adding something at the end of a list or object and removing it restores the text.
//
// The edits are made here from the parser's tree. Its own `modify` turns `[1,2]` without its last item into `[12]`, reformats the whole
// line, and moves a comment to the line that is added.

import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  parse,
  type ParseError,
  parseTree,
  stripComments,
} from 'jsonc-parser';

type Path = (string | number)[];

/** `text` is JSON, with or without comments. The result means `after`. */
export function editJson(text: string, after: unknown): string {
  const edited = changeAt(text, [], after);
  // A duplicate key could give a value other than the intended one.
  return isDeepStrictEqual(valueIn(edited), after) ? edited : `${JSON.stringify(after, null, 2)}\n`;
}

/** With comments and commas behind the last item. Undefined: the text is not even that. */
function valueIn(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length > 0 ? undefined : value;
}

/** A comma behind the last item becomes a space. */
export const withoutTrailingCommas = (text: string): string =>
  text.replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/g, (_, literal: string | undefined) => literal ?? ' ');

/** With spaces in their places, so that a complaint about the text names the right position. */
export const withoutComments = (text: string): string => stripComments(text, ' ');

function changeAt(text: string, path: Path, after: unknown): string {
  const { node, children } = at(text, path);
  // The parser's objects have no prototype.
  const before: unknown = structuredClone(getNodeValue(node));
  if (isDeepStrictEqual(before, after)) return text;
  if (Array.isArray(before) && Array.isArray(after)) {
    const rest: unknown[] = [...after];
    const gone = before.flatMap((item, index) => (rest.length > 0 && isDeepStrictEqual(item, rest[0]) ? (rest.shift(), []) : [index]));
    return rest.reduce<string>((result, item) => append(result, path, null, item), removeAll(text, path, gone));
  }
  if (isRecord(before) && isRecord(after)) {
    const gone = children.flatMap((child, index) => (Object.hasOwn(after, keyOf(child)) ? [] : [index]));
    return Object.entries(after).reduce(
      (result, [key, value]) => (Object.hasOwn(before, key) ? changeAt(result, [...path, key], value) : append(result, path, key, value)),
      removeAll(text, path, gone),
    );
  }
  return applyEdits(text, [{ offset: node.offset, length: node.length, content: spell(text, after, indentAt(text, node.offset)) }]);
}

const removeAll = (text: string, path: Path, indexes: readonly number[]): string =>
  indexes.toReversed().reduce((result, index) => remove(result, path, index), text);

function remove(text: string, path: Path, index: number): string {
  const { node, children } = at(text, path);
  const [previous, item, next] = [children[index - 1], children[index]!, children[index + 1]];
  const cut = (from: number, to: number): Edit => ({ offset: from, length: to - from, content: '' });
  if (next) {
    const after = between(text, endOf(item), next.offset);
    return applyEdits(text, [cut(item.offset, after.hasComment ? after.commaEnd : next.offset)]);
  }
  const before = between(text, previous ? endOf(previous) : node.offset + 1, item.offset);
  const after = between(text, endOf(item), endOf(node) - 1);
  // A person who ends every item with a comma keeps it.
  if (after.hasComma && (previous || after.hasComment))
    return applyEdits(text, [cut(after.hasComment ? item.offset : before.lastEnd, after.commaEnd)]);
  if (!previous && !before.hasComment && !after.hasComment) return applyEdits(text, [cut(node.offset + 1, endOf(node) - 1)]);
  const comma = previous ? [cut(before.commaEnd - 1, before.commaEnd)] : [];
  return applyEdits(text, [...comma, cut(after.hasComment ? item.offset : before.lastEnd, endOf(item))]);
}

function append(text: string, path: Path, key: string | null, value: unknown): string {
  const { node, children } = at(text, path);
  const [first, last] = [children[0], children.at(-1)];
  const tail = between(text, last ? endOf(last) : node.offset + 1, endOf(node) - 1);
  const lead = first ? text.slice(node.offset + 1, first.offset) : '';
  const outer = indentAt(text, node.offset);
  const inner = lead.includes('\n') ? (/[ \t]*$/.exec(lead)?.[0] ?? '') : `${outer}${unitOf(text)}`;
  // After a comment that ends with the line, the item would be part of it.
  const isBlock = !first || lead.includes('\n') || tail.hasComment;
  const spelt = `${key === null ? '' : `${JSON.stringify(key)}: `}${isBlock ? spell(text, value, inner) : JSON.stringify(value)}`;
  const item = `${isBlock ? `${newlineOf(text)}${inner}` : ' '}${spelt}`;
  if (!last && !tail.hasComment) {
    const [offset, length] = [node.offset + 1, node.length - 2];
    return applyEdits(text, [{ offset, length, content: `${item}${newlineOf(text)}${outer}` }]);
  }
  const comma = last && !tail.hasComma ? [{ offset: endOf(last), length: 0, content: ',' }] : [];
  return applyEdits(text, [...comma, { offset: tail.lastEnd, length: 0, content: `${item}${tail.hasComma ? ',' : ''}` }]);
}

const COMMA_OR_COMMENT = /,|\/\/[^\r\n]*|\/\*[^]*?\*\//g;

/** The comma and the comments in between. Without either, both ends are `from`. */
function between(text: string, from: number, to: number): { commaEnd: number; lastEnd: number; hasComma: boolean; hasComment: boolean } {
  const tokens = [...text.slice(from, to).matchAll(COMMA_OR_COMMENT)];
  const end = (token: RegExpExecArray | undefined) => (token ? from + token.index + token[0].length : from);
  return {
    commaEnd: end(tokens.find(([token]) => token === ',')),
    lastEnd: end(tokens.at(-1)),
    hasComma: tokens.some(([token]) => token === ','),
    hasComment: tokens.some(([token]) => token !== ','),
  };
}

function at(text: string, path: Path): { node: Node; children: readonly Node[] } {
  const node = findNodeAtLocation(parseTree(text)!, path)!;
  return { node, children: node.children ?? [] };
}

const endOf = ({ offset, length }: Node): number => offset + length;
const keyOf = (property: Node): string => property.children?.[0]?.value as string;
const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
const newlineOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
const unitOf = (text: string): string => /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
const indentAt = (text: string, offset: number): string => /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset) + 1))?.[0] ?? '';
const spell = (text: string, value: unknown, indent: string): string =>
  JSON.stringify(value, null, unitOf(text)).replaceAll('\n', `${newlineOf(text)}${indent}`);
