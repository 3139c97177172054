// What `countersign init` writes for opencode: a plugin of ours, whole, and our MCP server in its settings.

import type { Json, WiredFile, WirePaths } from '../adapter.ts';
import { Fault } from '../../protocol/index.ts';
import { hasServer, IN_WORK_TREE, isOurWall, ownServer, withoutServer, withServer } from '../wire.ts';
import { FIRST_LINE, pluginText, writtenHooks } from './plugin.ts';
import { SHELL_KEY } from './wall.ts';

export const PLUGIN_FILE = '.opencode/plugins/countersign.js';
export const SETTINGS_FILE = '.opencode/opencode.json';

export const isOurPlugin = (text: string): boolean => text.startsWith(`${FIRST_LINE}\n`);

/** Another author's plugin under this name is left alone. */
export function wirePlugin(before: string | null, paths: WirePaths): string {
  if (before !== null && before !== '' && !isOurPlugin(before))
    throw new Fault('DOCUMENT_INVALID', `${PLUGIN_FILE} is a plugin that Countersign did not write.`, {
      fix: 'Give it another name, then run countersign init again; nothing was written',
    });
  return pluginText(paths);
}

const server = (paths: WirePaths): Json => {
  const { command, args } = ownServer(paths);
  return { type: 'local', command: [command, ...args], enabled: true };
};

export const wireServer = (settings: Json, paths: WirePaths): Json =>
  withServer(SETTINGS_FILE, withWall(withoutWall(settings), paths), server(paths), 'mcp');

/** A shell that a human chose stays; then commands have no walls, and the gate says so. */
const withWall = (settings: Json, { wall }: WirePaths): Json =>
  wall === undefined || SHELL_KEY in settings ? settings : { ...settings, [SHELL_KEY]: wall };

function withoutWall(settings: Json): Json {
  const { [SHELL_KEY]: shell, ...rest } = settings;
  return isOurWall(shell) ? rest : settings;
}

/** The client adds its schema to every settings file without one; a file with only that has no settings. */
export function unwireServer(settings: Json): Json {
  const rest = withoutServer(SETTINGS_FILE, withoutWall(settings), 'mcp');
  return rest !== settings && Object.keys(rest).join() === '$schema' ? {} : rest;
}

export const wiring: readonly WiredFile[] = [
  {
    ...IN_WORK_TREE,
    file: PLUGIN_FILE,
    holds: ['hooks'],
    form: 'text',
    wire: wirePlugin,
    unwire: (before: string) => (isOurPlugin(before) ? null : before),
    isWired: isOurPlugin,
    written: writtenHooks,
  },
  {
    ...IN_WORK_TREE,
    file: SETTINGS_FILE,
    holds: ['mcp'],
    form: 'json',
    comments: true,
    trailingCommas: true,
    wire: wireServer,
    unwire: unwireServer,
    isWired: (value: unknown) => hasServer(value, 'mcp'),
  },
];
