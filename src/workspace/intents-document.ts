// The text of `.orchestration/active_intents.yaml` as intents. Every complaint names the file, the line and the value.

import { type Document, isMap, isSeq, isScalar, LineCounter, type ParsedNode, parseDocument, visit, type YAMLSeq } from 'yaml';
import { Fault, Intent } from '../protocol/index.ts';
import { type Complaint, invalidDocument } from './complaints.ts';
import { editDistance } from './edit-distance.ts';
import { compileGlob } from './glob.ts';
import { INTENTS_FILE } from './own-files.ts';
import { startOf } from './yaml-text.ts';

export interface IntentsDocument {
  readonly yaml: Document.Parsed<ParsedNode>;
  /** The value under `intents`; null when the document is empty. */
  readonly list: YAMLSeq.Parsed | ParsedNode | null;
  readonly intents: Intent[];
}

/** A human may leave these out. */
const OPTIONAL_LISTS = ['constraints', 'acceptance_criteria'] as const;

export function parseIntents(text: string): IntentsDocument {
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines });
  const complaints = yaml.errors.map((error) => ({
    line: error.linePos?.[0].line ?? 1,
    what: error.message.split(/ at line \d+/)[0] ?? error.code,
  }));
  complaints.push(...bareGlobs(yaml, lines));
  if (complaints.length > 0) throw invalid(complaints);
  if (yaml.contents === null || (isScalar(yaml.contents) && yaml.contents.value === null)) return { yaml, list: null, intents: [] };

  const complain = (path: readonly PropertyKey[], what: string): void => void complaints.push({ line: lineOf(yaml, lines, path), what });
  const value = plainValue(yaml);
  if (!isMap(yaml.contents) || !isRecord(value) || !('intents' in value))
    throw invalid([{ line: 1, what: 'the top level has to be a mapping with the key `intents`' }]);
  if (value['intents'] !== null && !Array.isArray(value['intents']))
    throw invalid([{ line: lineOf(yaml, lines, ['intents']), what: '`intents` has to be a list' }]);

  const intents: Intent[] = [];
  const seen = new Map<string, number>();
  for (const [index, item] of ((value['intents'] ?? []) as unknown[]).entries()) {
    const parsed = Intent.safeParse(isRecord(item) ? withOptionalLists(known(item)) : item);
    for (const key of isRecord(item) ? Object.keys(item) : []) {
      const meant = misspelt(key);
      if (meant !== null) complain(['intents', index, key], `intents[${index}]: ${key} is not read; ${meant} is meant, or another word`);
    }
    if (!parsed.success) {
      for (const issue of parsed.error.issues)
        complain(['intents', index, ...issue.path], `${pathText(['intents', index, ...issue.path])}: ${issue.message}`);
      continue;
    }
    const first = seen.get(parsed.data.id);
    if (first !== undefined)
      complain(['intents', index, 'id'], `intents[${index}].id: ${parsed.data.id} is already the id of intents[${first}]`);
    seen.set(parsed.data.id, index);
    for (const [place, glob] of parsed.data.owned_scope.entries()) {
      const why = whyNoGlob(glob);
      if (why !== null) complain(['intents', index, 'owned_scope', place], `intents[${index}].owned_scope[${place}]: ${why}`);
    }
    intents.push(parsed.data);
  }
  if (complaints.length > 0) throw invalid(complaints);
  return { yaml, list: yaml.get('intents', true) as ParsedNode | null, intents };
}

const FIELDS = Object.keys(Intent.shape);

/** A human's own keys, such as `owner`, stay in the file and are not read. */
const known = (item: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([key]) => FIELDS.includes(key)));

/** A human would believe that it holds. */
const misspelt = (key: string): string | null =>
  FIELDS.includes(key) ? null : (FIELDS.find((field) => field.length > 4 && editDistance(key.toLowerCase(), field) <= 2) ?? null);

const withOptionalLists = (item: Record<string, unknown>): Record<string, unknown> => ({
  ...item,
  ...Object.fromEntries(OPTIONAL_LISTS.filter((key) => item[key] === undefined || item[key] === null).map((key) => [key, []])),
});

/** To YAML a glob that begins with * is a reference to another value, unless it is in quotes. */
function bareGlobs(yaml: Document.Parsed, lines: LineCounter): Complaint[] {
  const found: Complaint[] = [];
  visit(yaml, {
    Alias: (_, alias) => {
      const what = `*${alias.source} has to be in quotes: "*${alias.source}"`;
      if (!alias.resolve(yaml)) found.push({ line: lines.linePos(startOf(alias) ?? 0).line, what });
    },
  });
  return found;
}

/** The document's values. Aliases that multiply (a small file that becomes a huge one) are a complaint and not a crash. */
export function plainValue(yaml: Document.Parsed): unknown {
  try {
    return yaml.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw invalid([{ line: 1, what: error instanceof Error ? error.message : 'cannot be read' }]);
  }
}

/** The line of the deepest part of the path that exists. */
function lineOf(yaml: Document.Parsed, lines: LineCounter, path: readonly PropertyKey[]): number {
  let node: unknown = yaml.contents;
  let offset = 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((each) => isScalar(each.key) && each.key.value === step);
      if (!pair) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return lines.linePos(offset).line;
}

const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function whyNoGlob(glob: string): string | null {
  try {
    compileGlob(glob);
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

const invalid = (complaints: readonly Complaint[]): Fault =>
  invalidDocument(
    INTENTS_FILE,
    complaints,
    `Fix ${INTENTS_FILE}: under \`intents:\`, every item has id, name, status, owned_scope, and may have constraints, acceptance_criteria and keys of your own`,
  );
