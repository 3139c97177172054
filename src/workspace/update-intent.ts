// Changes one intent in the text of the intents file.
//
// INVARIANT: only the bytes of values that differ change; comments, order and quoting of everything else stay. The result is
// parsed again and compared with what was meant before it is used. Where the text cannot be changed so, the fault says what to write by hand.

import { isDeepStrictEqual } from 'node:util';
import { isAlias, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { Fault, type Intent } from '../protocol/index.ts';
import { invalidDocument } from './complaints.ts';
import { type IntentsDocument, parseIntents, plainValue } from './intents-document.ts';
import { type Hunk, hunksOf } from './list-hunks.ts';
import { columnOf, contentEnd, endOfLine, eolOf, placeAfter, scalarText, startOf } from './yaml-text.ts';
import { INTENTS_FILE } from './own-files.ts';

const FIELDS = ['name', 'status', 'owned_scope', 'constraints', 'acceptance_criteria'] as const;
type Field = (typeof FIELDS)[number];

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Throws NOT_FOUND when the file has no item with the intent's id. */
export function updateIntent(text: string, intent: Intent): string {
  let next = text;
  // One field at a time, parsed again each time: an edit moves the offsets of the fields after it.
  for (const field of FIELDS) {
    const document = parseIntents(next);
    const index = document.intents.findIndex(({ id }) => id === intent.id);
    const present = document.intents[index];
    if (!present) throw new Fault('NOT_FOUND', `${INTENTS_FILE} has no intent ${intent.id}`);
    if (isDeepStrictEqual(present[field], intent[field])) continue;
    const item = isSeq(document.list) ? document.list.items[index] : null;
    const edits = isMap(item) ? editsOf(next, item, field, present[field], intent[field]) : null;
    const edited = edits && applyEdits(next, edits);
    if (edited === null || !changesOnly(document, index, edited, { [field]: intent[field] })) throw cannotEdit(next, item, intent, field);
    next = edited;
  }
  return next;
}

type Value = string | readonly string[];

/** Null when changing the value alone is not enough. */
function editsOf(text: string, item: YAMLMap, field: Field, before: Value, after: Value): Edit[] | null {
  const pair = item.items.find(({ key }) => isScalar(key) && key.value === field);
  if (typeof before === 'string' || typeof after === 'string') return replaceValue(text, pair?.value, scalarText(String(after)));
  if (!pair) return addList(text, item, field, after);
  const list = pair.value;
  if (isAlias(list)) return replaceValue(text, list, flowText(after));
  if (!isSeq(list) || list.items.length === 0) return fillEmptyList(text, item, pair, after);
  const edits = hunksOf(before, after).map((hunk) => (list.flow ? editFlowList(text, list, hunk) : editBlockList(text, list, hunk)));
  if (edits.includes(null)) return null;
  const colon = text.indexOf(':', contentEnd(pair.key) ?? 0) + 1;
  // A block list without items would leave the key alone, which means null, not an empty list.
  return [...edits.flatMap((each) => each ?? []), ...(after.length === 0 && !list.flow ? [insertion(colon, ' []')] : [])];
}

function replaceValue(text: string, node: unknown, value: string): Edit[] | null {
  const place = rangeOf(text, node);
  if (place === null) return null;
  // A comment on the first line of a block scalar (`key: | # why`) would be replaced with it.
  const isBlock = isScalar(node) && node.type?.startsWith('BLOCK');
  if (isBlock && text.slice(place.start, endOfLine(text, place.start)).includes('#')) return null;
  return [{ ...place, text: value }];
}

function addList(text: string, item: YAMLMap, field: Field, values: readonly string[]): Edit[] | null {
  const end = contentEnd(item.items.at(-1));
  const column = keyColumn(text, startOf(item.items[0]?.key));
  if (end === null) return null;
  if (item.flow) return [insertion(end, `, ${field}: ${flowText(values)}`)];
  if (column === null) return null;
  const eol = eolOf(text);
  return [lineInsertion(text, placeAfter(text, end, column), `${' '.repeat(column)}${field}:${eol}${blockText(values, column + 2, eol)}`)];
}

/** `[]`, `null`, `~` or nothing: replaced by a list. */
function fillEmptyList(text: string, item: YAMLMap, pair: Pair, values: readonly string[]): Edit[] | null {
  const place = rangeOf(text, pair.value);
  const column = keyColumn(text, startOf(pair.key));
  if (place === null || !/^(?:\[[ \t]*\]|null|~|)$/i.test(text.slice(place.start, place.end))) return null;
  if (item.flow) return [{ ...place, text: `${text[place.start - 1] === ':' ? ' ' : ''}${flowText(values)}` }];
  if (column === null) return null;
  let { start } = place;
  while (start < place.end && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--;
  const added = lineInsertion(text, placeAfter(text, place.end, column), blockText(values, column + 2, eolOf(text)));
  return [{ start, end: place.end, text: '' }, added];
}

function editFlowList(text: string, list: YAMLSeq, { at, removed, values }: Hunk): Edit[] | null {
  const places = list.items.map((node) => rangeOf(text, node));
  const replaced = Math.min(removed, values.length);
  const edits = replaceItems(text, list.items.slice(at, at + replaced), values);
  if (edits === null) return null;
  const [from, to] = [at + replaced, at + removed];
  const [previous, first, last, next] = [places[from - 1], places[from], places[to - 1], places[to]];
  const added = values.slice(replaced).map(scalarText).join(', ');
  if (added !== '' && previous) return [...edits, insertion(previous.end, `, ${added}`)];
  if (added !== '') return first ? [...edits, insertion(first.start, `${added}, `)] : null;
  if (from === to) return edits;

  const start = next ? first?.start : (previous?.end ?? first?.start);
  const end = next ? next.start : last?.end;
  if (start === undefined || end === undefined) return null;
  let gaps = '';
  let done = start;
  for (const place of places.slice(from, to)) {
    gaps += text.slice(done, place?.start);
    done = place?.end ?? end;
  }
  // A comment between two values must stay.
  return /^[\s,]*$/.test(gaps + text.slice(done, end)) ? [...edits, { start, end, text: '' }] : null;
}

function editBlockList(text: string, list: YAMLSeq, { at, removed, values }: Hunk): Edit[] | null {
  const replaced = Math.min(removed, values.length);
  const edits = replaceItems(text, list.items.slice(at, at + replaced), values);
  const column = columnOf(text, startOf(list));
  if (edits === null || column === null) return null;
  const from = at + replaced;
  if (values.length > replaced) {
    const previousEnd = from > 0 ? contentEnd(list.items[from - 1]) : null;
    const place = previousEnd === null ? lineStart(text, startOf(list) ?? 0) : placeAfter(text, previousEnd, column);
    return [...edits, lineInsertion(text, place, blockText(values.slice(replaced), column, eolOf(text)))];
  }
  const cuts = list.items.slice(from, at + removed).map((node) => removeItem(text, node));
  return cuts.includes(null) ? null : [...edits, ...cuts.filter((cut) => cut !== null)];
}

/** Each item by the value at its index. */
function replaceItems(text: string, items: readonly unknown[], values: readonly string[]): Edit[] | null {
  const edits = items.map((node, index) => replaceValue(text, node, scalarText(values[index] ?? '')));
  return edits.includes(null) ? null : edits.flatMap((each) => each ?? []);
}

/** Removes an item from a block list. A comment after it stays, on a line of its own. */
function removeItem(text: string, node: unknown): Edit | null {
  const place = rangeOf(text, node);
  if (place === null) return null;
  const start = lineStart(text, place.start);
  const end = endOfLine(text, place.end);
  const indent = /^( *)- +$/.exec(text.slice(start, place.start))?.[1];
  const rest = /^([ \t]*)(#[^]*|\r?\n?)$/.exec(text.slice(place.end, end));
  if (indent === undefined || rest === null) return null;
  if (!rest[2]?.startsWith('#')) return { start, end, text: '' };
  return { start: start + indent.length, end: place.end + (rest[1] ?? '').length, text: '' };
}

/** The bytes of a value. A block scalar's own range would take in the line ends after it. */
function rangeOf(text: string, node: unknown): { start: number; end: number } | null {
  const start = startOf(node);
  const end = typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range) ? Number(node.range[1]) : null;
  if (start === null || end === null) return null;
  return isScalar(node) && node.type?.startsWith('BLOCK')
    ? { start, end: start + text.slice(start, end).trimEnd().length }
    : { start, end };
}

const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text });
const lineInsertion = (text: string, at: number, lines: string): Edit =>
  insertion(at, (at === 0 || text[at - 1] === '\n' ? '' : eolOf(text)) + lines);
const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;
const flowText = (values: readonly string[]): string => `[${values.map(scalarText).join(', ')}]`;
const blockText = (values: readonly string[], column: number, eol: string): string =>
  values.map((value) => `${' '.repeat(column)}- ${scalarText(value)}${eol}`).join('');

/** How far a key is indented, the dash of its item included; null when something else precedes it. */
function keyColumn(text: string, offset: number | null): number | null {
  if (offset === null) return null;
  const before = text.slice(lineStart(text, offset), offset).replace('\ufeff', '');
  return /^ *(?:- +)?$/.test(before) ? before.length : null;
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let next = text;
  for (const { start, end, text: value } of edits.toSorted((a, b) => b.start - a.start || b.end - a.end))
    next = next.slice(0, start) + value + next.slice(end);
  return next;
}

/** The edited file says the same as before but for this change of one intent. */
function changesOnly(document: IntentsDocument, index: number, edited: string, change: Partial<Intent>): boolean {
  const before = plainValue(document.yaml) as { readonly intents: readonly object[] };
  const after = parseDocument(edited);
  const expected = { ...before, intents: before.intents.map((item, at) => (at === index ? { ...item, ...change } : item)) };
  return after.errors.length === 0 && isDeepStrictEqual(plainValue(after), expected);
}

function cannotEdit(text: string, item: unknown, intent: Intent, field: Field): Fault {
  const pair = isMap(item) ? item.items.find(({ key }) => isScalar(key) && key.value === field) : undefined;
  const line = text.slice(0, startOf(pair?.key) ?? startOf(item) ?? 0).split('\n').length;
  const value = intent[field];
  return invalidDocument(
    INTENTS_FILE,
    [{ line, what: `${field} of ${intent.id} cannot be changed without rewriting what is there` }],
    `Write there: ${field}: ${typeof value === 'string' ? scalarText(value) : flowText(value)}`,
  );
}
