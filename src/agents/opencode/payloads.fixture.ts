// What our plugin sends from opencode, field by field. The ids, tools and inputs are those that the client gives its plugins, at the
// version that the adapter was written for.

type Fields = Readonly<Record<string, unknown>>;

export const CWD = '/home/ada/login';
export const SESSION = 'ses_e1f7244e0ffevsI6qo2muSl6WM';
export const CHILD = 'ses_e1f7244e0ffechildQo2muSl6W';

const base: Fields = { session_id: SESSION, cwd: CWD, agent: 'build', model: 'fake' };

export const pre = (tool_name: string, tool_input: Fields, more: Fields = {}): Fields => ({
  ...base,
  ...more,
  tool_name,
  tool_use_id: 'call_00000fej8oz23q96',
  tool_input,
});
const post = (tool_name: string, tool_input: Fields, tool_response: Fields): Fields => ({ ...pre(tool_name, tool_input), tool_response });

const edit = { filePath: `${CWD}/src/auth/login.ts`, oldString: 'return null', newString: 'return undefined' };
const shell = { command: 'rm -rf build', description: 'remove the build' };

/** By the event that each comes with. */
export const payloads: Readonly<Record<string, readonly [event: string, payload: Fields]>> = {
  sessionStart: ['session.created', base],
  prompt: ['chat.message', { ...base, message_id: 'msg_1e08dbcb0001x1ZAXhR4FcBWZR', prompt: 'fix the login' }],
  preRead: ['tool.execute.before', pre('read', { filePath: `${CWD}/src/auth/login.ts` })],
  preEdit: ['tool.execute.before', pre('edit', edit)],
  preShell: ['tool.execute.before', pre('bash', shell)],
  preForeignMcp: ['tool.execute.before', pre('mini_echo', { text: 'hi' })],
  preOwnMcp: ['tool.execute.before', pre('countersign_begin_work', {})],
  preOfSubagent: ['tool.execute.before', pre('edit', edit, { agent_id: CHILD, agent: 'general' })],
  preWhilePlanning: ['tool.execute.before', pre('edit', edit, { agent: 'plan' })],
  postEdit: [
    'tool.execute.after',
    post('edit', edit, { title: 'src/auth/login.ts', metadata: { diagnostics: {} }, output: 'Edit applied.' }),
  ],
  postShell: [
    'tool.execute.after',
    post('bash', shell, { title: 'rm -rf build', metadata: { output: '(no output)', exit: 0, truncated: false }, output: '(no output)' }),
  ],
  postForeignMcp: ['tool.execute.after', post('mini_echo', { text: 'hi' }, { content: [{ type: 'text', text: 'echo hi' }] })],
  stop: ['session.idle', base],
};
