// What `countersign init` writes for Cline: a small program for each event, whole, and our MCP server in the user's settings, the
// only place where Cline looks for servers.

import { Fault } from '../../protocol/index.ts';
import type { Json, WiredFile, WirePaths } from '../adapter.ts';
import { DECISION, hasServer, hookLine, NOTICE, ownServer, withoutServer, withServer } from '../wire.ts';
import { READ_TOOLS } from './translate.ts';

const HOOKS_FOLDER = '.cline/hooks';
export const MCP_FILE = '.cline/data/settings/cline_mcp_settings.json';

/** Only the deadlines count: Cline gives every hook 120 seconds, and this cannot be configured. */
const EVENTS = {
  TaskStart: NOTICE,
  TaskResume: NOTICE,
  UserPromptSubmit: NOTICE,
  PreToolUse: DECISION,
  PostToolUse: NOTICE,
  TaskComplete: NOTICE,
  TaskCancel: NOTICE,
  TaskError: NOTICE,
  SessionShutdown: NOTICE,
} as const;
type Event = keyof typeof EVENTS;

const MARK = '# Countersign: written by `countersign init`, taken away by `countersign init --undo`.\n';
/** Not bash, which would first run what BASH_ENV names. */
const HEAD = `#!/bin/sh\n${MARK}`;
/** As earlier versions wrote it. */
const EARLIER_HEAD = `#!/usr/bin/env bash\n${MARK}`;

export const isOurProgram = (text: string): boolean => text.startsWith(HEAD) || text.startsWith(EARLIER_HEAD);

export function wireProgram(event: Event, before: string | null, paths: WirePaths): string {
  if (before !== null && before !== '' && !isOurProgram(before))
    throw new Fault('DOCUMENT_INVALID', `${HOOKS_FOLDER}/${event} is a hook that Countersign did not write.`, {
      fix: `Give it an ending such as ${event}.sh, under which Cline runs it too, then run countersign init again; nothing was written`,
    });
  const timing = EVENTS[event];
  // Only an answer that cancels stops the call; every failure lets it through.
  const denyAs = timing.decides ? { denyAs: 'cline' as const } : {};
  return `${HEAD}${hookLine({ agent: 'cline', event, timing, readTools: READ_TOOLS, ...denyAs }, paths, '{}')}\n`;
}

/** Only the deciding hook counts as installed. */
const wiredProgram = (event: Event): WiredFile => ({
  file: `${HOOKS_FOLDER}/${event}`,
  place: 'workspace',
  holds: EVENTS[event].decides ? ['hooks'] : [],
  audience: 'both',
  form: 'text',
  executable: true,
  wire: (before: string | null, paths: WirePaths) => wireProgram(event, before, paths),
  unwire: (before: string) => (isOurProgram(before) ? null : before),
  isWired: isOurProgram,
  isSwitchedOffBy: () => false,
});

/**
 * In the user's home, so the server is offered in every folder. `timeout`, in seconds: by default Cline gives a server a few seconds to
 * start, then continues without its tools, and on a busy machine an agent could not follow any remedy.
 */
export const wireServer = (settings: Json, paths: WirePaths): Json =>
  withServer(MCP_FILE, settings, { ...ownServer(paths), disabled: false, timeout: 120 });
export const unwireServer = (settings: Json): Json => withoutServer(MCP_FILE, settings);

export const wiring: readonly WiredFile[] = [
  ...(Object.keys(EVENTS) as Event[]).map(wiredProgram),
  {
    file: MCP_FILE,
    audience: 'local',
    place: 'home',
    holds: ['mcp'],
    form: 'json',
    wire: wireServer,
    unwire: unwireServer,
    isWired: hasServer,
    isSwitchedOffBy: () => false,
  },
];
