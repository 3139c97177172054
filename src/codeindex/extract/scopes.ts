// The scopes of one program, while it is walked. Names are looked up when the whole program was seen: what is declared further down
// counts as well.

/** Bound to something that is no definition of the index: a parameter or a local variable. */
export const LOCAL = -1;
export const UNBOUND = Number.MIN_SAFE_INTEGER;

export class Scope {
  readonly parent: Scope | null;
  /** `var` belongs to the function around it. */
  readonly isFunction: boolean;
  #names: Map<string, number> | null = null;

  /** The top of the file, or of a namespace. */
  readonly isOpen: boolean;

  constructor(parent: Scope | null, isFunction: boolean, isOpen = parent === null) {
    this.parent = parent;
    this.isFunction = isFunction;
    this.isOpen = isOpen;
  }

  /** `target`: the number of a definition, `LOCAL`, or an import as `importTarget` writes it. */
  declare(name: string, target: number): void {
    this.#names ??= new Map();
    const before = this.#names.get(name);
    // Of a function and the variable of its name the definition is worth more, of overloads the first.
    if (before === undefined || before === LOCAL) this.#names.set(name, target);
  }

  declareVar(name: string, target: number): void {
    if (this.isFunction || this.parent === null) this.declare(name, target);
    else this.parent.declareVar(name, target);
  }

  find(name: string): number {
    return this.#names?.get(name) ?? this.parent?.find(name) ?? UNBOUND;
  }
}
