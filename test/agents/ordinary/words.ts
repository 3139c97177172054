// Each client's names for what agents do. A client without a name for something does not do it.

import { claudeClient } from '../../lab/clients/claude.ts';
import type { Client } from '../../lab/clients/client.ts';
import { clineClient } from '../../lab/clients/cline.ts';
import { codexClient } from '../../lab/clients/codex.ts';
import { copilotClient } from '../../lab/clients/copilot.ts';
import { geminiClient } from '../../lab/clients/gemini.ts';
import { opencodeClient } from '../../lab/clients/opencode.ts';
import { qwenClient } from '../../lab/clients/qwen.ts';
import type { ScriptedTurn, ToolCall } from '../../lab/scripted-model.ts';

type Args = Record<string, unknown>;

export interface Words {
  readonly client: Client;
  /** A whole conversation runs in one process. */
  readonly talks?: true;
  readonly own: (tool: string, args?: Args) => ToolCall;
  readonly read: (path: string) => ToolCall;
  readonly search: (pattern: string) => ToolCall;
  readonly edit: (path: string, from: string, to: string) => ToolCall;
  readonly write: (path: string, text: string) => ToolCall;
  readonly shell: (command: string) => ToolCall;
  readonly background?: (command: string) => ToolCall;
  readonly cell?: (path: string, source: string) => ToolCall;
  readonly remove?: (path: string) => ToolCall;
  readonly move?: (from: string, to: string) => ToolCall;
  readonly todo?: (titles: readonly string[]) => ToolCall;
  readonly subAgent?: (task: string) => readonly ScriptedTurn[];
  /** What a sub-agent's conversation begins with, where that is not its task. */
  readonly subAgentHears?: string;
}

const asAsked = 'as asked';

const claude: Words = {
  client: claudeClient,
  talks: true,
  own: (tool, args = {}) => ({ tool: `mcp__countersign__${tool}`, args }),
  read: (file_path) => ({ tool: 'Read', args: { file_path } }),
  search: (pattern) => ({ tool: 'Bash', args: { command: `grep -rn ${pattern} src`, description: asAsked } }),
  edit: (file_path, old_string, new_string) => ({ tool: 'Edit', args: { file_path, old_string, new_string } }),
  write: (file_path, content) => ({ tool: 'Write', args: { file_path, content } }),
  shell: (command) => ({ tool: 'Bash', args: { command, description: asAsked } }),
  background: (command) => ({ tool: 'Bash', args: { command, description: asAsked, run_in_background: true } }),
  cell: (notebook_path, new_source) => ({ tool: 'NotebookEdit', args: { notebook_path, cell_id: 'first', new_source } }),
  todo: ([subject = '']) => ({ tool: 'TaskCreate', args: { subject, description: subject } }),
  subAgent: (prompt) => [
    { tool: 'Agent', args: { description: 'a part', prompt, subagent_type: 'general-purpose', run_in_background: false } },
  ],
};

const patch = (...lines: readonly string[]): ToolCall => ({
  tool: 'apply_patch',
  input: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n'),
});
const added = (text: string): string[] =>
  text.split('\n').flatMap((line, index, all) => (index === all.length - 1 && line === '' ? [] : [`+${line}`]));

const codex: Words = {
  client: codexClient,
  own: (tool, args = {}) => ({ tool, namespace: 'mcp__countersign', args }),
  read: (path) => ({ tool: 'exec_command', args: { cmd: `cat ${path}` } }),
  search: (pattern) => ({ tool: 'exec_command', args: { cmd: `grep -rn ${pattern} src` } }),
  edit: (path, from, to) => patch(`*** Update File: ${path}`, '@@', `-${from}`, `+${to}`),
  write: (path, text) => patch(`*** Add File: ${path}`, ...added(text)),
  remove: (path) => patch(`*** Delete File: ${path}`),
  shell: (cmd) => ({ tool: 'exec_command', args: { cmd } }),
  background: (command) => ({ tool: 'exec_command', args: { cmd: `${command} > /dev/null 2>&1 &` } }),
  todo: (titles) => ({
    tool: 'update_plan',
    args: { plan: titles.map((step, index) => ({ step, status: index === 0 ? 'in_progress' : 'pending' })) },
  }),
  subAgentHears: 'Message Type: NEW_TASK',
  subAgent: (message) => [
    { tool: 'spawn_agent', namespace: 'collaboration', args: { task_name: 'other', message, fork_turns: 'none' } },
    { tool: 'wait_agent', namespace: 'collaboration', args: { timeout_ms: 10_000 } },
  ],
};

const copilot: Words = {
  client: copilotClient,
  own: (tool, args = {}) => ({ tool: `countersign-${tool}`, args }),
  read: (path) => ({ tool: 'view', args: { path } }),
  search: (pattern) => ({ tool: 'grep', args: { pattern } }),
  edit: (path, old_str, new_str) => ({ tool: 'edit', args: { path, old_str, new_str } }),
  write: (path, file_text) => ({ tool: 'create', args: { path, file_text } }),
  shell: (command) => ({ tool: 'bash', args: { command, description: asAsked } }),
  background: (command) => ({ tool: 'bash', args: { command, description: asAsked, mode: 'async' } }),
  subAgent: (prompt) => [{ tool: 'task', args: { agent_type: 'task', name: 'other', description: 'other', prompt } }],
};

const gemini: Words = {
  client: geminiClient,
  own: (tool, args = {}) => ({ tool: `mcp_countersign_${tool}`, args }),
  read: (file_path) => ({ tool: 'read_file', args: { file_path } }),
  search: (pattern) => ({ tool: 'grep_search', args: { pattern } }),
  edit: (file_path, old_string, new_string) => ({ tool: 'replace', args: { file_path, instruction: asAsked, old_string, new_string } }),
  write: (file_path, content) => ({ tool: 'write_file', args: { file_path, content } }),
  shell: (command) => ({ tool: 'run_shell_command', args: { command, description: asAsked } }),
  background: (command) => ({ tool: 'run_shell_command', args: { command: `${command} > /dev/null 2>&1 &`, description: asAsked } }),
  todo: (titles) => ({
    tool: 'write_todos',
    args: { todos: titles.map((description, index) => ({ description, status: index === 0 ? 'in_progress' : 'pending' })) },
  }),
  subAgent: (prompt) => [{ tool: 'invoke_agent', args: { agent_name: 'generalist', prompt } }],
};

const qwen: Words = {
  client: qwenClient,
  own: (tool, args = {}) => ({ tool: `mcp__countersign__${tool}`, args }),
  read: (file_path) => ({ tool: 'read_file', args: { file_path } }),
  search: (pattern) => ({ tool: 'grep_search', args: { pattern } }),
  edit: (file_path, old_string, new_string) => ({ tool: 'edit', args: { file_path, old_string, new_string } }),
  write: (file_path, content) => ({ tool: 'write_file', args: { file_path, content } }),
  shell: (command) => ({ tool: 'run_shell_command', args: { command, is_background: false } }),
  background: (command) => ({ tool: 'run_shell_command', args: { command, is_background: true } }),
  todo: (titles) => ({
    tool: 'todo_write',
    args: { todos: titles.map((content, index) => ({ id: String(index), content, status: index === 0 ? 'in_progress' : 'pending' })) },
  }),
  subAgent: (prompt) => [
    { tool: 'agent', args: { description: 'a part', prompt, subagent_type: 'general-purpose', run_in_background: false } },
  ],
};

const opencode: Words = {
  client: opencodeClient,
  own: (tool, args = {}) => ({ tool: `countersign_${tool}`, args }),
  read: (filePath) => ({ tool: 'read', args: { filePath } }),
  search: (pattern) => ({ tool: 'grep', args: { pattern } }),
  edit: (filePath, oldString, newString) => ({ tool: 'edit', args: { filePath, oldString, newString } }),
  write: (filePath, content) => ({ tool: 'write', args: { filePath, content } }),
  shell: (command) => ({ tool: 'bash', args: { command, description: asAsked } }),
  background: (command) => ({ tool: 'bash', args: { command: `${command} > /dev/null 2>&1 &`, description: asAsked } }),
  todo: (titles) => ({
    tool: 'todowrite',
    args: {
      todos: titles.map((content, index) => ({
        id: String(index),
        content,
        status: index === 0 ? 'in_progress' : 'pending',
        priority: 'medium',
      })),
    },
  }),
  subAgent: (prompt) => [{ tool: 'task', args: { description: 'a part', prompt, subagent_type: 'general' } }],
};

const cline: Words = {
  client: clineClient,
  own: (tool, args = {}) => ({ tool: `countersign__${tool}`, args }),
  read: (path) => ({ tool: 'read_files', args: { files: [{ path }] } }),
  search: (query) => ({ tool: 'search_codebase', args: { queries: [query] } }),
  edit: (path, old_text, new_text) => ({ tool: 'editor', args: { path, old_text, new_text } }),
  write: (path, new_text) => ({ tool: 'editor', args: { path, new_text } }),
  shell: (command) => ({ tool: 'run_commands', args: { commands: [command] } }),
  subAgent: (task) => [{ tool: 'spawn_agent', args: { systemPrompt: 'You do what you are told.', task } }],
};

export const WORDS = { claude, codex, copilot, gemini, qwen, opencode, cline } as const;
