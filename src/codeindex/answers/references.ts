// Where a definition is used, who calls it and whom it calls.

import type { CallEdge, CallHit, Definition, Found, Reference, ReferenceHit, ReferenceQuery, ReferenceRole } from '../model.ts';
import { decodeCall, decodeImport, decodeReference } from '../segment/decode.ts';
import type { Segment } from '../segment/segment.ts';
import { widthOf } from '../segment/tables.ts';
import { definitionsNamed } from './definitions.ts';
import { isType, type Resolution } from './resolve.ts';
import { covering, type TreeView } from './tree-view.ts';

const LIMIT = 500;
/** The most uses of one name that are examined; no one reads more. */
const ROWS_MAX = 50_000;
const CALLS: readonly ReferenceRole[] = ['call', 'new', 'jsx', 'decorator', 'template'];

interface Use {
  readonly segment: Segment;
  readonly file: number;
  readonly row: number;
  readonly path: string;
  readonly resolution: Resolution;
}

export interface Uses {
  readonly uses: readonly Use[];
  readonly incomplete: string | null;
}

/** Uses of any of the definitions, or of the name where nothing in the tree defines it. */
export function usesOf(view: TreeView, name: string, wanted: readonly Definition[]): Uses {
  const ids = new Set(wanted.map(({ id }) => id));
  const simple = wanted[0]?.name ?? name.split(/\.|::|#/).at(-1)!;
  const areMembers = wanted.some(isMember);
  const found: Use[] = [];
  let looked = 0;
  const take = (asked: string, onlyResolved: boolean): void => {
    for (const { segment, file, row } of view.rowsNamed(asked, 'references')) {
      if (++looked > ROWS_MAX) return;
      const resolution = view.resolver.reference(segment, file, row);
      const isMeant = resolution.isResolved
        ? resolution.targets.some(({ id }) => ids.has(id))
        : !onlyResolved && fitsByName(segment, row, areMembers);
      if (wanted.length === 0 || isMeant) found.push({ segment, file, row, path: segment.path(file), resolution });
    }
  };
  take(simple, false);
  for (const alias of aliasesOf(view, wanted, simple)) take(alias, true);
  return { uses: found, incomplete: looked > ROWS_MAX ? `only ${ROWS_MAX} uses of the name were looked at` : null };
}

const isMember = ({ container, kind }: Definition): boolean => container !== null && kind !== 'heading' && kind !== 'key';

/** `x.name` may be a member; a plain name that no scope binds may be anything at the top. */
function fitsByName(segment: Segment, row: number, areMembers: boolean): boolean {
  const of = segment.table('references')[row * widthOf('references') + 4]!;
  return of < 0 || areMembers;
}

/** Other names that files import a definition under: `import { a as b }`, and every default. */
function aliasesOf(view: TreeView, wanted: readonly Definition[], simple: string): ReadonlySet<string> {
  const aliases = new Set<string>();
  const ids = new Set(wanted.filter(({ exported }) => exported).map(({ id }) => id));
  if (ids.size === 0) return aliases;
  for (const imported of [simple, 'default']) {
    for (const { segment, file, row } of view.rowsNamed(imported, 'references')) {
      const role = segment.role(row);
      const target = segment.table('references')[row * widthOf('references') + 6]!;
      if ((role !== 'import' && role !== 'export') || target > -2) continue;
      const [first] = segment.rowsOf(file, 'imports');
      const { local } = decodeImport(segment, first - 2 - target, segment.path(file), view);
      if (imported === 'default' || (local !== null && local !== simple)) {
        if (!view.resolver.reference(segment, file, row).targets.some(({ id }) => ids.has(id))) continue;
        if (local !== null && local !== simple) aliases.add(local);
        if (imported === 'default') aliases.add('default');
      }
    }
  }
  return aliases;
}

const byPlace = (a: { readonly path: string; readonly line: number; readonly column: number }, b: typeof a): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column;

export function references(view: TreeView, { name, roles, glob, limit = LIMIT }: ReferenceQuery): Found<ReferenceHit> {
  const { uses, incomplete } = usesOf(view, name, definitionsNamed(view, name));
  const covers = covering(glob);
  const found = uses
    .filter(({ segment, row, path }) => (roles === undefined || roles.includes(segment.role(row))) && covers(path))
    .map(({ segment, row, path, resolution }) => ({ reference: decodeReference(segment, row, path, view.definitionsIn(path)), resolution }))
    .sort((a, b) => byPlace(a.reference, b.reference));
  const hits = found.slice(0, limit).flatMap(({ reference, resolution }) => hitOf(view, reference, resolution));
  return { hits, incomplete: found.length > limit ? `more than ${limit} references` : incomplete };
}

function hitOf(view: TreeView, reference: Reference, { isResolved, targets }: Resolution): readonly ReferenceHit[] {
  const citation = view.cite(reference.path, reference.line, reference.line);
  return citation ? [{ ...reference, citation, certainty: isResolved ? 'resolved' : 'name', targets: targets.map(({ id }) => id) }] : [];
}

export function callers(view: TreeView, { name, roles = CALLS, glob, limit = LIMIT }: ReferenceQuery): Found<CallHit> {
  const { hits, incomplete } = references(view, { name, roles, glob, limit });
  return {
    hits: hits.map((hit) => {
      const definition = view.definitionsIn(hit.path).find(({ id }) => id === hit.within) ?? null;
      return { definition, name: definition?.name ?? hit.path, call: callAt(view, hit), citation: hit.citation, certainty: hit.certainty };
    }),
    incomplete,
  };
}

/** The call at a place; a use that is no call is one without arguments. */
function callAt(view: TreeView, hit: Reference): CallEdge {
  const file = view.store.file(hit.path);
  const found = file
    ? callsIn(view, file.segment, file.slot).find(({ call }) => call.line === hit.line && call.column === hit.column)
    : undefined;
  return (
    found?.call ?? {
      path: hit.path,
      line: hit.line,
      column: hit.column,
      callee: hit.name,
      of: hit.of,
      caller: hit.within,
      is_new: false,
      arguments: '',
    }
  );
}

function callsIn(view: TreeView, segment: Segment, file: number): readonly { readonly call: CallEdge; readonly row: number }[] {
  const path = segment.path(file);
  const definitions = view.definitionsIn(path);
  const text = view.textOf(path)?.text ?? '';
  const [first, end] = segment.rowsOf(file, 'calls');
  const [firstReference] = segment.rowsOf(file, 'references');
  const table = segment.table('calls');
  return Array.from({ length: end - first }, (_, index) => ({
    call: decodeCall(segment, first + index, firstReference, path, text, definitions),
    row: firstReference + table[(first + index) * widthOf('calls')]!,
  }));
}

/** What a definition calls, also from nested definitions. */
export function callees(view: TreeView, { name, glob, limit = LIMIT }: ReferenceQuery): Found<CallHit> {
  const covers = covering(glob);
  const hits: CallHit[] = [];
  for (const caller of definitionsNamed(view, name)) {
    const file = view.store.file(caller.path);
    if (!file || !covers(caller.path)) continue;
    for (const { call, row } of callsIn(view, file.segment, file.slot)) {
      if (call.caller !== caller.id && !isInside(view, call.caller, caller)) continue;
      if (hits.length === limit) return { hits, incomplete: `more than ${limit} calls` };
      const citation = view.cite(call.path, call.line, call.line);
      if (!citation) continue;
      const { targets, isResolved } = calledBy(view, file.segment, file.slot, row, call);
      hits.push({ definition: targets[0] ?? null, name: call.callee, call, citation, certainty: isResolved ? 'resolved' : 'name' });
    }
  }
  return { hits, incomplete: null };
}

/** Where only the name speaks, a definition is named when there is just one of that name. */
function calledBy(view: TreeView, segment: Segment, file: number, row: number, { callee, of }: CallEdge): Resolution {
  const resolution = view.resolver.reference(segment, file, row);
  if (resolution.isResolved) return resolution;
  const same = definitionsNamed(view, callee).filter(
    (each) => (of === null ? each.container === null : isMember(each)) && !isType({ ...each }),
  );
  return { targets: same.length === 1 ? same : [], isResolved: false };
}

const isInside = (view: TreeView, id: string | null, outer: Definition): boolean => {
  if (id === null) return false;
  const inner = view.definitionsIn(outer.path).find((each) => each.id === id);
  return (
    inner !== undefined &&
    inner.range.start_line >= outer.range.start_line &&
    inner.range.end_line <= outer.range.end_line &&
    inner.id.startsWith(`${outer.id}.`)
  );
};
