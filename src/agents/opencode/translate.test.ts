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
const exact = (path: string, access: 'write' | 'delete') => ({ kind: 'file', path, access, targeted: true });
const command = (text: string, cwd = CWD) => [{ kind: 'command', command: text, cwd }];
const deep = (path: string) => [{ kind: 'file', path, access: 'read', deep: true }];
const other = (name: string) => [{ kind: 'other', name }];
/** Remembered by the form of its input. */
const unknown = (name: string) => [{ kind: 'other', name, shape_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }];
const url = (address: string) => [{ kind: 'url', url: address }];
const todos = [{ content: 'a', status: 'pending', priority: 'high' }];

const LOOKS: readonly [tool: string, input: Input, expected: unknown[]][] = [
  ['read', { filePath: 'a' }, ['read_file', ['observe'], [{ kind: 'file', path: 'a', access: 'read', whole: true }]]],
  [
    'read',
    { filePath: 'a', offset: 3, limit: 2 },
    ['read_file', ['observe'], [{ kind: 'file', path: 'a', access: 'read', lines: { start: 3, end: 4 } }]],
  ],
  ['list', {}, ['list_files', ['observe'], file(CWD, 'read')]],
  ['glob', { pattern: '*.ts', path: 'src' }, ['list_files', ['observe'], file('src', 'read')]],
  ['grep', { pattern: 'login', include: '*.ts' }, ['search_files', ['observe'], deep(CWD)]],
  ['bash', { command: 'ls src' }, ['run_command', ['observe'], command('ls src')]],
  ['webfetch', { url: 'https://example.test/', format: 'text' }, ['fetch_url', ['observe'], url('https://example.test/')]],
  ['websearch', { query: 'zod' }, ['fetch_url', ['observe'], url('search:zod')]],
  ['codesearch', { query: 'zod' }, ['fetch_url', ['observe'], url('search:zod')]],
  ['read_mcp_resource', { server: 'mini', uri: 'mini://a' }, ['fetch_url', ['observe'], url('mini://a')]],
  ['task', { description: 'a', prompt: 'b', subagent_type: 'general' }, ['consult_self', ['observe'], other('task')]],
  ['todowrite', { todos }, ['list_steps', ['observe'], other('todowrite')]],
  ['todowrite', { todos: [1] }, ['consult_self', ['observe'], other('todowrite')]],
];

const PATCH = '*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** Delete File: b.ts\n*** End Patch';
const CHANGES: readonly [tool: string, input: Input, expected: unknown[]][] = [
  ['write', { filePath: 'a', content: '' }, ['write_file', ['write'], file('a', 'write')]],
  ['edit', { filePath: 'a', oldString: 'a', newString: 'b' }, ['edit_file', ['write'], [exact('a', 'write')]]],
  ['edit', { filePath: 'a', oldString: '', newString: 'b' }, ['write_file', ['write'], file('a', 'write')]],
  ['apply_patch', { patchText: PATCH }, ['apply_patch', ['write'], [exact('a.ts', 'write'), exact('b.ts', 'delete')]]],
  ['bash', { command: 'rm -rf build' }, ['run_command', ['execute'], command('rm -rf build')]],
  ['bash', { command: 'make', workdir: 'src' }, ['run_command', ['execute'], command('make', `${CWD}/src`)]],
];

const UNKNOWN = ['batch', 'patch', 'multiedit', 'lsp', 'mini_echo', 'Edit', 'edit_file', 'countersign', '__proto__', 'toString', ''];

describe('each tool in the registry’s words', () => {
  test.each([...LOOKS, ...CHANGES])('%s %j', (tool, input, expected) => expect(declared(tool, input)).toEqual(expected));
});

test.each(UNKNOWN)('a tool called "%s" is unknown: it could do anything', (tool) => {
  expect(declared(tool, { text: 'hi' })).toEqual(['call_unknown', ['execute', 'external'], unknown(tool)]);
});

test.each([...LOOKS, ...CHANGES].filter(([, , [name]]) => name !== 'consult_self' && name !== 'list_steps'))(
  '%s with something else in the place of its fields is not guessed at',
  (tool) => {
    const odd = { filePath: 1, path: 1, pattern: 1, command: 1, url: 1, query: 1, uri: 1, patchText: 1 };
    expect(() => translate(tool, odd)).toThrow(ZodError);
  },
);

test('what passes without a daemon only reads, with any input', () => {
  const input = { filePath: 'x', path: 'x', pattern: 'x', content: 'x', command: 'rm -rf /', patchText: PATCH };
  for (const tool of READ_TOOLS) expect([tool, declared(tool, input)[1]]).toEqual([tool, ['observe']]);
  expect([...CHANGES.map(([tool]) => tool), ...UNKNOWN].filter((tool) => READ_TOOLS.includes(tool))).toEqual([]);
});
