// Positions in a JSON document. `JSON.parse` says what is wrong but often not where, and silently keeps the last of two equal keys.

import { Fault } from '../protocol/index.ts';

export interface JsonWithLines {
  readonly value: unknown;
  /** The line of the deepest part of the path that exists. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

const DEPTH_MAX = 64;

/** `file` is how the document is named in a complaint. */
export function parseJsonWithLines(file: string, text: string): JsonWithLines {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  const lines = new Map<string, number>();
  let at = 0;
  let line = 1;
  let counted = 0;
  /** Offsets only grow, so the text is scanned once. */
  const lineAt = (offset: number): number => {
    for (; counted < offset; counted++) if (source[counted] === '\n') line++;
    return line;
  };
  const fail = (what: string): never => {
    throw new Fault('DOCUMENT_INVALID', `${file}:${lineAt(at)}: ${what}`, { fix: `Fix the JSON in ${file}` });
  };
  const skipSpace = (): void => {
    while (/[ \t\r\n]/.test(source[at] ?? '')) at++;
  };
  const expect = (wanted: string, instead: string): void => {
    if (source[at] !== wanted)
      fail(at < source.length ? `expected ${instead}, found ${JSON.stringify(source[at])}` : `expected ${instead}, but the file ends`);
    at++;
  };
  const readToken = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };
  const readString = (): string => {
    const raw = readToken(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    return raw === null ? fail('expected text in double quotes that ends on the same line') : (JSON.parse(raw) as string);
  };

  const readValue = (path: readonly PropertyKey[]): void => {
    if (path.length > DEPTH_MAX) fail(`is nested deeper than ${DEPTH_MAX} levels`);
    skipSpace();
    // A key's line is better than its value's, and was noted before.
    if (!lines.has(keyOf(path))) lines.set(keyOf(path), lineAt(at));
    const first = source[at];
    if (first === '{') readMembers(path);
    else if (first === '[') readElements(path);
    else if (first === '"') readString();
    else if (readToken(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y) === null) {
      fail(first === undefined ? 'expected a value, but the file ends' : `expected a value, found ${JSON.stringify(first)}`);
    }
    skipSpace();
  };
  const readMembers = (path: readonly PropertyKey[]): void => {
    at++;
    skipSpace();
    if (source[at] === '}') return void at++;
    for (;;) {
      skipSpace();
      if (source[at] !== '"') fail('expected a key in double quotes (a comma before a closing brace is not JSON)');
      const start = at;
      const key = readString();
      const inner = [...path, key];
      if (lines.has(keyOf(inner))) fail(`the key ${JSON.stringify(key)} is there twice`);
      // Assigning to it would change what every other object inherits.
      if (key === '__proto__') fail('the key "__proto__" is not allowed');
      lines.set(keyOf(inner), lineAt(start));
      skipSpace();
      expect(':', 'a colon');
      readValue(inner);
      if (source[at] !== ',') break;
      at++;
    }
    expect('}', 'a comma or }');
  };
  const readElements = (path: readonly PropertyKey[]): void => {
    at++;
    skipSpace();
    if (source[at] === ']') return void at++;
    for (let index = 0; ; index++) {
      readValue([...path, index]);
      if (source[at] !== ',') break;
      at++;
    }
    expect(']', 'a comma or ]');
  };

  readValue([]);
  if (at < source.length) fail(`expected the end of the file, found ${JSON.stringify(source[at])}`);
  return {
    value: JSON.parse(source) as unknown,
    lineOf: (path) => {
      let length = path.length;
      while (length > 0 && !lines.has(keyOf(path.slice(0, length)))) length--;
      return lines.get(keyOf(path.slice(0, length))) ?? 1;
    },
  };
}

const keyOf = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String));
