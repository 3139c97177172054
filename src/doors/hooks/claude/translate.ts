// Claude Code's tools in the registry's words. Tools not named here are unknown: the gate asks a human about them.

import { z } from 'zod';
import type { TranslatedCall } from '../adapter.ts';

export const OWN_SERVER = 'countersign';
const OWN_PREFIX = `mcp__${OWN_SERVER}__`;

/** Our tool's name as this agent knows it. */
export const ownToolName = (tool: string): string => `${OWN_PREFIX}${tool}`;

type Input = Record<string, unknown>;
const call = (tool: string, input: Input): TranslatedCall => ({ kind: 'tool', tool, input });
const text = (value: unknown): string => z.string().parse(value);

/** The agent's own books: nothing outside the agent changes. A sub-agent's calls come through hooks of their own. */
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

const dialect: Record<string, (input: Input) => TranslatedCall> = {
  Read: ({ file_path }) => call('read_file', { path: text(file_path) }),
  Glob: ({ path, pattern }) => call('list_files', { ...(path === undefined ? {} : { path: text(path) }), glob: text(pattern) }),
  Grep: ({ path, pattern }) => call('search_files', { pattern: text(pattern), ...(path === undefined ? {} : { path: text(path) }) }),
  LS: ({ path }) => call('list_files', { path: text(path) }),
  NotebookRead: ({ notebook_path }) => call('read_file', { path: text(notebook_path) }),
  Write: ({ file_path, content }) => call('write_file', { path: text(file_path), content: text(content) }),
  Edit: ({ file_path, old_string, new_string, replace_all }) =>
    call('edit_file', { path: text(file_path), edits: [edit({ old_string, new_string, replace_all })] }),
  MultiEdit: ({ file_path, edits }) =>
    call('edit_file', { path: text(file_path), edits: z.array(z.record(z.string(), z.unknown())).parse(edits).map(edit) }),
  NotebookEdit: ({ notebook_path, new_source }) => call('write_file', { path: text(notebook_path), content: text(new_source ?? '') }),
  Bash: ({ command }) => call('run_command', { command: text(command) }),
  Monitor: ({ command }) => call('run_command', { command: text(command) }),
  WebFetch: ({ url }) => call('fetch_url', { url: text(url) }),
  WebSearch: ({ query }) => call('fetch_url', { url: `search:${text(query)}` }),
  ...Object.fromEntries(WITHIN_AGENT.map((name) => [name, () => call('consult_self', { name })])),
  TodoWrite: todoList,
};

const Todos = z.array(z.looseObject({ content: z.string().max(2_000), status: z.string().optional() })).max(500);

/** Steps that are still to do. A list in a form that nobody knows is the agent's own business. */
function todoList({ todos }: Input): TranslatedCall {
  const { data } = Todos.safeParse(todos);
  if (!data) return call('consult_self', { name: 'TodoWrite' });
  return call('list_steps', { name: 'TodoWrite', steps: data.flatMap(({ content, status }) => (status === 'completed' ? [] : [content])) });
}

const edit = ({ old_string, new_string, replace_all }: Input) => ({
  old_text: text(old_string),
  new_text: text(new_string),
  ...(replace_all === true ? { replace_all } : {}),
});

export function translate(tool: string, input: Input): TranslatedCall {
  if (tool.startsWith(OWN_PREFIX)) return { kind: 'own', tool: tool.slice(OWN_PREFIX.length), input };
  const known = Object.hasOwn(dialect, tool) ? dialect[tool] : undefined;
  // By this name and no other: a tool that happens to be called like one of the registry's is not that one.
  return known ? known(input) : call('call_unknown', { name: tool, arguments: input });
}

/** Tools that only look: what the hook client lets pass when no daemon can be had. */
export const READ_TOOLS = ['Read', 'Glob', 'Grep', 'LS', 'NotebookRead', ...WITHIN_AGENT];
