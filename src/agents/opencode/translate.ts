// opencode's tools in the registry's words. Tools not named here are unknown: the gate asks a human about them.

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

const OWN_PREFIX = `${OWN_SERVER}_`;

/** Our tool's name as this agent knows it. */
export const ownToolName = (tool: string): string => `${OWN_PREFIX}${tool}`;

const WITHIN_AGENT = [
  'task',
  'skill',
  'todowrite',
  'todoread',
  'question',
  'plan_enter',
  'plan_exit',
  'invalid',
  'list_mcp_resources',
  'list_mcp_resource_templates',
];

const optionalText = (value: unknown): string | undefined => (value === undefined ? undefined : text(value));

const dialect: Dialect = {
  read: ({ filePath, offset, limit }) => call('read_file', { path: text(filePath), ...lines(offset, { count: limit }) }),
  list: ({ path }) => call('list_files', given({ path: optionalText(path) })),
  glob: ({ pattern, path }) => call('list_files', { glob: text(pattern), ...given({ path: optionalText(path) }) }),
  grep: ({ pattern, path }) => call('search_files', { pattern: text(pattern), ...given({ path: optionalText(path) }) }),
  write: ({ filePath, content }) => call('write_file', { path: text(filePath), content: text(content) }),
  // An empty old text replaces the file's whole content.
  edit: ({ filePath, oldString, newString, replaceAll }) =>
    oldString === ''
      ? call('write_file', { path: text(filePath), content: text(newString) })
      : call('edit_file', { path: text(filePath), edits: [edit(oldString, newString, replaceAll)] }),
  apply_patch: ({ patchText }) => call('apply_patch', { patch: text(patchText) }),
  bash: ({ command, workdir }) => call('run_command', { command: text(command), ...given({ cwd: optionalText(workdir) }) }),
  webfetch: ({ url }) => call('fetch_url', { url: text(url) }),
  websearch: ({ query }) => call('fetch_url', { url: `search:${text(query)}` }),
  codesearch: ({ query }) => call('fetch_url', { url: `search:${text(query)}` }),
  read_mcp_resource: ({ uri }) => call('fetch_url', { url: text(uri) }),
  ...withinAgent(WITHIN_AGENT),
  todowrite: ({ todos }) => stepList('todowrite', todos, 'content'),
};

export const translate = (tool: string, input: Input) => translateBy(dialect, ownByPrefix(OWN_PREFIX), tool, input);

/** Read-only tools: the hook client lets them pass when no daemon is reachable. */
export const READ_TOOLS = ['read', 'list', 'glob', 'grep', ...WITHIN_AGENT];
