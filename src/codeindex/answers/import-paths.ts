// From an import as it is written to the indexed file that it leads to. What leads out of the tree, or could be several files, is null.

import { posix } from 'node:path';
import { languageOf } from '../extract/language-of.ts';
import type { Language } from '../model.ts';

/** What configuration says about names of modules: read from the tree, if it is there. */
export interface ModuleNames {
  /** Of `compilerOptions.paths`: a pattern with at most one star, and where it leads from the root. */
  readonly paths: readonly (readonly [pattern: string, targets: readonly string[]])[];
  /** Folders of the packages of this tree, by name. */
  readonly packages: ReadonlyMap<string, string>;
}

const ENDINGS = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
const WRITTEN_FOR: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
};
const TRIES_MAX = 8;

export class ImportPaths {
  readonly #has: (path: string) => boolean;
  readonly #names: ModuleNames;
  /** Paths by their last name: other languages name a file from wherever its root is. */
  readonly #byName = new Map<string, string[]>();
  readonly #known = new Map<string, string | null>();

  constructor(paths: Iterable<string>, has: (path: string) => boolean, names: ModuleNames) {
    this.#has = has;
    this.#names = names;
    for (const path of paths) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const same = this.#byName.get(name);
      if (same) same.push(path);
      else this.#byName.set(name, [path]);
    }
  }

  target(from: string, specifier: string): string | null {
    const folder = posix.dirname(from) === '.' ? '' : posix.dirname(from);
    const language = languageOf(from);
    const key = `${language}\0${folder}\0${specifier}`;
    let found = this.#known.get(key);
    if (found === undefined) this.#known.set(key, (found = this.#find(folder, specifier, language)));
    return found;
  }

  #find(folder: string, specifier: string, language: Language): string | null {
    switch (language) {
      case 'python':
        return this.#python(folder, specifier);
      case 'java':
      case 'csharp':
        return null;
      case 'php':
      case 'ruby':
      case 'cpp':
        return this.#bySuffix(folder, specifier, language === 'ruby' ? ['.rb', ''] : ['']);
      case 'rust':
        return this.#rust(folder, specifier);
      case 'go':
        return null;
      default:
        return this.#program(folder, specifier);
    }
  }

  #program(folder: string, specifier: string): string | null {
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) return this.#file(posix.join(folder, specifier));
    if (specifier.startsWith('/')) return this.#file(specifier.slice(1));
    for (const [pattern, targets] of this.#names.paths) {
      const [before = '', after] = pattern.split('*');
      const fits =
        after === undefined
          ? specifier === pattern
          : specifier.startsWith(before) && specifier.endsWith(after) && specifier.length >= before.length + after.length;
      if (!fits) continue;
      const middle = after === undefined ? '' : specifier.slice(before.length, specifier.length - after.length);
      for (const target of targets) {
        const found = this.#file(posix.normalize(target.replace('*', middle)));
        if (found !== null) return found;
      }
    }
    const parts = specifier.split('/');
    const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
    const home = this.#names.packages.get(name);
    if (home === undefined) return null;
    const rest = specifier.slice(name.length + 1);
    for (const inside of rest === '' ? ['src/index', 'index', 'src/public-api', 'lib/index'] : [rest, `src/${rest}`]) {
      const found = this.#file(posix.join(home, inside));
      if (found !== null) return found;
    }
    return null;
  }

  /** With the endings that may be left out, and with those that stand for sources. */
  #file(path: string): string | null {
    if (path.startsWith('..')) return null;
    if (this.#has(path)) return path;
    const ending = posix.extname(path);
    for (const other of WRITTEN_FOR[ending] ?? [])
      if (this.#has(path.slice(0, -ending.length) + other)) return path.slice(0, -ending.length) + other;
    for (const other of ENDINGS) if (this.#has(path + other)) return path + other;
    const inside = path === '' || path === '.' ? 'index' : `${path}/index`;
    for (const other of ENDINGS) if (this.#has(inside + other)) return inside + other;
    return null;
  }

  #python(folder: string, specifier: string): string | null {
    const dots = /^\.*/.exec(specifier)![0].length;
    const rest = specifier.slice(dots).replaceAll('.', '/');
    const forms = (path: string): readonly string[] => [`${path}.py`, posix.join(path, '__init__.py'), `${path}.pyi`];
    if (dots > 0) {
      const base = folder
        .split('/')
        .slice(0, dots === 1 ? undefined : 1 - dots)
        .join('/');
      return forms(posix.join(base, rest)).find(this.#has) ?? null;
    }
    return forms(rest).find(this.#has) ?? this.#bySuffix(folder, rest, ['.py', '/__init__.py']);
  }

  #rust(folder: string, specifier: string): string | null {
    const names = specifier.split('::').filter((name) => name !== 'crate' && name !== 'self');
    for (let length = names.length; length > 0 && names.length - length < TRIES_MAX; length--) {
      const found = this.#bySuffix(folder, names.slice(0, length).join('/'), ['.rs', '/mod.rs']);
      if (found !== null) return found;
    }
    return null;
  }

  /** The file of this name that is nearest; null when there are several that are not. */
  #bySuffix(folder: string, specifier: string, endings: readonly string[]): string | null {
    const wanted = specifier.replace(/^(?:\.\/)+/, '');
    for (const ending of endings) {
      const path = wanted + ending;
      const beside = posix.join(folder, path);
      if (this.#has(beside)) return beside;
      const same = (this.#byName.get(path.slice(path.lastIndexOf('/') + 1)) ?? []).filter(
        (other) => other === path || other.endsWith(`/${path}`),
      );
      if (same.length === 1) return same[0]!;
    }
    return null;
  }
}
