// A tool call of a model: one strict JSON object and nothing else. Whatever is not exactly that is rejected with one code, by a fixed
// precedence: format, multiple, nonce, unknown tool, arguments. Pure: nothing is executed here.

import { renameArgs, toolIdOf } from './aliases.ts';
import type { Rejection } from './rejections.ts';
import { type JsonObject, type JsonValue, readObjects } from './strict-json.ts';
import { GROUNDING_ARGS, GROUNDING_TOOLS, type GroundingArgs, type GroundingToolId } from './tool-args.ts';

/** What the model sends: `{"tool","args","nonce"}`, under the names of the schemas and with arguments that match. */
export type ToolCallEnvelope = {
  readonly [T in GroundingToolId]: { readonly tool: T; readonly args: GroundingArgs<T>; readonly nonce: string };
}[GroundingToolId];

/** What it sends after a tool result: another tool, or the end of tools. */
export type ToolDecision =
  | { readonly action: 'tool'; readonly call: ToolCallEnvelope }
  | { readonly action: 'final'; readonly nonce: string };

export interface EnvelopeRules {
  /** The nonce of this model call. An empty one matches nothing. */
  readonly nonce: string;
  /** Absent: all nine. A tool that is not listed is unknown. */
  readonly allowedTools?: readonly string[] | undefined;
}

/** What is wrong, where, and what to do. */
export interface EnvelopeRejection {
  readonly code: Exclude<Rejection, 'tool_call_output_limit'>;
  readonly message: string;
  /** What it asked for, as it was sent, where its form says so. Nothing of it was executed. */
  readonly call?: { readonly tool: string; readonly args: JsonObject };
}

export type EnvelopeRead<T> = { readonly ok: T; readonly rejected?: never } | { readonly rejected: EnvelopeRejection; readonly ok?: never };

const TOOL_CALL = '{"tool":"<id>","args":{…},"nonce":"<nonce>"}';
const FINAL = '{"action":"final","nonce":"<nonce>"}';
const TOOL = '{"action":"tool","tool":"<id>","args":{…},"nonce":"<nonce>"}';

export function readToolCall(raw: Uint8Array | string, rules: EnvelopeRules): EnvelopeRead<ToolCallEnvelope> {
  const only = onlyObject(raw, TOOL_CALL);
  return only.rejected ? only : readCall(only.ok, ['tool', 'args', 'nonce'], TOOL_CALL, rules);
}

export function readDecision(raw: Uint8Array | string, rules: EnvelopeRules): EnvelopeRead<ToolDecision> {
  const only = onlyObject(raw, `${TOOL} or ${FINAL}`);
  if (only.rejected) return only;
  const { ok: object } = only;
  const action = own(object, 'action');
  if (action === 'tool') {
    const call = readCall(object, ['action', 'tool', 'args', 'nonce'], TOOL, rules);
    return call.rejected ? call : { ok: { action, call: call.ok } };
  }
  if (action !== 'final') return invalidFormat('"action" is neither "tool" nor "final"', `${TOOL} or ${FINAL}`);
  const fields = objectionToFields(object, ['action', 'nonce'], FINAL) ?? objectionToNonce(object, rules);
  return fields ?? { ok: { action, nonce: rules.nonce } };
}

function onlyObject(raw: Uint8Array | string, form: string): EnvelopeRead<JsonObject> {
  const read = readObjects(raw);
  if ('problem' in read) return invalidFormat(read.problem.replace(/\.$/, ''), form);
  const [first, ...others] = read.objects;
  if (others.length === 0) return { ok: first! };
  return { rejected: { code: 'tool_call_multiple', message: `It is ${read.objects.length} objects. Send one: ${form}` } };
}

function readCall(object: JsonObject, fields: readonly string[], form: string, rules: EnvelopeRules): EnvelopeRead<ToolCallEnvelope> {
  const unreadable = objectionToFields(object, fields, form);
  if (unreadable) return unreadable;
  const name = object['tool'] as string;
  const args = object['args'] as JsonObject;
  const judge = (): EnvelopeRead<ToolCallEnvelope> => {
    const objection = objectionToNonce(object, rules);
    if (objection) return objection;
    const tool = toolIdOf(name);
    const allowed = rules.allowedTools === undefined ? GROUNDING_TOOLS : rules.allowedTools.map(toolIdOf);
    return tool === null || !allowed.includes(tool) ? unknownTool(name, allowed) : readArgs(tool, args, rules.nonce);
  };
  const { ok, rejected } = judge();
  return rejected ? { rejected: { ...rejected, call: { tool: name, args } } } : { ok };
}

function readArgs(tool: GroundingToolId, given: JsonObject, nonce: string): EnvelopeRead<ToolCallEnvelope> {
  const invalid = (message: string) => ({ rejected: { code: 'tool_call_invalid_args', message } }) as const;
  const renamed = renameArgs(tool, given);
  if ('problem' in renamed) return invalid(renamed.problem);
  const parsed = GROUNDING_ARGS[tool].safeParse(renamed.args);
  if (!parsed.success)
    return invalid(
      `The arguments of ${tool} do not match: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
    );
  return { ok: { tool, args: parsed.data, nonce } as ToolCallEnvelope };
}

function objectionToFields(object: JsonObject, fields: readonly string[], form: string): { rejected: EnvelopeRejection } | null {
  const unknown = Object.keys(object).find((key) => !fields.includes(key));
  if (unknown !== undefined) return invalidFormat(`The field ${JSON.stringify(unknown)} is unknown`, form);
  const missing = fields.find((field) => own(object, field) === undefined);
  if (missing !== undefined) return invalidFormat(`The field "${missing}" is missing`, form);
  const wrong = fields.find((field) => (field === 'args' ? !isObject(object[field]) : typeof object[field] !== 'string'));
  return wrong === undefined ? null : invalidFormat(`The field "${wrong}" is not ${wrong === 'args' ? 'an object' : 'a string'}`, form);
}

function objectionToNonce(object: JsonObject, { nonce }: EnvelopeRules): { rejected: EnvelopeRejection } | null {
  if (nonce !== '' && object['nonce'] === nonce) return null;
  return { rejected: { code: 'tool_call_nonce_invalid', message: 'The nonce is not the TOOL_NONCE of this step.' } };
}

const unknownTool = (name: string, allowed: readonly (string | null)[]): { rejected: EnvelopeRejection } => ({
  rejected: {
    code: 'tool_call_unknown_tool',
    message: `There is no tool ${JSON.stringify(name.slice(0, 100))}. There are: ${allowed.filter((tool) => tool !== null).join(', ') || 'none'}`,
  },
});

const invalidFormat = (why: string, form: string): { rejected: EnvelopeRejection } => ({
  rejected: { code: 'tool_call_invalid_format', message: `${why}. Send one JSON object and nothing else: ${form}` },
});

/** Not what an object inherits. */
const own = (object: JsonObject, key: string): JsonValue | undefined => (Object.hasOwn(object, key) ? object[key] : undefined);

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
