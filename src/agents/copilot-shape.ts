// The hooks of Copilot CLI and of VS Code's agent: both know two spellings of every field and event, Claude Code's and their own, and both
// may find our hook in several files. The id of a call, or the time of an event, identifies copies.

import { z } from 'zod';
import type { HookEvent, TranslatedCall } from './adapter.ts';
import type { Input } from './dialect.ts';
import { given, idFromInput, native, parsePayload as parse, readCall, unknownEvent } from './payload.ts';

const Fields = z.looseObject({
  session_id: z.string().min(1),
  cwd: z.string().min(1),
  timestamp: z.union([z.number(), z.string()]).optional(),
  agent_id: z.string().optional(),
  parent_agent_id: z.string().optional(),
  prompt: z.string().optional(),
  error: z.unknown().optional(),
  reason: z.string().optional(),
  stop_hook_active: z.boolean().optional(),
});
const ToolFields = z.looseObject({
  tool_name: z.string().min(1),
  tool_input: z.unknown(),
  tool_use_id: z.string().optional(),
  tool_response: z.unknown().optional(),
});
const Fieldset = z.record(z.string(), z.unknown());

/** The other spelling's names, in this one's. */
const RENAMED: Readonly<Record<string, string>> = {
  sessionId: 'session_id',
  agentId: 'agent_id',
  parentAgentId: 'parent_agent_id',
  stopHookActive: 'stop_hook_active',
  toolName: 'tool_name',
  toolInput: 'tool_input',
  toolArgs: 'tool_input',
  toolUseId: 'tool_use_id',
  toolResponse: 'tool_response',
  toolResult: 'tool_response',
  tool_result: 'tool_response',
};

const EVENTS: Readonly<Record<string, HookEvent['kind'] | 'failure'>> = {
  SessionStart: 'session_start',
  sessionStart: 'session_start',
  UserPromptSubmit: 'prompt',
  userPromptSubmitted: 'prompt',
  PreToolUse: 'before',
  preToolUse: 'before',
  PostToolUse: 'after',
  postToolUse: 'after',
  PostToolUseFailure: 'failure',
  postToolUseFailure: 'failure',
  Stop: 'stop',
  agentStop: 'stop',
  SessionEnd: 'session_end',
  sessionEnd: 'session_end',
};

const kindOf = (event: string) => (Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined);

/** An unknown event is answered as if it decided. */
export const decidesInCopilotShape = (event: string): boolean => [undefined, 'before'].includes(kindOf(event));

export function readCopilotShape(event: string, payload: unknown, translate: (tool: string, input: Input) => TranslatedCall): HookEvent {
  const renamed = Object.fromEntries(
    Object.entries(parse(Fieldset, payload)).map(([name, value]) => [Object.hasOwn(RENAMED, name) ? RENAMED[name] : name, value]),
  );
  const base = parse(Fields, renamed);
  const at = typeof base.timestamp === 'string' ? Date.parse(base.timestamp) : base.timestamp;
  const moment = at === undefined || Number.isNaN(at) ? undefined : String(at);
  const common = {
    // A sub-agent with its own session names its parent.
    nativeSession: base.agent_id === undefined ? base.session_id : (base.parent_agent_id ?? base.session_id),
    cwd: base.cwd,
    planning: false,
    ...given({ agentId: base.agent_id, copy: moment }),
  };
  const kind = kindOf(event);
  switch (kind) {
    case 'session_start':
      return { kind, ...common };
    case 'prompt':
      return { kind, turn: null, text: base.prompt ?? null, ...common };
    case 'before': {
      const { tool_name, input, id, copy } = toolOf(renamed, moment);
      return { kind, native: native(tool_name, id), call: readCall(translate, tool_name, input), ...common, ...copy };
    }
    case 'after':
    case 'failure': {
      const { tool_name, tool_response, id, copy } = toolOf(renamed, moment);
      const output = (kind === 'failure' ? base.error : tool_response) ?? null;
      return { kind: 'after', native: native(tool_name, id), output, failed: kind === 'failure', ...common, ...copy };
    }
    case 'stop':
      return { kind, continued: base.stop_hook_active ?? false, ...common };
    case 'session_end':
      return { kind, reason: base.reason ?? 'ended', ...common };
    default:
      throw unknownEvent(event);
  }
}

/**
 * Arguments are an object, or its text; of a patch, the text is the patch. A tool has another name in each spelling, so its input
 * identifies it.
 */
function toolOf(payload: Input, moment: string | undefined) {
  const { tool_name, tool_input, tool_use_id, tool_response } = parse(ToolFields, payload);
  const input = typeof tool_input === 'string' ? (objectIn(tool_input) ?? { input: tool_input }) : parse(Fieldset, tool_input ?? {});
  const id = tool_use_id ?? idFromInput('', input);
  const copy = tool_use_id ?? (moment === undefined ? undefined : `${moment} ${id}`);
  return { tool_name, input, tool_response, id, copy: given({ copy }) };
}

function objectIn(text: string): Input | null {
  try {
    return Fieldset.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
