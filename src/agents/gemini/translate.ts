// Gemini CLI's tools in the registry's words. Tools not named here are unknown: the gate asks a human about them.

import { z } from 'zod';
import type { TranslatedCall } from '../adapter.ts';
import { call, type Dialect, edit, type Input, lines, OWN_SERVER, stepList, text, translateBy, withinAgent } from '../dialect.ts';
import { given } from '../payload.ts';

/** Our tool's name as this agent knows it. */
export const ownToolName = (tool: string): string => `mcp_${OWN_SERVER}_${tool}`;

const WITHIN_AGENT = [
  'invoke_agent',
  'complete_task',
  'activate_skill',
  'ask_user',
  'enter_plan_mode',
  'exit_plan_mode',
  'update_topic',
  'write_todos',
  'get_internal_docs',
  'list_mcp_resources',
  'list_background_processes',
  'read_background_output',
  'tracker_create_task',
  'tracker_update_task',
  'tracker_get_task',
  'tracker_list_tasks',
  'tracker_add_dependency',
  'tracker_visualize',
];

const optionalText = (value: unknown): string | undefined => (value === undefined ? undefined : text(value));
const search = ({ pattern, dir_path }: Input) =>
  call('search_files', { pattern: text(pattern), ...given({ path: optionalText(dir_path) }) });

/** By name, or everything that a pattern finds, which counts as a search. */
const readMany = (include: readonly string[]) =>
  include.some((name) => /[*?[{]/.test(name))
    ? call('search_files', { pattern: include.join(' ') })
    : call('read_files', { paths: include });

const dialect: Dialect = {
  read_file: ({ file_path, start_line, end_line }) =>
    call('read_file', { path: text(file_path), ...lines(start_line, { last: end_line }) }),
  read_many_files: ({ include }) => readMany(z.array(z.string()).parse(include)),
  list_directory: ({ dir_path }) => call('list_files', { path: text(dir_path) }),
  glob: ({ pattern, dir_path }) => call('list_files', { glob: text(pattern), ...given({ path: optionalText(dir_path) }) }),
  grep_search: search,
  // Its older name, which the client still accepts.
  search_file_content: search,
  write_file: ({ file_path, content }) => call('write_file', { path: text(file_path), content: text(content) }),
  // An empty old text creates the file, or replaces its whole content.
  replace: ({ file_path, old_string, new_string, allow_multiple }) =>
    old_string === ''
      ? call('write_file', { path: text(file_path), content: text(new_string) })
      : call('edit_file', { path: text(file_path), edits: [edit(old_string, new_string, allow_multiple)] }),
  run_shell_command: ({ command, dir_path }) => call('run_command', { command: text(command), ...given({ cwd: optionalText(dir_path) }) }),
  web_fetch: ({ prompt }) => call('fetch_url', { url: text(prompt) }),
  google_web_search: ({ query }) => call('fetch_url', { url: `search:${text(query)}` }),
  read_mcp_resource: ({ uri }) => call('fetch_url', { url: text(uri) }),
  ...withinAgent(WITHIN_AGENT),
  write_todos: ({ todos }) => stepList('write_todos', todos, 'description'),
};

/** `server`: where the client says the tool comes from. A tool's name alone could be another server's with a longer name. */
export function translate(tool: string, input: Input, server: { readonly name: string; readonly tool: string } | null): TranslatedCall {
  const own = server?.name === OWN_SERVER && tool === ownToolName(server.tool) ? server.tool : null;
  return translateBy(server === null ? dialect : {}, () => own, tool, input);
}

/** Read-only tools: the hook client lets them pass when no daemon is reachable. */
export const READ_TOOLS = ['read_file', 'list_directory', 'glob', 'grep_search', 'search_file_content', ...WITHIN_AGENT];
