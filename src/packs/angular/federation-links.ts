// Module federation put together: which mapping a host's route uses, which application exposes what it asks for, and where that leads.

import { posix } from 'node:path';
import type { AngularInput, PlacedRoute } from './route-tree.ts';

export interface Mapping {
  readonly path: string;
  readonly line: number;
  /** The remote's name; its address if only that is known. */
  readonly name: string;
  readonly entry: string | null;
}

export interface Expose {
  readonly path: string;
  readonly line: number;
  readonly key: string;
  /** The file that it leads to; null when there is none in this tree. */
  readonly file: string | null;
  readonly written: string;
  /** The application's name, or its folder's. */
  readonly of: string;
}

export interface RemoteLoad {
  readonly remote: string | null;
  readonly exposed: string;
  readonly line: number;
  /** What is taken of the module. */
  readonly name: string | null;
  readonly mapping: Mapping | null;
  readonly expose: Expose | null;
}

const EXTENSIONS = ['', '.ts', '.js', '/index.ts'];

export class FederationLinks {
  readonly mappings: readonly Mapping[];
  readonly exposes: readonly Expose[];

  constructor({ facts, parts }: AngularInput) {
    const all = [...facts].flatMap(([path, { federations }]) => federations.map((fact) => ({ path, fact })));
    this.mappings = all.flatMap(({ path, fact }) => fact.remotes.map(({ name, entry, line }) => ({ path, line, name, entry })));
    this.exposes = all.flatMap(({ path, fact }) =>
      fact.exposes.map(({ key, file, line }) => {
        const of = fact.name ?? posix.basename(posix.dirname(path));
        return { path, line, key, of, written: file, file: exposedFile(path, file, (candidate) => parts.has(candidate)) };
      }),
    );
  }

  /** Null: the route loads nothing from elsewhere. */
  loadOf({ path, fact }: PlacedRoute): RemoteLoad | null {
    if (fact.remote) {
      const { remote, entry, exposed, line, name } = fact.remote;
      const known = this.#mappingFor(path, (each) => (remote === null ? each.entry === entry : each.name === remote));
      const mapping = known ?? (entry === null ? null : { path, line, name: entry, entry });
      return { remote, exposed, line, name, mapping, expose: mapping && this.#exposeFor(mapping, exposed) };
    }
    const [remote = '', ...rest] = fact.load?.specifier.split('/') ?? [];
    const mapping = this.#mappingFor(path, (each) => each.name === remote);
    if (!mapping || rest.length === 0) return null;
    const exposed = `./${rest.join('/')}`;
    return { remote, exposed, line: fact.line, name: fact.load!.name, mapping, expose: this.#exposeFor(mapping, exposed) };
  }

  /** Several applications may name a remote alike; the one that shares most folders with the route is its host's. */
  #mappingFor(path: string, fits: (mapping: Mapping) => boolean): Mapping | null {
    const candidates = this.mappings.filter(fits);
    return candidates.toSorted((a, b) => sharedFolders(b.path, path) - sharedFolders(a.path, path))[0] ?? null;
  }

  #exposeFor({ name }: Mapping, key: string): Expose | null {
    return this.exposes.find((each) => each.of === name && each.key === key) ?? null;
  }
}

const sharedFolders = (a: string, b: string): number => {
  const [left, right] = [a.split('/').slice(0, -1), b.split('/').slice(0, -1)];
  const differs = left.findIndex((part, index) => part !== right[index]);
  return differs < 0 ? left.length : differs;
};

/** Relative to the configuration's folder, or to one above it: builders differ. */
function exposedFile(config: string, written: string, exists: (path: string) => boolean): string | null {
  for (let folder = posix.dirname(config); ; folder = posix.dirname(folder)) {
    for (const extension of EXTENSIONS) {
      const candidate = posix.normalize(posix.join(folder, written + extension));
      if (exists(candidate)) return candidate;
    }
    if (folder === '.') return null;
  }
}
