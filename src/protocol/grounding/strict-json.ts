// Reads JSON from bytes that a model sent, and accepts only what every reader would read the same way: valid UTF-8, no duplicate keys (after
// unescaping), no half of a surrogate pair, a bounded size and depth, and nothing but white space around it.
// Never throws for what the bytes contain, and executes nothing.

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
/** Has only own properties, `__proto__` included: ask with `Object.hasOwn`. */
export type JsonObject = { readonly [key: string]: JsonValue };

export const STRICT_JSON_MAX_BYTES = 262_144;
export const STRICT_JSON_MAX_DEPTH = 32;

export type StrictRead =
  /** The text is these objects, one after the other, with only white space between them. */
  { readonly objects: readonly JsonObject[] } | { readonly problem: string };

/** The objects that the whole text consists of: at least one. */
export function readObjects(given: Uint8Array | string): StrictRead {
  if (isTooLarge(given)) return { problem: `It is larger than ${STRICT_JSON_MAX_BYTES} bytes.` };
  const text = typeof given === 'string' ? given : decode(given);
  if (text === null || !text.isWellFormed()) return { problem: 'It is not valid UTF-8.' };
  const reader = new Reader(text);
  try {
    return { objects: reader.objects() };
  } catch (error) {
    if (error instanceof Malformed) return { problem: error.message };
    throw error;
  }
}

function isTooLarge(given: Uint8Array | string): boolean {
  if (typeof given !== 'string') return given.byteLength > STRICT_JSON_MAX_BYTES;
  if (given.length * 3 <= STRICT_JSON_MAX_BYTES) return false;
  return given.length > STRICT_JSON_MAX_BYTES || new TextEncoder().encode(given).byteLength > STRICT_JSON_MAX_BYTES;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

class Malformed extends Error {}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS = [
  { text: 'null', value: null },
  { text: 'true', value: true },
  { text: 'false', value: false },
] as const;
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/' },
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  objects(): readonly JsonObject[] {
    const found: JsonObject[] = [];
    this.#skipSpace();
    do {
      if (this.#code() !== OPEN_BRACE)
        throw this.#malformed(found.length === 0 ? 'It does not begin with an object' : 'There is text after the object');
      found.push(this.#object());
      this.#skipSpace();
    } while (this.#at < this.#text.length);
    return found;
  }

  #value(): JsonValue {
    const code = this.#code();
    if (code === QUOTE) return this.#string();
    if (code === OPEN_BRACE) return this.#object();
    if (code === OPEN_BRACKET) return this.#array();
    const word = WORDS.find(({ text }) => this.#text.startsWith(text, this.#at));
    if (word !== undefined) {
      this.#at += word.text.length;
      return word.value;
    }
    NUMBER.lastIndex = this.#at;
    const number = NUMBER.exec(this.#text);
    if (number === null) throw this.#malformed('A value was expected');
    this.#at += number[0].length;
    return Number(number[0]);
  }

  #object(): JsonObject {
    const object: Record<string, JsonValue> = {};
    this.#open();
    if (this.#code() === CLOSE_BRACE) return this.#close(object);
    for (;;) {
      if (this.#code() !== QUOTE) throw this.#malformed('A key in double quotes was expected');
      const key = this.#string();
      if (Object.hasOwn(object, key)) throw this.#malformed(`The key ${JSON.stringify(key)} is there twice`);
      this.#skipSpace();
      this.#take(COLON, 'A colon was expected');
      this.#skipSpace();
      const value = this.#value();
      // An assignment would set the prototype.
      if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      else object[key] = value;
      this.#skipSpace();
      if (this.#code() === CLOSE_BRACE) return this.#close(object);
      this.#take(COMMA, 'A comma or the end of the object was expected');
      this.#skipSpace();
    }
  }

  #array(): readonly JsonValue[] {
    const array: JsonValue[] = [];
    this.#open();
    if (this.#code() === CLOSE_BRACKET) return this.#close(array);
    for (;;) {
      array.push(this.#value());
      this.#skipSpace();
      if (this.#code() === CLOSE_BRACKET) return this.#close(array);
      this.#take(COMMA, 'A comma or the end of the list was expected');
      this.#skipSpace();
    }
  }

  #string(): string {
    const text = this.#text;
    let from = ++this.#at;
    let value = '';
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) {
        value += text.slice(from, this.#at++);
        // The text itself is well formed, so a half pair comes from an escape.
        if (!value.isWellFormed()) throw this.#malformed('A string has half of a surrogate pair');
        return value;
      }
      if (Number.isNaN(code)) throw this.#malformed('A string does not end');
      if (code < 0x20) throw this.#malformed('A string has a control character that is not escaped');
      if (code !== BACKSLASH) {
        this.#at++;
        continue;
      }
      value += text.slice(from, this.#at);
      value += this.#escape();
      from = this.#at;
    }
  }

  #escape(): string {
    const letter = this.#text.charAt(this.#at + 1);
    if (letter !== 'u') {
      const character = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
      if (character === undefined) throw this.#malformed('A string has an unknown escape');
      this.#at += 2;
      return character;
    }
    const digits = this.#text.slice(this.#at + 2, this.#at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#malformed('A string has an unknown escape');
    this.#at += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #open(): void {
    if (++this.#depth > STRICT_JSON_MAX_DEPTH) throw this.#malformed(`It is nested more than ${STRICT_JSON_MAX_DEPTH} levels deep`);
    this.#at++;
    this.#skipSpace();
  }

  #close<T>(value: T): T {
    this.#depth--;
    this.#at++;
    return value;
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #take(code: number, otherwise: string): void {
    if (this.#code() !== code) throw this.#malformed(otherwise);
    this.#at++;
  }

  /** Space, tab and line ends; no other character is white space in JSON. */
  #skipSpace(): void {
    for (;;) {
      const code = this.#code();
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #malformed(why: string): Malformed {
    const where = this.#at >= this.#text.length ? 'at the end' : `at character ${this.#at + 1}`;
    return new Malformed(`${why} (${where}).`);
  }
}
