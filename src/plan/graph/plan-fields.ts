// The fields of a plan as data: what each holds, which kinds of node have it, and what weak models call it instead.

import { CHANGE_OPERATIONS, NODE_KINDS, type NodeKind, SIDE_EFFECT_TYPES } from '../../protocol/index.ts';

export type FieldForm =
  | { readonly form: 'text' | 'texts' | 'id' | 'ids' | 'path' | 'boolean' | 'sources' | 'record' | 'reasons' }
  | { readonly form: 'choice'; readonly of: readonly string[] };

export type FieldForms = Readonly<Record<string, FieldForm>>;

const text = { form: 'text' } as const;
const texts = { form: 'texts' } as const;
const id = { form: 'id' } as const;
const ids = { form: 'ids' } as const;
const path = { form: 'path' } as const;
const boolean = { form: 'boolean' } as const;
const sources = { form: 'sources' } as const;
const record = { form: 'record' } as const;
const choice = (of: readonly string[]) => ({ form: 'choice', of }) as const;

const COMMON: FieldForms = {
  nodeId: id,
  kind: choice(NODE_KINDS),
  dependsOn: ids,
  atomicityBoundary: id,
  expectedFailureSignatures: texts,
  correctionCandidateOnFail: text,
};

export const NODE_FIELDS: Readonly<Record<NodeKind, FieldForms>> = {
  change: {
    ...COMMON,
    operation: choice(CHANGE_OPERATIONS),
    targetFile: path,
    renameTo: path,
    targetSymbols: texts,
    whyThisFile: text,
    editIntent: text,
    citations: sources,
    codeEvidence: sources,
    policyRefs: texts,
    verificationHooks: texts,
    lowEvidenceGuard: boolean,
    uncertaintyNote: text,
    requiresHumanReview: boolean,
  },
  validate: { ...COMMON, verificationHooks: texts, mapsToNodeIds: ids, successCriteria: text },
  escalate: { ...COMMON, requestedEvidence: texts, blockingReasons: texts },
  side_effect: { ...COMMON, sideEffectType: choice(SIDE_EFFECT_TYPES), sideEffectPayloadRef: text, commitGateId: id },
};

export const ENVELOPE_FORMS: FieldForms = {
  workId: id,
  agentId: text,
  runSessionId: id,
  repoSnapshotId: text,
  worktreeRoot: text,
  contextPackRef: text,
  contextPackHash: text,
  policyVersionSet: record,
  scopeAllowlistRef: text,
  knowledgeStrategyId: text,
  knowledgeStrategyReasons: { form: 'reasons' },
  evidencePolicy: record,
  planFingerprint: text,
  sourceTraceRefs: texts,
  schemaVersion: text,
};

/** A field that only one kind has says which kind a node without `kind` is. */
export const KIND_BY_FIELD: readonly (readonly [string, NodeKind])[] = [
  ['targetFile', 'change'],
  ['sideEffectType', 'side_effect'],
  ['requestedEvidence', 'escalate'],
  ['mapsToNodeIds', 'validate'],
  ['successCriteria', 'validate'],
];

/** What these fields are often called; they are suggested, not accepted, because a wrong guess would change what the plan says. */
const OFTEN_CALLED: Readonly<Record<string, readonly string[]>> = {
  nodeId: ['id', 'name', 'node', 'step', 'stepid', 'key'],
  kind: ['type', 'nodekind', 'nodetype'],
  dependsOn: ['deps', 'dependencies', 'depends', 'after', 'requires', 'needs'],
  targetFile: ['file', 'path', 'filepath', 'filename', 'target', 'targetpath', 'files', 'targetfiles', 'paths'],
  renameTo: ['newpath', 'to', 'newname', 'destination'],
  operation: ['op', 'action', 'changetype', 'operationtype'],
  targetSymbols: ['symbols', 'symbol', 'functions', 'targetsymbol', 'function', 'classes'],
  whyThisFile: ['why', 'reason', 'rationale', 'because', 'justification'],
  editIntent: ['intent', 'description', 'change', 'edit', 'instructions', 'instruction', 'summary', 'what', 'task', 'goal', 'title'],
  citations: ['citation', 'requirements', 'requirementcitations', 'sources'],
  codeEvidence: ['evidence', 'code', 'references', 'codecitations', 'proof'],
  verificationHooks: ['hooks', 'checks', 'check', 'tests', 'test', 'verification', 'verify', 'verificationhook', 'commands', 'command'],
  mapsToNodeIds: ['mapsto', 'validates', 'nodes', 'covers', 'nodeids'],
  successCriteria: ['criteria', 'success', 'expected', 'successcriterion', 'acceptance'],
  requestedEvidence: ['question', 'questions', 'request', 'evidencerequest', 'missingevidence'],
  blockingReasons: ['blocking', 'blockers', 'reasons', 'blocked', 'blockingreason'],
  sideEffectType: ['effect', 'sideeffect', 'effecttype'],
  sideEffectPayloadRef: ['payload', 'payloadref', 'sideeffectpayload'],
  commitGateId: ['gate', 'gateid', 'commitgate'],
};

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The field that was probably meant; null when nothing is near. */
export function fieldMeant(name: string, fields: FieldForms): string | null {
  const wanted = plainName(name);
  const known = Object.keys(fields);
  return (
    known.find((field) => plainName(field) === wanted) ??
    known.find((field) => OFTEN_CALLED[field]?.includes(wanted)) ??
    known.find((field) => wanted.length > 4 && (plainName(field).startsWith(wanted) || wanted.startsWith(plainName(field)))) ??
    null
  );
}

/** What a value of this form is, for a complaint. */
export const FORM_WORDS: Readonly<Record<FieldForm['form'], string>> = {
  text: 'a text that is not empty',
  texts: 'a list of texts',
  id: 'an id: letters, digits, dot, underscore and hyphen, at most 64, the first a letter or digit',
  ids: 'a list of node ids',
  path: 'one path, relative to the work tree',
  boolean: 'true or false',
  sources: 'a list of sources: "path:10-20", "path#Symbol", {path, start_line, end_line} or a name such as "prompt"',
  record: 'an object',
  reasons: 'a list of {reason, evidenceRefs}',
  choice: 'one of a few words',
};
