// The JSON Schema that a model's server is asked to hold its output to. It is made from the schemas that validate the call, so the two
// cannot differ. A server that ignores it changes nothing: the call is still read strictly.

import { z } from 'zod';
import { GROUNDING_ARGS, GROUNDING_TOOLS, type GroundingToolId } from './tool-args.ts';

export interface ResponseFormat {
  readonly type: 'json_schema';
  readonly json_schema: { readonly name: string; readonly strict: true; readonly schema: Readonly<Record<string, unknown>> };
}

export interface ResponseFormatRules {
  readonly nonce: string;
  /** Absent: all nine. */
  readonly allowedTools?: readonly GroundingToolId[] | undefined;
}

/** For a model call that has to be a tool call. */
export function toolCallFormat(rules: ResponseFormatRules): ResponseFormat {
  return format('tool_call', { anyOf: callsOf(rules, {}) });
}

/** For the model call after a tool result. */
export function decisionFormat(rules: ResponseFormatRules): ResponseFormat {
  const final = objectOf({ action: { const: 'final' }, nonce: { const: rules.nonce } });
  return format('tool_decision', { anyOf: [final, ...callsOf(rules, { action: { const: 'tool' } })] });
}

const callsOf = ({ nonce, allowedTools = GROUNDING_TOOLS }: ResponseFormatRules, first: Record<string, unknown>): readonly unknown[] =>
  allowedTools.map((tool) => objectOf({ ...first, tool: { const: tool }, args: argsSchema(tool), nonce: { const: nonce } }));

const objectOf = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const format = (name: string, schema: Record<string, unknown>): ResponseFormat => ({
  type: 'json_schema',
  json_schema: { name, strict: true, schema },
});

const schemas = new Map<GroundingToolId, Record<string, unknown>>();

/** Of one tool's arguments, for a model's server and for the catalogue. */
export function argsSchema(tool: GroundingToolId): Record<string, unknown> {
  const known = schemas.get(tool);
  if (known) return known;
  const { $schema: _, ...schema } = z.toJSONSchema(GROUNDING_ARGS[tool], { override: ({ jsonSchema }) => dropLengths(jsonSchema) });
  schemas.set(tool, schema);
  return schema;
}

/** A grammar made from a length is many times slower, and the reader checks lengths anyway. */
function dropLengths(schema: Record<string, unknown>): void {
  for (const key of ['minLength', 'maxLength', 'minimum', 'maximum']) delete schema[key];
}
