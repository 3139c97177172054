// What Qwen Code sends to its hooks, field by field, at the version that the adapter was written for.

type Fields = Readonly<Record<string, unknown>>;

export const CWD = '/home/ada/login';
export const SESSION = '2312d369-483c-4942-af98-d81ebabd6a06';
export const TRANSCRIPT = `/home/ada/.qwen/projects/-home-ada-login/chats/${SESSION}.jsonl`;
export const PROMPT = `${SESSION}########0`;

const base = (hook_event_name: string, more: Fields = {}): Fields => ({
  session_id: SESSION,
  transcript_path: TRANSCRIPT,
  cwd: CWD,
  hook_event_name,
  timestamp: '2026-11-15T18:55:51.925Z',
  permission_mode: 'yolo',
  ...more,
});
const inTurn = (event: string, more: Fields): Fields => base(event, { prompt_id: PROMPT, ...more });
const ids = { tool_use_id: 'toolu_1794768953275_64guqhtbi', tool_call_id: 'call_00000151dt8vpbbp' };

export const pre = (tool_name: string, tool_input: Fields, more: Fields = {}): Fields =>
  inTurn('PreToolUse', { tool_name, tool_input, ...ids, ...more });
const post = (tool_name: string, tool_input: Fields, tool_response: Fields): Fields =>
  inTurn('PostToolUse', { tool_name, tool_input, tool_response, ...ids, duration_ms: 16 });

const file = `${CWD}/src/auth/login.ts`;
const edit = { file_path: file, old_string: 'return null', new_string: 'return undefined' };
const shell = { command: 'rm -rf build', description: 'remove the build', is_background: false };

export const payloads: Readonly<Record<string, Fields>> = {
  sessionStart: base('SessionStart', { source: 'startup', model: 'qwen3-coder' }),
  prompt: inTurn('UserPromptSubmit', { prompt: 'fix the login', submitted_prompt: 'fix the login' }),
  continuation: inTurn('UserPromptSubmit', { prompt: '' }),
  preRead: pre('read_file', { file_path: file, absolute_path: file }),
  preEdit: pre('edit', edit),
  preShell: pre('run_shell_command', shell),
  preForeignMcp: pre('mcp__mini__echo', { text: 'hi' }),
  preOwnMcp: pre('mcp__countersign__begin_work', {}),
  preWhilePlanning: pre('edit', edit, { permission_mode: 'plan' }),
  postEdit: post('edit', edit, { llmContent: 'The file has been updated.', returnDisplay: { fileName: 'login.ts', filePath: file } }),
  postShell: post('run_shell_command', shell, { llmContent: 'Command: rm -rf build\nExit Code: 0', returnDisplay: '' }),
  postFailure: inTurn('PostToolUseFailure', { tool_name: 'edit', tool_input: edit, ...ids, error: 'Failed to edit', is_interrupt: false }),
  stop: inTurn('Stop', { stop_hook_active: false, last_assistant_message: 'Done.', background_tasks: [], crons: [] }),
  stopAgain: inTurn('Stop', { stop_hook_active: true, last_assistant_message: 'Done.', background_tasks: [], crons: [] }),
  sessionEnd: base('SessionEnd', { reason: 'prompt_input_exit' }),
};
