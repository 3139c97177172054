import { describe, expect, test } from 'vitest';
import { ZodError } from 'zod';
import { describeCall } from '../../tools/registry.fixture.ts';
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
const whole = (path: string) => [{ kind: 'file', path, access: 'read', whole: true }];
const exactly = (path: string) => [{ kind: 'file', path, access: 'write', targeted: true }];
const command = (text: string, cwd = CWD) => [{ kind: 'command', command: text, cwd }];
const deep = (path: string) => [{ kind: 'file', path, access: 'read', deep: true }];
const other = (name: string) => [{ kind: 'other', name }];
/** Remembered by the form of its input. */
const unknown = (name: string) => [{ kind: 'other', name, shape_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }];
const url = (address: string) => [{ kind: 'url', url: address }];

const LOOKS: readonly [tool: string, input: Input, expected: unknown[]][] = [
  ['read_file', { file_path: 'a', offset: null, limit: null }, ['read_file', ['observe'], whole('a')]],
  [
    'read_file',
    { file_path: 'a', offset: 10, limit: 5 },
    ['read_file', ['observe'], [{ kind: 'file', path: 'a', access: 'read', lines: { start: 11, end: 15 } }]],
  ],
  ['list_directory', { path: 'src' }, ['list_files', ['observe'], file('src', 'read')]],
  ['glob', { pattern: '**/*.ts' }, ['list_files', ['observe'], file(CWD, 'read')]],
  ['grep_search', { pattern: 'login', path: 'src', glob: '*.ts' }, ['search_files', ['observe'], deep('src')]],
  ['run_shell_command', { command: 'ls src', is_background: false }, ['run_command', ['observe'], command('ls src')]],
  ['web_fetch', { url: 'https://example.test/', prompt: 'x' }, ['fetch_url', ['observe'], url('https://example.test/')]],
  ['web_search', { query: 'zod' }, ['fetch_url', ['observe'], url('search:zod')]],
  ['read_mcp_resource', { uri: 'mini://a' }, ['fetch_url', ['observe'], url('mini://a')]],
  ['agent', { description: 'a', prompt: 'b' }, ['consult_self', ['observe'], other('agent')]],
  ['tool_search', { query: 'x' }, ['consult_self', ['observe'], other('tool_search')]],
  ['todo_write', { todos: [{ id: '1', content: 'a', status: 'pending' }] }, ['list_steps', ['observe'], other('todo_write')]],
  ['todo_write', { todos: 1 }, ['consult_self', ['observe'], other('todo_write')]],
];

const CHANGES: readonly [tool: string, input: Input, expected: unknown[]][] = [
  ['write_file', { file_path: 'a', content: '' }, ['write_file', ['write'], file('a', 'write')]],
  ['edit', { file_path: 'a', old_string: 'a', new_string: 'b' }, ['edit_file', ['write'], exactly('a')]],
  ['edit', { file_path: 'a', old_string: '', new_string: 'b' }, ['write_file', ['write'], file('a', 'write')]],
  ['notebook_edit', { notebook_path: 'a.ipynb', edit_mode: 'delete' }, ['write_file', ['write'], file('a.ipynb', 'write')]],
  ['run_shell_command', { command: 'rm -rf build' }, ['run_command', ['execute'], command('rm -rf build')]],
  ['run_shell_command', { command: 'make', directory: 'src' }, ['run_command', ['execute'], command('make', `${CWD}/src`)]],
  ['monitor', { command: 'make x' }, ['run_command', ['execute'], command('make x')]],
  // What is called through the bridge is what counts.
  ['tool_call', { name: 'write_file', arguments: { file_path: 'a', content: 'x' } }, ['write_file', ['write'], file('a', 'write')]],
];

const UNKNOWN = ['exec', 'save_memory', 'cron_create', 'send_message', 'mcp__mini__echo', 'Edit', 'edit_file', '__proto__', 'toString', ''];

describe('each tool in the registry’s words', () => {
  test.each([...LOOKS, ...CHANGES])('%s %j', (tool, input, expected) => expect(declared(tool, input)).toEqual(expected));

  test('ours are known through the bridge too; a bridge in a bridge is unknown', () => {
    expect(declared('tool_call', { name: 'mcp__countersign__begin_work', arguments: { mode: 'GUARDED' } })).toEqual([
      'own',
      'begin_work',
      { mode: 'GUARDED' },
    ]);
    const inner = { name: 'read_file', arguments: { file_path: 'a' } };
    expect(declared('tool_call', { name: 'tool_call', arguments: inner })).toEqual([
      'call_unknown',
      ['execute', 'external'],
      unknown('tool_call'),
    ]);
  });
});

test.each(UNKNOWN)('a tool called "%s" is unknown: it could do anything', (tool) => {
  expect(declared(tool, { text: 'hi' })).toEqual(['call_unknown', ['execute', 'external'], unknown(tool)]);
});

test.each([...LOOKS, ...CHANGES].filter(([, , [name]]) => name !== 'consult_self' && name !== 'list_steps'))(
  '%s without its fields is not guessed at',
  (tool) => {
    expect(() => translate(tool, {})).toThrow(ZodError);
  },
);

test('what passes without a daemon only reads, with any input', () => {
  const input = { file_path: 'x', path: 'x', pattern: 'x', content: 'x', command: 'rm -rf /', name: 'write_file', arguments: {} };
  for (const tool of READ_TOOLS) expect([tool, declared(tool, input)[1]]).toEqual([tool, ['observe']]);
  expect([...CHANGES.map(([tool]) => tool), ...UNKNOWN].filter((tool) => READ_TOOLS.includes(tool))).toEqual([]);
});
