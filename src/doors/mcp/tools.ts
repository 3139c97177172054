// The registry's tools, offered over MCP. A call goes through the gate like any other; this file only translates it.

import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type McpServer,
  ProtocolError,
  type RegisteredTool,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Recorded } from '../../kernel/index.ts';
import { type CallRequest, Fault, FIRST_DOORS, InvalidCall, type OfferedTool, type Refusal, type ToolCall } from '../../protocol/index.ts';
import type { DoorServices } from '../services.ts';
import { waitingCall } from '../../agents/index.ts';
import { refusalOfTrouble } from '../trouble.ts';
import { callIdOf, type Connection, knownPrincipal, type Principal, principalOf } from './connection.ts';
import { callHash, opensPages, type PageVisits, type Visit, wasOpened } from './page-visits.ts';
import { refusalIn, refused, resultOf, resultSchema } from './results.ts';

/** A call waits this long for a human by itself: clients give up after 60 s by default. */
const WAIT_TIMEOUT_MS = 20_000;
/** And this long once the human is on the page. */
const VISIT_WAIT_TIMEOUT_MS = 600_000;
const PROGRESS_MS = 5_000;
/** How often a command's output is reported; of a large output only the end. */
const OUTPUT_EVERY_MS = 250;
const OUTPUT_CHARACTERS = 4_000;
const MAX_TOOL_NAME_LENGTH = 200;

export interface ToolSurface {
  readonly server: McpServer;
  readonly services: DoorServices;
  readonly connection: Connection;
  readonly visits: PageVisits;
}

/** Offers what the registry has on this surface, and follows its changes while the connection lasts. */
export function offerTools(surface: ToolSurface): void {
  const { services, connection } = surface;
  const offered = new Map<OfferedTool, RegisteredTool>();
  const follow = () => {
    const now = new Set(services.tools.toolsOn(connection.surface));
    for (const [tool, registered] of offered) {
      if (now.has(tool)) continue;
      registered.remove();
      offered.delete(tool);
    }
    for (const tool of now) if (!offered.has(tool)) offered.set(tool, offerTool(surface, tool));
  };
  recordUnknownTools(surface);
  // Not in the server's constructor: there the SDK would set its own answer to calls before ours.
  surface.server.server.registerCapabilities({ tools: { listChanged: true } });
  follow();
  // A stateless client sees the current list with each request.
  if (connection.isLasting) connection.gone.addEventListener('abort', services.tools.onChange(follow), { once: true });
}

function offerTool(surface: ToolSurface, tool: OfferedTool): RegisteredTool {
  const config = {
    title: titleOf(tool.name),
    description: tool.description,
    inputSchema: unchecked(tool.input),
    ...(tool.output === undefined ? {} : { outputSchema: resultSchema(tool.output) }),
    annotations: annotationsOf(tool),
  };
  return surface.server.registerTool(tool.name, config, (input, context) =>
    answered(surface.services, tool.name, () => call(surface, tool.name, input, context)),
  );
}

type CallHandler = (request: CallToolRequest, context: ServerContext) => Promise<CallToolResult | InputRequiredResult>;

/** The SDK sets its own handler for calls when the first tool is registered, and that one refuses unknown tools without a record. */
function recordUnknownTools(surface: ToolSurface): void {
  const { server: protocol } = surface.server;
  const set = protocol.setRequestHandler.bind(protocol) as (method: string, handler: unknown) => void;
  const withRecord =
    (handler: CallHandler): CallHandler =>
    async (request, context) => {
      const { name, arguments: input } = request.params;
      try {
        return await handler(request, context);
      } catch (error) {
        if (error instanceof ProtocolError && error.message === `Tool ${name} not found`) await unknownTool(surface, name, input, context);
        throw error;
      }
    };
  protocol.setRequestHandler = (method: string, handler: unknown) =>
    set(method, method === 'tools/call' ? withRecord(handler as CallHandler) : handler);
}

async function answered(
  { kernel }: DoorServices,
  tool: string,
  work: () => Promise<CallToolResult | InputRequiredResult>,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault)) await kernel.recordDefect(`mcp ${tool}`, error).catch(() => {});
    return refused(kernel.redactor.value(refusalOfTrouble(error)));
  }
}

/** A call of a tool that does not exist is recorded, with a receipt that says that it failed. */
function unknownTool(surface: ToolSurface, name: string, raw: unknown, context: ServerContext): Promise<unknown> {
  const { services, connection, server } = surface;
  const tool = name.slice(0, MAX_TOOL_NAME_LENGTH).toWellFormed();
  return answered(services, tool, async () => {
    const principal = await principalOf(services, connection, server, context, { tool, input: raw ?? {} });
    const fault = new Fault('BAD_REQUEST', `There is no tool ${tool}.`, { fix: 'Call one of the tools that tools/list names' });
    return resultOf(await recordInvalid(surface, principal, tool, raw, fault, context));
  });
}

const recordInvalid = (
  { services, connection }: ToolSurface,
  principal: Principal,
  tool: string,
  raw: unknown,
  fault: Fault,
  { mcpReq }: ServerContext,
): Promise<Recorded> =>
  services.kernel.spine.pass({
    ...principal,
    door: FIRST_DOORS.mcp,
    tool,
    invalidCall: refusalOfTrouble(fault),
    waitTimeoutMs: 0,
    input: isRecord(raw) ? raw : { arguments: raw ?? null },
    signal: AbortSignal.any([connection.gone, mcpReq.signal]),
  });

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

async function call(
  surface: ToolSurface,
  tool: string,
  raw: unknown,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { server, services, connection, visits } = surface;
  const visit = context.mcpReq.requestState<Visit>() ?? null;
  const principal =
    (visit === null ? null : knownPrincipal(services, visit.session)) ??
    (await principalOf(services, connection, server, context, { tool, input: raw ?? {} }));
  const input = isRecord(raw) ? raw : raw === undefined ? {} : { arguments: raw };
  const described = describe(services, { tool, input, place: principal });
  if (described instanceof InvalidCall) return resultOf(await recordInvalid(surface, principal, tool, raw, described, context));
  const hash = callHash(tool, described.input);
  if (visit !== null && visit.call !== hash)
    throw new Fault('BAD_REQUEST', 'The requestState belongs to another call.', { fix: 'Call again without it' });

  const mayVisit = visit === null && opensPages(context, server);
  await services.kernel.turns.reconcileAtCall(principal.session, described);
  const checks = await services.kernel.turns.checkAtCall(principal.session, described);
  // A client that can open the page is sent there at once; one that was sent and did not open it is not waited for.
  const waitTimeoutMs = visit === null ? (mayVisit ? 0 : WAIT_TIMEOUT_MS) : wasOpened(context) ? VISIT_WAIT_TIMEOUT_MS : 0;
  const callId = callIdOf(context);
  const recorded = await withProgress(context, (report) =>
    services.kernel.spine.pass({
      ...principal,
      door: FIRST_DOORS.mcp,
      tool,
      input,
      call: described,
      // A client that comes back from the page sends the same call to have it decided.
      ...(callId === undefined ? {} : { native: { tool, call_id: callId, ...(visit === null && { once: true as const }) } }),
      waitTimeoutMs,
      signal: AbortSignal.any([connection.gone, context.mcpReq.signal]),
      report,
    }),
  );

  const question = mayVisit ? openQuestion(services, refusalIn(recorded)) : null;
  if (question === null) {
    const refusal = refusalIn(recorded);
    return resultOf(recorded, checks, refusal ? waitingCall(refusal, tool, described.input, services.pageAddress()) : undefined);
  }
  return visits.send(
    connection,
    context,
    { session: principal.session, call: hash },
    {
      // Contains none of the agent's text: the page shows what it wants to do, with hidden characters made visible.
      message: `An agent's call of ${tool} waits for your decision (${question}). Open the control room to see exactly what would happen. If it asks for a login, run: countersign open`,
      url: `${services.pageAddress()}#approval=${question}`,
    },
  );
}

function openQuestion({ kernel }: DoorServices, refusal: Refusal | null): string | null {
  const id = refusal?.approval_id;
  return id !== undefined && kernel.views.isQuestionOpen(id) ? id : null;
}

/** Invalid arguments are recorded like a call that fails, and answered like every other refusal. */
function describe({ tools }: DoorServices, request: CallRequest): ToolCall | InvalidCall {
  try {
    return tools.describeCall(request);
  } catch (error) {
    if (error instanceof InvalidCall) return error;
    throw error;
  }
}

/** The schema as it is listed, without its check: the SDK would answer with its own text and without a code. */
function unchecked(schema: z.ZodType): StandardSchemaWithJSON<unknown> {
  return { '~standard': { ...schema['~standard'], validate: (value) => ({ value }) } };
}

/** MCP assumes the worst where a hint is missing, and clients ask their human because of it. */
const annotationsOf = ({ readOnly, idempotent }: OfferedTool): ToolAnnotations => ({
  readOnlyHint: readOnly ?? false,
  destructiveHint: false,
  idempotentHint: idempotent ?? readOnly ?? false,
  openWorldHint: false,
});

/** `task_list` and `elefanteMemorySearch` as a person would write them. */
export function titleOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Sends progress and output to a client that asked for it, for as long as the call runs. */
async function withProgress<T>({ mcpReq }: ServerContext, work: (report: (text: string) => void) => Promise<T>): Promise<T> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return work(() => {});
  let progress = 0;
  let printed = '';
  let hasPrinted = false;
  const tell = (message: string) => {
    progress += 1;
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => {});
  };
  const reportOutput = () => {
    if (printed !== '') tell(printed);
    printed = '';
  };
  const waiting = setInterval(() => tell(hasPrinted ? 'Still running' : 'Still waiting, perhaps for a human'), PROGRESS_MS);
  const printing = setInterval(reportOutput, OUTPUT_EVERY_MS);
  try {
    return await work((text) => {
      hasPrinted = true;
      printed = (printed + text).slice(-OUTPUT_CHARACTERS);
    });
  } finally {
    clearInterval(waiting);
    clearInterval(printing);
  }
}
