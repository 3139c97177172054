// What VS Code's agent sends to its hooks, from its documentation: no client of it runs here. Older builds write camel case.

type Fields = Readonly<Record<string, unknown>>;

export const CWD = '/home/ada/login';

const base = (hook_event_name: string, more: Fields = {}): Fields => ({
  timestamp: '2026-11-15T18:54:53.605Z',
  cwd: CWD,
  session_id: 'session-of-vscode',
  hook_event_name,
  transcript_path: '/home/ada/.config/Code/transcript.json',
  ...more,
});

export const pre = (tool_name: string, tool_input: Fields): Fields => base('PreToolUse', { tool_name, tool_input, tool_use_id: 'tool-1' });

export const payloads: Readonly<Record<string, Fields>> = {
  sessionStart: base('SessionStart', { source: 'new' }),
  prompt: base('UserPromptSubmit', { prompt: 'fix the login' }),
  preReplace: pre('replace_string_in_file', { filePath: `${CWD}/src/a.ts`, oldString: 'a', newString: 'b' }),
  preCreate: pre('create_file', { filePath: `${CWD}/src/n.ts`, content: 'x' }),
  preTerminal: pre('run_in_terminal', { command: 'npm test', explanation: 'run', isBackground: false }),
  preRead: pre('read_file', { filePath: `${CWD}/src/a.ts`, startLine: 1, endLine: 10 }),
  preOwnMcp: pre('mcp_countersign_begin_work', {}),
  postCreate: base('PostToolUse', { tool_name: 'create_file', tool_input: { filePath: 'x' }, tool_use_id: 'tool-1', tool_response: 'ok' }),
  stop: base('Stop', { stop_hook_active: false }),
  camelPre: {
    timestamp: '2026-11-15T18:54:53.605Z',
    cwd: CWD,
    sessionId: 'session-of-vscode',
    hookEventName: 'PreToolUse',
    transcript_path: '/home/ada/.config/Code/transcript.json',
    toolName: 'create_file',
    toolInput: { filePath: `${CWD}/src/n.ts`, content: 'x' },
    toolUseId: 'tool-1',
  },
};
