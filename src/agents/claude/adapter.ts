// Claude Code's hooks: payloads in, answers out.

import { z } from 'zod';
import type { HookAdapter, HookAnswer, HookEvent } from '../adapter.ts';
import {
  commonOf,
  decidesInClaudeShape,
  permissionInClaudeShape,
  readClaudeShape,
  messageForHuman,
  answerInClaudeShape,
} from '../claude-shape.ts';
import { decisionOf, explain } from '../explain.ts';
import { given, parsePayload as parse } from '../payload.ts';
import { ownToolName, READ_TOOLS, translate } from './translate.ts';
import { wall } from './wall.ts';
import { wiring } from './wire.ts';

const SettingsEvent = z.looseObject({ file_path: z.string().optional() });

function read(event: string, payload: unknown): HookEvent {
  if (event !== 'ConfigChange') return readClaudeShape(event, payload, { translate });
  const { file_path } = parse(SettingsEvent, payload);
  return { kind: 'settings_change', ...given({ file: file_path }), ...commonOf(payload) };
}

function write(event: HookEvent, answer: HookAnswer): string {
  if (event.kind === 'before') return JSON.stringify(decision(answer));
  if (event.kind === 'settings_change') return JSON.stringify(settingsDecision(answer));
  return JSON.stringify(answerInClaudeShape(event, answer) ?? messageForHuman(event, answer));
}

/** An empty object is "no opinion". */
function decision(answer: HookAnswer): object {
  const decided = decisionOf(answer, ownToolName);
  return decided.say === 'nothing' ? {} : permissionInClaudeShape(decided.say, decided.reason);
}

/** If this is blocked, the client keeps its previous settings. */
function settingsDecision(answer: HookAnswer): object {
  const { outcome } = answer.kind === 'trouble' ? { outcome: null } : answer.recorded;
  const refusal = answer.kind === 'trouble' ? answer.refusal : outcome?.kind === 'noted' ? outcome.refusal : null;
  return refusal === null ? {} : { decision: 'block', reason: explain(refusal, ownToolName) };
}

export const claude: HookAdapter = {
  name: 'claude',
  agent: 'claude-code',
  title: 'Claude Code',
  capabilities: {
    grant: true,
    deny: true,
    // With no one to ask, the client denies with the reason only; its own question would duplicate the inbox's.
    ask: false,
    rewrite: true,
    stopBlocks: 8,
    deniesBy: 'exit-2',
    toolCallId: true,
    mcpCallId: 'claudecode/toolUseId',
    promptOnContinuation: false,
    context: ['session_start', 'prompt', 'before', 'after'],
    known: 'recorded',
  },
  readTools: READ_TOOLS,
  installed: { programs: ['claude'], inHome: ['.claude', '.claude.json'], inWorkspace: ['.claude', 'CLAUDE.md'] },
  wiring,
  wall,
  trust: null,
  decides: decidesInClaudeShape,
  read,
  write,
};
