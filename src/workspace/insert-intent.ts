// Adds one intent to the text of the intents file.
//
// INVARIANT: whatever a human wrote stays, byte for byte, in its order; only new bytes are put in between. The one exception is
// the value of an empty list (`[]`, `null`), which the new item takes the place of. The result is read again before it is used.

import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, type ParsedNode, parseDocument } from 'yaml';
import { Fault, type Intent } from '../protocol/index.ts';
import { parseIntents, plainValue } from './intents-document.ts';
import { columnOf, contentEnd, eolOf, lineEnded, placeAfter, scalarText, startOf } from './yaml-text.ts';
import { INTENTS_FILE } from './own-files.ts';

export const INTENTS_HEADER =
  '# What humans granted to agents, and where. Countersign adds what you grant; comments and order are yours.\n# The ledger decides what is active: countersign intents.\n';

/** `text` is null when there is no file yet. */
export function insertIntent(text: string | null, intent: Intent): string {
  if (text === null) return `${INTENTS_HEADER}intents:\n${itemText(intent, 2, '\n')}`;
  const document = parseIntents(text);
  if (document.intents.some(({ id }) => id === intent.id))
    throw new Fault('CONFLICT', `${INTENTS_FILE} already has an intent ${intent.id}`, { fix: 'Take the next free number' });

  const eol = eolOf(text);
  const next =
    document.list === null && !isMap(document.yaml.contents)
      ? withNewList(text, intent, eol)
      : withItem(text, document.yaml.contents, document.list, intent, eol);

  const before = plainValue(document.yaml);
  const others = typeof before === 'object' && before !== null ? before : {};
  const list = 'intents' in others && Array.isArray(others.intents) ? (others.intents as unknown[]) : [];
  const after = parseDocument(next);
  if (after.errors.length > 0 || !isDeepStrictEqual(after.toJS(), { ...others, intents: [...list, intent] })) throw cannot();
  return next;
}

function withNewList(text: string, intent: Intent, eol: string): string {
  return `${lineEnded(text, eol)}intents:${eol}${itemText(intent, 2, eol)}`;
}

function withItem(text: string, top: unknown, list: ParsedNode | null, intent: Intent, eol: string): string {
  if (!isMap(top) || top.flow) throw cannot();
  const key = top.items.map((pair) => pair.key).find((each) => isScalar(each) && each.value === 'intents');
  const keyColumn = columnOf(text, startOf(key));

  if (isSeq(list) && list.items.length > 0) {
    const column = list.flow ? null : columnOf(text, startOf(list));
    const end = contentEnd(list);
    if (column === null || end === null) throw cannot();
    return insertAfter(text, end, column, itemText(intent, column, eol), eol);
  }
  if (keyColumn === null) throw cannot();
  const item = itemText(intent, keyColumn + 2, eol);
  const [start, end] = [startOf(list) ?? 0, list?.range[1] ?? 0];
  const written = text.slice(start, end);
  if (!/^(?:\[[ \t]*\]|null|~|)$/i.test(written)) throw cannot();
  // Without its value the key is the same as a list that was never filled in.
  const head = written === '' ? text.slice(0, end) : text.slice(0, start).replace(/[ \t]+$/, '');
  return insertAfter(head + text.slice(end), head.length, keyColumn, item, eol);
}

function insertAfter(text: string, end: number, column: number, item: string, eol: string): string {
  const at = placeAfter(text, end, column);
  return lineEnded(text.slice(0, at), eol) + item + text.slice(at);
}

function itemText(intent: Intent, column: number, eol: string): string {
  const list = (name: string, values: readonly string[]): string[] =>
    values.length === 0 ? [`${name}: []`] : [`${name}:`, ...values.map((value) => `  - ${scalarText(value)}`)];
  const lines = [
    `id: ${scalarText(intent.id)}`,
    `name: ${scalarText(intent.name)}`,
    `status: ${scalarText(intent.status)}`,
    ...list('owned_scope', intent.owned_scope),
    ...list('constraints', intent.constraints),
    ...list('acceptance_criteria', intent.acceptance_criteria),
  ];
  return lines.map((line, index) => `${' '.repeat(column)}${index === 0 ? '- ' : '  '}${line}${eol}`).join('');
}

const cannot = (): Fault =>
  new Fault('DOCUMENT_INVALID', `${INTENTS_FILE}: an intent cannot be added without rewriting what is there`, {
    fix: 'Write `intents:` at the top level as an indented list (`- id: …`, one field a line), or add the intent by hand',
  });
