// The hooks of VS Code's agent, from its documentation: payloads in, answers out. Older builds write fields in camel case; both are
// read. It may find our hook in two files: the id of a call, or the moment of an event, tells copies.

import { z } from 'zod';
import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import { decisionOf } from '../explain.ts';
import { given, idFromInput, native, parsePayload as parse, readCall, unknownEvent } from '../payload.ts';
import { ownToolName, READ_TOOLS, translate } from './translate.ts';
import { wiring } from './wire.ts';

const Fields = z.looseObject({
  session_id: z.string().min(1),
  cwd: z.string().min(1),
  timestamp: z.union([z.number(), z.string()]).optional(),
  agent_id: z.string().optional(),
  prompt: z.string().optional(),
  stop_hook_active: z.boolean().optional(),
});
const ToolFields = Fields.extend({
  tool_name: z.string().min(1),
  tool_input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
  tool_response: z.unknown().optional(),
});

const RENAMED: Readonly<Record<string, string>> = {
  sessionId: 'session_id',
  agentId: 'agent_id',
  stopHookActive: 'stop_hook_active',
  toolName: 'tool_name',
  toolInput: 'tool_input',
  toolArgs: 'tool_input',
  toolUseId: 'tool_use_id',
  toolResponse: 'tool_response',
  toolResult: 'tool_response',
};

/** The second spelling is that of the hooks of Copilot CLI, which it runs too. */
const EVENTS: Readonly<Record<string, HookEvent['kind']>> = {
  SessionStart: 'session_start',
  sessionStart: 'session_start',
  UserPromptSubmit: 'prompt',
  userPromptSubmitted: 'prompt',
  PreToolUse: 'before',
  preToolUse: 'before',
  PostToolUse: 'after',
  postToolUse: 'after',
  Stop: 'stop',
  agentStop: 'stop',
  SessionEnd: 'session_end',
  sessionEnd: 'session_end',
};

const kindOf = (event: string) => (Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined);

function read(event: string, payload: unknown): HookEvent {
  const kind = kindOf(event);
  const raw = parse(z.record(z.string(), z.unknown()), payload);
  const renamed = Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [Object.hasOwn(RENAMED, name) ? RENAMED[name] : name, value]),
  );
  const base = parse(Fields, renamed);
  const common = {
    nativeSession: base.session_id,
    cwd: base.cwd,
    planning: false,
    ...given({ agentId: base.agent_id, copy: base.timestamp === undefined ? undefined : String(base.timestamp) }),
  };
  switch (kind) {
    case 'session_start':
      return { kind, ...common };
    case 'prompt':
      return { kind, turn: null, text: base.prompt ?? null, ...common };
    case 'before': {
      const { tool_name, tool_input, tool_use_id } = parse(ToolFields, renamed);
      const id = tool_use_id ?? idFromInput(tool_name, tool_input);
      return { kind, native: native(tool_name, id), call: readCall(translate, tool_name, tool_input), ...common, ...copyOf(tool_use_id) };
    }
    case 'after': {
      const { tool_name, tool_input, tool_use_id, tool_response } = parse(ToolFields, renamed);
      const id = tool_use_id ?? idFromInput(tool_name, tool_input);
      return { kind, native: native(tool_name, id), output: tool_response ?? null, failed: false, ...common, ...copyOf(tool_use_id) };
    }
    case 'stop':
      return { kind, continued: base.stop_hook_active ?? false, ...common };
    case 'session_end':
      return { kind, reason: 'ended', ...common };
    default:
      throw unknownEvent(event);
  }
}

const copyOf = (id: string | undefined): { copy?: string } => (id === undefined ? {} : { copy: id });

const NATIVE_EVENT = { session_start: 'SessionStart', prompt: 'UserPromptSubmit', before: 'PreToolUse', stop: 'Stop' } as const;

function write(event: HookEvent, answer: HookAnswer): string {
  const nested = (kind: keyof typeof NATIVE_EVENT, fields: object): string =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: NATIVE_EVENT[kind], ...fields } });
  if (event.kind === 'before') {
    const decided = decisionOf(answer, ownToolName);
    return decided.say === 'nothing'
      ? '{}'
      : nested('before', { permissionDecision: decided.say, permissionDecisionReason: decided.reason });
  }
  if ((event.kind === 'session_start' || event.kind === 'prompt') && answer.kind === 'context' && answer.text !== null)
    return nested(event.kind, { additionalContext: answer.text });
  if (event.kind === 'stop' && answer.kind === 'send_back') return nested('stop', { decision: 'block', reason: answer.reason });
  return '{}';
}

export const vscode: HookAdapter = {
  name: 'vscode',
  agent: 'vscode',
  title: 'VS Code',
  capabilities: {
    grant: true,
    deny: true,
    ask: true,
    rewrite: true,
    stopBlocks: 1,
    deniesBy: 'exit-2',
    toolCallId: true,
    promptOnContinuation: false,
    context: ['session_start', 'prompt', 'after'],
    known: 'documented',
  },
  readTools: READ_TOOLS,
  installed: { programs: ['code'], inHome: ['.vscode'], inWorkspace: ['.vscode'] },
  wiring,
  trust: {
    how: 'Trust the workspace in VS Code, and have the setting chat.useHooks on',
    // VS Code keeps trust in a database of its own.
    isStored: () => Promise.resolve(null),
  },
  // What is not known is answered as if it decided.
  decides: (event) => [undefined, 'before'].includes(kindOf(event)),
  read,
  write,
};
