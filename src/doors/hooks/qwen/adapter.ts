// Qwen Code's hooks: payloads in, answers out. They have Claude Code's form with tools of their own, and the prompt's event fires
// again before every further request to the model.

import { z } from 'zod';
import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import { decisionOf } from '../explain.ts';
import { given, native, parsePayload as parse, readCall, unknownEvent } from '../payload.ts';
import { ownToolName, READ_TOOLS, translate } from './translate.ts';
import { wiring } from './wire.ts';

const Base = z.looseObject({
  session_id: z.string().min(1),
  cwd: z.string().min(1),
  transcript_path: z.string().optional(),
  permission_mode: z.string().optional(),
  prompt_id: z.string().optional(),
  agent_id: z.string().optional(),
  model: z.string().optional(),
});
const ToolEvent = Base.extend({
  tool_name: z.string().min(1),
  tool_input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
});
const AfterEvent = ToolEvent.extend({ tool_response: z.unknown().optional(), error: z.string().optional() });
const PromptEvent = Base.extend({ prompt: z.string().optional() });
const StopEvent = Base.extend({ stop_hook_active: z.boolean().optional() });
const EndEvent = Base.extend({ reason: z.string().optional() });

function read(event: string, payload: unknown): HookEvent {
  const { session_id, cwd, transcript_path, permission_mode, prompt_id, agent_id, model } = parse(Base, payload);
  const common = {
    nativeSession: session_id,
    cwd,
    planning: permission_mode === 'plan',
    ...given({ agentId: agent_id, transcript: transcript_path, model }),
  };
  switch (event) {
    case 'SessionStart':
      return { kind: 'session_start', ...common };
    case 'UserPromptSubmit':
      return { kind: 'prompt', turn: prompt_id ?? null, text: parse(PromptEvent, payload).prompt ?? null, ...common };
    case 'PreToolUse': {
      const { tool_name, tool_input, tool_use_id } = parse(ToolEvent, payload);
      return { kind: 'before', native: native(tool_name, tool_use_id), call: readCall(translate, tool_name, tool_input), ...common };
    }
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const { tool_name, tool_use_id, tool_response, error } = parse(AfterEvent, payload);
      const failed = event === 'PostToolUseFailure';
      return {
        kind: 'after',
        native: native(tool_name, tool_use_id),
        output: failed ? (error ?? '') : (tool_response ?? null),
        failed,
        ...common,
      };
    }
    case 'Stop':
      return { kind: 'stop', continued: parse(StopEvent, payload).stop_hook_active ?? false, ...common };
    case 'SessionEnd':
      return { kind: 'session_end', reason: parse(EndEvent, payload).reason ?? 'ended', ...common };
    default:
      throw unknownEvent(event);
  }
}

/** Events that tell; at these nothing waits for a decision. */
const NOTICES = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SessionEnd'];

const NATIVE_EVENT = { session_start: 'SessionStart', prompt: 'UserPromptSubmit' } as const;

function write(event: HookEvent, answer: HookAnswer): string {
  if (event.kind === 'before') return JSON.stringify(decision(answer));
  if ((event.kind === 'session_start' || event.kind === 'prompt') && answer.kind === 'context' && answer.text !== null)
    return JSON.stringify({ hookSpecificOutput: { hookEventName: NATIVE_EVENT[event.kind], additionalContext: answer.text } });
  if (event.kind === 'stop' && answer.kind === 'send_back') return JSON.stringify({ decision: 'block', reason: answer.reason });
  if (event.kind === 'stop' && answer.kind === 'context' && answer.text !== null) return JSON.stringify({ systemMessage: answer.text });
  return '{}';
}

/** An empty object is "no opinion": the client's own permissions still apply. */
function decision(answer: HookAnswer): object {
  const decided = decisionOf(answer, ownToolName);
  if (decided.say === 'nothing') return {};
  return {
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: decided.say, permissionDecisionReason: decided.reason },
  };
}

export const qwen: HookAdapter = {
  name: 'qwen',
  agent: 'qwen-code',
  title: 'Qwen Code',
  capabilities: {
    grant: true,
    deny: true,
    ask: false,
    rewrite: true,
    stopBlocks: 8,
    deniesBy: 'exit-2',
    toolCallId: true,
    promptOnContinuation: true,
    context: ['session_start', 'prompt', 'before', 'after'],
    known: 'recorded',
  },
  readTools: READ_TOOLS,
  installed: { programs: ['qwen'], inHome: ['.qwen'], inWorkspace: ['.qwen', 'QWEN.md'] },
  wiring,
  trust: null,
  decides: (event) => !NOTICES.includes(event),
  read,
  write,
};
