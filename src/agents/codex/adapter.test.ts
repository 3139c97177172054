import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault, type Refusal } from '../../protocol/index.ts';
import { describeCall } from '../../tools/registry.fixture.ts';
import { codex } from './adapter.ts';
import { CWD, PATCH, payloads } from './payloads.fixture.ts';
import { translate } from './translate.ts';

const common = {
  nativeSession: '01a1e08a-64a1-7281-8ae0-86fb8699c470',
  cwd: CWD,
  planning: false,
  transcript: '/home/ada/.codex/sessions/2026/11/15/rollout-2026-11-15T18-48-48-01a1e08a-64a1-7281-8ae0-86fb8699c470.jsonl',
  model: 'gpt-5.5',
};
const named = (tool: string) => ({ tool, callId: 'call_000001zeb3ngcmme' });
const read = (event: string, name: string) => codex.read(event, payloads[name]);

test('every event of a session is read', () => {
  expect(read('SessionStart', 'sessionStart')).toEqual({ kind: 'session_start', ...common });
  expect(read('UserPromptSubmit', 'prompt')).toEqual({
    kind: 'prompt',
    turn: '01a1e08a-650f-7122-a9d6-ca65bdfc959b',
    text: 'fix the login',
    ...common,
  });
  expect(read('PostToolUse', 'postShell')).toEqual({
    kind: 'after',
    native: named('Bash'),
    output: 'export const a = 1;\n',
    failed: false,
    ...common,
  });
  expect(read('Stop', 'stop')).toEqual({ kind: 'stop', continued: false, ...common });
  const { model: _none, ...atEnd } = common;
  expect(read('SessionEnd', 'sessionEnd')).toEqual({ kind: 'session_end', reason: 'other', ...atEnd });
});

test('a patch that did not fit is a failure', () => {
  const failed = { ...payloads['postPatch'], tool_response: 'Exit code: 1\nWall time: 0.1 seconds\nOutput:\nFailed' };
  expect(codex.read('PostToolUse', failed)).toMatchObject({ kind: 'after', failed: true });
});

const CALLS: readonly [string, object][] = [
  ['prePatch', { kind: 'tool', tool: 'apply_patch', input: { patch: PATCH } }],
  ['prePatchByShell', { kind: 'tool', tool: 'apply_patch', input: { patch: PATCH.trimEnd() } }],
  ['preShell', { kind: 'tool', tool: 'run_command', input: { command: 'rm -rf build' } }],
  ['preInCodeMode', { kind: 'tool', tool: 'run_command', input: { command: 'ls' } }],
  ['preOwnMcp', { kind: 'own', tool: 'begin_work', input: {} }],
  ['preForeignMcp', { kind: 'tool', tool: 'call_unknown', input: { name: 'mcp__mini__echo', arguments: { text: 'hi' } } }],
  ['preSpawn', { kind: 'tool', tool: 'consult_self', input: { name: 'collaborationspawn_agent' } }],
  ['preGoal', { kind: 'tool', tool: 'consult_self', input: { name: 'create_goal' } }],
  ['preImage', { kind: 'tool', tool: 'read_file', input: { path: 'src/a.png' } }],
];
test.each(CALLS)('%s is said in the registry’s words', (name, call) => {
  expect(codex.read('PreToolUse', payloads[name])).toMatchObject({ kind: 'before', call });
});

test('a patch names every file that it touches', () => {
  const { effects, resources } = describeCall('apply_patch', { patch: PATCH }, { root: CWD, cwd: CWD });
  expect(effects).toEqual(['write']);
  expect(resources.map((resource) => ('path' in resource ? resource.path : null))).toEqual(['src/a.ts', 'src/c.ts']);
});

test('a plan of several steps is seen', () => {
  const plan = [
    { step: 'one', status: 'completed' },
    { step: 'two', status: 'in_progress' },
    { step: 'three', status: 'pending' },
  ];
  expect(translate('update_plan', { plan })).toEqual({
    kind: 'tool',
    tool: 'list_steps',
    input: { name: 'update_plan', steps: ['two', 'three'] },
  });
});

test('a sub-agent is distinguished', () => {
  expect(codex.read('PreToolUse', payloads['preOfSubagent'])).toMatchObject({ agentId: '01a1e271-327f-7d83-ac22-a14247aa1ab8' });
});

describe('answers', () => {
  const before = read('PreToolUse', 'preShell');
  const refusal: Refusal = {
    error_code: 'DAEMON_UNAVAILABLE',
    message: 'm',
    recoverable: true,
    required_action: 'r',
    remedy: { tool: 'begin_work', args: {} },
    also_missing: [],
  };

  test('a denial has a reason; consent is silence', () => {
    expect(JSON.parse(codex.write(before, { kind: 'trouble', refusal }))).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'Countersign DAEMON_UNAVAILABLE: m\nWhat to do: r.\nCall: mcp__countersign__begin_work {}',
      },
    });
    for (const event of ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionEnd']) {
      const name = {
        SessionStart: 'sessionStart',
        UserPromptSubmit: 'prompt',
        PostToolUse: 'postShell',
        Stop: 'stop',
        SessionEnd: 'sessionEnd',
      }[event];
      expect(codex.write(read(event, name!), { kind: 'trouble', refusal })).toBe('');
    }
  });
});

test('what it cannot read is a fault, never an event', () => {
  const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd', 'Nothing'];
  fc.assert(
    fc.property(
      fc.constantFrom(...events),
      fc.oneof(
        fc.json().map((text) => JSON.parse(text) as unknown),
        fc.anything(),
      ),
      (event, payload) => {
        expect(() => codex.read(event, payload)).toThrow(Fault);
      },
    ),
    { numRuns: 300 },
  );
});

test('any input of a known tool is read, or refused as a fault', () => {
  const tools = ['Bash', 'apply_patch', 'update_plan', 'view_image', 'web_search', 'mcp__countersign__x', 'toString', '__proto__'];
  fc.assert(
    fc.property(fc.constantFrom(...tools), fc.dictionary(fc.string(), fc.jsonValue()), (tool_name, tool_input) => {
      try {
        expect(codex.read('PreToolUse', { ...payloads['preShell'], tool_name, tool_input }).kind).toBe('before');
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
      }
    }),
    { numRuns: 300 },
  );
});
