// Qwen Code's hooks: payloads in, answers out. They have Claude Code's form with tools of their own, and the prompt's event fires
// again before every further request to the model.

import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import { decidesInClaudeShape, permissionInClaudeShape, readClaudeShape, messageForHuman, answerInClaudeShape } from '../claude-shape.ts';
import { decisionOf } from '../explain.ts';
import { ownToolName, READ_TOOLS, translate } from './translate.ts';
import { wall } from './wall.ts';
import { wiring } from './wire.ts';

function write(event: HookEvent, answer: HookAnswer): string {
  if (event.kind !== 'before') return JSON.stringify(answerInClaudeShape(event, answer) ?? messageForHuman(event, answer));
  const decided = decisionOf(answer, ownToolName);
  // An empty object is "no opinion": the client's own permissions still apply.
  return JSON.stringify(decided.say === 'nothing' ? {} : permissionInClaudeShape(decided.say, decided.reason));
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
  wall,
  trust: null,
  decides: decidesInClaudeShape,
  read: (event, payload) => readClaudeShape(event, payload, { translate }),
  write,
};
