// Copilot CLI's hooks: payloads in, answers out. It runs the hooks of Claude Code's files as well, with Claude Code's names for events
// and tools: an answer holds both forms. Calls have no ids; the time of an event identifies its copies.

import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import { decidesInCopilotShape, readCopilotShape } from '../copilot-shape.ts';
import { decisionOf } from '../explain.ts';
import { ownToolName, READ_TOOLS, translate } from './translate.ts';
import { wall } from './wall.ts';
import { isTrustStored, wiring } from './wire.ts';

function write(event: HookEvent, answer: HookAnswer): string {
  if (event.kind === 'before') {
    const decided = decisionOf(answer, ownToolName);
    if (decided.say === 'nothing') return '{}';
    const said = { permissionDecision: decided.say, permissionDecisionReason: decided.reason };
    return JSON.stringify({ ...said, hookSpecificOutput: { hookEventName: 'PreToolUse', ...said } });
  }
  if (
    (event.kind === 'session_start' || event.kind === 'prompt' || event.kind === 'after') &&
    answer.kind === 'context' &&
    answer.text !== null
  )
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
    context: ['session_start', 'prompt', 'after'],
    known: 'recorded',
  },
  readTools: READ_TOOLS,
  installed: { programs: ['copilot'], inHome: ['.copilot'], inWorkspace: ['.github/copilot-instructions.md', '.github/hooks'] },
  wiring,
  instructionsFile: '.github/copilot-instructions.md',
  wall,
  trust: { how: 'Start copilot in this folder and trust the folder when it asks', isStored: isTrustStored },
  decides: decidesInCopilotShape,
  read: (event, payload) => readCopilotShape(event, payload, translate),
  write,
};
