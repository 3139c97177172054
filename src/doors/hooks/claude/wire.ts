// What `countersign init` writes for Claude Code: a hook on every tool and on the events that begin and end turns, and our MCP
// server. Pure: settings in, settings out; everything else in them stays as it is.

import { OWN_SERVER, READ_TOOLS } from './translate.ts';

export interface WirePaths {
  /** The small hook client. */
  readonly hookClient: string;
  /** The CLI, which serves MCP on stdio. */
  readonly cli: string;
  readonly home: string;
}

export const SETTINGS_FILE = '.claude/settings.local.json';
export const MCP_FILE = '.mcp.json';

type Json = Record<string, unknown>;

/** Seconds. The client gives up before the agent does: an agent that stops waiting for its hook runs the tool. */
const DECISION = { timeout: 120, deadline: 110 };
const NOTICE = { timeout: 30, deadline: 20 };

const EVENTS = {
  SessionStart: NOTICE,
  UserPromptSubmit: NOTICE,
  PreToolUse: DECISION,
  PostToolUse: NOTICE,
  PostToolUseFailure: NOTICE,
  Stop: NOTICE,
  SessionEnd: NOTICE,
} as const;

function hookGroup(event: keyof typeof EVENTS, { hookClient, home }: WirePaths): Json {
  const { timeout, deadline } = EVENTS[event];
  const args = [
    '--home',
    home,
    '--deadline',
    String(deadline),
    ...(event === 'PreToolUse' ? ['--reads', READ_TOOLS.join(',')] : []),
    'claude',
    event,
  ];
  return {
    // `args` starts the client without a shell in between: its parent is the agent, which is how the agent's process is known.
    // `onFailure` only where a failed hook would let a change through; elsewhere it would swallow the user's prompt.
    hooks: [
      {
        type: 'command',
        command: hookClient,
        args,
        timeout,
        ...(event === 'PreToolUse' ? { onFailure: 'block', statusMessage: 'Countersign' } : {}),
      },
    ],
  };
}

export function wireSettings(settings: Json, paths: WirePaths): Json {
  const rest = unwireSettings(settings);
  const hooks: Json = { ...(rest.hooks as Json | undefined) };
  for (const event of Object.keys(EVENTS) as (keyof typeof EVENTS)[]) hooks[event] = [...asList(hooks[event]), hookGroup(event, paths)];
  return { ...rest, hooks, enabledMcpjsonServers: [...asList(rest.enabledMcpjsonServers), OWN_SERVER] };
}

export function unwireSettings(settings: Json): Json {
  const { hooks, enabledMcpjsonServers, ...rest } = settings;
  const keptHooks = Object.entries((hooks as Json | undefined) ?? {})
    .map(([event, groups]) => [event, asList(groups).filter((group) => !isOurs(group))] as const)
    .filter(([, groups]) => groups.length > 0);
  const keptServers = asList(enabledMcpjsonServers).filter((name) => name !== OWN_SERVER);
  return {
    ...rest,
    ...(keptHooks.length > 0 ? { hooks: Object.fromEntries(keptHooks) } : {}),
    ...(keptServers.length > 0 ? { enabledMcpjsonServers: keptServers } : {}),
  };
}

/** `alwaysLoad`: without it the client hides our tools until the model searches for them, and a remedy could not be followed. */
export function wireMcp(config: Json, { cli, home }: WirePaths): Json {
  const servers = (config.mcpServers as Json | undefined) ?? {};
  return {
    ...config,
    mcpServers: { ...servers, [OWN_SERVER]: { type: 'stdio', command: cli, args: ['mcp', '--home', home], alwaysLoad: true } },
  };
}

export function unwireMcp(config: Json): Json {
  const { mcpServers, ...rest } = config;
  const { [OWN_SERVER]: _ours, ...others } = (mcpServers as Json | undefined) ?? {};
  return Object.keys(others).length > 0 ? { ...rest, mcpServers: others } : rest;
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function isOurs(group: unknown): boolean {
  const hooks = asList((group as Json | null)?.hooks);
  return hooks.length > 0 && hooks.every((hook) => String((hook as Json | null)?.command).endsWith('/countersign-hook'));
}
