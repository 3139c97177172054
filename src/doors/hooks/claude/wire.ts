// What `countersign init` writes for Claude Code: a hook on every tool and on the events that begin and end turns, and our MCP
// server. Pure: settings in, settings out; everything else in them stays as it is.

import { Fault } from '../../../protocol/index.ts';
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
const DECISION = { decides: true, timeout: 120, deadline: 110 };
const NOTICE = { decides: false, timeout: 30, deadline: 20 };

const EVENTS = {
  SessionStart: NOTICE,
  UserPromptSubmit: NOTICE,
  PreToolUse: DECISION,
  PostToolUse: NOTICE,
  PostToolUseFailure: NOTICE,
  ConfigChange: DECISION,
  Stop: NOTICE,
  SessionEnd: NOTICE,
} as const;

function hookGroup(event: keyof typeof EVENTS, { hookClient, home }: WirePaths): Json {
  const { decides, timeout, deadline } = EVENTS[event];
  const args = [
    '--home',
    home,
    '--deadline',
    String(deadline),
    ...(decides ? ['--reads', READ_TOOLS.join(',')] : ['--notice']),
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
        ...(decides ? { onFailure: 'block', statusMessage: 'Countersign' } : {}),
      },
    ],
  };
}

export function wireSettings(settings: Json, paths: WirePaths): Json {
  const rest = unwireSettings(settings);
  const hooks: Json = { ...hooksIn(rest) };
  for (const event of Object.keys(EVENTS) as (keyof typeof EVENTS)[]) hooks[event] = [...groupsIn(hooks, event), hookGroup(event, paths)];
  return { ...rest, hooks, enabledMcpjsonServers: [...serversIn(rest), OWN_SERVER] };
}

/** The hook that decides is there, and nothing switches it off. */
export function isWired(settings: unknown): boolean {
  const groups = (settings as { hooks?: { PreToolUse?: unknown } } | null)?.hooks?.PreToolUse;
  return !switchesHooksOff(settings) && Array.isArray(groups) && groups.some(isOurs);
}

export const switchesHooksOff = (settings: unknown): boolean =>
  (settings as { disableAllHooks?: unknown } | null)?.disableAllHooks === true;

/** Removes what is ours, and the lists that only held ours. */
export function unwireSettings(settings: Json): Json {
  const { hooks: _hooks, enabledMcpjsonServers: _servers, ...rest } = settings;
  const before = hooksIn(settings);
  const hooks = Object.keys(before).flatMap((event) => remainder([event, groupsIn(before, event)], (group) => !isOurs(group)));
  const servers = remainder(['enabledMcpjsonServers', serversIn(settings)], (name) => name !== OWN_SERVER);
  return {
    ...rest,
    ...('hooks' in settings && (hooks.length > 0 || Object.keys(before).length === 0) ? { hooks: Object.fromEntries(hooks) } : {}),
    ...('enabledMcpjsonServers' in settings ? Object.fromEntries(servers) : {}),
  };
}

/** `alwaysLoad`: without it the client hides our tools until the model searches for them, and a remedy could not be followed. */
export function wireMcp(config: Json, { cli, home }: WirePaths): Json {
  const ours = { type: 'stdio', command: cli, args: ['mcp', '--home', home], alwaysLoad: true };
  return { ...config, mcpServers: { ...objectAt(MCP_FILE, 'mcpServers', config.mcpServers), [OWN_SERVER]: ours } };
}

export function unwireMcp(config: Json): Json {
  const { mcpServers, ...rest } = config;
  const before = objectAt(MCP_FILE, 'mcpServers', mcpServers);
  if (!Object.hasOwn(before, OWN_SERVER)) return config;
  const { [OWN_SERVER]: _ours, ...others } = before;
  return Object.keys(others).length > 0 ? { ...rest, mcpServers: others } : rest;
}

const hooksIn = (settings: Json): Json => objectAt(SETTINGS_FILE, 'hooks', settings.hooks);
const groupsIn = (hooks: Json, event: string): unknown[] => listAt(SETTINGS_FILE, `hooks.${event}`, hooks[event]);
const serversIn = (settings: Json): unknown[] => listAt(SETTINGS_FILE, 'enabledMcpjsonServers', settings.enabledMcpjsonServers);

/** A list without what is ours, by its name; nothing when only ours was in it. */
function remainder([name, list]: [string, unknown[]], isForeign: (item: unknown) => boolean): [string, unknown[]][] {
  const kept = list.filter(isForeign);
  return kept.length > 0 || list.length === 0 ? [[name, kept]] : [];
}

function isOurs(group: unknown): boolean {
  const hooks = (group as Json | null)?.hooks;
  return (
    Array.isArray(hooks) && hooks.length > 0 && hooks.every((hook) => String((hook as Json | null)?.command).endsWith('/countersign-hook'))
  );
}

// What has another form than the client's own is a human's mistake: writing on would lose what they meant.
function listAt(file: string, where: string, value: unknown): unknown[] {
  if (value === undefined || Array.isArray(value)) return value ?? [];
  throw misshapen(file, where, 'a list');
}

function objectAt(file: string, where: string, value: unknown): Json {
  if (value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value))) return (value ?? {}) as Json;
  throw misshapen(file, where, 'an object');
}

const misshapen = (file: string, where: string, form: string): Fault =>
  new Fault('DOCUMENT_INVALID', `${file}: ${where} is not ${form}.`, {
    fix: 'Mend it, then run countersign init again; nothing was written',
  });
