// Which definitions a used name may mean: from the file itself, then from its imports.

import type { Definition } from '../model.ts';
import { decodeExport, decodeImport } from '../segment/decode.ts';
import type { Segment } from '../segment/segment.ts';
import { widthOf } from '../segment/tables.ts';
import type { TreeView } from './tree-view.ts';

export interface Resolution {
  readonly targets: readonly Definition[];
  /** Imports and scopes lead there; otherwise only the name speaks for it. */
  readonly isResolved: boolean;
}

const NOTHING: Resolution = { targets: [], isResolved: false };
/** What is looked up is outside of the tree: nothing in it is meant. */
const OUTSIDE: Resolution = { targets: [], isResolved: true };
const CHAIN_MAX = 8;

export class Resolver {
  readonly #view: TreeView;

  constructor(view: TreeView) {
    this.#view = view;
  }

  reference(segment: Segment, file: number, row: number): Resolution {
    const path = segment.path(file);
    const table = segment.table('references');
    const at = row * widthOf('references');
    const target = table[at + 6]!;
    if (target >= 0) {
      const own = this.#view.definitionsIn(path)[target];
      return own ? { targets: this.#sameName(path, own), isResolved: true } : NOTHING;
    }
    if (target <= -2) return this.#imported(segment, file, -2 - target);
    const name = segment.string(table[at]!);
    const of = segment.maybe(table[at + 4]!);
    if (of === null) return this.#plain(segment, file, path, name);
    if (of === 'this' || of === 'self' || of === 'super' || of === 'cls') return this.#member(path, table[at + 5]!, name, of === 'super');
    if (of === '') return NOTHING;
    return this.#ofNamed(segment, file, path, of, name);
  }

  /** Overloads, and an interface with the same name as a value, count as one definition. */
  #sameName(path: string, { name, container }: Definition): readonly Definition[] {
    return this.#view.definitionsIn(path).filter((other) => other.name === name && other.container === container);
  }

  /** A name that no scope of the file binds, or of a language without scope analysis. */
  #plain(segment: Segment, file: number, path: string, name: string): Resolution {
    const own = this.#view.definitionsIn(path).filter((each) => each.name === name && each.kind !== 'field');
    if (own.length > 0) return { targets: own, isResolved: true };
    const [first, end] = segment.rowsOf(file, 'imports');
    for (let row = first; row < end; row++)
      if (segment.maybe(segment.table('imports')[row * widthOf('imports') + 3]!) === name)
        return this.#imported(segment, file, row - first);
    return NOTHING;
  }

  #imported(segment: Segment, file: number, number: number): Resolution {
    const path = segment.path(file);
    const [first] = segment.rowsOf(file, 'imports');
    const { target, imported, specifier } = decodeImport(segment, first + number, path, this.#view);
    if (target === null) return isOwnModule(specifier) ? NOTHING : OUTSIDE;
    if (imported === null || imported === '*') return { targets: [], isResolved: true };
    const targets = this.exported(target, imported);
    return targets.length > 0 ? { targets, isResolved: true } : NOTHING;
  }

  /** What a module exports under a name, also when it only passes it on. */
  exported(path: string, name: string, depth = 0): readonly Definition[] {
    const file = this.#view.store.file(path);
    if (!file || depth > CHAIN_MAX) return [];
    const { segment, slot } = file;
    const [first, end] = segment.rowsOf(slot, 'exports');
    const own = (local: string): readonly Definition[] =>
      this.#view.definitionsIn(path).filter((each) => each.name === local && each.container === null);
    if (first === end) return own(name);
    const passedOn: string[] = [];
    for (let row = first; row < end; row++) {
      const found = decodeExport(segment, row, path);
      if (found.name === '*' && found.from !== null) passedOn.push(found.from);
      if (found.name !== name) continue;
      if (found.from !== null) {
        const target = this.#view.target(path, found.from);
        return target === null ? [] : this.exported(target, found.local ?? name, depth + 1);
      }
      const local = own(found.local ?? name);
      if (local.length > 0) return local;
      // Imported here, and exported under a name.
      return found.local === null ? [] : this.#throughImport(segment, slot, path, found.local, depth);
    }
    for (const from of passedOn) {
      const target = this.#view.target(path, from);
      const found = target === null || name === 'default' ? [] : this.exported(target, name, depth + 1);
      if (found.length > 0) return found;
    }
    return [];
  }

  #throughImport(segment: Segment, file: number, path: string, local: string, depth: number): readonly Definition[] {
    const [first, end] = segment.rowsOf(file, 'imports');
    for (let row = first; row < end; row++) {
      const found = decodeImport(segment, row, path, this.#view);
      if (found.local === local && found.target !== null && found.imported !== null)
        return this.exported(found.target, found.imported, depth + 1);
    }
    return [];
  }

  /** `this.name`: a member of the class around it, or of one that it inherits from. */
  #member(path: string, within: number, name: string, fromAbove: boolean): Resolution {
    const definitions = this.#view.definitionsIn(path);
    let holder: Definition | undefined = definitions[within];
    while (holder && !isType(holder)) {
      const { container } = holder;
      holder = container === null ? undefined : definitions.find((each) => qualified(each) === container);
    }
    if (!holder) return NOTHING;
    const targets = this.memberOf(holder, name, fromAbove);
    return targets.length > 0 ? { targets, isResolved: true } : NOTHING;
  }

  /** Of a class or a type, with what it inherits. */
  memberOf(holder: Definition, name: string, onlyAbove = false, depth = 0): readonly Definition[] {
    const own = onlyAbove
      ? []
      : this.#view.definitionsIn(holder.path).filter((each) => each.name === name && each.container === qualified(holder));
    if (own.length > 0 || depth > CHAIN_MAX) return own;
    for (const base of this.#view.basesOf(holder)) {
      const found = this.memberOf(base, name, false, depth + 1);
      if (found.length > 0) return found;
    }
    return [];
  }

  /** `Name.member`, where the file says what `Name` is. */
  #ofNamed(segment: Segment, file: number, path: string, of: string, name: string): Resolution {
    const [first, end] = segment.rowsOf(file, 'imports');
    for (let row = first; row < end; row++) {
      if (segment.maybe(segment.table('imports')[row * widthOf('imports') + 3]!) !== of) continue;
      const { target, imported, specifier } = decodeImport(segment, row, path, this.#view);
      if (target === null) return isOwnModule(specifier) ? NOTHING : OUTSIDE;
      if (imported === '*') return this.#known(this.exported(target, name));
      return this.#known(this.exported(target, imported ?? '').flatMap((each) => this.memberOf(each, name)));
    }
    const holders = this.#view.definitionsIn(path).filter((each) => each.name === of && (isType(each) || each.kind === 'namespace'));
    return this.#known(holders.flatMap((each) => this.memberOf(each, name)));
  }

  #known(targets: readonly Definition[]): Resolution {
    return targets.length > 0 ? { targets, isResolved: true } : NOTHING;
  }

  /** What a type name in a file means: for `extends` and `implements`. */
  typeNamed(segment: Segment, file: number, path: string, written: string): readonly Definition[] {
    const name = /([\p{L}\p{N}_$]+)\s*$/u.exec(written)?.[1] ?? '';
    return this.#plain(segment, file, path, name).targets.filter(isType);
  }
}

export const qualified = ({ name, container }: Definition): string => (container === null ? name : `${container}.${name}`);

const TYPES = new Set<string>(['class', 'interface', 'struct', 'trait', 'enum', 'type', 'namespace']);
export const isType = ({ kind }: Definition): boolean => TYPES.has(kind);

/** By its form it could be a file of this tree; what is not found is then not known. */
const isOwnModule = (specifier: string): boolean => /^[./]/.test(specifier) || !/^[@a-z]/.test(specifier);
