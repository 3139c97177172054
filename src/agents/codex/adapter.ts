// Codex's hooks: payloads in, answers out. Allowing means an empty answer: any other form of consent counts as a failed hook, and a failed
// hook lets the tool run.

import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import { decidesInClaudeShape, permissionInClaudeShape, readClaudeShape, answerInClaudeShape } from '../claude-shape.ts';
import { decisionOf } from '../explain.ts';
import { ownToolName, READ_TOOLS, translate } from './translate.ts';
import { isTrustStored, store } from './trust.ts';
import { profile } from './wall.ts';
import { wiring } from './wire.ts';

/** A patch that did not apply says so in its answer; there is no event for failure. */
const FAILED = /^Exit code: [1-9]/;

const hasFailed = (response: unknown): boolean => typeof response === 'string' && FAILED.test(response);

function write(event: HookEvent, answer: HookAnswer): string {
  if (event.kind === 'before') {
    const decided = decisionOf(answer, ownToolName);
    // A denial without a reason counts as a failed hook too.
    return decided.say === 'deny' ? JSON.stringify(permissionInClaudeShape('deny', decided.reason || 'Countersign: denied')) : '';
  }
  const answered = answerInClaudeShape(event, answer);
  return answered === null ? '' : JSON.stringify(answered);
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
    mcpCallId: 'callId',
    promptOnContinuation: false,
    context: ['session_start', 'prompt'],
    known: 'recorded',
  },
  readTools: READ_TOOLS,
  installed: { programs: ['codex'], inHome: ['.codex'], inWorkspace: ['.codex'] },
  wiring,
  profile,
  trust: {
    how: 'Run countersign init --agent codex, or start codex in this folder, trust the folder, then the hooks of .codex/hooks.json (/hooks)',
    isStored: isTrustStored,
    store,
  },
  decides: decidesInClaudeShape,
  read: (event, payload) => readClaudeShape(event, payload, { translate, hasFailed }),
  write,
};
