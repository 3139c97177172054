import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { Fault, Refusal } from '../../protocol/index.ts';
import type { HookAnswer, HookEvent } from '../adapter.ts';
import { explain } from '../explain.ts';
import { idFromInput } from '../payload.ts';
import { gemini } from './adapter.ts';
import { CWD, payloads, pre, TRANSCRIPT } from './payloads.fixture.ts';
import { ownToolName } from './translate.ts';

const common = { nativeSession: '27e139a9-eea8-4457-965c-68b14f7bf925', cwd: CWD, planning: false, transcript: TRANSCRIPT };
const file = `${CWD}/src/auth/login.ts`;
const named = (name: string): Readonly<Record<string, unknown>> => payloads[name]!;
const called = (name: string) => {
  const tool = String(named(name)['tool_name']);
  return { tool, callId: idFromInput(tool, named(name)['tool_input']) };
};
const after = (name: string, failed: boolean) => ({
  ...common,
  kind: 'after',
  native: called(name),
  output: named(name)['tool_response'],
  failed,
});
const before = (name: string, call: unknown) => ({ ...common, kind: 'before', native: called(name), call });
const tool = (name: string, input: unknown) => ({ kind: 'tool', tool: name, input });

const READINGS: readonly [payload: string, event: unknown][] = [
  ['sessionStart', { ...common, kind: 'session_start' }],
  ['prompt', { ...common, kind: 'prompt', turn: null, text: 'fix the login' }],
  ['preRead', before('preRead', tool('read_file', { path: file }))],
  ['preEdit', before('preEdit', tool('edit_file', { path: file, edits: [{ old_text: 'return null', new_text: 'return undefined' }] }))],
  ['preShell', before('preShell', tool('run_command', { command: 'rm -rf build' }))],
  ['preForeignMcp', before('preForeignMcp', tool('call_unknown', { name: 'mcp_mini_echo', arguments: { text: 'hi' } }))],
  ['preOwnMcp', before('preOwnMcp', { kind: 'own', tool: 'begin_work', input: {} })],
  ['postEdit', after('postEdit', false)],
  ['postShell', after('postShell', false)],
  ['postFailure', after('postFailure', true)],
  ['postForeignMcp', after('postForeignMcp', false)],
  ['stop', { ...common, kind: 'stop', continued: false }],
  ['stopAgain', { ...common, kind: 'stop', continued: true }],
  ['sessionEnd', { ...common, kind: 'session_end', reason: 'exit' }],
];

const readFrom = (payload: Readonly<Record<string, unknown>>): HookEvent => gemini.read(String(payload['hook_event_name']), payload);

describe('what it reads', () => {
  test.each(READINGS)('%s', (name, event) => expect(readFrom(named(name))).toEqual(event));

  verifies('N1', 'every recorded payload of Gemini CLI is in the table', () => {
    expect(READINGS.map(([name]) => name)).toEqual(Object.keys(payloads));
  });

  test('before and after know each other by what was asked, because the client names no call', () => {
    expect(called('preEdit')).toEqual(called('postEdit'));
    expect(called('preEdit')).not.toEqual(called('preShell'));
  });

  test('a tool is ours by the server that the client names, not by what it is called', () => {
    const twin = { mcp_context: { server_name: 'countersign_begin', tool_name: 'work' } };
    for (const payload of [pre('mcp_countersign_begin_work', {}), pre('mcp_countersign_begin_work', {}, twin)])
      expect(readFrom(payload)).toMatchObject({ call: tool('call_unknown', { name: 'mcp_countersign_begin_work', arguments: {} }) });
    // A server's tool with the name of a built-in tool is a different tool.
    expect(readFrom(pre('read_file', { file_path: 'x' }, { mcp_context: { server_name: 'mini', tool_name: 'read_file' } }))).toMatchObject({
      call: tool('call_unknown', { name: 'read_file', arguments: { file_path: 'x' } }),
    });
  });

  test('what it cannot read is a bad request', () => {
    for (const payload of [null, 1, [], {}, { session_id: 's' }, { session_id: '', cwd: '/' }])
      for (const event of ['SessionStart', 'BeforeTool', 'AfterTool', 'AfterAgent'])
        expect(() => gemini.read(event, payload)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }) as Fault);
    expect(() => readFrom(pre('replace', { path: file }))).toThrow(
      'replace: its input does not have the form that this client is known to send',
    );
    expect(() => gemini.read('BeforeModel', named('stop'))).toThrow('The hook event BeforeModel is not one that Countersign installs');
  });
});

test('what is not known to be a mere notice waits for a decision', () => {
  const events = ['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'SessionEnd', 'BeforeModel', ''];
  expect(events.filter(gemini.decides)).toEqual(['BeforeTool', 'BeforeModel', '']);
});

describe('what it writes', () => {
  const refusal: Refusal = {
    error_code: 'INTENT_REQUIRED',
    message: 'You must cite a valid active Intent ID before mutating tools.',
    recoverable: true,
    required_action: 'Call begin_work, then repeat this call',
    remedy: { tool: 'begin_work', args: { intent: 'INT-001' } },
    also_missing: [],
  };
  const recorded = undefined as never;
  const wrote = (name: string, answer: HookAnswer): unknown => JSON.parse(gemini.write(readFrom(named(name)), answer));

  test('trouble denies before a tool, with the call that leads on, and is silent everywhere else', () => {
    const trouble: HookAnswer = { kind: 'trouble', refusal };
    expect(wrote('preEdit', trouble)).toEqual({ decision: 'deny', reason: explain(refusal, ownToolName) });
    expect(explain(refusal, ownToolName)).toContain('Call: mcp_countersign_begin_work {"intent":"INT-001"}');
    for (const name of ['sessionStart', 'prompt', 'postEdit', 'postFailure', 'stop', 'sessionEnd'])
      expect([name, wrote(name, trouble)]).toEqual([name, {}]);
  });

  test('a text reaches the model at the start and with a prompt; at the end of a turn it sends back, or tells the human', () => {
    const context = (text: string | null): HookAnswer => ({ kind: 'context', recorded, text });
    const said = (hookEventName: string) => ({ hookSpecificOutput: { hookEventName, additionalContext: 'Countersign: x' } });
    expect([
      wrote('sessionStart', context('Countersign: x')),
      wrote('prompt', context('Countersign: x')),
      wrote('prompt', context(null)),
      wrote('preOwnMcp', context(null)),
      wrote('stop', context('Countersign: x')),
      wrote('stop', { kind: 'send_back', recorded, reason: 'Countersign: a check fails' }),
    ]).toEqual([
      said('SessionStart'),
      said('BeforeAgent'),
      {},
      {},
      { systemMessage: 'Countersign: x' },
      { decision: 'deny', reason: 'Countersign: a check fails' },
    ]);
  });
});
