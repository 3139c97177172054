// Definitions by name: exact, with the enclosing name, or similar.

import type { Definition, DefinitionHit, DefinitionQuery, Found } from '../model.ts';
import { qualified } from './resolve.ts';
import { covering, type TreeView } from './tree-view.ts';

const LIMIT = 50;
const FUZZY_NAMES = 60;

/** The definitions with this name, `Outer.name` or id. */
export function definitionsNamed(view: TreeView, name: string): readonly Definition[] {
  const hash = name.indexOf('#');
  if (hash > 0) {
    const byId = view.definitionsIn(name.slice(0, hash)).filter(({ id }) => id === name);
    if (byId.length > 0) return byId;
  }
  const found: Definition[] = [];
  // A name may have dots of its own: a heading, a key.
  for (const last of new Set([name, name.split(/\.|::|#/).at(-1)!])) {
    for (const { segment, file, row } of view.rowsNamed(last, 'definitions')) {
      const [first] = segment.rowsOf(file, 'definitions');
      const definition = view.definitionsIn(segment.path(file))[row - first];
      if (definition && (last === name || endsWithName(qualified(definition), name))) found.push(definition);
    }
    if (found.length > 0) break;
  }
  return found;
}

/** `Outer.name` also names `Module.Outer.name`. */
const endsWithName = (whole: string, name: string): boolean => {
  const dotted = name.replaceAll('::', '.').replaceAll('#', '.');
  return whole === dotted || whole.endsWith(`.${dotted}`);
};

export function definitions(view: TreeView, { name, fuzzy = false, kinds, glob, limit = LIMIT }: DefinitionQuery): Found<DefinitionHit> {
  const covers = covering(glob);
  const fits = ({ kind, path }: Definition): boolean => (kinds === undefined || kinds.includes(kind)) && covers(path);
  const scored = new Map<string, { readonly definition: Definition; readonly score: number }>();
  for (const definition of definitionsNamed(view, name)) if (fits(definition)) scored.set(definition.id, { definition, score: 1 });
  if (fuzzy) {
    for (const [other, score] of namesLike(view, name))
      for (const definition of definitionsNamed(view, other))
        if (fits(definition) && definition.name === other && !scored.has(definition.id)) scored.set(definition.id, { definition, score });
  }
  const inOrder = [...scored.values()].sort(
    (a, b) =>
      b.score - a.score ||
      rankOf(b.definition) - rankOf(a.definition) ||
      (a.definition.path < b.definition.path ? -1 : a.definition.path > b.definition.path ? 1 : a.definition.line - b.definition.line),
  );
  const hits = inOrder.slice(0, limit).flatMap(({ definition, score }) => {
    const cited = view.cite(definition.path, definition.line, definition.line);
    return cited ? [{ ...definition, citation: cited, score }] : [];
  });
  return { hits, incomplete: inOrder.length > limit ? `more than ${limit} definitions` : null };
}

/** Exported and top-level names are more likely meant; tests and examples less. */
const rankOf = ({ exported, container, path, kind }: Definition): number =>
  (exported ? 2 : 0) +
  (container === null ? 1 : 0) -
  (kind === 'key' ? 5 : 0) -
  (/(?:^|[./_-])(?:tests?|spec|mock|fixtures?|examples?)(?:[./_-]|$)/i.test(path) ? 3 : 0);

/** The names that are most like it, with how much. */
function namesLike(view: TreeView, wanted: string): readonly (readonly [name: string, score: number])[] {
  const best = new Map<string, number>();
  const lower = wanted.toLowerCase();
  for (const { segment } of view.store.live()) {
    for (const name of segment.definedNames()) {
      if (best.has(name)) continue;
      const score = likeness(wanted, lower, name);
      if (score > 0) best.set(name, score);
    }
  }
  return [...best].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length || (a[0] < b[0] ? -1 : 1)).slice(0, FUZZY_NAMES);
}

/** From 0 for no similarity to nearly 1. */
export function likeness(wanted: string, lower: string, name: string): number {
  if (name === wanted) return 1;
  const other = name.toLowerCase();
  if (other === lower) return 0.95;
  const share = lower.length / other.length;
  if (other.startsWith(lower)) return 0.7 + 0.2 * share;
  const at = other.indexOf(lower);
  if (at > 0) return (isWordStart(name, at) ? 0.55 : 0.4) + 0.2 * share;
  if (lower.length >= 2 && humps(lower, name)) return 0.45 + 0.2 * share;
  const allowed = Math.min(2, Math.floor(lower.length / 4));
  if (Math.abs(other.length - lower.length) <= allowed) {
    const distance = editDistance(lower, other, allowed);
    if (distance <= allowed) return 0.6 - 0.15 * distance;
  }
  return 0;
}

const isWordStart = (name: string, at: number): boolean =>
  /[^A-Za-z0-9]/.test(name[at - 1]!) || (/[A-Z]/.test(name[at]!) && /[^A-Z]/.test(name[at - 1]!));

/** `gsv` finds `getSystemVersion`: letters in order, each continuing a word or beginning the next. */
function humps(lower: string, name: string): boolean {
  let at = 0;
  for (let next = 0; next < name.length && at < lower.length; next++) {
    const isNext = name[next]!.toLowerCase() === lower[at];
    const begins = next === 0 || isWordStart(name, next);
    const continues = at > 0 && next > 0 && name[next - 1]!.toLowerCase() === lower[at - 1];
    if (isNext && (begins || continues)) at++;
  }
  return at === lower.length;
}

/** Up to `max`; more than that is `max + 1`. Two letters that changed places count once. */
export function editDistance(a: string, b: string, max: number): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      let cost = Math.min(above[column]! + 1, current[column - 1]! + 1, above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, before[column - 2]! + 1);
      current.push(cost);
    }
    if (Math.min(...current) > max) return max + 1;
    before = above;
    above = current;
  }
  return Math.min(above[b.length]!, max + 1);
}
