// What Cline sends to its hooks, field by field, at the version that the adapter was written for.

type Fields = Readonly<Record<string, unknown>>;

export const CWD = '/home/ada/login';
export const ROOT_SESSION = '1794769053988_zcoti';
export const CALL = 'call_000004e8iv3m6kqq';

const base = (hookName: string, more: Fields = {}): Fields => ({
  clineVersion: '',
  timestamp: '2026-11-15T18:57:36.254Z',
  taskId: 'conv_1794769056135_q2muiag',
  sessionContext: { rootSessionId: ROOT_SESSION },
  workspaceRoots: [CWD],
  workspaceInfo: { rootPath: CWD, hint: 'login' },
  userId: 'unknown',
  agent_id: 'agent_1794769055712_qy0u0p',
  parent_agent_id: null,
  hookName,
  ...more,
});

export const pre = (name: string, input: Fields, more: Fields = {}): Fields =>
  base('tool_call', { iteration: 2, tool_call: { id: CALL, name, input }, preToolUse: { toolName: name, parameters: input }, ...more });

const post = (name: string, input: Fields, result: Fields): Fields =>
  base('tool_result', {
    iteration: 2,
    tool_result: { id: CALL, name, input, ...result, durationMs: 5 },
    postToolUse: { toolName: name, parameters: input, result: '', success: result['error'] === undefined, executionTimeMs: 5 },
  });

const edit = { path: `${CWD}/src/auth/login.ts`, old_text: 'return null', new_text: 'return undefined' };

/** By the event that each comes with. */
export const payloads: Readonly<Record<string, readonly [event: string, payload: Fields]>> = {
  sessionStart: ['TaskStart', base('agent_start', { taskStart: { taskMetadata: {} } })],
  prompt: ['UserPromptSubmit', base('prompt_submit', { userPromptSubmit: { prompt: 'fix the login', attachments: [] } })],
  preRead: ['PreToolUse', pre('read_files', { files: [{ path: edit.path }] })],
  preEdit: ['PreToolUse', pre('editor', edit)],
  preShell: ['PreToolUse', pre('run_commands', { commands: ['rm -rf build'] })],
  preForeignMcp: ['PreToolUse', pre('mini__echo', { text: 'hi' })],
  preOwnMcp: ['PreToolUse', pre('countersign__begin_work', {})],
  preOfSubagent: ['PreToolUse', pre('editor', edit, { agent_id: 'agent_2', parent_agent_id: 'agent_1794769055712_qy0u0p' })],
  postEdit: ['PostToolUse', post('editor', edit, { output: { query: 'edit', result: 'Edited', success: true } })],
  postFailure: ['PostToolUse', post('editor', edit, { output: 'no match', error: 'no match' })],
  stop: ['TaskComplete', base('agent_end', { iteration: 3, turn: { outputText: 'Done.' }, taskComplete: { taskMetadata: {} } })],
  sessionEnd: ['SessionShutdown', base('session_shutdown')],
};
