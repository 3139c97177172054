// Names that a command itself gives a meaning to: aliases and functions. Where such a name is used later, its text is read again with the
// arguments of the call.

export class Definitions {
  readonly #aliases = new Map<string, string>();
  readonly #functions = new Map<string, string>();

  /** An argument of `alias`: `name=text`. False: it has another form, and may mean anything. */
  alias(argument: string): boolean {
    const [, name, text] = /^([\w.+][\w.+-]*)=([^$`]*)$/s.exec(argument) ?? [];
    if (name !== undefined) this.#aliases.set(name, text!.replace(/^(['"])(.*)\1$/s, '$2'));
    return name !== undefined;
  }

  define(name: string, body: string): void {
    this.#functions.set(name, body);
  }

  /** `rest`: the text behind the name. */
  aliased(name: string, rest: string): string | null {
    const text = this.#aliases.get(name);
    return text === undefined ? null : text + rest;
  }

  bodyOf(name: string): string | null {
    return this.#functions.get(name) ?? null;
  }
}
