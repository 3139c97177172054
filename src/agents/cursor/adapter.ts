// Cursor's hooks: payloads in, answers out. Written from its documentation and the forms in its SDK, not from recorded payloads: the editor
// could not be run for this. An answer is never empty: Cursor treats an empty one as a failure.

import { z } from 'zod';
import { Fault } from '../../protocol/index.ts';
import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import type { Input } from '../dialect.ts';
import { decisionOf } from '../explain.ts';
import { given, idFromInput, native, parsePayload as parse, readCall, unknownEvent } from '../payload.ts';
import { isMcp, mcpName, ownToolName, READ_TOOLS, translate, translateMcp } from './translate.ts';
import { FOLLOW_UPS, wiring } from './wire.ts';

const Base = z.looseObject({
  conversation_id: z.string().min(1),
  generation_id: z.string().nullish(),
  model: z.string().nullish(),
  workspace_roots: z.array(z.string()).default([]),
  transcript_path: z.string().nullish(),
  cwd: z.string().nullish(),
});
const Inputs = z.record(z.string(), z.unknown());
const ToolEvent = Base.extend({ tool_name: z.string().min(1), tool_input: Inputs, tool_use_id: z.string().optional() });
const AfterEvent = ToolEvent.extend({ tool_output: z.unknown().optional(), error_message: z.unknown().optional() });
/** The input is a text that holds JSON. */
const McpEvent = Base.extend({
  tool_name: z.string().min(1),
  tool_input: z.union([z.string(), Inputs]),
  command: z.string().optional(),
  url: z.string().optional(),
});
const PromptEvent = Base.extend({ prompt: z.string().optional() });
const StopEvent = Base.extend({ status: z.string().optional(), loop_count: z.number().optional() });
const EndEvent = Base.extend({ reason: z.string().optional() });

function read(event: string, payload: unknown): HookEvent {
  const base = parse(Base, payload);
  const cwd = base.cwd || base.workspace_roots[0];
  if (!cwd) throw new Fault('BAD_REQUEST', 'hook payload: neither cwd nor workspace_roots says where', { fix: 'Open a folder in Cursor' });
  const common = {
    nativeSession: base.conversation_id,
    cwd,
    planning: false,
    ...given({ transcript: base.transcript_path ?? undefined, model: base.model || undefined }),
  };
  switch (event) {
    case 'sessionStart':
      return { kind: 'session_start', ...common };
    case 'beforeSubmitPrompt':
      return { kind: 'prompt', turn: base.generation_id ?? null, text: parse(PromptEvent, payload).prompt ?? null, ...common };
    case 'preToolUse': {
      const { tool_name, tool_input, tool_use_id } = parse(ToolEvent, payload);
      return { kind: 'before', native: native(tool_name, tool_use_id), call: readCall(translate, tool_name, tool_input), ...common };
    }
    case 'beforeMCPExecution': {
      const { tool_name, tool_input, command, url } = parse(McpEvent, payload);
      const input = typeof tool_input === 'string' ? inputIn(tool_input) : tool_input;
      const call = readCall((tool, given) => translateMcp(tool, given, command ?? url), tool_name, input);
      return { kind: 'before', native: native(`MCP:${tool_name}`, idFromInput(tool_name, input)), call, ...common };
    }
    case 'postToolUse':
    case 'postToolUseFailure': {
      const { tool_name, tool_input, tool_use_id, tool_output, error_message } = parse(AfterEvent, payload);
      // The call that was decided at `beforeMCPExecution` had no id there.
      const id = isMcp(tool_name) ? idFromInput(mcpName(tool_name), tool_input) : tool_use_id;
      const failed = event === 'postToolUseFailure';
      const output = (failed ? error_message : tool_output) ?? null;
      return { kind: 'after', native: native(tool_name, id), output, failed, ...common };
    }
    case 'stop': {
      const { status, loop_count = 0 } = parse(StopEvent, payload);
      // A human who stopped it does not want it to continue.
      return { kind: 'stop', continued: loop_count > 0 || (status !== undefined && status !== 'completed'), ...common };
    }
    case 'sessionEnd':
      return { kind: 'session_end', reason: parse(EndEvent, payload).reason ?? 'ended', ...common };
    default:
      throw unknownEvent(event);
  }
}

function inputIn(text: string): Input {
  if (text.trim() === '') return {};
  try {
    return Inputs.parse(JSON.parse(text));
  } catch (cause) {
    throw new Fault('BAD_REQUEST', 'hook payload, tool_input: it holds no JSON object', {
      cause,
      fix: 'Call again with plain JSON values',
    });
  }
}

const NOTICES = ['sessionStart', 'beforeSubmitPrompt', 'postToolUse', 'postToolUseFailure', 'stop', 'sessionEnd'];

function write(event: HookEvent, answer: HookAnswer): string {
  if (event.kind === 'before' || event.kind === 'settings_change') {
    const decided = decisionOf(answer, ownToolName);
    if (decided.say !== 'deny') return JSON.stringify({ permission: 'allow' });
    return JSON.stringify({ permission: 'deny', user_message: decided.reason, agent_message: decided.reason });
  }
  if (event.kind === 'session_start' && answer.kind === 'context' && answer.text !== null)
    return JSON.stringify({ additional_context: answer.text });
  if (event.kind === 'stop' && answer.kind === 'send_back') return JSON.stringify({ followup_message: answer.reason });
  return JSON.stringify(event.kind === 'prompt' ? { continue: true } : {});
}

export const cursor: HookAdapter = {
  name: 'cursor',
  agent: 'cursor',
  title: 'Cursor',
  capabilities: {
    grant: false,
    deny: true,
    ask: false,
    rewrite: true,
    stopBlocks: FOLLOW_UPS,
    deniesBy: 'exit-2',
    toolCallId: true,
    promptOnContinuation: true,
    hostsMany: true,
    context: ['session_start'],
    known: 'documented',
  },
  readTools: READ_TOOLS,
  installed: { programs: ['cursor', 'cursor-agent'], inHome: ['.cursor'], inWorkspace: ['.cursor', '.cursorrules'] },
  wiring,
  trust: {
    how: 'Open this folder in Cursor, trust it when it asks, and restart Cursor; its settings list the hooks that it runs',
    isStored: () => Promise.resolve(null),
  },
  decides: (event) => !NOTICES.includes(event),
  read,
  write,
};
