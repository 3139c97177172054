// Claude Code's hooks: payloads in, answers out.

import { z } from 'zod';
import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import { decisionOf, explain } from '../explain.ts';
import { native, parsePayload as parse, readCall, unknownEvent } from '../payload.ts';
import { ownToolName, READ_TOOLS, translate } from './translate.ts';
import { wiring } from './wire.ts';

const Base = z.looseObject({
  session_id: z.string().min(1),
  cwd: z.string().min(1),
  transcript_path: z.string().optional(),
  prompt_id: z.string().optional(),
  permission_mode: z.string().optional(),
  agent_id: z.string().optional(),
});
const ToolEvent = Base.extend({
  tool_name: z.string().min(1),
  tool_input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
});
const AfterEvent = ToolEvent.extend({ tool_response: z.unknown().optional(), error: z.string().optional() });
const SettingsEvent = Base.extend({ file_path: z.string().optional() });
const PromptEvent = Base.extend({ prompt: z.string().optional() });
const StopEvent = Base.extend({ stop_hook_active: z.boolean().optional() });
const EndEvent = Base.extend({ reason: z.string().optional() });

function read(event: string, payload: unknown): HookEvent {
  const base = parse(Base, payload);
  const common = {
    nativeSession: base.session_id,
    cwd: base.cwd,
    planning: base.permission_mode === 'plan',
    ...(base.agent_id === undefined ? {} : { agentId: base.agent_id }),
    ...(base.transcript_path === undefined ? {} : { transcript: base.transcript_path }),
  };
  switch (event) {
    case 'SessionStart':
      return { kind: 'session_start', ...common };
    case 'UserPromptSubmit':
      return { kind: 'prompt', turn: base.prompt_id ?? null, text: parse(PromptEvent, payload).prompt ?? null, ...common };
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
    case 'ConfigChange': {
      const { file_path } = parse(SettingsEvent, payload);
      return { kind: 'settings_change', ...(file_path === undefined ? {} : { file: file_path }), ...common };
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

const NATIVE_EVENT: Record<'session_start' | 'prompt' | 'before', string> = {
  session_start: 'SessionStart',
  prompt: 'UserPromptSubmit',
  before: 'PreToolUse',
};

function write(event: HookEvent, answer: HookAnswer): string {
  if (event.kind === 'before') return JSON.stringify(decision(answer));
  if (event.kind === 'settings_change') return JSON.stringify(settingsDecision(answer));
  if ((event.kind === 'session_start' || event.kind === 'prompt') && answer.kind === 'context' && answer.text !== null) {
    return JSON.stringify({ hookSpecificOutput: { hookEventName: NATIVE_EVENT[event.kind], additionalContext: answer.text } });
  }
  if (event.kind === 'stop' && answer.kind === 'send_back') return JSON.stringify({ decision: 'block', reason: answer.reason });
  // There the client shows a text to the human only; the agent hears it with the next prompt.
  if (event.kind === 'stop' && answer.kind === 'context' && answer.text !== null) return JSON.stringify({ systemMessage: answer.text });
  return '{}';
}

/** An empty object is "no opinion". */
function decision(answer: HookAnswer): object {
  const decided = decisionOf(answer, ownToolName);
  return decided.say === 'nothing' ? {} : permission(decided.say, decided.reason);
}

/** Blocked, the client goes on with the settings that it had. */
function settingsDecision(answer: HookAnswer): object {
  const { outcome } = answer.kind === 'trouble' ? { outcome: null } : answer.recorded;
  const refusal = answer.kind === 'trouble' ? answer.refusal : outcome?.kind === 'noted' ? outcome.refusal : null;
  return refusal === null ? {} : { decision: 'block', reason: explain(refusal, ownToolName) };
}

const permission = (permissionDecision: 'allow' | 'deny', permissionDecisionReason: string) => ({
  hookSpecificOutput: { hookEventName: NATIVE_EVENT.before, permissionDecision, permissionDecisionReason },
});

export const claude: HookAdapter = {
  name: 'claude',
  agent: 'claude-code',
  title: 'Claude Code',
  capabilities: {
    grant: true,
    deny: true,
    // Without anybody to ask the client says no with the reason only, and a question of its own would stand beside the inbox's.
    ask: false,
    rewrite: true,
    stopBlocks: 8,
    deniesBy: 'exit-2',
    toolCallId: true,
    mcpCallId: true,
    promptOnContinuation: false,
    context: ['session_start', 'prompt', 'before', 'after'],
    known: 'recorded',
  },
  readTools: READ_TOOLS,
  installed: { programs: ['claude'], inHome: ['.claude', '.claude.json'], inWorkspace: ['.claude', 'CLAUDE.md'] },
  wiring,
  trust: null,
  decides: (event) => !NOTICES.includes(event),
  read,
  write,
};
