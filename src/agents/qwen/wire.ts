// What `countersign init` writes for Qwen Code: hooks and our MCP server in its settings.

import { settingsFile } from '../settings-file.ts';
import { DECISION, NOTICE, TURN_END } from '../wire.ts';
import { READ_TOOLS } from './translate.ts';

export const SETTINGS_FILE = '.qwen/settings.json';

export const switchesHooksOff = (settings: unknown): boolean =>
  (settings as { disableAllHooks?: unknown } | null)?.disableAllHooks === true;

export const {
  wire: wireSettings,
  unwire: unwireSettings,
  isWired,
  wiring,
} = settingsFile({
  file: SETTINGS_FILE,
  agent: 'qwen',
  events: {
    SessionStart: NOTICE,
    UserPromptSubmit: NOTICE,
    PreToolUse: DECISION,
    PostToolUse: NOTICE,
    PostToolUseFailure: NOTICE,
    Stop: TURN_END,
    SessionEnd: NOTICE,
  },
  readTools: READ_TOOLS,
  // The client reads values from 1000 up as milliseconds.
  timeout: (seconds) => seconds,
  // `alwaysLoadTools`: otherwise the model has to search for our tools before it can follow a remedy. `trust`: the client would ask.
  server: { trust: true, alwaysLoadTools: true },
  switchesHooksOff,
  // The client adds a version number to every settings file that it reads; a file with only that has no settings.
  afterUnwire: (rest, wasWired) => (wasWired && Object.keys(rest).join() === '$version' ? {} : rest),
});
