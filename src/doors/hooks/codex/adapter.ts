// Codex's hooks: payloads in, answers out. To allow is to say nothing: every other word of consent counts as a failed hook, and a
// failed hook lets the tool run.

import { z } from 'zod';
import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import { decisionOf } from '../explain.ts';
import { given, native, parsePayload as parse, readCall, unknownEvent } from '../payload.ts';
import { ownToolName, READ_TOOLS, translate } from './translate.ts';
import { isTrustStored, wiring } from './wire.ts';

const Base = z.looseObject({
  session_id: z.string().min(1),
  cwd: z.string().min(1),
  turn_id: z.string().optional(),
  agent_id: z.string().optional(),
  model: z.string().optional(),
  permission_mode: z.string().optional(),
});
const ToolEvent = Base.extend({
  tool_name: z.string().min(1),
  tool_input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
});
const AfterEvent = ToolEvent.extend({ tool_response: z.unknown().optional() });
const PromptEvent = Base.extend({ prompt: z.string().optional() });
const StopEvent = Base.extend({ stop_hook_active: z.boolean().optional() });
const EndEvent = Base.extend({ reason: z.string().optional() });

/** A patch that did not fit says so in its answer; there is no event for failure. */
const FAILED = /^Exit code: [1-9]/;

function read(event: string, payload: unknown): HookEvent {
  const base = parse(Base, payload);
  const common = {
    nativeSession: base.session_id,
    cwd: base.cwd,
    planning: base.permission_mode === 'plan',
    ...given({ agentId: base.agent_id, model: base.model }),
  };
  switch (event) {
    case 'SessionStart':
      return { kind: 'session_start', ...common };
    case 'UserPromptSubmit':
      return { kind: 'prompt', turn: base.turn_id ?? null, text: parse(PromptEvent, payload).prompt ?? null, ...common };
    case 'PreToolUse': {
      const { tool_name, tool_input, tool_use_id } = parse(ToolEvent, payload);
      return { kind: 'before', native: native(tool_name, tool_use_id), call: readCall(translate, tool_name, tool_input), ...common };
    }
    case 'PostToolUse': {
      const { tool_name, tool_use_id, tool_response } = parse(AfterEvent, payload);
      const failed = typeof tool_response === 'string' && FAILED.test(tool_response);
      return { kind: 'after', native: native(tool_name, tool_use_id), output: tool_response ?? null, failed, ...common };
    }
    case 'Stop':
      return { kind: 'stop', continued: parse(StopEvent, payload).stop_hook_active ?? false, ...common };
    case 'SessionEnd':
      return { kind: 'session_end', reason: parse(EndEvent, payload).reason ?? 'ended', ...common };
    default:
      throw unknownEvent(event);
  }
}

const NOTICES = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionEnd'];

function write(event: HookEvent, answer: HookAnswer): string {
  if (event.kind === 'before') {
    const decided = decisionOf(answer, ownToolName);
    if (decided.say !== 'deny') return '';
    // A denial without a reason counts as a failed hook too.
    const permissionDecisionReason = decided.reason || 'Countersign: denied';
    return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason } });
  }
  if ((event.kind === 'session_start' || event.kind === 'prompt') && answer.kind === 'context' && answer.text !== null) {
    const hookEventName = event.kind === 'prompt' ? 'UserPromptSubmit' : 'SessionStart';
    return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: answer.text } });
  }
  if (event.kind === 'stop' && answer.kind === 'send_back') return JSON.stringify({ decision: 'block', reason: answer.reason });
  return '';
}

export const codex: HookAdapter = {
  name: 'codex',
  agent: 'codex',
  title: 'Codex',
  capabilities: {
    grant: false,
    deny: true,
    ask: false,
    rewrite: false,
    stopBlocks: 8,
    deniesBy: 'exit-2',
    toolCallId: true,
    mcpCallId: true,
    promptOnContinuation: false,
    context: ['session_start', 'prompt'],
    known: 'recorded',
  },
  readTools: READ_TOOLS,
  installed: { programs: ['codex'], inHome: ['.codex'], inWorkspace: ['.codex'] },
  wiring,
  trust: {
    how: 'Start codex in this folder, trust the folder, then trust the hooks of .codex/hooks.json when it shows them (/hooks)',
    isStored: isTrustStored,
  },
  decides: (event) => !NOTICES.includes(event),
  read,
  write,
};
