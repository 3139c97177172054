// What Claude Code sends to its hooks, field by field, at the version that the adapter was written for.

type Fields = Readonly<Record<string, unknown>>;

export const CWD = '/home/ada/login';

const base = (hook_event_name: string): Fields => ({
  session_id: '5b0c9c1e-0b1f-4b56-8a52-0f4b8e2d9a11',
  transcript_path: '/home/ada/.claude/projects/-home-ada-login/5b0c9c1e-0b1f-4b56-8a52-0f4b8e2d9a11.jsonl',
  cwd: CWD,
  hook_event_name,
});

const inTurn = (event: string, more: Fields): Fields => ({
  ...base(event),
  prompt_id: 'e8b1c8e0-6a39-4c0c-9d0a-2f0a6a3f1f77',
  permission_mode: 'acceptEdits',
  ...more,
});

export const pre = (tool_name: string, tool_input: Fields, more: Fields = {}): Fields =>
  inTurn('PreToolUse', { tool_name, tool_input, tool_use_id: 'toolu_01A', ...more });

const post = (tool_name: string, tool_input: Fields, tool_response: unknown): Fields =>
  inTurn('PostToolUse', { tool_name, tool_input, tool_response, tool_use_id: 'toolu_01A', duration_ms: 18 });

const edit = { file_path: `${CWD}/src/auth/login.ts`, old_string: 'return null', new_string: 'return undefined', replace_all: false };

export const payloads: Readonly<Record<string, Fields>> = {
  sessionStart: { ...base('SessionStart'), source: 'startup' },
  prompt: inTurn('UserPromptSubmit', { prompt: 'fix the login' }),
  preRead: pre('Read', { file_path: `${CWD}/src/auth/login.ts` }),
  preEdit: pre('Edit', edit),
  preBash: pre('Bash', { command: 'rm -rf build', description: 'remove the build' }),
  preForeignMcp: pre('mcp__mini__echo', { text: 'hi' }, { mcp_server: { name: 'mini', source: 'dynamic' } }),
  preOwnMcp: pre('mcp__countersign__begin_work', {}, { mcp_server: { name: 'countersign', source: 'project' } }),
  preOfSubagent: pre('Edit', edit, { agent_id: 'a3069ce257290fef2', agent_type: 'general-purpose' }),
  preWhilePlanning: pre('Edit', edit, { permission_mode: 'plan' }),
  postEdit: post('Edit', edit, {
    filePath: edit.file_path,
    oldString: edit.old_string,
    newString: edit.new_string,
    originalFile: 'return null;\n',
    structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-return null;', '+return undefined;'] }],
    userModified: false,
    replaceAll: false,
  }),
  postBash: post(
    'Bash',
    { command: 'npm test' },
    { stdout: 'ok', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
  ),
  postForeignMcp: post('mcp__mini__echo', { text: 'hi' }, [{ type: 'text', text: 'echo hi' }]),
  postFailure: inTurn('PostToolUseFailure', {
    tool_name: 'Bash',
    tool_input: { command: 'exit 3' },
    tool_use_id: 'toolu_01A',
    error: 'Exit code 3',
    is_interrupt: false,
    duration_ms: 40,
  }),
  stop: inTurn('Stop', { stop_hook_active: false, last_assistant_message: 'Done.', background_tasks: [], session_crons: [] }),
  sessionEnd: { ...base('SessionEnd'), prompt_id: 'e8b1c8e0-6a39-4c0c-9d0a-2f0a6a3f1f77', reason: 'other' },
};
