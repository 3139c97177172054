// Which address leads to which route: lists of routes mounted below one another, across files and federation.

import { posix } from 'node:path';
import type { PackInput } from '../../codeindex/plain.ts';
import type { AngularFacts, RouteFact } from './angular-facts.ts';
import { COMPUTED } from './literals.ts';

export type AngularInput = PackInput<AngularFacts>;

export interface PlacedRoute {
  readonly path: string;
  readonly index: number;
  readonly fact: RouteFact;
  /** Where it is mounted, from the root of the application. */
  readonly urls: Set<string>;
}

/** Lists of routes that a module or a variable stands for. */
export type ListsOf = (path: string, name: string | null) => readonly (readonly PlacedRoute[])[];

const MOUNTS_MAX = 20_000;
const DEPTH_MAX = 24;

export class RouteTree {
  readonly routes: readonly PlacedRoute[];
  readonly #input: AngularInput;
  readonly #byFile = new Map<string, PlacedRoute[]>();
  #mounts = 0;

  constructor(input: AngularInput) {
    this.#input = input;
    this.routes = [...input.facts].flatMap(([path, { routes }]) => {
      const placed = routes.map((fact, index) => ({ path, index, fact, urls: new Set<string>() }));
      if (placed.length > 0) this.#byFile.set(path, placed);
      return placed;
    });
  }

  /** `remoteLists`: what a route loads from another application. Called once, when that is known. */
  mountAll(remoteLists: (route: PlacedRoute) => readonly (readonly PlacedRoute[])[]): void {
    const roots = [...this.#input.facts].flatMap(([path, { lists }]) =>
      lists.flatMap(({ name, root }) => (root ? this.listsOf(path, name) : [])),
    );
    const inline = this.routes.filter(({ fact }) => fact.root && fact.parent === null);
    const mounted = [...roots, ...(inline.length > 0 ? [inline] : [])];
    for (const list of mounted) this.#mount(list, '/', 0, remoteLists);
    // A list that nothing loads belongs to an eager module, or to an application whose root was not found.
    for (const route of this.routes) if (route.fact.parent === null && route.urls.size === 0) this.#mount([route], '/', 0, remoteLists);
  }

  #mount(
    list: readonly PlacedRoute[],
    base: string,
    depth: number,
    remoteLists: (route: PlacedRoute) => readonly (readonly PlacedRoute[])[],
  ): void {
    for (const route of list) {
      if (depth > DEPTH_MAX || this.#mounts++ > MOUNTS_MAX) return;
      const url = joined(base, route.fact.path ?? '');
      if (route.urls.has(url)) continue;
      route.urls.add(url);
      for (const inner of [this.childrenOf(route), ...this.loadedBy(route), ...remoteLists(route)])
        this.#mount(inner, url, depth + 1, remoteLists);
    }
  }

  childrenOf({ path, index }: PlacedRoute): readonly PlacedRoute[] {
    return this.#byFile.get(path)?.filter(({ fact }) => fact.parent === index) ?? [];
  }

  loadedBy({ path, fact }: PlacedRoute): readonly (readonly PlacedRoute[])[] {
    const target = fact.load?.what === 'children' ? this.importedFile(path, fact.load.specifier) : null;
    return target === null ? [] : this.listsIn(target, fact.load!.name);
  }

  importedFile(path: string, specifier: string): string | null {
    return this.#input.parts.get(path)?.imports.find((each) => each.specifier === specifier && each.target !== null)?.target ?? null;
  }

  /** What a name means in a file, as lists of routes. */
  listsOf(path: string, name: string): readonly (readonly PlacedRoute[])[] {
    const found = this.#input.resolver.inFile(path, name);
    return found ? this.listsIn(found.path, found.name) : [];
  }

  /** What a file gives under a name: a list, or a module with its own list or its routing module's. Without a name, everything. */
  listsIn(path: string, name: string | null): readonly (readonly PlacedRoute[])[] {
    const found = name === null ? null : this.#input.resolver.exported(path, name);
    const [file, wanted] = found ? [found.path, found.name] : [path, name];
    const tops = (this.#byFile.get(file) ?? []).filter(({ fact }) => fact.parent === null);
    const named = tops.filter(({ fact }) => fact.list === wanted);
    if (named.length > 0) return [named];
    const module = this.#input.parts.get(file)?.components.find(({ class_name, what }) => class_name === wanted && what === 'module');
    if (module) return this.#listsOfModule(file, module.class_name, new Set());
    return wanted === null && tops.length > 0 ? [tops] : [];
  }

  /** Its own list, those that it is given by name, and those of the routing modules that it imports. */
  #listsOfModule(file: string, name: string, seen: Set<string>): readonly (readonly PlacedRoute[])[] {
    const module = this.#input.parts.get(file)?.components.find(({ class_name, what }) => class_name === name && what === 'module');
    if (!module || seen.has(module.definition)) return [];
    seen.add(module.definition);
    const own = (this.#byFile.get(file) ?? []).filter(({ fact }) => fact.parent === null && fact.list === name);
    const given = (this.#input.facts.get(file)?.lists ?? []).filter(({ owner }) => owner === name);
    return [
      ...(own.length > 0 ? [own] : []),
      ...given.flatMap((list) => this.listsOf(file, list.name)),
      ...module.imports.flatMap((inner) => {
        const definition = this.#input.resolver.inFile(file, inner);
        return definition ? this.#listsOfModule(definition.path, definition.name, seen) : [];
      }),
    ];
  }

  /** The routes that an address leads to, the best first; what only redirects leads on. */
  matching(url: string, depth = 0): readonly PlacedRoute[] {
    const wanted = segmentsOf(url);
    const scored = this.routes.flatMap((route) => {
      const scores = [...route.urls].map((pattern) => scoreOf(wanted, segmentsOf(pattern))).filter((score) => score > 0);
      return scores.length === 0 ? [] : [{ route, score: Math.max(...scores) }];
    });
    const best = Math.max(0, ...scored.map(({ score }) => score));
    const found = scored.filter(({ score }) => score === best).map(({ route }) => route);
    const shown = found.filter(({ fact }) => fact.component !== null || fact.load?.what === 'component');
    if (shown.length > 0) return shown;
    const redirect = found.find(({ fact }) => fact.redirect !== null);
    if (redirect && depth < 5) {
      const [at = '/'] = redirect.urls;
      const to = redirect.fact.redirect!;
      const onward = this.matching(to.startsWith('/') ? to : joined(redirect.fact.path === '' ? at : posix.dirname(at), to), depth + 1);
      if (onward.length > 0) return onward;
    }
    return found;
  }
}

export const joined = (base: string, path: string): string => {
  const segments = [...segmentsOf(base), ...segmentsOf(path)];
  return `/${segments.join('/')}`;
};

const segmentsOf = (url: string): readonly string[] => url.split('/').filter((part) => part !== '');

/** 0: no match. Otherwise more for each identical part; a computed part matches a parameter best. */
function scoreOf(wanted: readonly string[], pattern: readonly string[]): number {
  if (wanted.length !== pattern.length) return 0;
  let score = 1;
  for (const [index, part] of wanted.entries()) {
    const against = pattern[index]!;
    if (against === '**') return 0;
    if (against.startsWith(':')) score += part === COMPUTED ? 3 : 1;
    else if (part === against) score += 4;
    else if (part !== COMPUTED) return 0;
  }
  return score;
}
