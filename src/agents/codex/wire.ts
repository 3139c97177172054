// What `countersign init` writes for Codex: hooks of the repository, and our MCP server in the repository's settings.

import type { Json, WiredFile, WirePaths } from '../adapter.ts';
import { OWN_SERVER } from '../dialect.ts';
import {
  DECISION,
  hasHook,
  hookLine,
  type HookTiming,
  IN_WORK_TREE,
  NOTICE,
  ownServer,
  TURN_END,
  WHILE_ASKING,
  withHooks,
  withoutHooks,
} from '../wire.ts';
import { withBlockAtEnd, withoutBlockBetween } from './marked-block.ts';
import { READ_TOOLS } from './translate.ts';
import { forgetProfile, nameProfile } from './wall.ts';

export const HOOKS_FILE = '.codex/hooks.json';
export const CONFIG_FILE = '.codex/config.toml';

/** The client's time limit for the end of a session. */
const SESSION_END: HookTiming = { decides: false, timeout: 3, deadline: 2 };

const EVENTS: Readonly<Record<string, HookTiming>> = {
  SessionStart: NOTICE,
  UserPromptSubmit: NOTICE,
  PreToolUse: DECISION,
  PostToolUse: NOTICE,
  Stop: TURN_END,
  SessionEnd: SESSION_END,
};

const hookGroup = (event: string, timing: HookTiming, paths: WirePaths): Json => ({
  hooks: [
    {
      type: 'command',
      command: hookLine({ agent: 'codex', event, timing, readTools: READ_TOOLS }, paths),
      timeout: timing.timeout,
      ...(timing.decides ? { statusMessage: WHILE_ASKING } : {}),
    },
  ],
});

export const wireHooks = (hooks: Json, paths: WirePaths): Json =>
  withHooks(
    HOOKS_FILE,
    hooks,
    Object.fromEntries(Object.entries(EVENTS).map(([event, timing]) => [event, hookGroup(event, timing, paths)])),
  );

export const unwireHooks = (hooks: Json): Json => withoutHooks(HOOKS_FILE, hooks);

const BEGIN = '# Countersign: begin, written by `countersign init`';
const END = '# Countersign: end';

/** Otherwise the client offers a search for tools instead of the tools, and a remedy names one that the agent has not been shown. */
const OFFERED_AT_ONCE = ['[features.code_mode]', `direct_only_tool_namespaces = ["mcp__${OWN_SERVER}"]`];
/** A second definition of the same table would keep the client from starting. */
const SETS_CODE_MODE = /\bcode_mode\b|^\s*features\s*=/m;

export function wireConfig(before: string | null, paths: WirePaths): string {
  const bare = before === null ? '' : (unwireConfig(before) ?? '');
  const rest = paths.profile ? nameProfile(bare, paths.profile) : bare;
  const { command, args } = ownServer(paths);
  const block = [
    BEGIN,
    `[mcp_servers.${OWN_SERVER}]`,
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    // The client waits for it: a remedy could not be followed if its tool were not loaded yet.
    'required = true',
    // Its tools decide nothing and change nothing without the gate: a question for each would be a second gate.
    'default_tools_approval_mode = "approve"',
    ...(SETS_CODE_MODE.test(rest) ? [] : OFFERED_AT_ONCE),
    END,
  ].join('\n');
  return withBlockAtEnd(rest, block);
}

export function unwireConfig(before: string): string | null {
  const rest = forgetProfile(before);
  return rest === '' && before !== '' ? null : withoutBlockBetween(rest, BEGIN, END);
}

export const wiring: readonly WiredFile[] = [
  {
    ...IN_WORK_TREE,
    file: HOOKS_FILE,
    holds: ['hooks'],
    form: 'json',
    wire: wireHooks,
    unwire: unwireHooks,
    isWired: (value) => hasHook(value, 'PreToolUse'),
  },
  {
    file: CONFIG_FILE,
    audience: 'both',
    place: 'workspace',
    holds: ['mcp'],
    form: 'toml',
    wire: wireConfig,
    unwire: unwireConfig,
    isWired: (text) => text.includes(BEGIN),
    isSwitchedOffBy: (text) => /^\s*hooks\s*=\s*false\b/m.test(text),
  },
];
