// Reads what was submitted as a plan. Whatever is not of its form is an error that names node and field; what is missing is left for the server
// to fill in.
//
// INVARIANT: any value can be read: the worst document costs errors, never an exception.

import {
  NO_BROWSER_PLUGIN,
  NODE_KINDS,
  type NodeKind,
  PATH_ID,
  type PatchStep,
  PLAN_LIMITS,
  type PlanError,
  type StrategyReason,
} from '../../protocol/index.ts';
import { ENVELOPE_FORMS, type FieldForm, fieldMeant, type FieldForms, FORM_WORDS, KIND_BY_FIELD, NODE_FIELDS } from './plan-fields.ts';
import { type Complaint, inEnvelope, type Place, planError, pointer, remove, replace } from './plan-error.ts';
import { type GivenSource, readSource } from './read-source.ts';

/** A node as it was given: only fields that are of their form. */
export interface DraftNode {
  /** Its place in the list. */
  readonly at: number;
  readonly nodeId: string;
  readonly kind: NodeKind;
  readonly given: GivenFields;
}

export interface GivenFields {
  text(field: string): string | undefined;
  texts(field: string): readonly string[] | undefined;
  flag(field: string): boolean | undefined;
  sources(field: string): readonly GivenSource[] | undefined;
  reasons(field: string): readonly StrategyReason[] | undefined;
  record(field: string): Readonly<Record<string, unknown>> | undefined;
  has(field: string): boolean;
  /** As it was written: a list, or the one value that stands for a list. */
  written(field: string): unknown;
}

export interface PlanDraft {
  readonly envelope: GivenFields;
  /** Nodes whose kind is known. */
  readonly nodes: readonly DraftNode[];
  /** Of all nodes, also of those that could not be read. */
  readonly ids: readonly string[];
  /** What was wrong with the form. */
  readonly errors: readonly PlanError[];
}

const NOTHING_GIVEN = new Map<string, unknown>();

export function readPlan(submitted: unknown): PlanDraft {
  const errors: PlanError[] = [];
  const complain = (complaint: Complaint): void => void errors.push(planError(complaint));
  const document = asDocument(submitted, complain);
  if (document === null) return { envelope: fieldsOf(NOTHING_GIVEN, {}), nodes: [], ids: [], errors };

  const { nodes: list, ...envelope } = document;
  const given = readFields(envelope, ENVELOPE_FORMS, (...path) => inEnvelope(...path), 'the plan', complain);
  const nodes: DraftNode[] = [];
  const values = nodesIn(list, complain);
  const ids = idsOf(values);
  for (const [at, value] of values.entries()) {
    const node = readNode(value, at, ids[at]!, complain);
    if (node) nodes.push(node);
  }
  return { envelope: fieldsOf(given, envelope), nodes, ids, errors };
}

type Complain = (complaint: Complaint) => void;

function asDocument(submitted: unknown, complain: Complain): Record<string, unknown> | null {
  const value = typeof submitted === 'string' ? parsed(submitted) : submitted;
  if (isRecord(value)) return value;
  complain({
    code: 'PLAN_MISSING_REQUIRED_FIELDS',
    at: inEnvelope(),
    message: `A plan is a JSON object with "nodes"; this is ${whatIs(submitted)}.`,
    fix: `Send a JSON object, such as ${SMALLEST_PLAN}`,
  });
  return null;
}

/** Some clients send nested objects as text. Only text that is exactly one JSON value counts. */
function parsed(text: string): unknown {
  if (text.length > PLAN_LIMITS.bytes) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export const SMALLEST_PLAN =
  '{"nodes":[{"kind":"change","targetFile":"src/total.ts","whyThisFile":"total() adds up the lines of an order","editIntent":"Round the sum in total() to cents","verificationHooks":["test"]}]}';

function nodesIn(list: unknown, complain: Complain): readonly unknown[] {
  const wrong = (message: string, fix: string, patch?: PatchStep[]): readonly unknown[] => {
    complain({ code: 'PLAN_MISSING_REQUIRED_FIELDS', at: inEnvelope('nodes'), message, fix, ...(patch ? { patch } : {}) });
    return [];
  };
  if (list === undefined) return wrong('The plan has no "nodes".', `Add "nodes", a list with a node for each change: ${SMALLEST_PLAN}`);
  if (!Array.isArray(list)) return wrong(`"nodes" is a list of nodes, not ${whatIs(list)}.`, `Put the nodes into a list: ${SMALLEST_PLAN}`);
  if (list.length === 0) return wrong('"nodes" is empty.', `Add a node for each change: ${SMALLEST_PLAN}`);
  if (list.length > PLAN_LIMITS.nodes)
    return wrong(
      `The plan has ${list.length} nodes; ${PLAN_LIMITS.nodes} are the most.`,
      'Submit the first part as a plan of its own, and the rest when it is done',
      [replace(['nodes'], list.slice(0, PLAN_LIMITS.nodes))],
    );
  return list as readonly unknown[];
}

function readNode(value: unknown, at: number, nodeId: string, complain: Complain): DraftNode | null {
  const place = (...path: readonly (string | number)[]): Place => ({ nodeId, path: ['nodes', at, ...path] });
  if (!isRecord(value)) {
    complain({
      code: 'PLAN_MISSING_REQUIRED_FIELDS',
      at: place(),
      message: `A node is an object, not ${whatIs(value)}.`,
      fix: `Write it as in ${SMALLEST_PLAN}, or leave it out`,
      patch: [remove(['nodes', at])],
    });
    return null;
  }
  const kind = kindOf(value);
  if (kind === null) {
    complain({
      code: 'PLAN_MISSING_REQUIRED_FIELDS',
      at: place('kind'),
      message: `${value['kind'] === undefined ? 'The node has no kind' : `${JSON.stringify(value['kind']).slice(0, 60)} is not a kind of node`}.`,
      fix: `Say one of ${NODE_KINDS.join(', ')}; a node with targetFile is a change`,
    });
    return null;
  }
  const several = severalFiles(value['targetFile']);
  if (several) complain(notAtomic(value, several, place));
  const read = several ? { ...value, targetFile: several[0] ?? null } : value;
  const given = readFields(read, NODE_FIELDS[kind], place, `a ${kind} node`, complain);
  return { at, nodeId, kind, given: fieldsOf(given, read) };
}

function kindOf(value: Readonly<Record<string, unknown>>): NodeKind | null {
  const given = value['kind'];
  if (given !== undefined) return NODE_KINDS.find((kind) => kind === given) ?? null;
  return KIND_BY_FIELD.find(([field]) => value[field] !== undefined)?.[1] ?? null;
}

/** Null: one file, or none. An empty list: a pattern or a folder, which may be any number of files. */
function severalFiles(target: unknown): readonly string[] | null {
  if (Array.isArray(target)) return target.length === 1 ? null : target.filter((each) => typeof each === 'string');
  if (typeof target !== 'string') return null;
  if (/[*?{}]|\/$/.test(target.trim())) return [];
  const parts = target
    .split(/[,;\n]|\s+and\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length > 1 && parts.every((part) => /[./]/.test(part)) ? parts : null;
}

function notAtomic(
  value: Readonly<Record<string, unknown>>,
  files: readonly string[],
  place: (...path: readonly string[]) => Place,
): Complaint {
  const { nodeId: _, ...node } = value as Record<string, NonNullable<PatchStep['value']>>;
  const [first, ...others] = files;
  const { path } = place('targetFile');
  return {
    code: 'PLAN_NOT_ATOMIC',
    at: place('targetFile'),
    message: `A change node names one file; ${JSON.stringify(value['targetFile']).slice(0, 200)} is several.`,
    fix: 'Make a change node for each file, with its own whyThisFile',
    ...(first === undefined
      ? {}
      : {
          patch: [
            replace(path, first),
            ...others.map((file): PatchStep => ({ op: 'add', path: '/nodes/-', value: { ...node, targetFile: file } })),
          ],
        }),
  };
}

/** A node without an id gets one that no other node has, also none further down. */
function idsOf(values: readonly unknown[]): readonly string[] {
  const given = values.map((value) =>
    isRecord(value) && typeof value['nodeId'] === 'string' && PATH_ID.test(value['nodeId']) ? value['nodeId'] : null,
  );
  const taken = new Set(given);
  return given.map((id, at) => {
    if (id !== null) return id;
    let number = at + 1;
    while (taken.has(`n${number}`)) number++;
    taken.add(`n${number}`);
    return `n${number}`;
  });
}

function readFields(
  value: Readonly<Record<string, unknown>>,
  forms: FieldForms,
  place: (...path: readonly (string | number)[]) => Place,
  holder: string,
  complain: Complain,
): ReadonlyMap<string, unknown> {
  const given = new Map<string, unknown>();
  for (const [field, raw] of Object.entries(value)) {
    // An empty value is the same as none: models write null for what they leave out.
    if (raw === undefined || raw === null) continue;
    const form = Object.hasOwn(forms, field) ? forms[field] : undefined;
    if (!form) {
      complain(unknownField(field, raw, value, forms, place, holder));
      continue;
    }
    const read = readField(form, raw);
    if ('value' in read) given.set(field, read.value);
    else
      complain({
        code: 'PLAN_MISSING_REQUIRED_FIELDS',
        at: place(field, ...(read.at ?? [])),
        message: `${field} is ${form.form === 'choice' ? `one of ${form.of.join(', ')}` : FORM_WORDS[form.form]}, not ${read.instead}.${field === 'sideEffectType' && /browser|cdp/i.test(read.instead) ? ` ${NO_BROWSER_PLUGIN}` : ''}`,
        fix: `Give ${field} that form${'nodeId' === field ? ', or leave it out: then the server names the node' : ''}`,
        ...(read.patch ? { patch: read.patch(place(field).path) } : { patch: [remove(place(field).path)] }),
      });
  }
  return given;
}

function unknownField(
  field: string,
  raw: unknown,
  value: Readonly<Record<string, unknown>>,
  forms: FieldForms,
  place: (...path: readonly (string | number)[]) => Place,
  holder: string,
): Complaint {
  const meant = fieldMeant(field, forms);
  const isFree = meant !== null && (value[meant] === undefined || value[meant] === null);
  const { path } = place(field);
  const rename: readonly PatchStep[] = isFree
    ? [remove(path), { op: 'add', path: pointer(place(meant).path), value: raw as NonNullable<PatchStep['value']> }]
    : [remove(path)];
  return {
    code: 'PLAN_MISSING_REQUIRED_FIELDS',
    at: place(field),
    message: `${JSON.stringify(field)} is not a field of ${holder}${meant ? `; it is called "${meant}"` : ''}.`,
    fix: isFree ? `Rename it to "${meant}"` : `Remove it; the fields are ${Object.keys(forms).join(', ')}`,
    patch: rename,
  };
}

type FieldRead =
  | { readonly value: unknown }
  | {
      readonly instead: string;
      readonly at?: readonly number[];
      readonly patch?: (field: readonly (string | number)[]) => readonly PatchStep[];
    };

function readField(form: FieldForm, raw: unknown): FieldRead {
  switch (form.form) {
    case 'text':
      return readText(raw);
    case 'path':
      return readText(raw, 1024);
    case 'id':
      return typeof raw === 'string' && PATH_ID.test(raw) ? { value: raw } : { instead: shownValue(raw) };
    case 'boolean':
      return typeof raw === 'boolean' ? { value: raw } : { instead: shownValue(raw) };
    case 'choice':
      return typeof raw === 'string' && form.of.includes(raw) ? { value: raw } : { instead: shownValue(raw) };
    case 'record':
      return isRecord(raw) ? { value: raw } : { instead: shownValue(raw) };
    case 'texts':
      return readList(raw, (each) => readText(each));
    case 'ids':
      return readList(raw, (each) => (typeof each === 'string' && PATH_ID.test(each) ? { value: each } : { instead: shownValue(each) }));
    case 'sources':
      return readList(raw, readSource);
    case 'reasons':
      return readList(raw, readReason);
  }
}

const readText = (raw: unknown, most: number = PLAN_LIMITS.text): FieldRead => {
  if (typeof raw !== 'string' || raw.trim() === '') return { instead: shownValue(raw) };
  return raw.length > most ? { instead: `one of ${raw.length} characters; ${most} are the most` } : { value: raw };
};

/** A single value is a list of one. */
function readList(raw: unknown, read: (each: unknown) => FieldRead): FieldRead {
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  if (list.length > PLAN_LIMITS.nodes) return { instead: `one of ${list.length} entries; ${PLAN_LIMITS.nodes} are the most` };
  const values: unknown[] = [];
  for (const [at, each] of list.entries()) {
    const one = read(each);
    if (!('value' in one)) {
      const good = list.filter((other) => 'value' in read(other)) as NonNullable<PatchStep['value']>;
      return { instead: one.instead, at: [at], patch: (field) => [replace(field, good)] };
    }
    values.push(one.value);
  }
  return { value: values };
}

const readReason = (each: unknown): FieldRead => {
  if (typeof each === 'string' && each.trim() !== '') return { value: { reason: each, evidenceRefs: [] } };
  if (!isRecord(each) || typeof each['reason'] !== 'string' || each['reason'] === '') return { instead: shownValue(each) };
  const refs = each['evidenceRefs'] ?? [];
  if (!Array.isArray(refs) || !refs.every((ref) => typeof ref === 'string')) return { instead: 'a reason whose evidenceRefs are no texts' };
  return { value: { reason: each['reason'], evidenceRefs: refs } };
};

/** The casts are true: `readField` put only values of the field's form there. */
const fieldsOf = (given: ReadonlyMap<string, unknown>, written: Readonly<Record<string, unknown>>): GivenFields => ({
  written: (field) => written[field],
  text: (field) => given.get(field) as string | undefined,
  texts: (field) => given.get(field) as readonly string[] | undefined,
  flag: (field) => given.get(field) as boolean | undefined,
  sources: (field) => given.get(field) as readonly GivenSource[] | undefined,
  reasons: (field) => given.get(field) as readonly StrategyReason[] | undefined,
  record: (field) => given.get(field) as Readonly<Record<string, unknown>> | undefined,
  has: (field) => given.has(field),
});

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const whatIs = (value: unknown): string =>
  typeof value === 'string'
    ? 'text'
    : value === null || value === undefined
      ? 'nothing'
      : Array.isArray(value)
        ? 'a list'
        : `a ${typeof value}`;

const shownValue = (value: unknown): string => {
  const written = JSON.stringify(value) ?? 'nothing';
  return written.length > 80 ? `${written.slice(0, 79)}…` : written;
};
