// Gemini CLI's hooks: payloads in, answers out. Its tool events carry no call id, and nothing reports its plan mode.

import { z } from 'zod';
import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import { decisionOf } from '../explain.ts';
import { given, idFromInput, native, parsePayload as parse, readCall, unknownEvent } from '../payload.ts';
import { ownToolName, READ_TOOLS, translate } from './translate.ts';
import { wall } from './wall.ts';
import { trust, wiring } from './wire.ts';

const Base = z.looseObject({
  session_id: z.string().min(1),
  cwd: z.string().min(1),
  transcript_path: z.string().optional(),
});
const ToolEvent = Base.extend({
  tool_name: z.string().min(1),
  tool_input: z.record(z.string(), z.unknown()),
  mcp_context: z.looseObject({ server_name: z.string(), tool_name: z.string() }).optional(),
});
const AfterEvent = ToolEvent.extend({ tool_response: z.looseObject({ error: z.unknown().optional() }).optional() });
const PromptEvent = Base.extend({ prompt: z.string().optional() });
const StopEvent = Base.extend({ stop_hook_active: z.boolean().optional() });
const EndEvent = Base.extend({ reason: z.string().optional() });

function read(event: string, payload: unknown): HookEvent {
  const { session_id, cwd, transcript_path } = parse(Base, payload);
  const common = { nativeSession: session_id, cwd, planning: false, ...given({ transcript: transcript_path }) };
  switch (event) {
    case 'SessionStart':
      return { kind: 'session_start', ...common };
    case 'BeforeAgent':
      return { kind: 'prompt', turn: null, text: parse(PromptEvent, payload).prompt ?? null, ...common };
    case 'BeforeTool': {
      const { tool_name, tool_input, mcp_context } = parse(ToolEvent, payload);
      const server = mcp_context === undefined ? null : { name: mcp_context.server_name, tool: mcp_context.tool_name };
      const call = readCall((tool, input) => translate(tool, input, server), tool_name, tool_input);
      return { kind: 'before', native: native(tool_name, idFromInput(tool_name, tool_input)), call, ...common };
    }
    case 'AfterTool': {
      const { tool_name, tool_input, tool_response } = parse(AfterEvent, payload);
      const failed = tool_response?.error !== undefined && tool_response.error !== null;
      return {
        kind: 'after',
        native: native(tool_name, idFromInput(tool_name, tool_input)),
        output: tool_response ?? null,
        failed,
        ...common,
      };
    }
    case 'AfterAgent':
      return { kind: 'stop', continued: parse(StopEvent, payload).stop_hook_active ?? false, ...common };
    case 'SessionEnd':
      return { kind: 'session_end', reason: parse(EndEvent, payload).reason ?? 'ended', ...common };
    default:
      throw unknownEvent(event);
  }
}

/** Events that only inform: no decision is awaited. */
const NOTICES = ['SessionStart', 'BeforeAgent', 'AfterTool', 'AfterAgent', 'SessionEnd'];

const NATIVE_EVENT = { session_start: 'SessionStart', prompt: 'BeforeAgent', after: 'AfterTool' } as const;

function write(event: HookEvent, answer: HookAnswer): string {
  if (event.kind === 'before') return JSON.stringify(decision(answer));
  if (
    (event.kind === 'session_start' || event.kind === 'prompt' || event.kind === 'after') &&
    answer.kind === 'context' &&
    answer.text !== null
  )
    return JSON.stringify({ hookSpecificOutput: { hookEventName: NATIVE_EVENT[event.kind], additionalContext: answer.text } });
  // The reason goes to the model as its next prompt.
  if (event.kind === 'stop' && answer.kind === 'send_back') return JSON.stringify({ decision: 'deny', reason: answer.reason });
  if (event.kind === 'stop' && answer.kind === 'context' && answer.text !== null) return JSON.stringify({ systemMessage: answer.text });
  return '{}';
}

/** An empty object is "no opinion"; `allow` means the same here: the client's own permissions still ask. */
function decision(answer: HookAnswer): object {
  const decided = decisionOf(answer, ownToolName);
  return decided.say === 'deny' ? { decision: 'deny', reason: decided.reason } : {};
}

export const gemini: HookAdapter = {
  name: 'gemini',
  agent: 'gemini-cli',
  title: 'Gemini CLI',
  capabilities: {
    grant: false,
    deny: true,
    // Works but is not documented; without a human the client denies without our reason.
    ask: false,
    rewrite: true,
    // The client sets no limit; the gate sends back once.
    stopBlocks: 1,
    deniesBy: 'exit-2',
    toolCallId: false,
    promptOnContinuation: true,
    context: ['session_start', 'prompt', 'after'],
    known: 'recorded',
  },
  readTools: READ_TOOLS,
  installed: { programs: ['gemini'], inHome: ['.gemini'], inWorkspace: ['.gemini', 'GEMINI.md'] },
  wiring,
  wall,
  trust,
  decides: (event) => !NOTICES.includes(event),
  read,
  write,
};
