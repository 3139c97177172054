// Changes a JSON text so that it means something else, and leaves the spelling of all the rest: a person's order, indentation,
// line ends and one-line lists. What is added at the end of a list or object and taken out again leaves the text as it was.

import { isDeepStrictEqual } from 'node:util';

interface Part {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  /** Of an object or list. `start` of an item is that of its key, where it has one. */
  readonly items?: readonly { readonly key: string | null; readonly start: number; readonly part: Part }[];
}

/** `text` is JSON. The result means `after`. */
export function editJson(text: string, after: unknown): string {
  const root = readParts(text);
  const edited = text.slice(0, root.start) + rewrite(text, root, after, '') + text.slice(root.end);
  // A key that is there twice could make this another value than the one that was meant.
  return isDeepStrictEqual(JSON.parse(edited), after) ? edited : `${JSON.stringify(after, null, 2)}\n`;
}

function rewrite(text: string, part: Part, after: unknown, indent: string): string {
  if (isDeepStrictEqual(part.value, after)) return text.slice(part.start, part.end);
  const { items } = part;
  if (items && isRecord(part.value) && isRecord(after)) {
    const kept = items.filter(({ key }) => key !== null && Object.hasOwn(after, key));
    const added = Object.entries(after).filter(([key]) => !items.some((item) => item.key === key));
    return container(text, part, kept, (key) => (after as Record<string, unknown>)[key ?? ''], added, indent);
  }
  if (items && Array.isArray(part.value) && Array.isArray(after)) {
    const rest = [...after];
    const kept = items.filter((item) => rest.length > 0 && isDeepStrictEqual(item.part.value, rest[0]) && (rest.shift(), true));
    return container(
      text,
      part,
      kept,
      null,
      rest.map((value) => [null, value] as const),
      indent,
    );
  }
  return spell(text, after, indent);
}

type Items = NonNullable<Part['items']>;

/** The kept items as they stand, changed where `valueOf` says so, and the new ones behind them. */
function container(
  text: string,
  part: Part,
  kept: Items,
  valueOf: ((key: string | null) => unknown) | null,
  added: readonly (readonly [string | null, unknown])[],
  indent: string,
): string {
  const items = part.items ?? [];
  const [open, close] = [text.charAt(part.start), text.charAt(part.end - 1)];
  if (kept.length + added.length === 0) return open + close;

  const [first] = items;
  const lead = first ? text.slice(part.start + 1, first.start) : `${newlineOf(text)}${indent}${unitOf(text)}`;
  const isBlock = lead.includes('\n');
  const inner = isBlock ? lead.slice(lead.lastIndexOf('\n') + 1) : indent;
  const end = first ? text.slice(items.at(-1)?.part.end, part.end - 1) : `${newlineOf(text)}${indent}`;
  const old = kept.map((item, index) => {
    const value = valueOf === null ? item.part.value : valueOf(item.key);
    const before = index === 0 ? lead : text.slice(items[items.indexOf(item) - 1]?.part.end, item.start);
    return `${before}${text.slice(item.start, item.part.start)}${rewrite(text, item.part, value, inner)}`;
  });
  const fresh = added.map(([key, value], index) => {
    const before = old.length + index === 0 ? lead : `,${isBlock ? lead : ' '}`;
    return `${before}${key === null ? '' : `${JSON.stringify(key)}: `}${isBlock ? spell(text, value, inner) : JSON.stringify(value)}`;
  });
  return `${open}${[...old, ...fresh].join('')}${end}${close}`;
}

const spell = (text: string, value: unknown, indent: string): string =>
  JSON.stringify(value, null, unitOf(text)).replaceAll('\n', `${newlineOf(text)}${indent}`);

const newlineOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
const unitOf = (text: string): string => /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y;

function readParts(text: string): Part {
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const read = (): Part => {
    take(SPACE);
    const start = at;
    const opener = text.charAt(at);
    if (opener !== '{' && opener !== '[') {
      const value: unknown = JSON.parse(take(SCALAR));
      return { start, end: at, value };
    }
    at++;
    const items: Items[number][] = [];
    for (take(SPACE); text.charAt(at) !== (opener === '{' ? '}' : ']'); take(SPACE)) {
      if (text.charAt(at) === ',') at++;
      take(SPACE);
      const itemStart = at;
      let key: string | null = null;
      if (opener === '{') {
        key = JSON.parse(take(SCALAR)) as string;
        take(SPACE);
        at++;
      }
      items.push({ key, start: itemStart, part: read() });
    }
    at++;
    return { start, end: at, value: JSON.parse(text.slice(start, at)), items };
  };
  return read();
}
