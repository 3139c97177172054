// Qwen Code's tools in the registry's words. Tools not named here are unknown: the gate asks a human about them.

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
import { given } from '../payload.ts';

const OWN_PREFIX = `mcp__${OWN_SERVER}__`;

/** Our tool's name as this agent knows it. */
export const ownToolName = (tool: string): string => `${OWN_PREFIX}${tool}`;

const WITHIN_AGENT = [
  'agent',
  'list_agents',
  'skill',
  'tool_search',
  'todo_write',
  'task_create',
  'task_update',
  'task_list',
  'task_stop',
  'ask_user_question',
  'enter_plan_mode',
  'exit_plan_mode',
  'get_goal',
  'update_goal',
  'propose_goal',
  'structured_output',
  'report_findings',
  'cron_list',
  'display_image',
  'zoom_image',
];

const optionalText = (value: unknown): string | undefined => (value === undefined || value === null ? undefined : text(value));

const dialect: Dialect = {
  // It counts lines from 0.
  read_file: ({ file_path, offset, limit }) =>
    call('read_file', { path: text(file_path), ...lines(typeof offset === 'number' ? offset + 1 : offset, { count: limit }) }),
  list_directory: ({ path }) => call('list_files', { path: text(path) }),
  glob: ({ pattern, path }) => call('list_files', { glob: text(pattern), ...given({ path: optionalText(path) }) }),
  grep_search: ({ pattern, path }) => call('search_files', { pattern: text(pattern), ...given({ path: optionalText(path) }) }),
  write_file: ({ file_path, content }) => call('write_file', { path: text(file_path), content: text(content) }),
  // An empty old text creates the file.
  edit: ({ file_path, old_string, new_string, replace_all }) =>
    old_string === ''
      ? call('write_file', { path: text(file_path), content: text(new_string) })
      : call('edit_file', { path: text(file_path), edits: [edit(old_string, new_string, replace_all)] }),
  notebook_edit: ({ notebook_path, new_source }) => call('write_file', { path: text(notebook_path), content: text(new_source ?? '') }),
  run_shell_command: ({ command, directory }) =>
    call('run_command', { command: text(command), ...given({ cwd: optionalText(directory) }) }),
  monitor: ({ command }) => call('run_command', { command: text(command) }),
  web_fetch: ({ url }) => call('fetch_url', { url: text(url) }),
  web_search: ({ query }) => call('fetch_url', { url: `search:${text(query)}` }),
  read_mcp_resource: ({ uri }) => call('fetch_url', { url: text(uri) }),
  ...withinAgent(WITHIN_AGENT),
  todo_write: ({ todos }) => stepList('todo_write', todos, 'content'),
};

const Bridged = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });

/** `tool_call` calls a tool that was not offered to the model: that tool is what counts. */
export function translate(tool: string, input: Input): TranslatedCall {
  const bridged = tool === 'tool_call' ? Bridged.parse(input) : { name: tool, arguments: input };
  return translateBy(dialect, ownByPrefix(OWN_PREFIX), bridged.name, bridged.arguments);
}

/** Read-only tools: the hook client lets them pass when no daemon is reachable. */
export const READ_TOOLS = ['read_file', 'list_directory', 'glob', 'grep_search', ...WITHIN_AGENT];
