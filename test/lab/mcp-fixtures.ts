// Tools, resources and prompts that the conformance suite of MCP demands of a server by name. They exist in tests only: the suite
// shows with them that the door carries every kind of content, progress and asking, whichever tool uses it.

import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ContentBlock,
  fromJsonSchema,
  inputRequired,
  type InputRequests,
  inputResponse,
  type JsonSchemaType,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Connection } from '../../src/doors/mcp/connection.ts';
import type { PageVisits, Visit } from '../../src/doors/mcp/page-visits.ts';

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** One silent sample. */
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const description = 'A fixture of the conformance suite.';

/** Keywords that a server must list as they are. */
const RICH_SCHEMA = JSON.parse(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {
    "address": {
      "$anchor": "addressDef",
      "type": "object",
      "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
    }
  },
  "properties": {
    "name": { "type": "string" },
    "address": { "$ref": "#/$defs/address" },
    "contactMethod": { "type": "string", "enum": ["phone", "email"] },
    "phone": { "type": "string" },
    "email": { "type": "string" }
  },
  "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
  "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
  "then": { "required": ["phone"] },
  "else": { "required": ["email"] },
  "additionalProperties": false
}`) as JsonSchemaType;

const text = (said: string): ContentBlock => ({ type: 'text', text: said });
const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };
const embedded = (uri: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text: 'Embedded for a test.' },
});

const capabilitiesOf = ({ mcpReq }: ServerContext) =>
  (mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;

const form = (message: string, field: string) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] } });

export function offerFixtures(server: McpServer, connection: Connection, visits: PageVisits): void {
  const tool = (name: string, run: (context: ServerContext) => Promise<CallToolResult | ReturnType<typeof inputRequired>>) =>
    server.registerTool(name, { description, inputSchema: z.object({}) }, (_input, context) => run(context));
  const content = (name: string, ...blocks: ContentBlock[]) => tool(name, async () => ({ content: blocks }));
  const ask = async (context: ServerContext, call: string, inputRequests: InputRequests) =>
    inputRequired({ inputRequests, requestState: await visits.begin(connection, context, { session: 'fixture', call }) });

  content('test_simple_text', text('This is a simple text response for testing.'));
  content('test_image_content', image);
  content('test_audio_content', { type: 'audio', data: WAV, mimeType: 'audio/wav' });
  content('test_embedded_resource', embedded('test://embedded-resource'));
  content('test_multiple_content_types', text('Several kinds:'), image, embedded('test://mixed-content-resource'));
  // The server declares no logging, so this one keeps silent.
  content('test_logging_tool', text('Nothing was logged'));
  server.registerTool('json_schema_2020_12_tool', { description, inputSchema: fromJsonSchema(RICH_SCHEMA) }, (input) => ({
    content: [text(JSON.stringify(input))],
  }));
  tool('test_error_handling', async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  const reportProgress = async ({ mcpReq }: ServerContext) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100])
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    return { content: [text(String(progressToken))] };
  };
  tool('test_tool_with_progress', reportProgress);
  tool('test_streaming_elicitation', reportProgress);

  const askName = async ({ mcpReq }: ServerContext) => {
    const given = inputResponse(mcpReq.inputResponses, 'user_name');
    if (given.kind === 'elicit') return { content: [text(`Hello, ${JSON.stringify(given.content)}! action=${given.action}`)] };
    return inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } });
  };
  tool('test_input_required_result_elicitation', askName);
  server.registerTool('test_elicitation', { description, inputSchema: z.object({ message: z.string() }) }, (_input, context) =>
    askName(context),
  );
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state']) {
    tool(name, async (context) =>
      context.mcpReq.requestState<Visit>() === undefined
        ? ask(context, name, { confirm: form('Please confirm', 'ok') })
        : { content: [text('state-ok')] },
    );
  }
  const sampling = () =>
    inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: 'Say something' } }], maxTokens: 50 });
  tool('test_missing_capability', async () => inputRequired({ inputRequests: { sample: sampling() } }));
  tool('test_input_required_result_multi_round', async (context) => {
    const after = context.mcpReq.requestState<Visit>()?.call;
    if (after === undefined) return ask(context, 'step1', { step1: form('Step 1: What is your name?', 'name') });
    if (after === 'step1') return ask(context, 'step2', { step2: form('Step 2: What is your favourite colour?', 'color') });
    return { content: [text('All rounds done')] };
  });
  tool('test_input_required_result_capabilities', async (context) => {
    const declared = capabilitiesOf(context);
    return ask(context, 'capabilities', {
      ...(declared?.elicitation ? { elicit_input: form('A value', 'value') } : {}),
      ...(declared?.sampling ? { sample_input: sampling() } : {}),
    });
  });

  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PNG }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href }, { id }) => ({
    contents: [
      { uri: href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }) },
    ],
  }));

  const says = (...blocks: ContentBlock[]) => ({ messages: blocks.map((block) => ({ role: 'user' as const, content: block })) });
  server.registerPrompt('test_simple_prompt', { description }, () => says(text('This is a simple prompt for testing.')));
  const Two = z.object({ arg1: z.string(), arg2: z.string() });
  server.registerPrompt('test_prompt_with_arguments', { description, argsSchema: Two }, ({ arg1, arg2 }) =>
    says(text(`arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => says(embedded(resourceUri), text('Please process the embedded resource above.')),
  );
  server.registerPrompt('test_prompt_with_image', { description }, () => says(image, text('Please analyze the image above.')));
  server.registerPrompt('test_input_required_result_prompt', { description }, ({ mcpReq }) => {
    const given = inputResponse(mcpReq.inputResponses, 'user_context');
    if (given.kind === 'elicit') return says(text(JSON.stringify(given.content)));
    return inputRequired({ inputRequests: { user_context: form('What context should the prompt use?', 'context') } });
  });
}
