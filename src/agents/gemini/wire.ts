// What `countersign init` writes for Gemini CLI: hooks and our MCP server in its settings, and what it accepts as trust.

import path from 'node:path';
import type { Json, Trust } from '../adapter.ts';
import { HOOK_NAME, settingsFile } from '../settings-file.ts';
import { DECISION, NOTICE, TURN_END } from '../wire.ts';
import { READ_TOOLS } from './translate.ts';

export const SETTINGS_FILE = '.gemini/settings.json';

export function switchesHooksOff(settings: unknown): boolean {
  const config = (settings as { hooksConfig?: { enabled?: unknown; disabled?: unknown } | null } | null)?.hooksConfig;
  return config?.enabled === false || (Array.isArray(config?.disabled) && config.disabled.includes(HOOK_NAME));
}

export const {
  wire: wireSettings,
  unwire: unwireSettings,
  isWired,
  wiring,
} = settingsFile({
  file: SETTINGS_FILE,
  agent: 'gemini',
  events: {
    SessionStart: NOTICE,
    BeforeAgent: NOTICE,
    BeforeTool: DECISION,
    AfterTool: NOTICE,
    AfterAgent: TURN_END,
    SessionEnd: NOTICE,
  },
  readTools: READ_TOOLS,
  timeout: (seconds) => seconds * 1_000,
  // The client would ask before each call of a server's tool, and a headless one would refuse it.
  server: { trust: true },
  switchesHooksOff,
});

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
