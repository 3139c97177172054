import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fault, type Refusal } from '../../protocol/index.ts';
import { claude } from '../claude/adapter.ts';
import { senderOf } from '../sender.ts';
import { vscode } from '../vscode/adapter.ts';
import { payloads as vscodePayloads } from '../vscode/payloads.fixture.ts';
import { copilot } from './adapter.ts';
import { AT, CWD, EDIT, payloads, SESSION } from './payloads.fixture.ts';

const common = { nativeSession: SESSION, cwd: CWD, planning: false, copy: String(AT) };
const read = (event: string, name: string) => copilot.read(event, payloads[name]);

test('every event of a session is read', () => {
  expect(read('sessionStart', 'sessionStart')).toEqual({ kind: 'session_start', ...common });
  expect(read('userPromptSubmitted', 'prompt')).toEqual({ kind: 'prompt', turn: null, text: 'do the task', ...common });
  expect(read('agentStop', 'stop')).toEqual({ kind: 'stop', continued: true, ...common });
  expect(read('sessionEnd', 'sessionEnd')).toEqual({ kind: 'session_end', reason: 'complete', ...common });
  expect(read('postToolUse', 'postEdit')).toMatchObject({ kind: 'after', failed: false, output: { resultType: 'success' } });
  expect(read('postToolUseFailure', 'postFailure')).toMatchObject({ kind: 'after', failed: true, output: 'Agent not found' });
});

const patch = '*** Begin Patch\n*** Delete File: src/a.ts\n*** End Patch\n';
const edits = [{ old_text: 'a = 1', new_text: 'a = 2' }];
const CALLS: readonly [string, object][] = [
  ['preEdit', { kind: 'tool', tool: 'edit_file', input: { path: EDIT.path, edits } }],
  ['preEditAsText', { kind: 'tool', tool: 'edit_file', input: { path: EDIT.path, edits } }],
  ['preView', { kind: 'tool', tool: 'read_file', input: { path: EDIT.path } }],
  ['preCreate', { kind: 'tool', tool: 'write_file', input: { path: `${CWD}/src/n.ts`, content: 'x\n' } }],
  ['preBash', { kind: 'tool', tool: 'run_command', input: { command: 'rm -rf build' } }],
  ['prePatch', { kind: 'tool', tool: 'apply_patch', input: { patch } }],
  ['preGrep', { kind: 'tool', tool: 'read_files', input: { paths: ['src', 'test'] } }],
  ['preGlob', { kind: 'tool', tool: 'list_files', input: { glob: '*.ts', path: 'src' } }],
  ['preTodo', { kind: 'tool', tool: 'list_steps', input: { name: 'update_todo', steps: ['one', 'two'] } }],
  ['preTask', { kind: 'tool', tool: 'consult_self', input: { name: 'task' } }],
  ['preOwnMcp', { kind: 'own', tool: 'begin_work', input: {} }],
  ['preForeignMcp', { kind: 'tool', tool: 'call_unknown', input: { name: 'mini-echo', arguments: { text: 'hi' } } }],
];
test.each(CALLS)('%s is said in the registry’s words', (name, call) => {
  expect(copilot.read('preToolUse', payloads[name])).toMatchObject({ kind: 'before', call });
});

test('a sub-agent belongs to the session that started it', () => {
  expect(read('preToolUse', 'preOfSubagent')).toMatchObject({ nativeSession: SESSION, agentId: '861e3cdf-bbaf-4960-be46-a042e860dea1' });
});

test('the same call, heard by hooks of two files, is one event', () => {
  const { native, ...own } = read('preToolUse', 'preEdit') as { native: object; copy: string };
  const { native: foreign, ...other } = read('PreToolUse', 'snakePreEdit') as { native: object; copy: string };
  expect(other).toEqual(own);
  expect([native, foreign]).toEqual([
    { tool: 'edit', callId: (native as { callId: string }).callId },
    { tool: 'Edit', callId: (native as { callId: string }).callId },
  ]);
});

test('what comes through Claude Code’s hooks is known for whose it is', () => {
  const sentTo = (adapter: typeof claude, payload: unknown) => senderOf({ adapter, event: 'PreToolUse', payload }).adapter.name;
  for (const name of ['snakeSessionStart', 'snakePrompt', 'snakePreEdit', 'snakePreRead', 'snakeStop'])
    expect([name, sentTo(claude, payloads[name])]).toEqual([name, 'copilot']);
  for (const [name, payload] of Object.entries(vscodePayloads)) {
    expect([name, sentTo(claude, payload), sentTo(copilot, payload)]).toEqual([name, 'vscode', 'vscode']);
    expect(sentTo(vscode, payload)).toBe('vscode');
  }
  for (const payload of [null, 'x', [], {}, { session_id: 's' }]) expect(sentTo(claude, payload)).toBe('claude');
});

const refusal: Refusal = {
  error_code: 'SCOPE_VIOLATION',
  message: 'm',
  recoverable: true,
  required_action: 'r',
  remedy: null,
  also_missing: [],
};

test('a denial stands in both forms', () => {
  const said = { permissionDecision: 'deny', permissionDecisionReason: 'Countersign SCOPE_VIOLATION: m\nWhat to do: r.' };
  expect(JSON.parse(copilot.write(read('preToolUse', 'preEdit'), { kind: 'trouble', refusal }))).toEqual({
    ...said,
    hookSpecificOutput: { hookEventName: 'PreToolUse', ...said },
  });
  expect(copilot.write(read('agentStop', 'stop'), { kind: 'trouble', refusal })).toBe('{}');
});

test('what it cannot read is a fault, never an event', () => {
  fc.assert(
    fc.property(fc.constantFrom('sessionStart', 'preToolUse', 'PreToolUse', 'agentStop', 'x'), fc.anything(), (event, payload) => {
      expect(() => copilot.read(event, payload)).toThrow(Fault);
    }),
    { numRuns: 300 },
  );
});

test('any input of a known tool is read, or refused as a fault', () => {
  const tools = [
    'edit',
    'Edit',
    'create',
    'view',
    'bash',
    'grep',
    'glob',
    'apply_patch',
    'update_todo',
    'web_fetch',
    'write_bash',
    '__proto__',
  ];
  const input = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(fc.constantFrom(...tools), input, (toolName, toolArgs) => {
      try {
        expect(copilot.read('preToolUse', { ...payloads['preEdit'], toolName, toolArgs }).kind).toBe('before');
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
      }
    }),
    { numRuns: 500 },
  );
});
