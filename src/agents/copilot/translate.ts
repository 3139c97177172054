// Copilot CLI's tools in the registry's words. Its own hooks name them in one way, the hooks of Claude Code that it also runs in
// another; the inputs are the same.

import { z } from 'zod';
import type { TranslatedCall } from '../adapter.ts';
import { call, type Dialect, edit, type Input, lines, OWN_SERVER, ownByPrefix, text, translateBy, withinAgent } from '../dialect.ts';

const OWN_PREFIX = `${OWN_SERVER}-`;

/** Our tool's name as this agent knows it. */
export const ownToolName = (tool: string): string => `${OWN_PREFIX}${tool}`;

const WITHIN_AGENT = [
  'task',
  'Agent',
  'read_agent',
  'list_agents',
  'write_agent',
  'skill',
  'Skill',
  // Its own notes, in a database of the session.
  'sql',
  'session_store_sql',
  'report_intent',
  'fetch_copilot_cli_documentation',
  'ask_user',
  'exit_plan_mode',
  'read_bash',
  'stop_bash',
  'list_bash',
  'update_todo',
  'TodoWrite',
];

const Paths = z.union([z.string().transform((path) => [path]), z.array(z.string()).max(1_000)]).optional();

const view: Dialect[string] = ({ path, view_range }) => {
  const [first, last] = Array.isArray(view_range) ? (view_range as unknown[]) : [];
  return call('read_file', { path: text(path), ...lines(first, { last }) });
};
const create: Dialect[string] = ({ path, file_text }) => call('write_file', { path: text(path), content: text(file_text ?? '') });
const change: Dialect[string] = (input) =>
  input['path'] === undefined
    ? call('apply_patch', { patch: text(input['input']) })
    : call('edit_file', { path: text(input['path']), edits: [edit(input['old_str'], input['new_str'])] });
const shell: Dialect[string] = ({ command }) => call('run_command', { command: text(command) });
const search: Dialect[string] = ({ pattern, paths, path }) => among(Paths.parse(paths ?? path), 'search_files', { pattern: text(pattern) });
const list: Dialect[string] = ({ pattern, paths, path }) => among(Paths.parse(paths ?? path), 'list_files', { glob: text(pattern) });
const fetch: Dialect[string] = ({ url }) => call('fetch_url', { url: text(url) });
const steps: Dialect[string] = ({ todos }) => {
  const open =
    typeof todos === 'string' ? [...todos.matchAll(/^\s*[-*] \[ \] (.+)$/gm)].map(([, step]) => (step ?? '').slice(0, 2_000)) : [];
  return open.length > 0 && open.length <= 500
    ? call('list_steps', { name: 'update_todo', steps: open })
    : call('consult_self', { name: 'update_todo' });
};

/** In one place, or in several that are each searched. */
function among(paths: readonly string[] | undefined, tool: string, input: Input): TranslatedCall {
  const [only, ...others] = paths ?? [];
  if (others.length > 0) return call('read_files', { paths: [...(paths ?? [])] });
  return call(tool, { ...input, ...(only === undefined ? {} : { path: only }) });
}

const dialect: Dialect = {
  ...withinAgent(WITHIN_AGENT),
  view,
  Read: view,
  create,
  Write: create,
  edit: change,
  Edit: change,
  str_replace: change,
  apply_patch: change,
  bash: shell,
  Bash: shell,
  powershell: shell,
  // Text typed into a running shell is a command like any other.
  write_bash: ({ input }) => call('run_command', { command: text(input ?? '') }),
  grep: search,
  Grep: search,
  rg: search,
  glob: list,
  Glob: list,
  web_fetch: fetch,
  WebFetch: fetch,
  web_search: ({ query }) => call('fetch_url', { url: `search:${text(query)}` }),
  WebSearch: ({ query }) => call('fetch_url', { url: `search:${text(query)}` }),
  update_todo: steps,
  TodoWrite: steps,
};

export const translate = (tool: string, input: Input): TranslatedCall => translateBy(dialect, ownByPrefix(OWN_PREFIX), tool, input);

/** Read-only tools: the hook client lets them pass when no daemon is reachable. */
export const READ_TOOLS = ['view', 'grep', 'rg', 'glob', ...WITHIN_AGENT];
