import { describe, expect, test } from 'vitest';
import { ZodError } from 'zod';
import { describeCall } from '../../tools/registry.fixture.ts';
import { CWD } from './payloads.fixture.ts';
import { ownToolName, READ_TOOLS, translate } from './translate.ts';

type Input = Record<string, unknown>;

/** The registry's tool, what it would do and to what. */
function declared(tool: string, input: Input): unknown[] {
  const call = translate(tool, input);
  if (call.kind === 'own') return ['own', call.tool, call.input];
  const { tool: name, effects, resources } = describeCall(call.tool, call.input, { root: CWD, cwd: CWD });
  return [name, effects, resources];
}

const file = (path: string, access: 'read' | 'write') => [{ kind: 'file', path, access }];
const whole = (path: string) => [{ kind: 'file', path, access: 'read', whole: true }];
const below = (path: string) => [{ kind: 'file', path, access: 'read', deep: true }];
const exactly = (path: string) => [{ kind: 'file', path, access: 'write', targeted: true }];
const command = (text: string) => [{ kind: 'command', command: text, cwd: CWD }];
const other = (name: string) => [{ kind: 'other', name }];
/** Remembered by the form of its input. */
const unknown = (name: string) => [{ kind: 'other', name, shape_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }];
const path = `${CWD}/src/auth/login.ts`;

const LOOKS: readonly [tool: string, input: Input, expected: unknown[]][] = [
  ['Read', { file_path: path }, ['read_file', ['observe'], whole(path)]],
  [
    'Read',
    { file_path: path, offset: 11, limit: 20 },
    ['read_file', ['observe'], [{ kind: 'file', path: path, access: 'read', lines: { start: 11, end: 30 } }]],
  ],
  [
    'Read',
    { file_path: path, limit: 20 },
    ['read_file', ['observe'], [{ kind: 'file', path: path, access: 'read', lines: { start: 1, end: 20 } }]],
  ],
  [
    'Read',
    { file_path: path, offset: 7 },
    ['read_file', ['observe'], [{ kind: 'file', path: path, access: 'read', lines: { start: 7, end: null } }]],
  ],
  ['Read', { file_path: path, offset: 'x', limit: -1 }, ['read_file', ['observe'], whole(path)]],
  ['Glob', { pattern: '**/*.ts' }, ['list_files', ['observe'], file(CWD, 'read')]],
  ['Glob', { pattern: '*.ts', path: 'src' }, ['list_files', ['observe'], file('src', 'read')]],
  ['Grep', { pattern: 'login', glob: '*.ts' }, ['search_files', ['observe'], below(CWD)]],
  ['Grep', { pattern: 'login', path: 'src' }, ['search_files', ['observe'], below('src')]],
  ['LS', { path: 'src' }, ['list_files', ['observe'], file('src', 'read')]],
  ['NotebookRead', { notebook_path: 'a.ipynb' }, ['read_file', ['observe'], whole('a.ipynb')]],
  ['Bash', { command: 'ls src', description: 'look' }, ['run_command', ['observe'], command('ls src')]],
  [
    'WebFetch',
    { url: 'https://example.test/', prompt: 'read' },
    ['fetch_url', ['observe'], [{ kind: 'url', url: 'https://example.test/' }]],
  ],
  ['WebSearch', { query: 'zod' }, ['fetch_url', ['observe'], [{ kind: 'url', url: 'search:zod' }]]],
  ['Agent', { description: 'a', prompt: 'b', subagent_type: 'c' }, ['consult_self', ['observe'], other('Agent')]],
  ['TaskCreate', { subject: 'a', description: 'b' }, ['consult_self', ['observe'], other('TaskCreate')]],
  ['TodoWrite', { todos: [] }, ['list_steps', ['observe'], other('TodoWrite')]],
  ['TodoWrite', { todos: 'many' }, ['consult_self', ['observe'], other('TodoWrite')]],
  ['ToolSearch', { query: 'x' }, ['consult_self', ['observe'], other('ToolSearch')]],
];

const CHANGES: readonly [tool: string, input: Input, expected: unknown[]][] = [
  ['Write', { file_path: path, content: '' }, ['write_file', ['write'], file(path, 'write')]],
  ['Edit', { file_path: path, old_string: 'a', new_string: 'b', replace_all: false }, ['edit_file', ['write'], exactly(path)]],
  ['MultiEdit', { file_path: path, edits: [{ old_string: 'a', new_string: 'b' }] }, ['edit_file', ['write'], exactly(path)]],
  ['NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'x', edit_mode: 'insert' }, ['write_file', ['write'], file('a.ipynb', 'write')]],
  ['NotebookEdit', { notebook_path: 'a.ipynb', edit_mode: 'delete' }, ['write_file', ['write'], file('a.ipynb', 'write')]],
  ['Bash', { command: 'rm -rf build' }, ['run_command', ['execute'], command('rm -rf build')]],
  ['Bash', { command: 'npm test', run_in_background: true }, ['run_command', ['execute'], command('npm test')]],
  ['Monitor', { description: 'watch', timeout_ms: 1, command: 'make x' }, ['run_command', ['execute'], command('make x')]],
];

const UNKNOWN = [
  'EnterWorktree',
  'ExitWorktree',
  'CronCreate',
  'SendMessage',
  'mcp__mini__echo',
  'NeverHeardOf',
  // Names of the registry, of an object's own parts, and near misses are not tools of this agent.
  'read_file',
  'consult_self',
  'begin_work',
  'call_unknown',
  'constructor',
  '__proto__',
  'toString',
  'read',
  'Read ',
  'mcp__countersign_begin_work',
  '',
];

describe('each tool in the registry’s words', () => {
  test.each([...LOOKS, ...CHANGES])('%s %j', (tool, input, expected) => {
    expect(declared(tool, input)).toEqual(expected);
  });

  test('an edit keeps the exact texts', () => {
    const edits = [
      { old_string: 'a', new_string: 'b', replace_all: false },
      { old_string: 'c', new_string: 'd', replace_all: true },
    ];
    expect(translate('MultiEdit', { file_path: 'x', edits })).toEqual({
      kind: 'tool',
      tool: 'edit_file',
      input: {
        path: 'x',
        edits: [
          { old_text: 'a', new_text: 'b' },
          { old_text: 'c', new_text: 'd', replace_all: true },
        ],
      },
    });
  });
});

test.each(UNKNOWN)('a tool called "%s" is unknown: it could do anything, and its exact input is what a human is asked about', (tool) => {
  expect(declared(tool, { text: 'hi' })).toEqual(['call_unknown', ['execute', 'external'], unknown(tool)]);
  expect(translate(tool, { text: 'hi' })).toEqual({ kind: 'tool', tool: 'call_unknown', input: { name: tool, arguments: { text: 'hi' } } });
});

test('a tool of our own server is known as ours, by the name that a remedy gives', () => {
  expect(ownToolName('begin_work')).toBe('mcp__countersign__begin_work');
  expect(declared('mcp__countersign__begin_work', { mode: 'GUARDED' })).toEqual(['own', 'begin_work', { mode: 'GUARDED' }]);
});

test.each([...LOOKS, ...CHANGES].filter(([, , [name]]) => name !== 'consult_self' && name !== 'list_steps'))(
  '%s without its fields, or with others in their place, is not guessed at',
  (tool) => {
    expect(() => translate(tool, {})).toThrow(ZodError);
    expect(() => translate(tool, { file_path: 1, path: 1, notebook_path: 1, command: 1, pattern: 1, url: 1, query: 1 })).toThrow(ZodError);
  },
);

test('what passes without a daemon only reads, with any input', () => {
  const inputs: readonly Input[] = [
    { file_path: 'x', path: 'x', pattern: 'x', notebook_path: 'x', content: 'x', command: 'rm -rf /' },
    { file_path: 'x', path: 'x', pattern: 'x', notebook_path: 'x', old_string: 'a', new_string: 'b', edits: [] },
  ];
  for (const tool of READ_TOOLS) for (const input of inputs) expect([tool, declared(tool, input)[1]]).toEqual([tool, ['observe']]);
  const changing = [...CHANGES.map(([tool]) => tool), ...UNKNOWN];
  expect(changing.filter((tool) => READ_TOOLS.includes(tool))).toEqual([]);
});
