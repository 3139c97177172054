// Takes secrets out of what is recorded, streamed and logged. A secret becomes a mark with its kind and a seal over it by the daemon's
// key: equal secrets have equal marks, so that what is bound to a hash stays bound to this very secret, and without the key the secret
// cannot be guessed from its mark.
// INVARIANT: redacting what was redacted changes nothing.

import { REDACTED_START } from '../../protocol/index.ts';
import { findSecrets, MIN_TEXT_LENGTH } from './find-secrets.ts';

const SEAL_CHARACTERS = 16;
/** A held value that is shorter would be found in ordinary words. */
const MIN_HELD_LENGTH = 8;
const MAX_HELD = 200;
/** Names, ids and paths come again with every action; whole contents do not. */
const MAX_REMEMBERED_LENGTH = 256;
const MAX_REMEMBERED = 4_096;

export class Redactor {
  private readonly seal: (text: string) => string;
  /** The kind of each value that the daemon holds. */
  private readonly held = new Map<string, string>();
  /** Objects and texts known to contain no secret: the same action is recorded more than once. */
  private readonly clean = new WeakSet<object>();
  private readonly cleanTexts = new Set<string>();

  constructor(seal: (text: string) => string) {
    this.seal = seal;
  }

  /** A value that the daemon itself holds: matched exactly, wherever it occurs. The oldest is forgotten when there are too many. */
  hold(kind: string, value: string): void {
    if (value.length < MIN_HELD_LENGTH) return;
    this.held.delete(value);
    this.held.set(value, kind);
    this.cleanTexts.clear();
    for (const oldest of this.held.keys()) {
      if (this.held.size <= MAX_HELD) break;
      this.held.delete(oldest);
    }
  }

  text(text: string): string {
    if (text.length < MIN_TEXT_LENGTH || this.cleanTexts.has(text)) return text;
    const found = findSecrets(text, this.held);
    if (found.length === 0) return this.remember(text);
    let redacted = '';
    let at = 0;
    for (const { start, end, kind } of found) {
      redacted += `${text.slice(at, start)}${this.mark(kind, text.slice(start, end))}`;
      at = end;
    }
    return redacted + text.slice(at);
  }

  /** A copy without secrets, or the same object when there are none. `pointers` collects where something was removed. */
  value<T>(value: T, pointers?: string[]): T {
    return this.walk(value, '', pointers) as T;
  }

  private walk(value: unknown, at: string, pointers: string[] | undefined): unknown {
    if (typeof value === 'string') {
      // Most texts of a record are too short for a secret.
      const text = value.length < MIN_TEXT_LENGTH ? value : this.text(value);
      if (text !== value) pointers?.push(at);
      return text;
    }
    if (typeof value !== 'object' || value === null || this.clean.has(value)) return value;
    const copy = Array.isArray(value) ? this.walkItems(value, at, pointers) : this.walkFields(value, at, pointers);
    this.clean.add(copy);
    return copy;
  }

  private walkItems(items: readonly unknown[], at: string, pointers: string[] | undefined): readonly unknown[] {
    let copy: unknown[] | null = null;
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      const redacted = this.walk(item, pointers ? `${at}/${index}` : '', pointers);
      if (redacted !== item) (copy ??= [...items])[index] = redacted;
    }
    return copy ?? items;
  }

  private walkFields(fields: object, at: string, pointers: string[] | undefined): object {
    let copy: [string, unknown][] | null = null;
    const keys = Object.keys(fields);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!;
      const value = (fields as Record<string, unknown>)[key];
      const name = key.length < MIN_TEXT_LENGTH ? key : this.text(key);
      const where = pointers ? `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : '';
      const redacted = this.walk(value, where, pointers);
      if (name !== key) pointers?.push(where);
      if (name !== key || redacted !== value) copy ??= Object.entries(fields).slice(0, index);
      copy?.push([name, redacted]);
    }
    return copy ? Object.fromEntries(copy) : fields;
  }

  private remember(text: string): string {
    if (text.length > MAX_REMEMBERED_LENGTH) return text;
    if (this.cleanTexts.size >= MAX_REMEMBERED) this.cleanTexts.clear();
    this.cleanTexts.add(text);
    return text;
  }

  private mark(kind: string, secret: string): string {
    return `${REDACTED_START}${kind}#${this.seal(`redacted\n${secret}`).slice(0, SEAL_CHARACTERS)}]`;
  }
}
