// What `countersign init` writes for Gemini CLI: hooks and our MCP server in its settings, and what it accepts as trust.

import path from 'node:path';
import type { Json, Trust, WiredFile, WirePaths } from '../adapter.ts';
import {
  DECISION,
  hasHook,
  hookLine,
  NOTICE,
  ownServer,
  PLAIN_BASH,
  TURN_END,
  withHooks,
  withoutHooks,
  withoutServer,
  withServer,
} from '../wire.ts';
import { READ_TOOLS } from './translate.ts';

export const SETTINGS_FILE = '.gemini/settings.json';
/** By this name the client's `/hooks` command and `hooksConfig.disabled` know ours. */
const HOOK_NAME = 'countersign';

const EVENTS = {
  SessionStart: NOTICE,
  BeforeAgent: NOTICE,
  BeforeTool: DECISION,
  AfterTool: NOTICE,
  AfterAgent: TURN_END,
  SessionEnd: NOTICE,
} as const;

function hookGroup(event: keyof typeof EVENTS, paths: WirePaths): Json {
  const patience = EVENTS[event];
  const command = hookLine({ agent: 'gemini', event, patience, readTools: READ_TOOLS }, paths);
  // Milliseconds. No matcher: every tool, those of servers included.
  return { hooks: [{ type: 'command', name: HOOK_NAME, command, env: PLAIN_BASH, timeout: patience.timeout * 1_000 }] };
}

/** `trust`: the client would ask before each call of a server's tool, and a headless one would refuse it. */
export function wireSettings(settings: Json, paths: WirePaths): Json {
  const ours = Object.fromEntries((Object.keys(EVENTS) as (keyof typeof EVENTS)[]).map((event) => [event, hookGroup(event, paths)]));
  return withServer(SETTINGS_FILE, withHooks(SETTINGS_FILE, unwireSettings(settings), ours), { ...ownServer(paths), trust: true });
}

export const unwireSettings = (settings: Json): Json => withoutServer(SETTINGS_FILE, withoutHooks(SETTINGS_FILE, settings));

export const isWired = (settings: unknown): boolean => !switchesHooksOff(settings) && hasHook(settings, 'BeforeTool');

export function switchesHooksOff(settings: unknown): boolean {
  const config = (settings as { hooksConfig?: { enabled?: unknown; disabled?: unknown } | null } | null)?.hooksConfig;
  return config?.enabled === false || (Array.isArray(config?.disabled) && config.disabled.includes(HOOK_NAME));
}

export const wiring: readonly WiredFile[] = [
  {
    ...{ file: SETTINGS_FILE, audience: 'both', place: 'workspace', holds: ['hooks', 'mcp'], form: 'json', comments: true },
    ...{ wire: wireSettings, unwire: unwireSettings, isWired, isSwitchedOffBy: switchesHooksOff },
  },
];

/** Hooks of an untrusted folder are skipped silently. */
export const trust: Trust = {
  how: 'Start gemini in this folder once and say that you trust it',
  isStored: async ({ root, userHome, readText }) => {
    const settings = parsed(await readText(path.join(userHome, SETTINGS_FILE)));
    if ((settings?.['security'] as { folderTrust?: { enabled?: unknown } } | undefined)?.folderTrust?.enabled === false) return true;
    return isTrusted(root, parsed(await readText(path.join(userHome, '.gemini/trustedFolders.json'))));
  },
};

/** The longest rule about the folder or one above it counts, as in the client. */
export function isTrusted(root: string, rules: Json | null): boolean {
  const about = Object.entries(rules ?? {})
    .map(([rule, level]) => ({ rule, level, folder: level === 'TRUST_PARENT' ? path.dirname(rule) : rule }))
    .filter(({ folder }) => root === folder || root.startsWith(folder.endsWith('/') ? folder : `${folder}/`))
    .toSorted((a, b) => b.rule.length - a.rule.length);
  return about[0]?.level === 'TRUST_FOLDER' || about[0]?.level === 'TRUST_PARENT';
}

function parsed(text: string | null): Json | null {
  try {
    const value: unknown = text === null ? null : JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? (value as Json | null) : null;
  } catch {
    return null;
  }
}
