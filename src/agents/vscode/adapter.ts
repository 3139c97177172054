// The hooks of VS Code's agent, from its documentation: payloads in, answers out.

import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import { decidesInCopilotShape, readCopilotShape } from '../copilot-shape.ts';
import { decisionOf, questionOf } from '../explain.ts';
import { ownToolName, READ_TOOLS, translate } from './translate.ts';
import { wiring } from './wire.ts';

const NATIVE_EVENT = { session_start: 'SessionStart', prompt: 'UserPromptSubmit', before: 'PreToolUse', stop: 'Stop' } as const;

function write(event: HookEvent, answer: HookAnswer): string {
  const nested = (kind: keyof typeof NATIVE_EVENT, fields: object): string =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: NATIVE_EVENT[kind], ...fields } });
  const question = questionOf(answer);
  if (question !== null) return nested('before', { permissionDecision: 'ask', permissionDecisionReason: question });
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
    hostsMany: true,
    context: ['session_start', 'prompt', 'after'],
    known: 'documented',
  },
  readTools: READ_TOOLS,
  installed: { programs: ['code'], inHome: ['.vscode'], inWorkspace: ['.vscode'] },
  wiring,
  instructionsFile: '.github/copilot-instructions.md',
  trust: {
    how: 'Trust the workspace in VS Code, and have the setting chat.useHooks on',
    // VS Code keeps trust in its own database.
    isStored: () => Promise.resolve(null),
  },
  decides: decidesInCopilotShape,
  read: (event, payload) => readCopilotShape(event, payload, translate),
  write,
};
