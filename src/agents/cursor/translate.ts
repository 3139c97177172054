// Cursor's tools in the registry's words. Tools not named here are unknown: the gate asks a human about them.

import type { TranslatedCall } from '../adapter.ts';
import { call, type Dialect, edit, type Input, lines, stepList, text, translateBy, withinAgent } from '../dialect.ts';

const MCP_PREFIX = 'MCP:';

/** Cursor shows a server's tools under their own names. */
export const ownToolName = (tool: string): string => tool;

const WITHIN_AGENT = ['Task', 'AskQuestion', 'SwitchMode', 'ReadLints', 'FetchRules'];

/** Versions use different names for it. */
const pathIn = ({ file_path, path, target_file }: Input): string => text(file_path ?? path ?? target_file);
const folderIn = ({ path, target_directory }: Input): Input => {
  const folder = path ?? target_directory;
  return folder === undefined || folder === null ? {} : { path: text(folder) };
};

const replace = (input: Input): TranslatedCall =>
  call('edit_file', { path: pathIn(input), edits: [edit(input['old_string'], input['new_string'], input['replace_all'])] });

const dialect: Dialect = {
  Read: (input) => call('read_file', { path: pathIn(input), ...lines(input['offset'], { count: input['limit'] }) }),
  Grep: (input) => call('search_files', { pattern: text(input['pattern']), ...folderIn(input) }),
  Glob: (input) => call('list_files', { ...folderIn(input), glob: text(input['glob_pattern'] ?? input['pattern']) }),
  LS: (input) => call('list_files', folderIn(input)),
  Write: write,
  StrReplace: replace,
  Edit: replace,
  Delete: (input) => call('delete_file', { path: pathIn(input) }),
  Shell: ({ command }) => call('run_command', { command: text(command) }),
  WebFetch: ({ url }) => call('fetch_url', { url: text(url) }),
  WebSearch: ({ search_term, query }) => call('fetch_url', { url: `search:${text(search_term ?? query)}` }),
  ...withinAgent(WITHIN_AGENT),
  TodoWrite: ({ todos }) => stepList('TodoWrite', todos, 'content'),
};

/** If the new content is not in a known form, the whole input is used: an approval covers exactly that. */
function write(input: Input): TranslatedCall {
  if (typeof input['old_string'] === 'string' && typeof input['new_string'] === 'string') return replace(input);
  const content = input['contents'] ?? input['content'];
  return call('write_file', { path: pathIn(input), content: typeof content === 'string' ? content : JSON.stringify(input) });
}

/** A server's tool is decided at `beforeMCPExecution`, the only event that names the server: this event comes before it. */
export function translate(tool: string, input: Input): TranslatedCall {
  if (tool.startsWith(MCP_PREFIX)) return call('consult_self', { name: tool });
  return translateBy(dialect, () => null, tool, input);
}

/** `server`: the command line or the address that Cursor reaches it by. */
export const translateMcp = (tool: string, input: Input, server: string | undefined): TranslatedCall =>
  server !== undefined && OWN_COMMAND.test(server)
    ? { kind: 'own', tool, input }
    : call('call_unknown', { name: `${MCP_PREFIX}${tool}`, arguments: input });

/** As `wire.ts` writes it. */
const OWN_COMMAND = /^["']?(?:[^"'\s]*\/)?countersign["']?\s+["']?mcp(?:["'\s]|$)/;

export const isMcp = (tool: string): boolean => tool.startsWith(MCP_PREFIX);
export const mcpName = (tool: string): string => tool.slice(MCP_PREFIX.length);

/** Read-only tools: the hook client lets them pass when no daemon is reachable. */
export const READ_TOOLS = ['Read', 'Grep', 'Glob', 'LS', ...WITHIN_AGENT, 'TodoWrite'];
