// What `countersign init` writes for Claude Code: a hook on every tool and on the events that begin and end turns, and our MCP
// server. Pure: settings in, settings out; everything else in them stays as it is.

import type { Json, WiredFile, WirePaths } from '../adapter.ts';
import { OWN_SERVER } from '../dialect.ts';
import {
  DECISION,
  hasHook,
  hasServer,
  hookLine,
  listAt,
  NOTICE,
  ownServer,
  remainder,
  TURN_END,
  withHooks,
  withoutHooks,
  withoutServer,
  withServer,
} from '../wire.ts';
import { READ_TOOLS } from './translate.ts';

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
        ...(timing.decides ? { ...(paths.observe ? {} : { onFailure: 'block' }), statusMessage: 'Countersign' } : {}),
      },
    ],
  };
}

export function wireSettings(settings: Json, paths: WirePaths): Json {
  const rest = unwireSettings(settings);
  const ours = Object.fromEntries((Object.keys(EVENTS) as (keyof typeof EVENTS)[]).map((event) => [event, hookGroup(event, paths)]));
  return { ...withHooks(SETTINGS_FILE, rest, ours), enabledMcpjsonServers: [...serversIn(rest), OWN_SERVER] };
}

/** The hook that decides is there, and nothing switches it off. */
export const isWired = (settings: unknown): boolean => !switchesHooksOff(settings) && hasHook(settings, 'PreToolUse');

export const switchesHooksOff = (settings: unknown): boolean =>
  (settings as { disableAllHooks?: unknown } | null)?.disableAllHooks === true;

/** Removes what is ours, and the lists that only held ours. */
export function unwireSettings(settings: Json): Json {
  const { enabledMcpjsonServers: _servers, ...rest } = withoutHooks(SETTINGS_FILE, settings);
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
  file: MCP_FILE,
  audience: 'both',
  place: 'workspace',
  holds: ['mcp'],
  form: 'json',
  wire: wireMcp,
  unwire: unwireMcp,
  isWired: (config) => hasServer(config),
  isSwitchedOffBy: () => false,
};

export const wiring: readonly WiredFile[] = [...settingsFiles, mcpFile];
