// What Copilot CLI 1.0.102 sends, as it was recorded: to hooks of its own in camel case, to those of Claude Code's files in snake case
// with Claude Code's names of tools. Ids and paths are made up.

type Fields = Readonly<Record<string, unknown>>;

export const CWD = '/home/ada/login';
export const SESSION = 'd7d1d970-bc6e-4671-a124-a397cf79ed29';
export const AT = 1_794_768_894_023;
const AGENT = '861e3cdf-bbaf-4960-be46-a042e860dea1';

const camel = (more: Fields): Fields => ({ sessionId: SESSION, timestamp: AT, cwd: CWD, ...more });
const snake = (hook_event_name: string, more: Fields): Fields => ({
  hook_event_name,
  session_id: SESSION,
  timestamp: new Date(AT).toISOString(),
  cwd: CWD,
  ...more,
});

export const EDIT = { path: `${CWD}/src/a.ts`, old_str: 'a = 1', new_str: 'a = 2' };
export const pre = (toolName: string, toolArgs: unknown, more: Fields = {}): Fields => camel({ toolName, toolArgs, ...more });

export const payloads: Readonly<Record<string, Fields>> = {
  sessionStart: camel({ source: 'new', initialPrompt: 'do the task' }),
  prompt: camel({ prompt: 'do the task' }),
  preEdit: pre('edit', EDIT),
  preEditAsText: pre('edit', JSON.stringify(EDIT)),
  preView: pre('view', { path: `${CWD}/src/a.ts` }),
  preCreate: pre('create', { path: `${CWD}/src/n.ts`, file_text: 'x\n' }),
  preBash: pre('bash', { command: 'rm -rf build', description: 'remove build' }),
  prePatch: pre('apply_patch', '*** Begin Patch\n*** Delete File: src/a.ts\n*** End Patch\n'),
  preGrep: pre('grep', { pattern: 'x', paths: ['src', 'test'] }),
  preGlob: pre('glob', { pattern: '*.ts', paths: 'src' }),
  preTodo: pre('update_todo', { todos: '- [x] none\n- [ ] one\n- [ ] two' }),
  preTask: pre('task', { agent_type: 'task', name: 'helper', description: 'd', prompt: 'look' }),
  preOwnMcp: pre('countersign-begin_work', {}),
  preForeignMcp: pre('mini-echo', { text: 'hi' }),
  preOfSubagent: {
    ...pre('bash', { command: 'ls', description: 'd' }),
    ...{ sessionId: AGENT, agentId: AGENT, agentType: 'task', parentAgentId: SESSION },
  },
  postEdit: camel({
    toolName: 'edit',
    toolArgs: EDIT,
    toolResult: { resultType: 'success', textResultForLlm: 'File updated with changes.' },
  }),
  postFailure: camel({ toolName: 'read_agent', toolArgs: { agent_id: 'helper' }, error: 'Agent not found' }),
  stop: camel({ transcriptPath: '/home/ada/.copilot/session-state/x/events.jsonl', stopReason: 'end_turn', stop_hook_active: true }),
  sessionEnd: camel({ reason: 'complete' }),
  snakeSessionStart: snake('SessionStart', { source: 'new', initial_prompt: 'do the task' }),
  snakePrompt: snake('UserPromptSubmit', { prompt: 'do the task' }),
  snakePreEdit: snake('PreToolUse', { tool_name: 'Edit', tool_input: EDIT }),
  snakePreRead: snake('PreToolUse', { tool_name: 'Read', tool_input: { path: `${CWD}/src/a.ts` } }),
  snakeStop: snake('Stop', { transcript_path: '/home/ada/x.jsonl', stop_reason: 'end_turn', stop_hook_active: false }),
};
