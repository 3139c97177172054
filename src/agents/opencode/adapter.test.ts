import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { Fault, Refusal } from '../../protocol/index.ts';
import type { HookAnswer, HookEvent } from '../adapter.ts';
import { explain } from '../explain.ts';
import { opencode } from './adapter.ts';
import { CHILD, CWD, payloads, pre, SESSION } from './payloads.fixture.ts';
import { ownToolName } from './translate.ts';

const common = { nativeSession: SESSION, cwd: CWD, planning: false, model: 'fake' };
const file = `${CWD}/src/auth/login.ts`;
const tool = (name: string, input: unknown) => ({ kind: 'tool', tool: name, input });
const edit = tool('edit_file', { path: file, edits: [{ old_text: 'return null', new_text: 'return undefined' }] });
const called = (name: string) => ({ tool: name, callId: 'call_00000fej8oz23q96' });
const before = (name: string, call: unknown) => ({ ...common, kind: 'before', native: called(name), call });
const after = (name: string, payload: string) => ({
  ...common,
  kind: 'after',
  native: called(name),
  output: payloads[payload]![1]['tool_response'],
  failed: false,
});

const READINGS: readonly [payload: string, event: unknown][] = [
  ['sessionStart', { ...common, kind: 'session_start' }],
  ['prompt', { ...common, kind: 'prompt', turn: 'msg_1e08dbcb0001x1ZAXhR4FcBWZR', text: 'fix the login' }],
  ['preRead', before('read', tool('read_file', { path: file }))],
  ['preEdit', before('edit', edit)],
  ['preShell', before('bash', tool('run_command', { command: 'rm -rf build' }))],
  ['preForeignMcp', before('mini_echo', tool('call_unknown', { name: 'mini_echo', arguments: { text: 'hi' } }))],
  ['preOwnMcp', before('countersign_begin_work', { kind: 'own', tool: 'begin_work', input: {} })],
  ['preOfSubagent', { ...before('edit', edit), agentId: CHILD }],
  ['preWhilePlanning', { ...before('edit', edit), planning: true }],
  ['postEdit', after('edit', 'postEdit')],
  ['postShell', after('bash', 'postShell')],
  ['postForeignMcp', after('mini_echo', 'postForeignMcp')],
  ['stop', { ...common, kind: 'stop', continued: true }],
];

const readNamed = (name: string): HookEvent => opencode.read(...payloads[name]!);

describe('what it reads', () => {
  test.each(READINGS)('%s', (name, event) => expect(readNamed(name)).toEqual(event));

  verifies('N1', 'every payload of opencode is in the table', () => {
    expect(READINGS.map(([name]) => name)).toEqual(Object.keys(payloads));
  });

  test('what it cannot read is a bad request', () => {
    for (const payload of [null, 1, [], {}, { session_id: 's' }, { session_id: '', cwd: '/' }])
      for (const event of ['session.created', 'tool.execute.before', 'tool.execute.after', 'session.idle'])
        expect(() => opencode.read(event, payload)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }) as Fault);
    expect(() => opencode.read('tool.execute.before', pre('edit', { path: file }))).toThrow(
      'edit: its input does not have the form that this client is known to send',
    );
    expect(() => opencode.read('session.error', payloads['stop']![1])).toThrow(
      'The hook event session.error is not one that Countersign installs',
    );
  });
});

test('what is not known to be a mere notice waits for a decision', () => {
  const events = ['session.created', 'chat.message', 'tool.execute.before', 'tool.execute.after', 'session.idle', 'permission.ask', ''];
  expect(events.filter(opencode.decides)).toEqual(['tool.execute.before', 'permission.ask', '']);
});

test('trouble denies before a tool, and is silent everywhere else; a text is given to the plugin', () => {
  const refusal: Refusal = {
    error_code: 'INTENT_REQUIRED',
    message: 'You must cite a valid active Intent ID before mutating tools.',
    recoverable: true,
    required_action: 'Call begin_work, then repeat this call',
    remedy: { tool: 'begin_work', args: {} },
    also_missing: [],
  };
  const wrote = (name: string, answer: HookAnswer): unknown => JSON.parse(opencode.write(readNamed(name), answer));
  const trouble: HookAnswer = { kind: 'trouble', refusal };
  expect(wrote('preEdit', trouble)).toEqual({ deny: explain(refusal, ownToolName) });
  expect(explain(refusal, ownToolName)).toContain('Call: countersign_begin_work {}');
  for (const name of ['sessionStart', 'prompt', 'postEdit', 'stop']) expect([name, wrote(name, trouble)]).toEqual([name, {}]);
  const context: HookAnswer = { kind: 'context', recorded: undefined as never, text: 'Countersign: x' };
  expect(['sessionStart', 'prompt', 'preOwnMcp', 'stop'].map((name) => wrote(name, context))).toEqual([
    { context: 'Countersign: x' },
    { context: 'Countersign: x' },
    {},
    {},
  ]);
});
