// What people write into `.ai/graph/seed`: one JSON object a line, each a node. Policies and recipes are such rows.
//
// INVARIANT: all rows of all files, or none: a complaint names file and line, and all complaints are reported at once.

import { Fault } from '../../protocol/index.ts';
import { parseJsonWithLines } from '../../workspace/index.ts';
import { ANCHOR, anchorId, DERIVED_ID, FILE, type GraphContent, type GraphEdge, type GraphNode, type Json, SYMBOL } from './graph-model.ts';

export const SEED_FOLDER = '.ai/graph/seed';

export interface SeedFile {
  readonly path: string;
  readonly text: string;
}

export interface SeedRow {
  readonly id: string;
  /** `policy`, `recipe`, or any other word for what it is. */
  readonly type: string;
  readonly version: string | number;
  readonly updated_at: string;
  readonly updated_by: string;
  readonly [field: string]: Json;
}

export interface Seeds extends GraphContent {
  /** By id, with the position of each. */
  readonly rows: ReadonlyMap<string, { readonly row: SeedRow; readonly path: string; readonly line: number }>;
}

export const NO_SEEDS: Seeds = { nodes: [], edges: [], rows: new Map() };

const COMPLAINTS_MAX = 50;
const ID_MAX = 512;
/** The labels of what is read from the code: people do not write these. */
const DERIVED_LABELS: readonly string[] = [ANCHOR, FILE, SYMBOL];
const TYPE = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const EDGE_TYPE = /^[A-Z][A-Z0-9_]{0,63}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** `policy` → `Policy`, `plan_rule` → `PlanRule`. */
export const labelOf = (type: string): string =>
  type
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

export function parseSeeds(files: readonly SeedFile[]): Seeds {
  const complaints: string[] = [];
  const rows = new Map<string, { row: SeedRow; path: string; line: number }>();
  for (const { path, text } of files) {
    for (const [index, written] of text
      .replace(/^\ufeff/, '')
      .split('\n')
      .entries()) {
      const line = index + 1;
      if (written.trim() === '') continue;
      const read = parseRow(path, written);
      const first = 'row' in read ? rows.get(read.row.id) : undefined;
      if ('complaints' in read) complaints.push(...read.complaints.map((what) => `${path}:${line}: ${what}`));
      else if (first) complaints.push(`${path}:${line}: id ${JSON.stringify(read.row.id)} is at ${first.path}:${first.line} already`);
      else rows.set(read.row.id, { row: read.row, path, line });
    }
  }
  for (const { row, path, line } of rows.values())
    for (const { to } of edgesOf(row))
      if (!DERIVED_ID.test(to) && !rows.has(to) && !isMemory(to))
        complaints.push(`${path}:${line}: leads to ${JSON.stringify(to)}, and no row has that id`);
  if (complaints.length > 0) throw invalid(complaints);
  return { rows, nodes: [...rows.values()].map(nodeOf), edges: [...rows.values()].flatMap(placedEdges) };
}

/** A memory is kept in the ledger, and may be retired there at any time. */
const isMemory = (id: string): boolean => id.startsWith('clm_');

function invalid(complaints: readonly string[]): Fault {
  const more = complaints.length - COMPLAINTS_MAX;
  return new Fault('DOCUMENT_INVALID', [...complaints.slice(0, COMPLAINTS_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'), {
    fix: `Fix these lines below ${SEED_FOLDER}, then run countersign graph sync; until then the graph stays as it is`,
  });
}

function parseRow(path: string, written: string): { row: SeedRow } | { complaints: readonly string[] } {
  let value: unknown;
  try {
    ({ value } = parseJsonWithLines(path, written));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { complaints: [error.message.replace(`${path}:1: `, '')] };
  }
  if (!isRecord(value)) return { complaints: ['a row is a JSON object'] };
  const complaints = [...FIELDS.flatMap(([field, check]) => complaintAbout(field, value[field], check)), ...complaintsOfEdges(value)];
  if (value['op'] === 'delete') complaints.push('a row cannot delete another: take the other row out of its file');
  if (!written.isWellFormed() || hasLoneSurrogate(value)) complaints.push('holds half of a character (a lone surrogate)');
  return complaints.length > 0 ? { complaints } : { row: value as SeedRow };
}

type Check = (value: unknown) => string | null;
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** The five that every row has. */
const FIELDS: readonly (readonly [string, Check])[] = [
  [
    'id',
    (value) => {
      if (!isText(value) || value.length > ID_MAX || /\p{Cc}/u.test(value)) return `is a text of at most ${ID_MAX} characters`;
      return DERIVED_ID.test(value) ? 'begins like the ids of what is read out of the code (anchor:, file:, symbol:, pack:)' : null;
    },
  ],
  [
    'type',
    (value) => {
      if (typeof value !== 'string' || !TYPE.test(value)) return 'is a word such as policy or recipe';
      return DERIVED_LABELS.includes(labelOf(value)) ? 'is read out of the code and cannot be written down' : null;
    },
  ],
  ['version', (value) => (isText(value) || (Number.isInteger(value) && Number(value) > 0) ? null : 'is a text or a whole number above 0')],
  [
    'updated_at',
    (value) =>
      typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value))
        ? null
        : 'is a time such as 2026-02-17T09:00:00Z',
  ],
  ['updated_by', (value) => (isText(value) ? null : 'says who')],
];

function complaintAbout(field: string, value: unknown, check: Check): readonly string[] {
  if (value === undefined) return [`has no ${field}`];
  const what = check(value);
  return what === null ? [] : [`${field} ${what}`];
}

function complaintsOfEdges(value: Record<string, unknown>): readonly string[] {
  const complaints: string[] = [];
  for (const field of ['domainAnchorIds', 'graphNodeIds']) {
    const ids = value[field];
    if (ids !== undefined && !(Array.isArray(ids) && ids.every(isText))) complaints.push(`${field} is a list of ids`);
  }
  const edges = value['edges'];
  if (edges === undefined) return complaints;
  const isEdge = (edge: unknown): boolean =>
    isRecord(edge) && typeof edge['type'] === 'string' && EDGE_TYPE.test(edge['type']) && isText(edge['to']);
  if (!Array.isArray(edges) || !edges.every(isEdge)) complaints.push('edges is a list of {"type": "IN_CAPITALS", "to": "an id"}');
  return complaints;
}

function edgesOf(row: SeedRow): readonly { type: string; to: string }[] {
  const ids = (field: string): readonly string[] => (row[field] as readonly string[] | undefined) ?? [];
  return [
    ...ids('domainAnchorIds').map((id) => ({ type: 'APPLIES_TO', to: id.startsWith('anchor:') ? id : anchorId(id) })),
    ...ids('graphNodeIds').map((to) => ({ type: 'ABOUT', to })),
    ...((row['edges'] as readonly { type: string; to: string }[] | undefined) ?? []),
  ];
}

const nodeOf = ({ row }: { row: SeedRow }): GraphNode => {
  const named = [row['name'], row['title']].find(isText);
  return { id: row.id, label: labelOf(row.type), name: named ?? row.id, path: null, line: null, data: row };
};

const placedEdges = ({ row, path, line }: { row: SeedRow; path: string; line: number }): readonly GraphEdge[] =>
  edgesOf(row).map(({ type, to }) => ({ from: row.id, type, to, path, line }));

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `"\ud800"` is JSON, and no database takes it. */
function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (Array.isArray(value)) return value.some(hasLoneSurrogate);
  return isRecord(value) && Object.entries(value).some(([key, inner]) => !key.isWellFormed() || hasLoneSurrogate(inner));
}
