// Where names are declared. TypeScript has three sorts of meaning for one name: a type parameter does not hide a variable of the
// same name, and a reference must resolve to the right one of the two.

export const VALUE = 1;
export const TYPE = 2;
/** The left side of `A.B` where a type is meant. */
export const SPACE = 4;
export const PRIVATE = 8;
export const ANY = VALUE | TYPE | SPACE;

export interface Binding {
  readonly name: string;
  meanings: number;
  /** Why its name must stay; completes "and". Null when it may change. */
  fixed: string | null;
  /** A function or class, which carries its name at run time. */
  isCallable: boolean;
}

export class Scope {
  readonly #names = new Map<string, Binding>();
  readonly #parent: Scope | null;
  /** `body` is the block of a function: what it declares with `var` under a parameter's name is the parameter. */
  readonly kind: 'top' | 'function' | 'body' | 'block';

  constructor(parent: Scope | null, kind: Scope['kind']) {
    this.#parent = parent;
    this.kind = kind;
  }

  declare(name: string, meanings: number): Binding {
    const head = this.kind === 'body' && meanings === VALUE ? this.#parent : null;
    const known = (head ? head.#own(name, VALUE) : undefined) ?? this.#names.get(name);
    if (known) {
      known.meanings |= meanings;
      return known;
    }
    const binding: Binding = { name, meanings, fixed: null, isCallable: false };
    this.#names.set(name, binding);
    return binding;
  }

  /** Where `var` goes. */
  get forVar(): Scope {
    return this.kind === 'block' && this.#parent ? this.#parent.forVar : this;
  }

  find(name: string, meaning: number): Binding | null {
    return this.#own(name, meaning) ?? this.#parent?.find(name, meaning) ?? null;
  }

  bindings(): Iterable<Binding> {
    return this.#names.values();
  }

  #own(name: string, meaning: number): Binding | undefined {
    const own = this.#names.get(name);
    return own && (own.meanings & meaning) !== 0 ? own : undefined;
  }
}
