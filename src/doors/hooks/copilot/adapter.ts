// Copilot CLI's hooks: payloads in, answers out. It runs the hooks of Claude Code's files as well, with Claude Code's names for events
// and tools: both spellings are read here, and an answer holds both forms. It names no calls; the moment of an event tells its copies.

import { z } from 'zod';
import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import type { Input } from '../dialect.ts';
import { decisionOf } from '../explain.ts';
import { given, idFromInput, native, parsePayload as parse, readCall, unknownEvent } from '../payload.ts';
import { ownToolName, READ_TOOLS, translate } from './translate.ts';
import { isTrustStored, wiring } from './wire.ts';

const Fields = z.looseObject({
  sessionId: z.string().min(1),
  cwd: z.string().min(1),
  timestamp: z.union([z.number(), z.string()]).optional(),
  agentId: z.string().optional(),
  parentAgentId: z.string().optional(),
  prompt: z.string().optional(),
  toolResult: z.unknown().optional(),
  error: z.unknown().optional(),
  reason: z.string().optional(),
  stop_hook_active: z.boolean().optional(),
  stopHookActive: z.boolean().optional(),
});
const ToolFields = Fields.extend({ toolName: z.string().min(1), toolArgs: z.unknown() });

/** The other spelling's names, in this one's. */
const RENAMED: Readonly<Record<string, string>> = {
  session_id: 'sessionId',
  agent_id: 'agentId',
  parent_agent_id: 'parentAgentId',
  tool_name: 'toolName',
  tool_input: 'toolArgs',
  tool_result: 'toolResult',
  tool_response: 'toolResult',
};

const EVENTS: Readonly<Record<string, HookEvent['kind'] | 'failure'>> = {
  sessionStart: 'session_start',
  SessionStart: 'session_start',
  userPromptSubmitted: 'prompt',
  UserPromptSubmit: 'prompt',
  preToolUse: 'before',
  PreToolUse: 'before',
  postToolUse: 'after',
  PostToolUse: 'after',
  postToolUseFailure: 'failure',
  PostToolUseFailure: 'failure',
  agentStop: 'stop',
  Stop: 'stop',
  sessionEnd: 'session_end',
  SessionEnd: 'session_end',
};

const kindOf = (event: string) => (Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined);

function read(event: string, payload: unknown): HookEvent {
  const kind = kindOf(event);
  const raw = parse(z.record(z.string(), z.unknown()), payload);
  const renamed = Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [Object.hasOwn(RENAMED, name) ? RENAMED[name] : name, value]),
  );
  const base = parse(Fields, renamed);
  const at = typeof base.timestamp === 'string' ? Date.parse(base.timestamp) : base.timestamp;
  const moment = at === undefined || Number.isNaN(at) ? undefined : String(at);
  const common = {
    // A sub-agent is a session of its own there, and says whose it is.
    nativeSession: base.agentId === undefined ? base.sessionId : (base.parentAgentId ?? base.sessionId),
    cwd: base.cwd,
    planning: false,
    ...given({ agentId: base.agentId, copy: moment }),
  };
  switch (kind) {
    case 'session_start':
      return { kind, ...common };
    case 'prompt':
      return { kind, turn: null, text: base.prompt ?? null, ...common };
    case 'before': {
      const { toolName, input, id } = toolOf(renamed);
      const copy = moment === undefined ? {} : { copy: `${moment} ${id}` };
      return { kind, native: native(toolName, id), call: readCall(translate, toolName, input), ...common, ...copy };
    }
    case 'after':
    case 'failure': {
      const { toolName, id } = toolOf(renamed);
      const copy = moment === undefined ? {} : { copy: `${moment} ${id}` };
      const output = (kind === 'failure' ? base.error : base.toolResult) ?? null;
      return { kind: 'after', native: native(toolName, id), output, failed: kind === 'failure', ...common, ...copy };
    }
    case 'stop':
      return { kind, continued: base.stop_hook_active ?? base.stopHookActive ?? false, ...common };
    case 'session_end':
      return { kind, reason: base.reason ?? 'ended', ...common };
    default:
      throw unknownEvent(event);
  }
}

/** Arguments are an object, or its text; of a patch, the text is the patch. */
function toolOf(payload: Input): { toolName: string; input: Input; id: string } {
  const { toolName, toolArgs } = parse(ToolFields, payload);
  const input =
    typeof toolArgs === 'string' ? (objectIn(toolArgs) ?? { input: toolArgs }) : parse(z.record(z.string(), z.unknown()), toolArgs ?? {});
  return { toolName, input, id: idFromInput('', input) };
}

function objectIn(text: string): Input | null {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What is not known is answered as if it decided. */
const DECIDING: readonly unknown[] = ['before', undefined];

function write(event: HookEvent, answer: HookAnswer): string {
  if (event.kind === 'before') {
    const decided = decisionOf(answer, ownToolName);
    if (decided.say === 'nothing') return '{}';
    const said = { permissionDecision: decided.say, permissionDecisionReason: decided.reason };
    return JSON.stringify({ ...said, hookSpecificOutput: { hookEventName: 'PreToolUse', ...said } });
  }
  if ((event.kind === 'session_start' || event.kind === 'prompt') && answer.kind === 'context' && answer.text !== null)
    return JSON.stringify({ additionalContext: answer.text });
  if (event.kind === 'stop' && answer.kind === 'send_back') return JSON.stringify({ decision: 'block', reason: answer.reason });
  return '{}';
}

export const copilot: HookAdapter = {
  name: 'copilot',
  agent: 'copilot-cli',
  title: 'GitHub Copilot CLI',
  capabilities: {
    grant: true,
    deny: true,
    ask: false,
    rewrite: true,
    stopBlocks: 8,
    deniesBy: 'answer',
    toolCallId: false,
    promptOnContinuation: true,
    context: ['session_start', 'prompt'],
    known: 'recorded',
  },
  readTools: READ_TOOLS,
  installed: { programs: ['copilot'], inHome: ['.copilot'], inWorkspace: ['.github/copilot-instructions.md', '.github/hooks'] },
  wiring,
  trust: { how: 'Start copilot in this folder and trust the folder when it asks', isStored: isTrustStored },
  decides: (event) => DECIDING.includes(kindOf(event)),
  read,
  write,
};
