import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { Fault, type Refusal } from '../../protocol/index.ts';
import type { HookAnswer, HookEvent } from '../adapter.ts';
import { idFromInput } from '../payload.ts';
import { cursor } from './adapter.ts';
import { base, CWD, mcp, OWN, payloads, pre, TRANSCRIPT } from './payloads.fixture.ts';

const common = {
  ...{ nativeSession: 'c5f3a0b2-0c8e-4d5b-9a43-2f9f0a6a1e11', cwd: CWD, planning: false },
  ...{ transcript: TRANSCRIPT, model: 'composer-2' },
};
const file = `${CWD}/src/auth/login.ts`;
const before = (tool: string, call: unknown, callId = 'tool_1') => ({ ...common, kind: 'before', native: { tool, callId }, call });
const after = (tool: string, output: unknown, failed: boolean, callId = 'tool_1') => ({
  ...common,
  kind: 'after',
  native: { tool, callId },
  output,
  failed,
});
const tool = (name: string, input: unknown) => ({ kind: 'tool', tool: name, input });
const echo = idFromInput('echo', { text: 'hi' });
const begin = idFromInput('begin_work', {});

const READINGS: readonly [payload: string, event: unknown][] = [
  ['sessionStart', { ...common, kind: 'session_start' }],
  ['prompt', { ...common, kind: 'prompt', turn: '5b4f9f5c-9d7a-4d4c-8f0a-7d6a3c1b2e22', text: 'fix the login' }],
  ['preRead', before('Read', tool('read_file', { path: file }))],
  ['preWrite', before('Write', tool('write_file', { path: file, content: 'export {};\n' }))],
  [
    'preReplace',
    before('StrReplace', tool('edit_file', { path: file, edits: [{ old_text: 'return null', new_text: 'return undefined' }] })),
  ],
  ['preDelete', before('Delete', tool('delete_file', { path: file }))],
  ['preShell', before('Shell', tool('run_command', { command: 'rm -rf build' }))],
  ['preGrep', before('Grep', tool('search_files', { pattern: 'login', path: 'src' }))],
  ['preTask', before('Task', tool('consult_self', { name: 'Task' }))],
  ['preMcp', before('MCP:echo', tool('consult_self', { name: 'MCP:echo' }))],
  ['mcpForeign', before('MCP:echo', tool('call_unknown', { name: 'MCP:echo', arguments: { text: 'hi' } }), echo)],
  ['mcpByAddress', before('MCP:begin_work', tool('call_unknown', { name: 'MCP:begin_work', arguments: {} }), begin)],
  ['mcpOwn', before('MCP:begin_work', { kind: 'own', tool: 'begin_work', input: {} }, begin)],
  ['postWrite', after('Write', '{"ok":true}', false)],
  ['postMcp', after('MCP:echo', 'hi', false, echo)],
  ['postFailure', after('Shell', 'exit 1', true)],
  ['stop', { ...common, kind: 'stop', continued: false }],
  ['stopAgain', { ...common, kind: 'stop', continued: true }],
  ['stopAborted', { ...common, kind: 'stop', continued: true }],
  ['sessionEnd', { ...common, kind: 'session_end', reason: 'window_close' }],
];

const readFrom = (payload: Readonly<Record<string, unknown>>): HookEvent => cursor.read(String(payload['hook_event_name']), payload);

describe('what it reads', () => {
  test.each(READINGS)('%s', (name, event) => expect(readFrom(payloads[name]!)).toEqual(event));

  verifies('N1', 'every documented payload of Cursor is in the table', () => {
    expect(READINGS.map(([name]) => name)).toEqual(Object.keys(payloads));
  });

  test('a tool is ours by the server’s command line, not by its name', () => {
    for (const command of [
      'countersign mcp',
      '"/a b/countersign" mcp',
      'node countersign mcp',
      '/x/countersign-evil mcp',
      'countersign',
      'x; countersign mcp',
    ])
      expect(readFrom(mcp('begin_work', '{}', { command }))).toMatchObject({
        call: { kind: command === 'countersign mcp' ? 'own' : 'tool' },
      });
    expect(readFrom(mcp('begin_work', '{}', {}))).toMatchObject({ call: { kind: 'tool', tool: 'call_unknown' } });
    expect(readFrom(mcp('begin_work', '', OWN))).toMatchObject({ call: { kind: 'own', input: {} } });
  });

  test('a write in an unknown form is bound to all that was given', () => {
    const { call } = readFrom(pre('Write', { file_path: 'a', diff: 'x' })) as Extract<HookEvent, { kind: 'before' }>;
    expect(call).toEqual(tool('write_file', { path: 'a', content: '{"file_path":"a","diff":"x"}' }));
  });

  test('what cannot be read is a bad request, and is decided as a change', () => {
    const bad = [
      null,
      1,
      {},
      { conversation_id: 'c' },
      base('preToolUse', { tool_name: 'Write', tool_input: 'x' }),
      pre('Write', {}),
      mcp('x', '[1]', OWN),
      mcp('x', '{', OWN),
    ];
    for (const payload of bad)
      expect(() => cursor.read(String((payload as { hook_event_name?: string } | null)?.hook_event_name ?? 'preToolUse'), payload)).toThrow(
        Fault,
      );
    expect(() => cursor.read('beforeTabFileRead', base('x'))).toThrow(Fault);
    expect(['preToolUse', 'beforeMCPExecution', 'whatever', 'stop', 'postToolUse'].map(cursor.decides)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test('any payload is read or refused', () => {
    const input = fc.dictionary(
      fc.constantFrom('file_path', 'path', 'command', 'old_string', 'contents', 'pattern', 'todos', 'x'),
      fc.jsonValue(),
    );
    const events = fc.constantFrom('preToolUse', 'beforeMCPExecution', 'postToolUse', 'stop', 'beforeSubmitPrompt', 'sessionEnd');
    const tools = fc.constantFrom('Read', 'Write', 'StrReplace', 'Shell', 'Grep', 'Task', 'TodoWrite', 'MCP:x', 'constructor', '__proto__');
    const field = fc.oneof(input, fc.json(), fc.jsonValue());
    fc.assert(
      fc.property(events, tools, field, fc.jsonValue(), (event, tool_name, tool_input, more) => {
        try {
          const read = cursor.read(event, base(event, { tool_name, tool_input, loop_count: more, prompt: more }));
          expect(read.cwd).toBe(CWD);
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('what it says', () => {
  const refusal: Refusal = {
    ...{ error_code: 'INTENT_REQUIRED', message: 'No intent.', recoverable: true, required_action: 'Begin work' },
    ...{ remedy: { tool: 'begin_work', args: {} }, also_missing: [] },
  };
  const event = (name: string): HookEvent => readFrom(payloads[name]!);
  const recorded = (outcome: unknown) => ({ kind: 'recorded', recorded: { outcome } }) as unknown as HookAnswer;
  const context = (text: string | null) => ({ kind: 'context', recorded: {}, text }) as unknown as HookAnswer;
  const said = (name: string, answer: HookAnswer) => JSON.parse(cursor.write(event(name), answer)) as unknown;

  test('never nothing at all: silence is a failure there', () => {
    for (const name of Object.keys(payloads))
      for (const answer of [recorded({ kind: 'observed' }), context(null), context('x'), { kind: 'trouble', refusal } as const])
        expect(Object.getPrototypeOf(said(name, answer))).toBe(Object.prototype);
  });

  test('a refusal denies, with the way out for the agent; everything else allows', () => {
    const words = expect.stringMatching(
      /^Countersign INTENT_REQUIRED: No intent\.\nWhat to do: Begin work\.\nCall: begin_work \{\}$/,
    ) as string;
    expect(said('preWrite', recorded({ kind: 'refused', refusal }))).toEqual({
      permission: 'deny',
      user_message: words,
      agent_message: words,
    });
    expect(said('mcpForeign', { kind: 'trouble', refusal })).toMatchObject({ permission: 'deny' });
    expect(said('preWrite', recorded({ kind: 'admitted', approval: null }))).toEqual({ permission: 'allow' });
    expect(said('mcpOwn', context(null))).toEqual({ permission: 'allow' });
  });

  test('the turn goes on with a follow-up; prompts go on; a session begins with what to know', () => {
    expect(said('stop', { kind: 'send_back', recorded: {}, reason: 'Run the tests' } as unknown as HookAnswer)).toEqual({
      followup_message: 'Run the tests',
    });
    expect(said('stop', context('note'))).toEqual({});
    expect(said('prompt', context('x'))).toEqual({ continue: true });
    expect(said('sessionStart', context('x'))).toEqual({ additional_context: 'x' });
  });
});
