// What Codex 0.166.0 sends to its hooks, field by field, as it was recorded; ids and paths are made up.

type Fields = Readonly<Record<string, unknown>>;

export const CWD = '/home/ada/login';

const base = (hook_event_name: string): Fields => ({
  session_id: '01a1e08a-64a1-7281-8ae0-86fb8699c470',
  transcript_path: '/home/ada/.codex/sessions/2026/11/15/rollout-2026-11-15T18-48-48-01a1e08a-64a1-7281-8ae0-86fb8699c470.jsonl',
  cwd: CWD,
  hook_event_name,
});

const inTurn = (event: string, more: Fields): Fields => ({
  ...base(event),
  turn_id: '01a1e08a-650f-7122-a9d6-ca65bdfc959b',
  model: 'gpt-5.5',
  permission_mode: 'bypassPermissions',
  ...more,
});

export const pre = (tool_name: string, tool_input: Fields, more: Fields = {}): Fields =>
  inTurn('PreToolUse', { tool_name, tool_input, tool_use_id: 'call_000001zeb3ngcmme', ...more });
const post = (tool_name: string, tool_input: Fields, tool_response: unknown): Fields =>
  inTurn('PostToolUse', { tool_name, tool_input, tool_response, tool_use_id: 'call_000001zeb3ngcmme' });

export const PATCH =
  '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-export const a = 1;\n+export const a = 2;\n*** Add File: src/c.ts\n+new\n*** End Patch\n';

export const payloads: Readonly<Record<string, Fields>> = {
  sessionStart: { ...base('SessionStart'), model: 'gpt-5.5', permission_mode: 'bypassPermissions', source: 'startup' },
  prompt: inTurn('UserPromptSubmit', { prompt: 'fix the login' }),
  prePatch: pre('apply_patch', { command: PATCH }),
  preShell: pre('Bash', { command: 'rm -rf build' }),
  prePatchByShell: pre('Bash', { command: `apply_patch <<'EOF'\n${PATCH}EOF` }),
  // Nested calls of code mode have ids of their own.
  preInCodeMode: pre('Bash', { command: 'ls' }, { tool_use_id: 'exec-48bc969f-5703-45a1-8b25-dec062dcb07c' }),
  preOwnMcp: pre('mcp__countersign__begin_work', {}),
  preForeignMcp: pre('mcp__mini__echo', { text: 'hi' }),
  preSpawn: pre('collaborationspawn_agent', { task_name: 't1', message: 'look' }),
  preGoal: pre('create_goal', { objective: 'x' }),
  preImage: pre('view_image', { path: 'src/a.png' }),
  preOfSubagent: pre('Bash', { command: 'ls' }, { agent_id: '01a1e271-327f-7d83-ac22-a14247aa1ab8', agent_type: 'default' }),
  postPatch: post(
    'apply_patch',
    { command: PATCH },
    'Exit code: 0\nWall time: 0.9 seconds\nOutput:\nSuccess. Updated the following files:\nM src/a.ts\n',
  ),
  postShell: post('Bash', { command: 'cat src/a.ts' }, 'export const a = 1;\n'),
  postMcp: post('mcp__mini__echo', { text: 'hi' }, { content: [{ type: 'text', text: 'echo hi' }] }),
  stop: inTurn('Stop', { stop_hook_active: false, last_assistant_message: 'done' }),
  sessionEnd: { ...base('SessionEnd'), reason: 'other' },
};
