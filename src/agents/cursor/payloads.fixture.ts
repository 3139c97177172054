// What Cursor sends to its hooks, by its documentation and the forms in its SDK. Not recorded: the editor could not be run for this.

type Fields = Readonly<Record<string, unknown>>;

export const CWD = '/home/ada/login';
export const TRANSCRIPT = '/home/ada/.cursor/projects/login/agent-transcripts/1.txt';

export const base = (hook_event_name: string, more: Fields = {}): Fields => ({
  conversation_id: 'c5f3a0b2-0c8e-4d5b-9a43-2f9f0a6a1e11',
  generation_id: '5b4f9f5c-9d7a-4d4c-8f0a-7d6a3c1b2e22',
  model: 'composer-2',
  hook_event_name,
  cursor_version: '2.4.0',
  workspace_roots: [CWD],
  user_email: null,
  transcript_path: TRANSCRIPT,
  ...more,
});

export const pre = (tool_name: string, tool_input: Fields, tool_use_id = 'tool_1'): Fields =>
  base('preToolUse', { tool_name, tool_input, tool_use_id, cwd: CWD });
export const mcp = (tool_name: string, tool_input: string, server: Fields): Fields =>
  base('beforeMCPExecution', { tool_name, tool_input, ...server });

const file = `${CWD}/src/auth/login.ts`;
export const OWN = { command: '/opt/countersign/bin/countersign mcp --home /home/ada/.local/share/countersign' };

export const payloads: Readonly<Record<string, Fields>> = {
  sessionStart: base('sessionStart', { is_background_agent: false }),
  prompt: base('beforeSubmitPrompt', { prompt: 'fix the login', attachments: [] }),
  preRead: pre('Read', { file_path: file }),
  preWrite: pre('Write', { file_path: file, contents: 'export {};\n' }),
  preReplace: pre('StrReplace', { path: file, old_string: 'return null', new_string: 'return undefined' }),
  preDelete: pre('Delete', { path: file }),
  preShell: pre('Shell', { command: 'rm -rf build', working_directory: CWD }),
  preGrep: pre('Grep', { pattern: 'login', path: 'src' }),
  preTask: pre('Task', { description: 'look around', prompt: 'look' }),
  preMcp: pre('MCP:echo', { text: 'hi' }),
  mcpForeign: mcp('echo', '{"text":"hi"}', { command: 'node /opt/mini.mjs' }),
  mcpByAddress: mcp('begin_work', '{}', { url: 'http://127.0.0.1:9/mcp' }),
  mcpOwn: mcp('begin_work', '{}', OWN),
  postWrite: base('postToolUse', {
    tool_name: 'Write',
    tool_input: { file_path: file, contents: 'x' },
    tool_output: '{"ok":true}',
    tool_use_id: 'tool_1',
    cwd: CWD,
    duration: 12,
  }),
  postMcp: base('postToolUse', { tool_name: 'MCP:echo', tool_input: { text: 'hi' }, tool_output: 'hi', tool_use_id: 'tool_9', cwd: CWD }),
  postFailure: base('postToolUseFailure', {
    tool_name: 'Shell',
    tool_input: { command: 'false' },
    tool_use_id: 'tool_1',
    error_message: 'exit 1',
    failure_type: 'error',
    cwd: CWD,
  }),
  stop: base('stop', { status: 'completed', loop_count: 0 }),
  stopAgain: base('stop', { status: 'completed', loop_count: 1 }),
  stopAborted: base('stop', { status: 'aborted', loop_count: 0 }),
  sessionEnd: base('sessionEnd', { reason: 'window_close' }),
};
