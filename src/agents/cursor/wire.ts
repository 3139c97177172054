// What `countersign init` writes for Cursor: hooks of the project, and our MCP server. Only events that the reference names: an unknown
// one can void the whole file.

import type { Json, WiredFile, WirePaths } from '../adapter.ts';
import {
  DECISION,
  hasHook,
  hasServer,
  hookLine,
  type HookTiming,
  IN_WORK_TREE,
  NOTICE,
  ownServer,
  TURN_END,
  withHooks,
  withoutHooks,
  withoutServer,
  withServer,
} from '../wire.ts';
import { READ_TOOLS } from './translate.ts';

export const HOOKS_FILE = '.cursor/hooks.json';
export const MCP_FILE = '.cursor/mcp.json';
/** Cursor's own cap on follow-ups. */
export const FOLLOW_UPS = 5;
/** An empty answer is a failure there. */
const PASS = '{"permission":"allow"}';

const EVENTS: Readonly<Record<string, HookTiming>> = {
  sessionStart: NOTICE,
  beforeSubmitPrompt: NOTICE,
  preToolUse: DECISION,
  beforeMCPExecution: DECISION,
  postToolUse: NOTICE,
  postToolUseFailure: NOTICE,
  stop: TURN_END,
  sessionEnd: NOTICE,
};

export function wireHooks(file: Json, paths: WirePaths): Json {
  const ours = Object.entries(EVENTS).map(([event, timing]) => [
    event,
    {
      command: hookLine({ agent: 'cursor', event, timing, readTools: READ_TOOLS, denyAs: 'cursor' }, paths, PASS),
      timeout: timing.timeout,
      ...(timing.decides && !paths.observe ? { failClosed: true } : {}),
      ...(event === 'stop' ? { loop_limit: FOLLOW_UPS } : {}),
    },
  ]);
  return withHooks(HOOKS_FILE, { version: 1, ...file }, Object.fromEntries(ours) as Json);
}

export function unwireHooks(file: Json): Json {
  const rest = withoutHooks(HOOKS_FILE, file);
  const hadOurs = Object.keys(EVENTS).some((event) => hasHook(file, event));
  return hadOurs && Object.keys(rest).length === 1 && rest['version'] === 1 ? {} : rest;
}

/** Both deciding hooks: a server's tool passes the first and is decided at the second. */
export const decides = (value: unknown): boolean => hasHook(value, 'preToolUse') && hasHook(value, 'beforeMCPExecution');

export const wireMcp = (config: Json, paths: WirePaths): Json => withServer(MCP_FILE, config, ownServer(paths));
export const unwireMcp = (config: Json): Json => withoutServer(MCP_FILE, config);

export const wiring: readonly WiredFile[] = [
  {
    ...IN_WORK_TREE,
    file: HOOKS_FILE,
    holds: ['hooks'],
    form: 'json',
    wire: wireHooks,
    unwire: unwireHooks,
    isWired: decides,
  },
  {
    ...IN_WORK_TREE,
    file: MCP_FILE,
    holds: ['mcp'],
    form: 'json',
    wire: wireMcp,
    unwire: unwireMcp,
    isWired: (value: unknown) => hasServer(value),
  },
];
