import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { Fault, Refusal } from '../../protocol/index.ts';
import type { HookAnswer, HookEvent } from '../adapter.ts';
import { explain } from '../explain.ts';
import { cline } from './adapter.ts';
import { CALL, CWD, payloads, pre, ROOT_SESSION } from './payloads.fixture.ts';
import { ownToolName } from './translate.ts';

const common = { nativeSession: ROOT_SESSION, cwd: CWD, planning: false };
const file = `${CWD}/src/auth/login.ts`;
const tool = (name: string, input: unknown) => ({ kind: 'tool', tool: name, input });
const edit = tool('edit_file', { path: file, edits: [{ old_text: 'return null', new_text: 'return undefined' }] });
const before = (name: string, call: unknown) => ({ ...common, kind: 'before', native: { tool: name, callId: CALL }, call });
const after = (output: unknown, failed: boolean) => ({
  ...common,
  kind: 'after',
  native: { tool: 'editor', callId: CALL },
  output,
  failed,
});

const READINGS: readonly [payload: string, event: unknown][] = [
  ['sessionStart', { ...common, kind: 'prompt', turn: null, text: null }],
  ['prompt', { ...common, kind: 'prompt', turn: null, text: 'fix the login' }],
  ['preRead', before('read_files', tool('read_file', { path: file }))],
  ['preEdit', before('editor', edit)],
  ['preShell', { ...before('run_commands', tool('run_command', { command: 'rm -rf build' })), commands: ['rm -rf build'] }],
  ['preForeignMcp', before('mini__echo', tool('call_unknown', { name: 'mini__echo', arguments: { text: 'hi' } }))],
  ['preOwnMcp', before('countersign__begin_work', { kind: 'own', tool: 'begin_work', input: {} })],
  ['preOfSubagent', { ...before('editor', edit), agentId: 'agent_2' }],
  ['postEdit', after({ query: 'edit', result: 'Edited', success: true }, false)],
  ['postFailure', after('no match', true)],
  ['stop', { ...common, kind: 'stop', continued: true }],
  ['sessionEnd', { ...common, kind: 'session_end', reason: 'ended' }],
];

const readNamed = (name: string): HookEvent => cline.read(...payloads[name]!);

describe('what it reads', () => {
  test.each(READINGS)('%s', (name, event) => expect(readNamed(name)).toEqual(event));

  verifies('N1', 'every recorded payload of Cline is in the table', () => {
    expect(READINGS.map(([name]) => name)).toEqual(Object.keys(payloads));
  });

  test('a task of a sub-agent is not a prompt of a human', () => {
    const [event, payload] = payloads['sessionStart']!;
    const ofSubagent = { ...(payload as object), agent_id: 'agent_2', parent_agent_id: 'agent_1' };
    expect(cline.read(event, ofSubagent)).toEqual({ ...common, kind: 'session_start', agentId: 'agent_2' });
  });

  test('what it cannot read is a bad request', () => {
    for (const payload of [null, 1, [], {}, { taskId: 't' }, { taskId: 't', workspaceRoots: [] }])
      for (const event of ['TaskStart', 'PreToolUse', 'PostToolUse', 'TaskComplete'])
        expect(() => cline.read(event, payload)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }) as Fault);
    expect(() => cline.read('PreToolUse', pre('editor', { file }))).toThrow(
      'editor: its input does not have the form that this client is known to send',
    );
    expect(() => cline.read('PreCompact', payloads['stop']![1])).toThrow('The hook event PreCompact is not one that Countersign installs');
  });
});

test('what is not known to be a mere notice waits for a decision', () => {
  const events = [...new Set(Object.values(payloads).map(([event]) => event)), 'TaskResume', 'TaskCancel', 'TaskError', 'PreCompact', ''];
  expect(events.filter(cline.decides)).toEqual(['PreToolUse', 'PreCompact', '']);
});

test('a refusal cancels, which is the only word that Cline heeds; everywhere else it is silent', () => {
  const refusal: Refusal = {
    error_code: 'INTENT_REQUIRED',
    message: 'You must cite a valid active Intent ID before mutating tools.',
    recoverable: true,
    required_action: 'Call begin_work, then repeat this call',
    remedy: { tool: 'begin_work', args: {} },
    also_missing: [],
  };
  const wrote = (name: string, answer: HookAnswer): unknown => JSON.parse(cline.write(readNamed(name), answer));
  const trouble: HookAnswer = { kind: 'trouble', refusal };
  expect(wrote('preEdit', trouble)).toEqual({ cancel: true, errorMessage: explain(refusal, ownToolName) });
  expect(wrote('preOwnMcp', { kind: 'context', recorded: undefined as never, text: null })).toEqual({});
  for (const name of ['sessionStart', 'prompt', 'postEdit', 'stop', 'sessionEnd']) expect([name, wrote(name, trouble)]).toEqual([name, {}]);
});
