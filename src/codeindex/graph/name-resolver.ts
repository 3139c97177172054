// From a name in a file to its definition: the file's own, or through imports and what modules pass on. What this cannot resolve is not
// guessed.

import type { FilePart, PartDefinition } from './file-part.ts';

interface Module {
  /** By `name` at the top, and by `Outer.name`. */
  readonly definitions: ReadonlyMap<string, PartDefinition>;
  readonly imports: ReadonlyMap<string, { readonly target: string; readonly imported: string | null }>;
  /** By the name outside: what it is called inside, or the module that it comes from. */
  readonly exports: ReadonlyMap<string, { readonly local: string | null; readonly target: string | null }>;
  readonly stars: readonly string[];
}

/** Modules that pass on what they take from each other can do so in a circle. */
const PASSED_ON_MAX = 16;

export class NameResolver {
  readonly #modules = new Map<string, Module>();
  readonly #byId = new Map<string, PartDefinition>();

  constructor(parts: Iterable<FilePart>) {
    for (const part of parts) {
      this.#modules.set(part.file.path, moduleOf(part));
      for (const definition of part.definitions) this.#byId.set(definition.id, definition);
    }
  }

  byId(id: string): PartDefinition | null {
    return this.#byId.get(id) ?? null;
  }

  /** What a name means in a file; `Outer.name` for a member. */
  inFile(path: string, name: string): PartDefinition | null {
    const module = this.#modules.get(path);
    const own = module?.definitions.get(name);
    if (own) return own;
    const [first = '', ...members] = name.split('.');
    const taken = module?.imports.get(first);
    if (!taken) return null;
    if (taken.imported === '*') return members.length === 0 ? null : this.exported(taken.target, members.join('.'));
    const found = this.exported(taken.target, taken.imported ?? first);
    return found && members.length > 0 ? this.member(found, members.join('.')) : found;
  }

  /** What a module exports under a name. */
  exported(path: string, name: string, depth = 0): PartDefinition | null {
    const module = this.#modules.get(path);
    if (!module || depth > PASSED_ON_MAX) return null;
    const [first = '', ...members] = name.split('.');
    const given = module.exports.get(first);
    const found = given
      ? given.target === null
        ? this.inFile(path, given.local ?? first)
        : this.exported(given.target, given.local ?? first, depth + 1)
      : (exportedHere(module, first) ?? this.#amongStars(module, first, depth));
    return found && members.length > 0 ? this.member(found, members.join('.')) : found;
  }

  member({ path, container, name }: PartDefinition, member: string): PartDefinition | null {
    return this.#modules.get(path)?.definitions.get(`${container === null ? '' : `${container}.`}${name}.${member}`) ?? null;
  }

  #amongStars(module: Module, name: string, depth: number): PartDefinition | null {
    for (const target of module.stars) {
      const found = this.exported(target, name, depth + 1);
      if (found) return found;
    }
    return null;
  }
}

const exportedHere = (module: Module, name: string): PartDefinition | null => {
  const found = module.definitions.get(name);
  return found?.exported ? found : null;
};

function moduleOf({ definitions, imports, exports }: FilePart): Module {
  const targets = new Map(imports.flatMap(({ specifier, target }): [string, string][] => (target === null ? [] : [[specifier, target]])));
  const byName = new Map<string, PartDefinition>();
  for (const definition of definitions) {
    const name = definition.container === null ? definition.name : `${definition.container}.${definition.name}`;
    if (!byName.has(name)) byName.set(name, definition);
  }
  const targetOf = (from: string | null): string | null => (from === null ? null : (targets.get(from) ?? null));
  return {
    definitions: byName,
    imports: new Map(
      imports.flatMap(({ local, imported, target, kind }): [string, { target: string; imported: string | null }][] =>
        local === null || target === null || kind === 'reexport' ? [] : [[local, { target, imported }]],
      ),
    ),
    exports: new Map(
      exports
        // A name from a package is not defined in this tree.
        .filter(({ name, from }) => name !== '*' && (from === null || targetOf(from) !== null))
        .map(({ name, local, from }) => [name, { local, target: targetOf(from) }]),
    ),
    stars: exports.flatMap(({ name, from }) => (name === '*' ? (targetOf(from) ?? []) : [])),
  };
}
