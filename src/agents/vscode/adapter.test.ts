import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fault } from '../../protocol/index.ts';
import { describeCall } from '../../tools/registry.fixture.ts';
import { vscode } from './adapter.ts';
import { CWD, payloads } from './payloads.fixture.ts';
import { translate } from './translate.ts';

const base = { nativeSession: 'session-of-vscode', cwd: CWD, planning: false };

test('events are read in both spellings, and copies of one are known', () => {
  const create = { kind: 'tool', tool: 'write_file', input: { path: `${CWD}/src/n.ts`, content: 'x' } };
  const expected = { kind: 'before', native: { tool: 'create_file', callId: 'tool-1' }, call: create, copy: 'tool-1', ...base };
  expect(vscode.read('PreToolUse', payloads['preCreate'])).toEqual(expected);
  expect(vscode.read('preToolUse', payloads['camelPre'])).toEqual(expected);
  expect(vscode.read('Stop', payloads['stop'])).toEqual({ kind: 'stop', continued: false, copy: '1794768893605', ...base });
  expect(vscode.read('UserPromptSubmit', payloads['prompt'])).toMatchObject({ kind: 'prompt', text: 'fix the login' });
});

const CALLS: readonly [string, object][] = [
  ['preReplace', { tool: 'edit_file', input: { path: `${CWD}/src/a.ts`, edits: [{ old_text: 'a', new_text: 'b' }] } }],
  ['preTerminal', { tool: 'run_command', input: { command: 'npm test' } }],
  ['preRead', { tool: 'read_file', input: { path: `${CWD}/src/a.ts` } }],
  ['preOwnMcp', { kind: 'own', tool: 'begin_work', input: {} }],
];
test.each(CALLS)('%s is said in the registry’s words', (name, call) => {
  expect(vscode.read('PreToolUse', payloads[name])).toMatchObject({ call });
});

test('replacements in several files name every file', () => {
  const replacements = ['src/a.ts', 'src/b.ts', 'src/a.ts'].map((filePath) => ({ filePath, oldString: 'a\nb', newString: 'c' }));
  const said = translate('multi_replace_string_in_file', { replacements });
  const { resources, effects } = describeCall(said.tool, said.input, { root: CWD, cwd: CWD });
  expect([said.tool, effects, resources.map((resource) => ('path' in resource ? resource.path : null))]).toEqual([
    'apply_patch',
    ['write'],
    ['src/a.ts', 'src/b.ts'],
  ]);
  expect(translate('multi_replace_string_in_file', { replacements: replacements.slice(0, 1) }).tool).toBe('edit_file');
});

test('sent back, a turn goes on', () => {
  const event = vscode.read('Stop', payloads['stop']);
  const said = vscode.write(event, { kind: 'send_back', recorded: null as never, reason: 'not yet' });
  expect(JSON.parse(said)).toEqual({ hookSpecificOutput: { hookEventName: 'Stop', decision: 'block', reason: 'not yet' } });
});

test('what it cannot read is a fault, never an event', () => {
  fc.assert(
    fc.property(fc.constantFrom('SessionStart', 'PreToolUse', 'Stop', 'x'), fc.anything(), (event, payload) => {
      expect(() => vscode.read(event, payload)).toThrow(Fault);
    }),
    { numRuns: 200 },
  );
});

test('any input of a known tool is read, or refused as a fault', () => {
  const tools = [
    'create_file',
    'replace_string_in_file',
    'multi_replace_string_in_file',
    'run_in_terminal',
    'manage_todo_list',
    'fetch_webpage',
    '__proto__',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...tools), fc.dictionary(fc.string(), fc.jsonValue()), (tool_name, tool_input) => {
      try {
        expect(vscode.read('PreToolUse', { ...payloads['preRead'], tool_name, tool_input }).kind).toBe('before');
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
      }
    }),
    { numRuns: 300 },
  );
});
