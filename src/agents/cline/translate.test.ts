import { describe, expect, test } from 'vitest';
import { describeCall } from '../../tools/registry.fixture.ts';
import { readCall } from '../payload.ts';
import { CWD } from './payloads.fixture.ts';
import { READ_TOOLS, translate } from './translate.ts';

type Input = Record<string, unknown>;

function declared(tool: string, input: Input): unknown[] {
  const call = translate(tool, input);
  if (call.kind === 'own') return ['own', call.tool, call.input];
  const { tool: name, effects, resources } = describeCall(call.tool, call.input, { root: CWD, cwd: CWD });
  return [name, effects, resources];
}

const file = (path: string, access: 'read' | 'write') => [{ kind: 'file', path, access }];
const whole = (...paths: string[]) => paths.map((path) => ({ kind: 'file', path, access: 'read', whole: true }));
const exactly = (path: string) => [{ kind: 'file', path, access: 'write', targeted: true }];
const command = (text: string) => [{ kind: 'command', command: text, cwd: CWD }];
const deep = (path: string) => [{ kind: 'file', path, access: 'read', deep: true }];
const other = (name: string) => [{ kind: 'other', name }];
/** Remembered by the form of its input. */
const unknown = (name: string) => [{ kind: 'other', name, shape_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }];
const PATCH = '*** Begin Patch\n*** Add File: a.ts\n+a\n*** End Patch';

const LOOKS: readonly [tool: string, input: Input, expected: unknown[]][] = [
  ['read_files', { files: [{ path: 'a', start_line: null }] }, ['read_file', ['observe'], whole('a')]],
  ['read_files', { files: [{ path: 'a' }, { file_path: 'b' }, 'c'] }, ['read_files', ['observe'], whole('a', 'b', 'c')]],
  ['read_files', { paths: 'a' }, ['read_file', ['observe'], whole('a')]],
  [
    'read_files',
    { filePath: 'a', start_line: 4 },
    ['read_file', ['observe'], [{ kind: 'file', path: 'a', access: 'read', lines: { start: 4, end: null } }]],
  ],
  [
    'read_files',
    { files: [{ path: 'a', start_line: 4, end_line: 9 }] },
    ['read_file', ['observe'], [{ kind: 'file', path: 'a', access: 'read', lines: { start: 4, end: 9 } }]],
  ],
  ['search_codebase', { queries: ['login', 'logout'] }, ['search_files', ['observe'], deep(CWD)]],
  ['run_commands', { commands: ['ls src'] }, ['run_command', ['observe'], command('ls src')]],
  ['run_commands', { commands: ['ls src', 'cat x'] }, ['run_command', ['observe'], command('ls src\ncat x')]],
  [
    'fetch_web_content',
    { requests: [{ url: 'https://a.test/', prompt: 'x' }] },
    ['fetch_url', ['observe'], [{ kind: 'url', url: 'https://a.test/' }]],
  ],
  ['ask_question', { question: 'a', options: ['b', 'c'] }, ['consult_self', ['observe'], other('ask_question')]],
  ['spawn_agent', { systemPrompt: 'a', task: 'b' }, ['consult_self', ['observe'], other('spawn_agent')]],
  ['team_task', { action: 'list' }, ['consult_self', ['observe'], other('team_task')]],
];

const CHANGES: readonly [tool: string, input: Input, expected: unknown[]][] = [
  ['editor', { path: 'a', old_text: 'b', new_text: 'c' }, ['edit_file', ['write'], exactly('a')]],
  ['editor', { path: 'a', new_text: 'c' }, ['write_file', ['write'], file('a', 'write')]],
  ['editor', { path: 'a', old_text: null, new_text: 'c', insert_line: 3 }, ['write_file', ['write'], file('a', 'write')]],
  ['apply_patch', { input: PATCH }, ['apply_patch', ['write'], exactly('a.ts')]],
  ['run_commands', { commands: 'rm -rf build' }, ['run_command', ['execute'], command('rm -rf build')]],
  ['run_commands', { command: 'rm', args: ['-rf', 'build'] }, ['run_command', ['execute'], command(`'rm' '-rf' 'build'`)]],
  ['run_commands', { cmd: 'make' }, ['run_command', ['execute'], command('make')]],
];

describe('each tool in the registry’s words', () => {
  test.each([...LOOKS, ...CHANGES])('%s %j', (tool, input, expected) => expect(declared(tool, input)).toEqual(expected));
});

// Read as one text, the first of each would swallow the second; the client runs each in a shell of its own.
test.each([
  [["echo '", "rm -rf src; echo '"]],
  [['cat <<END', 'rm -rf src', 'END']],
  [['echo \\', 'rm -rf src']],
  [['echo $(', 'rm -rf src', ')']],
  [['# note', 'rm -rf src']],
  [[': "', 'rm -rf src', '"']],
  [['ls', 'rm -rf src']],
])('no command hides behind another: %j', (commands) => {
  expect(declared('run_commands', { commands })[1]).toEqual(['execute']);
  const { input } = translate('run_commands', { commands });
  const { command } = describeCall('run_command', input, { root: CWD, cwd: CWD });
  expect(command?.reasons.map(({ code }) => code)).toContain('DELETES');
});

test.each(['write_to_file', 'execute_command', 'mini__echo', 'Edit', 'edit_file', 'countersign_begin_work', '__proto__', 'toString', ''])(
  'a tool called "%s" is unknown: it could do anything',
  (tool) => {
    expect(declared(tool, { text: 'hi' })).toEqual(['call_unknown', ['execute', 'external'], unknown(tool)]);
  },
);

test.each<[string, Input]>([
  ['read_files', {}],
  ['read_files', { files: [1] }],
  ['read_files', { files: [{ path: 'a', file_path: 'b' }] }],
  ['read_files', { files: ['a'], paths: ['b'] }],
  ['run_commands', {}],
  ['run_commands', { commands: [] }],
  ['run_commands', { commands: ['ls'], command: 'rm -rf src' }],
  ['run_commands', { commands: [{ command: 'ls', shell: true }] }],
  ['run_commands', { args: ['x'], commands: ['ls'] }],
  ['editor', { path: 'a' }],
  ['editor', { new_text: 'a' }],
  ['search_codebase', {}],
  ['apply_patch', { patch: PATCH }],
])('%s %j is not guessed at', (tool, input) => {
  expect(() => readCall(translate, tool, input)).toThrow('its input does not have the form that this client is known to send');
});

test('what passes without a daemon only reads, with any input', () => {
  const input = { files: ['x'], queries: 'x', path: 'x', new_text: 'x', commands: ['rm -rf /'] };
  for (const tool of READ_TOOLS.filter((name) => name !== 'read_files'))
    expect([tool, declared(tool, input)[1]]).toEqual([tool, ['observe']]);
  expect(declared('read_files', { files: ['x'] })[1]).toEqual(['observe']);
  expect(CHANGES.map(([tool]) => tool).filter((tool) => READ_TOOLS.includes(tool))).toEqual([]);
});
