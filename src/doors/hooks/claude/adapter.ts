// Claude Code's hooks: payloads in, answers out.

import { z } from 'zod';
import { Fault, type Refusal } from '../../../protocol/index.ts';
import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import { ownToolName, translate } from './translate.ts';
import { isWired, SETTINGS_FILE, switchesHooksOff } from './wire.ts';

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
const EndEvent = Base.extend({ reason: z.string().optional() });

function parse<S extends z.ZodType>(schema: S, payload: unknown): z.output<S> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Fault('BAD_REQUEST', `hook payload, ${issue?.path.join('.') || 'as a whole'}: ${issue?.message}`, {
    fix: 'Tell a human: this client speaks a dialect that this version of the gate does not know',
  });
}

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
      return { kind: 'before', native: native(tool_name, tool_use_id), call: translateOrThrow(tool_name, tool_input), ...common };
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
      return { kind: 'stop', ...common };
    case 'SessionEnd':
      return { kind: 'session_end', reason: parse(EndEvent, payload).reason ?? 'ended', ...common };
    default:
      throw new Fault('BAD_REQUEST', `The hook event ${event} is not one that Countersign installs`, { fix: 'Run countersign init again' });
  }
}

const native = (tool: string, callId: string | undefined) => ({ tool, ...(callId === undefined ? {} : { callId }) });

function translateOrThrow(tool: string, input: Record<string, unknown>) {
  try {
    return translate(tool, input);
  } catch (error) {
    throw new Fault('BAD_REQUEST', `${tool}: its input does not have the form that this client is known to send`, {
      cause: error,
      fix: 'Tell a human: this client speaks a dialect that this version of the gate does not know',
    });
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
  // There the client shows a text to the human only; the agent hears it with the next prompt.
  if (event.kind === 'stop' && answer.kind === 'context' && answer.text !== null) return JSON.stringify({ systemMessage: answer.text });
  return '{}';
}

/** An empty object is "no opinion": the client's own permissions still apply. The gate narrows; it widens only what a human approved. */
function decision(answer: HookAnswer): object {
  if (answer.kind === 'trouble') return permission('deny', explain(answer.refusal));
  if (answer.kind === 'context') return permission('allow', answer.text ?? 'a tool of the gate itself');
  const { outcome } = answer.recorded;
  if (outcome.kind === 'refused') return permission('deny', explain(outcome.refusal));
  if (outcome.kind === 'admitted' && outcome.approval !== null)
    return permission('allow', `a human approved this exact call (${outcome.approval})`);
  return {};
}

/** Blocked, the client goes on with the settings that it had. */
function settingsDecision(answer: HookAnswer): object {
  const { outcome } = answer.kind === 'trouble' ? { outcome: null } : answer.recorded;
  const refusal = answer.kind === 'trouble' ? answer.refusal : outcome?.kind === 'noted' ? outcome.refusal : null;
  return refusal === null ? {} : { decision: 'block', reason: explain(refusal) };
}

const permission = (permissionDecision: 'allow' | 'deny', permissionDecisionReason: string) => ({
  hookSpecificOutput: { hookEventName: NATIVE_EVENT.before, permissionDecision, permissionDecisionReason },
});

/** The refusal as an agent reads it: what, what to do, the very call, what else is missing. */
export function explain(refusal: Refusal): string {
  const { error_code, message, required_action, remedy, also_missing, approval_id } = refusal;
  return [
    `Countersign ${error_code}: ${message}`,
    `What to do: ${required_action}.`,
    ...(remedy ? [`Call: ${ownToolName(remedy.tool)} ${JSON.stringify(remedy.args)}`] : []),
    ...(approval_id && error_code === 'APPROVAL_REQUIRED' ? [`Question for the human: ${approval_id}`] : []),
    ...also_missing.map((missing) => `Also missing: ${missing.message} [${missing.error_code}]`),
  ].join('\n');
}

export const claude: HookAdapter = {
  name: 'claude',
  agent: 'claude-code',
  wiring: { file: SETTINGS_FILE, isIn: isWired, isSwitchedOffBy: switchesHooksOff },
  decides: (event) => !NOTICES.includes(event),
  read,
  write,
};
