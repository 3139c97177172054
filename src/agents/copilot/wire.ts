// What `countersign init` writes for Copilot CLI: a file of hooks of its own. It finds our MCP server where Claude Code does.

import type { Json, TrustQuery, WiredFile, WirePaths } from '../adapter.ts';
import { mcpFile } from '../claude/wire.ts';
import {
  DECISION,
  hasHook,
  hookLine,
  type HookTiming,
  IN_WORK_TREE,
  isOurHook,
  NOTICE,
  PLAIN_BASH,
  TURN_END,
  withHooks,
  withoutHooks,
} from '../wire.ts';
import { READ_TOOLS } from './translate.ts';

export const HOOKS_FILE = '.github/hooks/countersign.json';

const EVENTS: Readonly<Record<string, HookTiming>> = {
  sessionStart: NOTICE,
  userPromptSubmitted: NOTICE,
  preToolUse: DECISION,
  postToolUse: NOTICE,
  postToolUseFailure: NOTICE,
  agentStop: TURN_END,
  sessionEnd: NOTICE,
};

const isOurs = (hook: unknown): boolean => isOurHook(hook, ['bash']);

export function wireHooks(file: Json, paths: WirePaths): Json {
  const ours = Object.entries(EVENTS).map(([event, timing]) => {
    // Exit 2 is a no to it as well, but then the agent never hears why.
    const request = {
      agent: 'copilot',
      event,
      timing,
      readTools: READ_TOOLS,
      ...(timing.decides ? { denyAs: 'copilot' as const } : {}),
    };
    return [event, { type: 'command', bash: hookLine(request, paths), env: PLAIN_BASH, timeoutSec: timing.timeout }];
  });
  return withHooks(HOOKS_FILE, { version: 1, ...file }, Object.fromEntries(ours) as Json, isOurs);
}

export function unwireHooks(file: Json): Json {
  const { version, ...rest } = withoutHooks(HOOKS_FILE, file, isOurs);
  return Object.keys(rest).length === 0 && version === 1 ? {} : { ...(version === undefined ? {} : { version }), ...rest };
}

export const wiring: readonly WiredFile[] = [
  {
    ...IN_WORK_TREE,
    file: HOOKS_FILE,
    holds: ['hooks'],
    form: 'json',
    wire: wireHooks,
    unwire: unwireHooks,
    isWired: (value) => hasHook(value, 'preToolUse', isOurs),
  },
  mcpFile,
];

/** Hooks of a repository run only in a folder that a human trusts; trust includes all folders below. */
export async function isTrustStored({ root, userHome, readText }: TrustQuery): Promise<boolean | null> {
  const text = await readText(`${userHome}/.copilot/config.json`);
  if (text === null) return false;
  // The client puts a comment before the object.
  const lists = [...text.matchAll(/"trusted_?[fF]olders"\s*:\s*(\[[^\]]*\])/g)].map(([, list]) => list ?? '[]');
  try {
    const folders = lists.flatMap((list) => JSON.parse(list) as unknown[]);
    return folders.some((folder) => typeof folder === 'string' && (root === folder || root.startsWith(`${folder.replace(/\/$/, '')}/`)));
  } catch {
    return null;
  }
}
