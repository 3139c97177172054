// What `countersign init` writes for Claude Code: a hook on every tool and on the events that begin and end turns, and our MCP
// server. Pure: settings in, settings out; everything else in them stays as it is.

import type { Json, WiredFile, WirePaths } from '../adapter.ts';
import { OWN_SERVER } from '../dialect.ts';
import {
  DECISION,
  hasHook,
  hasServer,
  hookLine,
  IN_WORK_TREE,
  isOurWall,
  listAt,
  NOTICE,
  ownServer,
  remainder,
  TURN_END,
  WALL_HOME,
  WHILE_ASKING,
  withHooks,
  withoutHooks,
  withoutServer,
  withServer,
} from '../wire.ts';
import { READ_TOOLS } from './translate.ts';
import { SHELL_VARIABLE } from './wall.ts';

export const SETTINGS_FILE = '.claude/settings.local.json';
export const SHARED_SETTINGS_FILE = '.claude/settings.json';
export const MCP_FILE = '.mcp.json';

const EVENTS = {
  SessionStart: NOTICE,
  UserPromptSubmit: NOTICE,
  PreToolUse: DECISION,
  PostToolUse: NOTICE,
  PostToolUseFailure: NOTICE,
  ConfigChange: DECISION,
  Stop: TURN_END,
  SessionEnd: NOTICE,
} as const;

function hookGroup(event: keyof typeof EVENTS, paths: WirePaths): Json {
  const timing = EVENTS[event];
  const request = { agent: 'claude', event, timing, readTools: READ_TOOLS };
  return {
    // One line, not a program and its `args`: Copilot CLI and VS Code run these hooks too, know no `args`, and would refuse every
    // tool. `onFailure` only where a failed hook would let a change through; elsewhere it would swallow the user's prompt.
    hooks: [
      {
        type: 'command',
        command: hookLine(request, paths),
        timeout: timing.timeout,
        ...(timing.decides ? { ...(paths.observe ? {} : { onFailure: 'block' }), statusMessage: WHILE_ASKING } : {}),
      },
    ],
  };
}

export function wireSettings(settings: Json, paths: WirePaths): Json {
  const rest = unwireSettings(settings);
  const ours = Object.fromEntries((Object.keys(EVENTS) as (keyof typeof EVENTS)[]).map((event) => [event, hookGroup(event, paths)]));
  return { ...withHooks(SETTINGS_FILE, withWall(rest, paths), ours), enabledMcpjsonServers: [...serversIn(rest), OWN_SERVER] };
}

/** A shell that a human chose stays; then commands have no walls, and the gate says so. */
function withWall(settings: Json, { wall, home }: WirePaths): Json {
  const env = 'env' in settings ? envIn(settings) : {};
  if (wall === undefined || env === null || SHELL_VARIABLE in env) return settings;
  return { ...settings, env: { ...env, [SHELL_VARIABLE]: wall, ...(home === null ? {} : { [WALL_HOME]: home }) } };
}

function withoutWall(settings: Json): Json {
  const { [SHELL_VARIABLE]: shell, [WALL_HOME]: _home, ...others } = envIn(settings) ?? {};
  if (!isOurWall(shell)) return settings;
  const { env: _env, ...rest } = settings;
  return Object.keys(others).length > 0 ? { ...settings, env: others } : rest;
}

/** Null: the client ignores it, and so do we. */
const envIn = ({ env }: Json): Json | null => (typeof env === 'object' && env !== null && !Array.isArray(env) ? (env as Json) : null);

/** The hook that decides is there, and nothing switches it off. */
export const isWired = (settings: unknown): boolean => !switchesHooksOff(settings) && hasHook(settings, 'PreToolUse');

export const switchesHooksOff = (settings: unknown): boolean =>
  (settings as { disableAllHooks?: unknown } | null)?.disableAllHooks === true;

/** Removes what is ours, and the lists that only held ours. */
export function unwireSettings(settings: Json): Json {
  const { enabledMcpjsonServers: _servers, ...rest } = withoutHooks(SETTINGS_FILE, withoutWall(settings));
  const servers = remainder(['enabledMcpjsonServers', serversIn(settings)], (name) => name !== OWN_SERVER);
  return { ...rest, ...('enabledMcpjsonServers' in settings ? Object.fromEntries(servers) : {}) };
}

/** `alwaysLoad`: without it the client hides our tools until the model searches for them, and a remedy could not be followed. */
export const wireMcp = (config: Json, paths: WirePaths): Json =>
  withServer(MCP_FILE, config, { type: 'stdio', ...ownServer(paths), alwaysLoad: true });

export const unwireMcp = (config: Json): Json => withoutServer(MCP_FILE, config);

const serversIn = (settings: Json): unknown[] => listAt(SETTINGS_FILE, 'enabledMcpjsonServers', settings.enabledMcpjsonServers);

const settingsFile = (file: string, audience: 'local' | 'shared'): WiredFile => ({
  file,
  audience,
  place: 'workspace',
  holds: ['hooks'],
  form: 'json',
  wire: wireSettings,
  unwire: unwireSettings,
  isWired,
  isSwitchedOffBy: switchesHooksOff,
});

export const settingsFiles: readonly WiredFile[] = [settingsFile(SETTINGS_FILE, 'local'), settingsFile(SHARED_SETTINGS_FILE, 'shared')];

export const mcpFile: WiredFile = {
  ...IN_WORK_TREE,
  file: MCP_FILE,
  holds: ['mcp'],
  form: 'json',
  wire: wireMcp,
  unwire: unwireMcp,
  isWired: (config) => hasServer(config),
};

export const wiring: readonly WiredFile[] = [...settingsFiles, mcpFile];
