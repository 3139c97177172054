// What `countersign init` writes for Qwen Code: hooks and our MCP server in its settings.

import type { Json, WiredFile, WirePaths } from '../adapter.ts';
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

export const SETTINGS_FILE = '.qwen/settings.json';

const EVENTS = {
  SessionStart: NOTICE,
  UserPromptSubmit: NOTICE,
  PreToolUse: DECISION,
  PostToolUse: NOTICE,
  PostToolUseFailure: NOTICE,
  Stop: TURN_END,
  SessionEnd: NOTICE,
} as const;

function hookGroup(event: keyof typeof EVENTS, paths: WirePaths): Json {
  const patience = EVENTS[event];
  const command = hookLine({ agent: 'qwen', event, patience, readTools: READ_TOOLS }, paths);
  // Seconds; the client reads values from 1000 up as milliseconds.
  return { hooks: [{ type: 'command', name: 'countersign', command, env: PLAIN_BASH, timeout: patience.timeout }] };
}

/** `alwaysLoadTools`: otherwise the model has to search for our tools before it can follow a remedy. `trust`: the client would ask. */
export function wireSettings(settings: Json, paths: WirePaths): Json {
  const ours = Object.fromEntries((Object.keys(EVENTS) as (keyof typeof EVENTS)[]).map((event) => [event, hookGroup(event, paths)]));
  const server = { ...ownServer(paths), trust: true, alwaysLoadTools: true };
  return withServer(SETTINGS_FILE, withHooks(SETTINGS_FILE, unwireSettings(settings), ours), server);
}

/** The client adds a version number to every settings file that it reads; a file with only that has no settings. */
export function unwireSettings(settings: Json): Json {
  const rest = withoutServer(SETTINGS_FILE, withoutHooks(SETTINGS_FILE, settings));
  return isWired(settings) && Object.keys(rest).join() === '$version' ? {} : rest;
}

export const isWired = (settings: unknown): boolean => !switchesHooksOff(settings) && hasHook(settings, 'PreToolUse');

export const switchesHooksOff = (settings: unknown): boolean =>
  (settings as { disableAllHooks?: unknown } | null)?.disableAllHooks === true;

export const wiring: readonly WiredFile[] = [
  {
    ...{ file: SETTINGS_FILE, audience: 'both', place: 'workspace', holds: ['hooks', 'mcp'], form: 'json', comments: true },
    ...{ wire: wireSettings, unwire: unwireSettings, isWired, isSwitchedOffBy: switchesHooksOff },
  },
];
