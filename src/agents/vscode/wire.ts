// What `countersign init` writes for VS Code: it runs the hooks of Claude Code's files, so those are written; our MCP server has a
// file of its own.

import type { WiredFile } from '../adapter.ts';
import { settingsFiles } from '../claude/wire.ts';
import { hasServer, IN_WORK_TREE, ownServer, withoutServer, withServer } from '../wire.ts';

export const MCP_FILE = '.vscode/mcp.json';
const KEY = 'servers';

export const wiring: readonly WiredFile[] = [
  ...settingsFiles,
  {
    ...IN_WORK_TREE,
    file: MCP_FILE,
    holds: ['mcp'],
    form: 'json',
    comments: true,
    trailingCommas: true,
    wire: (config, paths) => withServer(MCP_FILE, config, { type: 'stdio', ...ownServer(paths) }, KEY),
    unwire: (config) => withoutServer(MCP_FILE, config, KEY),
    isWired: (config) => hasServer(config, KEY),
  },
];
