// Claude Code's tools in the registry's words. Tools not named here are unknown: the gate asks a human about them.

import { z } from 'zod';
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

const OWN_PREFIX = `mcp__${OWN_SERVER}__`;

/** Our tool's name as this agent knows it. */
export const ownToolName = (tool: string): string => `${OWN_PREFIX}${tool}`;

const WITHIN_AGENT = [
  'Agent',
  'Task',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskOutput',
  'TaskStop',
  'TaskUpdate',
  'TodoWrite',
  'ToolSearch',
  'Skill',
  'ListAgents',
  'ReportFindings',
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'Workflow',
  'ScheduleWakeup',
  'CronList',
];

const Edits = z.array(z.record(z.string(), z.unknown()));

const dialect: Dialect = {
  Read: ({ file_path, offset, limit }) => call('read_file', { path: text(file_path), ...lines(offset, { count: limit }) }),
  Glob: ({ path, pattern }) => call('list_files', { ...(path === undefined ? {} : { path: text(path) }), glob: text(pattern) }),
  Grep: ({ path, pattern }) => call('search_files', { pattern: text(pattern), ...(path === undefined ? {} : { path: text(path) }) }),
  LS: ({ path }) => call('list_files', { path: text(path) }),
  NotebookRead: ({ notebook_path }) => call('read_file', { path: text(notebook_path) }),
  Write: ({ file_path, content }) => call('write_file', { path: text(file_path), content: text(content) }),
  Edit: ({ file_path, old_string, new_string, replace_all }) =>
    call('edit_file', { path: text(file_path), edits: [edit(old_string, new_string, replace_all)] }),
  MultiEdit: ({ file_path, edits }) =>
    call('edit_file', {
      path: text(file_path),
      edits: Edits.parse(edits).map((each) => edit(each.old_string, each.new_string, each.replace_all)),
    }),
  NotebookEdit: ({ notebook_path, new_source }) => call('write_file', { path: text(notebook_path), content: text(new_source ?? '') }),
  Bash: ({ command }) => call('run_command', { command: text(command) }),
  Monitor: ({ command }) => call('run_command', { command: text(command) }),
  WebFetch: ({ url }) => call('fetch_url', { url: text(url) }),
  WebSearch: ({ query }) => call('fetch_url', { url: `search:${text(query)}` }),
  ...withinAgent(WITHIN_AGENT),
  TodoWrite: ({ todos }) => stepList('TodoWrite', todos, 'content'),
};

export const translate = (tool: string, input: Input) => translateBy(dialect, ownByPrefix(OWN_PREFIX), tool, input);

/** Read-only tools: the hook client lets them pass when no daemon is reachable. */
export const READ_TOOLS = ['Read', 'Glob', 'Grep', 'LS', 'NotebookRead', ...WITHIN_AGENT];
