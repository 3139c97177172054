import { describe, expect, test } from 'vitest';
import { ZodError } from 'zod';
import { describeCall } from '../../tools/registry.fixture.ts';
import { CWD } from './payloads.fixture.ts';
import { READ_TOOLS, translate } from './translate.ts';

type Input = Record<string, unknown>;

function declared(tool: string, input: Input): unknown[] {
  const call = translate(tool, input, null);
  const { tool: name, effects, resources } = describeCall(call.tool, call.input, { root: CWD, cwd: CWD });
  return [name, effects, resources];
}

const file = (path: string, access: 'read' | 'write') => [{ kind: 'file', path, access }];
const whole = (...paths: string[]) => paths.map((path) => ({ kind: 'file', path, access: 'read', whole: true }));
const exactly = (path: string) => [{ kind: 'file', path, access: 'write', targeted: true }];
const command = (text: string, cwd = CWD) => [{ kind: 'command', command: text, cwd }];
const deep = (path: string) => [{ kind: 'file', path, access: 'read', deep: true }];
const other = (name: string) => [{ kind: 'other', name }];
/** Remembered by the form of its input. */
const unknown = (name: string) => [{ kind: 'other', name, shape_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }];
const url = (address: string) => [{ kind: 'url', url: address }];
const path = `${CWD}/src/auth/login.ts`;

const LOOKS: readonly [tool: string, input: Input, expected: unknown[]][] = [
  [
    'read_file',
    { file_path: path, start_line: 1, end_line: 20 },
    ['read_file', ['observe'], [{ kind: 'file', path: path, access: 'read', lines: { start: 1, end: 20 } }]],
  ],
  ['read_many_files', { include: ['a.ts', 'b.ts'] }, ['read_files', ['observe'], whole('a.ts', 'b.ts')]],
  ['read_many_files', { include: ['a.ts', 'src/**'] }, ['search_files', ['observe'], deep(CWD)]],
  ['list_directory', { dir_path: 'src', ignore: ['x'] }, ['list_files', ['observe'], file('src', 'read')]],
  ['glob', { pattern: '**/*.ts' }, ['list_files', ['observe'], file(CWD, 'read')]],
  ['glob', { pattern: '*.ts', dir_path: 'src' }, ['list_files', ['observe'], file('src', 'read')]],
  ['grep_search', { pattern: 'login', include_pattern: '*.ts' }, ['search_files', ['observe'], deep(CWD)]],
  ['search_file_content', { pattern: 'login', dir_path: 'src' }, ['search_files', ['observe'], deep('src')]],
  ['run_shell_command', { command: 'ls src', description: 'look' }, ['run_command', ['observe'], command('ls src')]],
  ['web_fetch', { prompt: 'read https://example.test/' }, ['fetch_url', ['observe'], url('read https://example.test/')]],
  ['google_web_search', { query: 'zod' }, ['fetch_url', ['observe'], url('search:zod')]],
  ['read_mcp_resource', { uri: 'mini://a' }, ['fetch_url', ['observe'], url('mini://a')]],
  ['invoke_agent', { agent_name: 'a', prompt: 'b' }, ['consult_self', ['observe'], other('invoke_agent')]],
  ['enter_plan_mode', { reason: 'think' }, ['consult_self', ['observe'], other('enter_plan_mode')]],
  ['write_todos', { todos: [{ description: 'a', status: 'pending' }] }, ['list_steps', ['observe'], other('write_todos')]],
  ['write_todos', { todos: 'many' }, ['consult_self', ['observe'], other('write_todos')]],
];

const CHANGES: readonly [tool: string, input: Input, expected: unknown[]][] = [
  ['write_file', { file_path: path, content: '' }, ['write_file', ['write'], file(path, 'write')]],
  ['replace', { file_path: path, instruction: 'x', old_string: 'a', new_string: 'b' }, ['edit_file', ['write'], exactly(path)]],
  ['replace', { file_path: path, instruction: 'x', old_string: '', new_string: 'b' }, ['write_file', ['write'], file(path, 'write')]],
  ['run_shell_command', { command: 'rm -rf build' }, ['run_command', ['execute'], command('rm -rf build')]],
  ['run_shell_command', { command: 'make', dir_path: 'src' }, ['run_command', ['execute'], command('make', `${CWD}/src`)]],
];

const UNKNOWN = ['save_memory', 'discovered_tool_x', 'mcp_mini_echo', 'Edit', 'edit_file', 'consult_self', '__proto__', 'toString', ''];

describe('each tool in the registry’s words', () => {
  test.each([...LOOKS, ...CHANGES])('%s %j', (tool, input, expected) => expect(declared(tool, input)).toEqual(expected));

  test('an edit keeps the exact texts, and that it may be many', () => {
    expect(translate('replace', { file_path: 'x', old_string: 'a', new_string: 'b', allow_multiple: true }, null)).toEqual({
      kind: 'tool',
      tool: 'edit_file',
      input: { path: 'x', edits: [{ old_text: 'a', new_text: 'b', replace_all: true }] },
    });
  });
});

test.each(UNKNOWN)('a tool called "%s" is unknown: it could do anything', (tool) => {
  expect(declared(tool, { text: 'hi' })).toEqual(['call_unknown', ['execute', 'external'], unknown(tool)]);
});

test.each([...LOOKS, ...CHANGES].filter(([, , [name]]) => name !== 'consult_self' && name !== 'list_steps'))(
  '%s without its fields is not guessed at',
  (tool) => {
    expect(() => translate(tool, {}, null)).toThrow(ZodError);
  },
);

test('what passes without a daemon only reads, with any input', () => {
  const input = { file_path: 'x', dir_path: 'x', pattern: 'x', content: 'x', command: 'rm -rf /', old_string: 'a', new_string: 'b' };
  for (const tool of READ_TOOLS) expect([tool, declared(tool, input)[1]]).toEqual([tool, ['observe']]);
  expect([...CHANGES.map(([tool]) => tool), ...UNKNOWN].filter((tool) => READ_TOOLS.includes(tool))).toEqual([]);
});
