// The tools of VS Code's agent in the registry's words, from its documentation: no client of it runs here.

import { z } from 'zod';
import type { TranslatedCall } from '../adapter.ts';
import {
  call,
  type Dialect,
  edit,
  type Input,
  lines,
  OWN_SERVER,
  ownByPrefix,
  stepList,
  text,
  translateBy,
  withinAgent,
} from '../dialect.ts';

const OWN_PREFIX = `mcp_${OWN_SERVER}_`;

/** Our tool's name as this agent knows it. */
export const ownToolName = (tool: string): string => `${OWN_PREFIX}${tool}`;

const WITHIN_AGENT = [
  'manage_todo_list',
  'runSubagent',
  'search_subagent',
  'tool_search',
  'get_terminal_output',
  'terminal_last_command',
  'terminal_selection',
  'get_errors',
  'get_changed_files',
  'get_task_output',
  'test_failure',
  'memory',
  'semantic_search',
  'list_code_usages',
  'vscode_listCodeUsages',
  'get_vscode_api',
  'get_search_view_results',
  'ask_questions',
];

const Replacements = z
  .array(z.looseObject({ filePath: z.string(), oldString: z.string(), newString: z.string() }))
  .min(1)
  .max(500);

/** Several files in one call are a patch; the gate only needs to know which files. */
function replaceMany({ replacements }: Input): TranslatedCall {
  const all = Replacements.parse(replacements);
  const paths = [...new Set(all.map(({ filePath }) => filePath))];
  const [only, ...others] = paths;
  if (only !== undefined && others.length === 0)
    return call('edit_file', { path: only, edits: all.map(({ oldString, newString }) => edit(oldString, newString)) });
  const marked = (mark: string, lines: string) => lines.split('\n').map((line) => `${mark}${line}`);
  const parts = paths.flatMap((path) => [
    `*** Update File: ${path}`,
    ...all
      .filter(({ filePath }) => filePath === path)
      .flatMap(({ oldString, newString }) => ['@@', ...marked('-', oldString), ...marked('+', newString)]),
  ]);
  return call('apply_patch', { patch: ['*** Begin Patch', ...parts, '*** End Patch', ''].join('\n') });
}

const dialect: Dialect = {
  ...withinAgent(WITHIN_AGENT),
  read_file: ({ filePath, startLine, endLine }) => call('read_file', { path: text(filePath), ...lines(startLine, { last: endLine }) }),
  view_image: ({ filePath }) => call('read_file', { path: text(filePath) }),
  read_notebook_cell_output: ({ filePath }) => call('read_file', { path: text(filePath) }),
  list_dir: ({ path }) => call('list_files', { path: text(path) }),
  file_search: ({ query }) => call('list_files', { glob: text(query) }),
  grep_search: ({ query }) => call('search_files', { pattern: text(query) }),
  create_file: ({ filePath, content }) => call('write_file', { path: text(filePath), content: text(content ?? '') }),
  replace_string_in_file: ({ filePath, oldString, newString }) =>
    call('edit_file', { path: text(filePath), edits: [edit(oldString, newString)] }),
  multi_replace_string_in_file: replaceMany,
  insert_edit_into_file: ({ filePath, code }) => call('write_file', { path: text(filePath), content: text(code ?? '') }),
  edit_notebook_file: ({ filePath, newCode }) => call('write_file', { path: text(filePath), content: z.string().catch('').parse(newCode) }),
  apply_patch: ({ input }) => call('apply_patch', { patch: text(input) }),
  run_in_terminal: ({ command }) => call('run_command', { command: text(command) }),
  send_to_terminal: ({ command }) => call('run_command', { command: text(command) }),
  fetch_webpage: ({ urls }) => call('fetch_url', { url: z.array(z.string()).parse(urls).join(' ') }),
  github_repo: ({ repo }) => call('fetch_url', { url: `repository:${text(repo)}` }),
  manage_todo_list: ({ todoList }) => stepList('manage_todo_list', todoList, 'title'),
};

export const translate = (tool: string, input: Input): TranslatedCall => translateBy(dialect, ownByPrefix(OWN_PREFIX), tool, input);

/** Read-only tools: the hook client lets them pass when no daemon is reachable. */
export const READ_TOOLS = ['read_file', 'view_image', 'list_dir', 'file_search', 'grep_search', ...WITHIN_AGENT];
