// Cline's hooks: payloads in, answers out. Only a JSON answer with `cancel` stops a call, and it also ends the agent's run. A hook that
// fails lets the call through.

import { z } from 'zod';
import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import { decisionOf } from '../explain.ts';
import { given, native, parsePayload as parse, readCall, unknownEvent } from '../payload.ts';
import { commandsIn, ownToolName, READ_TOOLS, translate } from './translate.ts';
import { wall } from './wall.ts';
import { wiring } from './wire.ts';

const Base = z.looseObject({
  taskId: z.string().min(1),
  workspaceRoots: z.array(z.string().min(1)).min(1),
  agent_id: z.string().optional(),
  parent_agent_id: z.string().nullish(),
  sessionContext: z.looseObject({ rootSessionId: z.string().optional() }).optional(),
});
const Call = z.looseObject({ id: z.string().optional(), name: z.string().min(1), input: z.record(z.string(), z.unknown()) });
const BeforeEvent = Base.extend({ tool_call: Call });
const AfterEvent = Base.extend({ tool_result: Call.extend({ output: z.unknown().optional(), error: z.string().optional() }) });
const PromptEvent = Base.extend({ userPromptSubmit: z.looseObject({ prompt: z.string().optional() }).optional() });
const EndEvent = Base.extend({ reason: z.string().optional() });

function read(event: string, payload: unknown): HookEvent {
  const { taskId, workspaceRoots, agent_id, parent_agent_id, sessionContext } = parse(Base, payload);
  // A sub-agent has its own conversation; the session is that of its root.
  const isSubagent = parent_agent_id !== undefined && parent_agent_id !== null;
  const common = {
    nativeSession: sessionContext?.rootSessionId ?? taskId,
    cwd: workspaceRoots[0]!,
    planning: false,
    ...given({ agentId: isSubagent ? agent_id : undefined }),
  };
  switch (event) {
    case 'TaskStart':
    case 'TaskResume':
      // The command line sends no UserPromptSubmit: a task begins with what its human wrote. One that a sub-agent starts does not.
      return isSubagent ? { kind: 'session_start', ...common } : { kind: 'prompt', turn: null, text: null, ...common };
    case 'UserPromptSubmit':
      return { kind: 'prompt', turn: null, text: parse(PromptEvent, payload).userPromptSubmit?.prompt ?? null, ...common };
    case 'PreToolUse': {
      const { id, name, input } = parse(BeforeEvent, payload).tool_call;
      const call = readCall(translate, name, input);
      const isShell = call.kind === 'tool' && call.tool === 'run_command';
      return { kind: 'before', native: native(name, id), call, ...(isShell ? { commands: commandsIn(input) } : {}), ...common };
    }
    case 'PostToolUse': {
      const { id, name, output, error } = parse(AfterEvent, payload).tool_result;
      return { kind: 'after', native: native(name, id), output: output ?? null, failed: error !== undefined, ...common };
    }
    case 'TaskComplete':
    case 'TaskCancel':
    case 'TaskError':
      // Sent when the run is over: there is nothing to send back.
      return { kind: 'stop', continued: true, ...common };
    case 'SessionShutdown':
      return { kind: 'session_end', reason: parse(EndEvent, payload).reason ?? 'ended', ...common };
    default:
      throw unknownEvent(event);
  }
}

/** Events that only inform: no decision is awaited. */
const NOTICES = [
  'TaskStart',
  'TaskResume',
  'UserPromptSubmit',
  'PostToolUse',
  'TaskComplete',
  'TaskCancel',
  'TaskError',
  'SessionShutdown',
];

function write(event: HookEvent, answer: HookAnswer): string {
  if (event.kind !== 'before') return '{}';
  const decided = decisionOf(answer, ownToolName);
  if (decided.say === 'deny') return JSON.stringify({ cancel: true, errorMessage: decided.reason });
  // The command in other words, which the wall program turns back: Cline lets no other program be its shell.
  const isWalled = answer.kind === 'recorded' && answer.walled !== undefined;
  return JSON.stringify(isWalled ? { overrideInput: { commands: answer.walled } } : {});
}

export const cline: HookAdapter = {
  name: 'cline',
  agent: 'cline',
  title: 'Cline',
  capabilities: {
    grant: false,
    deny: true,
    ask: false,
    rewrite: true,
    stopBlocks: 0,
    deniesBy: 'answer',
    toolCallId: true,
    promptOnContinuation: false,
    hostsMany: true,
    context: ['after'],
    known: 'recorded',
  },
  readTools: READ_TOOLS,
  installed: { programs: ['cline'], inHome: ['.cline'], inWorkspace: ['.cline', '.clinerules'] },
  wiring,
  wall,
  trust: null,
  decides: (event) => !NOTICES.includes(event),
  read,
  write,
};
