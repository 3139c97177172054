import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { Fault, Refusal } from '../../protocol/index.ts';
import type { HookAnswer, HookEvent } from '../adapter.ts';
import { explain } from '../explain.ts';
import { qwen } from './adapter.ts';
import { CWD, payloads, pre, PROMPT, SESSION, TRANSCRIPT } from './payloads.fixture.ts';
import { ownToolName } from './translate.ts';

const common = { nativeSession: SESSION, cwd: CWD, planning: false, transcript: TRANSCRIPT };
const file = `${CWD}/src/auth/login.ts`;
const edit = { kind: 'tool', tool: 'edit_file', input: { path: file, edits: [{ old_text: 'return null', new_text: 'return undefined' }] } };
const tool = (name: string, input: unknown) => ({ kind: 'tool', tool: name, input });
const called = (name: string) => ({ tool: name, callId: 'toolu_1794768953275_64guqhtbi' });
const before = (name: string, call: unknown) => ({ ...common, kind: 'before', native: called(name), call });
const named = (name: string): Readonly<Record<string, unknown>> => payloads[name]!;

const READINGS: readonly [payload: string, event: unknown][] = [
  ['sessionStart', { ...common, kind: 'session_start', model: 'qwen3-coder' }],
  ['prompt', { ...common, kind: 'prompt', turn: PROMPT, text: 'fix the login' }],
  ['continuation', { ...common, kind: 'prompt', turn: PROMPT, text: '' }],
  ['preRead', before('read_file', tool('read_file', { path: file }))],
  ['preEdit', before('edit', edit)],
  ['preShell', before('run_shell_command', tool('run_command', { command: 'rm -rf build' }))],
  ['preForeignMcp', before('mcp__mini__echo', tool('call_unknown', { name: 'mcp__mini__echo', arguments: { text: 'hi' } }))],
  ['preOwnMcp', before('mcp__countersign__begin_work', { kind: 'own', tool: 'begin_work', input: {} })],
  ['preWhilePlanning', { ...before('edit', edit), planning: true }],
  ['postEdit', { ...common, kind: 'after', native: called('edit'), output: named('postEdit')['tool_response'], failed: false }],
  [
    'postShell',
    { ...common, kind: 'after', native: called('run_shell_command'), output: named('postShell')['tool_response'], failed: false },
  ],
  ['postFailure', { ...common, kind: 'after', native: called('edit'), output: 'Failed to edit', failed: true }],
  ['stop', { ...common, kind: 'stop', continued: false }],
  ['stopAgain', { ...common, kind: 'stop', continued: true }],
  ['sessionEnd', { ...common, kind: 'session_end', reason: 'prompt_input_exit' }],
];

const readFrom = (payload: Readonly<Record<string, unknown>>): HookEvent => qwen.read(String(payload['hook_event_name']), payload);

describe('what it reads', () => {
  test.each(READINGS)('%s', (name, event) => expect(readFrom(named(name))).toEqual(event));

  verifies('N1', 'every recorded payload of Qwen Code is in the table', () => {
    expect(READINGS.map(([name]) => name)).toEqual(Object.keys(payloads));
  });

  test('a sub-agent is known by its id', () => {
    expect(
      readFrom(pre('edit', { file_path: file, old_string: 'return null', new_string: 'return undefined' }, { agent_id: 'a1' })),
    ).toEqual({
      ...before('edit', edit),
      agentId: 'a1',
    });
  });

  test('what it cannot read is a bad request', () => {
    for (const payload of [null, 1, [], {}, { session_id: 's' }, { session_id: '', cwd: '/' }])
      for (const event of ['SessionStart', 'PreToolUse', 'PostToolUse', 'Stop'])
        expect(() => qwen.read(event, payload)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }) as Fault);
    expect(() => readFrom(pre('edit', { path: file }))).toThrow('edit: its input does not have the form that this client is known to send');
    expect(() => qwen.read('PreCompact', named('stop'))).toThrow('The hook event PreCompact is not one that Countersign installs');
  });
});

test('what is not known to be a mere notice waits for a decision', () => {
  const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SessionEnd', 'New', ''];
  expect(events.filter(qwen.decides)).toEqual(['PreToolUse', 'New', '']);
});

describe('what it writes', () => {
  const refusal: Refusal = {
    error_code: 'INTENT_REQUIRED',
    message: 'You must cite a valid active Intent ID before mutating tools.',
    recoverable: true,
    required_action: 'Call begin_work, then repeat this call',
    remedy: { tool: 'begin_work', args: {} },
    also_missing: [],
  };
  const recorded = undefined as never;
  const context = (text: string | null): HookAnswer => ({ kind: 'context', recorded, text });
  const wrote = (name: string, answer: HookAnswer): unknown => JSON.parse(qwen.write(readFrom(named(name)), answer));
  const permission = (permissionDecision: string, permissionDecisionReason: string) => ({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
  });

  test('trouble denies before a tool and is silent everywhere else; our own tools pass', () => {
    const trouble: HookAnswer = { kind: 'trouble', refusal };
    expect(wrote('preEdit', trouble)).toEqual(permission('deny', explain(refusal, ownToolName)));
    expect(wrote('preOwnMcp', context(null))).toEqual(permission('allow', 'a tool of the gate itself'));
    for (const name of ['sessionStart', 'prompt', 'postEdit', 'postFailure', 'stop', 'sessionEnd'])
      expect([name, wrote(name, trouble)]).toEqual([name, {}]);
  });

  test('a text reaches the model at the start and with a prompt; at the end of a turn it sends back, or tells the human', () => {
    const said = (hookEventName: string) => ({ hookSpecificOutput: { hookEventName, additionalContext: 'Countersign: x' } });
    expect([
      wrote('sessionStart', context('Countersign: x')),
      wrote('prompt', context('Countersign: x')),
      wrote('continuation', context(null)),
      wrote('stop', context('Countersign: x')),
      wrote('stop', { kind: 'send_back', recorded, reason: 'Countersign: a check fails' }),
    ]).toEqual([
      said('SessionStart'),
      said('UserPromptSubmit'),
      {},
      { systemMessage: 'Countersign: x' },
      { decision: 'block', reason: 'Countersign: a check fails' },
    ]);
  });
});
