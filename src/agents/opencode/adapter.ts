// opencode has plugins instead of hooks: `plugin.ts` writes one that asks the gate and throws what the gate refuses. So the
// payloads are our own; their fields are in the order that the hook client needs, the tool's name before values chosen by the model.

import { z } from 'zod';
import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import { decisionOf } from '../explain.ts';
import { given, native, parsePayload as parse, readCall, unknownEvent } from '../payload.ts';
import { ownToolName, READ_TOOLS, translate } from './translate.ts';
import { wall } from './wall.ts';
import { wiring } from './wire.ts';

const Base = z.looseObject({
  session_id: z.string().min(1),
  cwd: z.string().min(1),
  /** A sub-agent's own session. */
  agent_id: z.string().optional(),
  /** Which of opencode's agents is working; `plan` only reads. */
  agent: z.string().optional(),
  model: z.string().optional(),
  /** What the client uses as its shell, by all its settings. */
  shell: z.string().optional(),
});
const ToolEvent = Base.extend({
  tool_name: z.string().min(1),
  tool_input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
});
const AfterEvent = ToolEvent.extend({ tool_response: z.unknown().optional() });
const PromptEvent = Base.extend({ prompt: z.string().optional(), message_id: z.string().optional() });

function read(event: string, payload: unknown): HookEvent {
  const { session_id, cwd, agent_id, agent, model, shell } = parse(Base, payload);
  const common = { nativeSession: session_id, cwd, planning: agent === 'plan', ...given({ agentId: agent_id, model, shell }) };
  switch (event) {
    case 'session.created':
      return { kind: 'session_start', ...common };
    case 'chat.message': {
      const { prompt, message_id } = parse(PromptEvent, payload);
      return { kind: 'prompt', turn: message_id ?? null, text: prompt ?? null, ...common };
    }
    case 'tool.execute.before': {
      const { tool_name, tool_input, tool_use_id } = parse(ToolEvent, payload);
      return { kind: 'before', native: native(tool_name, tool_use_id), call: readCall(translate, tool_name, tool_input), ...common };
    }
    case 'tool.execute.after': {
      const { tool_name, tool_use_id, tool_response } = parse(AfterEvent, payload);
      // A failing tool throws, and the plugin gets no event.
      return { kind: 'after', native: native(tool_name, tool_use_id), output: tool_response ?? null, failed: false, ...common };
    }
    case 'session.idle':
      // Sent after the turn has ended: there is nothing to send back.
      return { kind: 'stop', continued: true, ...common };
    default:
      throw unknownEvent(event);
  }
}

/** Events that only inform: no decision is awaited. */
const NOTICES = ['session.created', 'chat.message', 'tool.execute.after', 'session.idle'];

function write(event: HookEvent, answer: HookAnswer): string {
  if (event.kind === 'before') {
    const decided = decisionOf(answer, ownToolName);
    return JSON.stringify(decided.say === 'deny' ? { deny: decided.reason } : {});
  }
  const hears = event.kind === 'session_start' || event.kind === 'prompt' || event.kind === 'after';
  if (hears && answer.kind === 'context' && answer.text !== null) return JSON.stringify({ context: answer.text });
  return '{}';
}

export const opencode: HookAdapter = {
  name: 'opencode',
  agent: 'opencode',
  title: 'opencode',
  capabilities: {
    grant: false,
    deny: true,
    ask: false,
    rewrite: true,
    stopBlocks: 0,
    deniesBy: 'throw',
    toolCallId: true,
    promptOnContinuation: false,
    context: ['session_start', 'prompt', 'after'],
    known: 'recorded',
  },
  readTools: READ_TOOLS,
  installed: {
    programs: ['opencode'],
    inHome: ['.config/opencode', '.opencode'],
    inWorkspace: ['.opencode', 'opencode.json', 'opencode.jsonc'],
  },
  wiring,
  wall,
  trust: null,
  decides: (event) => !NOTICES.includes(event),
  read,
  write,
};
