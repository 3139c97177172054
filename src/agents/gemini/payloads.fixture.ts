// What Gemini CLI sends to its hooks, field by field, at the version that the adapter was written for.

type Fields = Readonly<Record<string, unknown>>;

export const CWD = '/home/ada/login';
export const TRANSCRIPT = '/home/ada/.gemini/tmp/login/chats/session-2026-11-15T18-50-27e139a9.jsonl';

const base = (hook_event_name: string, more: Fields = {}): Fields => ({
  session_id: '27e139a9-eea8-4457-965c-68b14f7bf925',
  transcript_path: TRANSCRIPT,
  cwd: CWD,
  hook_event_name,
  timestamp: '2026-11-15T18:50:22.039Z',
  ...more,
});

export const pre = (tool_name: string, tool_input: Fields, more: Fields = {}): Fields =>
  base('BeforeTool', { tool_name, tool_input, ...more });
const post = (tool_name: string, tool_input: Fields, tool_response: Fields, more: Fields = {}): Fields =>
  base('AfterTool', { tool_name, tool_input, tool_response, ...more });

const from = (server_name: string, tool_name: string): Fields => ({
  mcp_context: { server_name, tool_name, command: 'node', args: [`/opt/${server_name}.mjs`] },
});
const edit = { file_path: `${CWD}/src/auth/login.ts`, instruction: 'change', old_string: 'return null', new_string: 'return undefined' };
const shell = { command: 'rm -rf build', description: 'remove the build' };

export const payloads: Readonly<Record<string, Fields>> = {
  sessionStart: base('SessionStart', { source: 'startup' }),
  prompt: base('BeforeAgent', { prompt: 'fix the login' }),
  preRead: pre('read_file', { file_path: `${CWD}/src/auth/login.ts` }),
  preEdit: pre('replace', edit),
  preShell: pre('run_shell_command', shell),
  preForeignMcp: pre('mcp_mini_echo', { text: 'hi' }, from('mini', 'echo')),
  preOwnMcp: pre('mcp_countersign_begin_work', {}, from('countersign', 'begin_work')),
  postEdit: post('replace', edit, {
    llmContent: 'Successfully modified file: /home/ada/login/src/auth/login.ts (1 replacements).',
    returnDisplay: { fileDiff: '@@ -1,1 +1,1 @@', fileName: 'login.ts', filePath: edit.file_path, isNewFile: false },
  }),
  postShell: post('run_shell_command', shell, {
    llmContent: '<untrusted_context>\nOutput: (empty)\nProcess Group PGID: 14328\n</untrusted_context>',
    returnDisplay: '',
  }),
  postFailure: post('replace', edit, {
    llmContent: 'Failed to edit',
    returnDisplay: 'Failed to edit',
    error: { message: 'Failed to edit, 0 occurrences found', type: 'edit_no_occurrence_found' },
  }),
  postForeignMcp: post(
    'mcp_mini_echo',
    { text: 'hi' },
    { llmContent: [{ text: 'echo hi' }], returnDisplay: 'echo hi' },
    from('mini', 'echo'),
  ),
  stop: base('AfterAgent', { prompt: 'fix the login', prompt_response: 'Done.', stop_hook_active: false }),
  stopAgain: base('AfterAgent', { prompt: 'fix the login', prompt_response: 'Done.\nDone.', stop_hook_active: true }),
  sessionEnd: base('SessionEnd', { reason: 'exit' }),
};
