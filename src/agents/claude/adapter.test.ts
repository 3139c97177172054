import { describe, expect, test } from 'vitest';
import { Fault, type Refusal } from '../../protocol/index.ts';
import type { HookAnswer, HookEvent } from '../adapter.ts';
import { explain } from '../explain.ts';
import { claude } from './adapter.ts';
import { CWD, payloads } from './payloads.fixture.ts';
import { ownToolName } from './translate.ts';

const common = {
  nativeSession: '5b0c9c1e-0b1f-4b56-8a52-0f4b8e2d9a11',
  cwd: CWD,
  planning: false,
  transcript: '/home/ada/.claude/projects/-home-ada-login/5b0c9c1e-0b1f-4b56-8a52-0f4b8e2d9a11.jsonl',
};
const file = `${CWD}/src/auth/login.ts`;
const edit = { kind: 'tool', tool: 'edit_file', input: { path: file, edits: [{ old_text: 'return null', new_text: 'return undefined' }] } };
const called = (tool: string) => ({ tool, callId: 'toolu_01A' });
const response = (name: string) => payloads[name]?.['tool_response'];

const READINGS: readonly [payload: string, event: unknown][] = [
  ['sessionStart', { ...common, kind: 'session_start' }],
  ['prompt', { ...common, kind: 'prompt', turn: 'e8b1c8e0-6a39-4c0c-9d0a-2f0a6a3f1f77', text: expect.any(String) as string }],
  ['preRead', { ...common, kind: 'before', native: called('Read'), call: { kind: 'tool', tool: 'read_file', input: { path: file } } }],
  ['preEdit', { ...common, kind: 'before', native: called('Edit'), call: edit }],
  [
    'preBash',
    { ...common, kind: 'before', native: called('Bash'), call: { kind: 'tool', tool: 'run_command', input: { command: 'rm -rf build' } } },
  ],
  [
    'preForeignMcp',
    {
      ...common,
      kind: 'before',
      native: called('mcp__mini__echo'),
      call: { kind: 'tool', tool: 'call_unknown', input: { name: 'mcp__mini__echo', arguments: { text: 'hi' } } },
    },
  ],
  [
    'preOwnMcp',
    { ...common, kind: 'before', native: called('mcp__countersign__begin_work'), call: { kind: 'own', tool: 'begin_work', input: {} } },
  ],
  ['preOfSubagent', { ...common, kind: 'before', agentId: 'a3069ce257290fef2', native: called('Edit'), call: edit }],
  ['preWhilePlanning', { ...common, kind: 'before', planning: true, native: called('Edit'), call: edit }],
  ['postEdit', { ...common, kind: 'after', native: called('Edit'), output: response('postEdit'), failed: false }],
  ['postBash', { ...common, kind: 'after', native: called('Bash'), output: response('postBash'), failed: false }],
  ['postForeignMcp', { ...common, kind: 'after', native: called('mcp__mini__echo'), output: response('postForeignMcp'), failed: false }],
  ['postFailure', { ...common, kind: 'after', native: called('Bash'), output: 'Exit code 3', failed: true }],
  ['stop', { ...common, kind: 'stop', continued: false }],
  ['sessionEnd', { ...common, kind: 'session_end', reason: 'other' }],
];

const readFrom = (payload: Readonly<Record<string, unknown>>): HookEvent => claude.read(String(payload['hook_event_name']), payload);
const payloadNamed = (name: string) => payloads[name]!;

describe('what it reads', () => {
  test.each(READINGS)('%s', (name, event) => expect(readFrom(payloadNamed(name))).toEqual(event));

  test('every payload of the corpus is in the table', () => {
    expect(READINGS.map(([name]) => name)).toEqual(Object.keys(payloads));
  });

  test('fields that it does not know are no trouble: clients add some', () => {
    const payload = { ...payloadNamed('preEdit'), effort: { level: 'high' }, new_in_next_version: [1] };
    expect(readFrom(payload)).toEqual(readFrom(payloadNamed('preEdit')));
  });

  test('what is only sometimes there may be missing', () => {
    const { prompt_id: _prompt, permission_mode: _mode, transcript_path: _path, tool_use_id: _id, ...least } = payloadNamed('preEdit');
    const { transcript: _transcript, ...rest } = common;
    expect(readFrom(least)).toEqual({ ...rest, kind: 'before', native: { tool: 'Edit' }, call: edit });
    const { reason: _reason, ...ended } = payloadNamed('sessionEnd');
    expect(readFrom(ended)).toMatchObject({ reason: 'ended' });
  });
});

describe('what it cannot read is a bad request', () => {
  const without = (payload: Readonly<Record<string, unknown>>, field: string) =>
    Object.fromEntries(Object.entries(payload).filter(([name]) => name !== field));
  const odd = [null, 0, true, [], {}, ''];

  const needed: readonly [payload: string, fields: readonly string[]][] = [
    ['sessionStart', ['session_id', 'cwd']],
    ['preEdit', ['session_id', 'cwd', 'tool_name', 'tool_input']],
    ['postEdit', ['session_id', 'cwd', 'tool_name', 'tool_input']],
  ];
  const cases = needed.flatMap(([name, fields]) => fields.map((field) => [name, field] as const));
  test.each(cases)('%s without %s, or with something else in its place', (name, field) => {
    const payload = payloadNamed(name);
    const values = field === 'tool_input' ? odd.filter((value) => JSON.stringify(value) !== '{}') : odd;
    for (const broken of [without(payload, field), ...values.map((value) => ({ ...payload, [field]: value }))]) {
      expect(() => readFrom(broken)).toThrow(
        expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringContaining(field) as string }) as Fault,
      );
    }
  });

  test.each([null, undefined, 1, 'text', [], [{}], {}])('a payload of %j', (payload) => {
    for (const event of ['SessionStart', 'PreToolUse', 'PostToolUse', 'Stop']) expect(() => claude.read(event, payload)).toThrow(Fault);
  });

  test('a known tool whose input has another form is not guessed at', () => {
    const payload = { ...payloadNamed('preEdit'), tool_input: { filePath: file } };
    expect(() => readFrom(payload)).toThrow(
      new Fault('BAD_REQUEST', 'Edit: its input does not have the form that this client is known to send', {
        fix: 'Tell a human: this client speaks a dialect that this version of the gate does not know',
      }),
    );
  });

  test('an event that was never installed', () => {
    expect(() => claude.read('PreCompact', payloadNamed('stop'))).toThrow('The hook event PreCompact is not one that Countersign installs');
  });
});

test('what is not known to be a mere notice waits for a decision', () => {
  const events = [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'Stop',
    'SessionEnd',
    'PermissionRequest',
    '',
  ];
  expect(events.filter(claude.decides)).toEqual(['PreToolUse', 'PermissionRequest', '']);
});

describe('what it writes', () => {
  const refusal: Refusal = {
    error_code: 'INTENT_REQUIRED',
    message: 'You must cite a valid active Intent ID before mutating tools.',
    recoverable: true,
    required_action: 'Call begin_work, then repeat this call',
    remedy: { tool: 'begin_work', args: { intent: 'INT-001' } },
    also_missing: [{ error_code: 'MODE_REQUIRED', message: 'No mode is declared.' }],
    approval_id: 'apr_00000000000000000000000000',
  };
  const trouble: HookAnswer = { kind: 'trouble', refusal };

  test('a refusal as an agent reads it: what, what to do, the very call, the question, what else', () => {
    expect(explain({ ...refusal, error_code: 'APPROVAL_REQUIRED' }, ownToolName)).toBe(
      [
        'Countersign APPROVAL_REQUIRED: You must cite a valid active Intent ID before mutating tools.',
        'What to do: Call begin_work, then repeat this call.',
        'Call: mcp__countersign__begin_work {"intent":"INT-001"}',
        'Question for the human: apr_00000000000000000000000000',
        'Also missing: No mode is declared. [MODE_REQUIRED]',
      ].join('\n'),
    );
  });

  test('an agent that is sent back at the end of its turn gets the reason', () => {
    const answer: HookAnswer = { kind: 'send_back', recorded: undefined as never, reason: 'Countersign: a check fails' };
    const stop = claude.read('Stop', { session_id: 's', cwd: '/home/ada/login', stop_hook_active: true });
    expect([stop, JSON.parse(claude.write(stop, answer))]).toEqual([
      { kind: 'stop', continued: true, nativeSession: 's', cwd: '/home/ada/login', planning: false },
      { decision: 'block', reason: 'Countersign: a check fails' },
    ]);
  });

  test('trouble denies before a tool, and is silent everywhere else', () => {
    expect(JSON.parse(claude.write(readFrom(payloadNamed('preRead')), trouble))).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: explain(refusal, ownToolName),
      },
    });
    for (const name of ['sessionStart', 'prompt', 'postEdit', 'postFailure', 'stop', 'sessionEnd']) {
      expect([name, claude.write(readFrom(payloadNamed(name)), trouble)]).toEqual([name, '{}']);
    }
  });
});
