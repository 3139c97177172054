// Hooks of Claude Code's form, which other agents took over: the names of events and fields are the same, tools and consent are not.

import { z } from 'zod';
import type { HookAnswer, HookEvent, TranslatedCall } from './adapter.ts';
import type { Input } from './dialect.ts';
import { given, native, parsePayload as parse, readCall, unknownEvent } from './payload.ts';

const Base = z.looseObject({
  session_id: z.string().min(1),
  cwd: z.string().min(1),
  transcript_path: z.string().nullish(),
  permission_mode: z.string().optional(),
  prompt_id: z.string().optional(),
  turn_id: z.string().optional(),
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

/** Events that only inform: no decision is awaited. */
const NOTICES: ReadonlySet<string> = new Set([
  'SessionStart',
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'SessionEnd',
]);

export const decidesInClaudeShape = (event: string): boolean => !NOTICES.has(event);

export interface ClaudeShape {
  readonly translate: (tool: string, input: Input) => TranslatedCall;
  /** For agents without an event for failure: whether a tool's answer reports one. */
  readonly hasFailed?: (response: unknown) => boolean;
}

type Common = Pick<HookEvent, 'nativeSession' | 'cwd' | 'planning' | 'agentId' | 'transcript' | 'model'>;

/** What every event of this form says about its session. */
export function commonOf(payload: unknown): Common {
  const { session_id, cwd, transcript_path, permission_mode, agent_id, model } = parse(Base, payload);
  const more = given({ agentId: agent_id, transcript: transcript_path ?? undefined, model });
  return { nativeSession: session_id, cwd, planning: permission_mode === 'plan', ...more };
}

export function readClaudeShape(event: string, payload: unknown, { translate, hasFailed }: ClaudeShape): HookEvent {
  const common = commonOf(payload);
  switch (event) {
    case 'SessionStart':
      return { kind: 'session_start', ...common };
    case 'UserPromptSubmit': {
      const { prompt, prompt_id, turn_id } = parse(PromptEvent, payload);
      return { kind: 'prompt', turn: prompt_id ?? turn_id ?? null, text: prompt ?? null, ...common };
    }
    case 'PreToolUse': {
      const { tool_name, tool_input, tool_use_id } = parse(ToolEvent, payload);
      return { kind: 'before', native: native(tool_name, tool_use_id), call: readCall(translate, tool_name, tool_input), ...common };
    }
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const { tool_name, tool_use_id, tool_response, error } = parse(AfterEvent, payload);
      const isFailure = event === 'PostToolUseFailure';
      const output = isFailure ? (error ?? '') : (tool_response ?? null);
      return {
        kind: 'after',
        native: native(tool_name, tool_use_id),
        output,
        failed: isFailure || (hasFailed?.(output) ?? false),
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

const NATIVE_EVENT = { session_start: 'SessionStart', prompt: 'UserPromptSubmit' } as const;

/** The text when nothing is decided; null: none. */
export function answerInClaudeShape(event: HookEvent, answer: HookAnswer): object | null {
  const text = answer.kind === 'context' ? answer.text : null;
  if (event.kind === 'after' && text !== null)
    return { hookSpecificOutput: { hookEventName: event.failed ? 'PostToolUseFailure' : 'PostToolUse', additionalContext: text } };
  if ((event.kind === 'session_start' || event.kind === 'prompt') && text !== null)
    return { hookSpecificOutput: { hookEventName: NATIVE_EVENT[event.kind], additionalContext: text } };
  return event.kind === 'stop' && answer.kind === 'send_back' ? { decision: 'block', reason: answer.reason } : null;
}

/** At the end of a turn some clients show a text only to the human; the agent gets it with the next prompt. */
export const messageForHuman = (event: HookEvent, answer: HookAnswer): object =>
  event.kind === 'stop' && answer.kind === 'context' && answer.text !== null ? { systemMessage: answer.text } : {};

export const permissionInClaudeShape = (permissionDecision: 'allow' | 'deny', permissionDecisionReason: string): object => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
});
