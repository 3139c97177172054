import { expect, test } from 'vitest';
import { Fault } from '../protocol/index.ts';
import { shapeOf } from './native/beyond.ts';
import { describeCall, toolsOn } from './index.ts';

const PLACE = { root: '/repo', cwd: '/repo/sub' };

function faultOf(name: string, input: Record<string, unknown>): Pick<Fault, 'code' | 'message' | 'fix'> {
  try {
    describeCall(name, input, PLACE);
  } catch (error) {
    if (error instanceof Fault) return { code: error.code, message: error.message, fix: error.fix };
    throw error;
  }
  throw new Error('it was accepted');
}

test('a tool that nobody knows is declared as able to do anything', () => {
  for (const name of ['mcp__other__delete_all', 'constructor', '__proto__', 'toString', '']) {
    expect(describeCall(name, { path: 'src/a.ts' }, PLACE)).toEqual({
      tool: 'call_unknown',
      input: { name, arguments: { path: 'src/a.ts' } },
      effects: ['execute', 'external'],
      resources: [{ kind: 'other', name, shape_sha256: shapeOf({ path: 'another.ts' }) }],
      run: null,
    });
  }
});

test('input that does not fit is refused with the tool, the field and what was expected', () => {
  expect(faultOf('write_file', { path: 'a' })).toEqual({
    code: 'BAD_REQUEST',
    message: 'write_file.content: Invalid input: expected string, received undefined',
    fix: 'Call write_file again with arguments that fit its schema',
  });
  expect(faultOf('edit_file', { path: 'a', edits: [{ old_text: 'x', new_text: 1 }] }).message).toBe(
    'edit_file.edits.0.new_text: Invalid input: expected string, received number',
  );
  expect(faultOf('run_command', { command: 'ls', shell: 'bash' }).message).toBe('run_command: Unrecognized key: "shell"');
  expect(faultOf('write_file', { path: '', content: '' }).message).toContain('write_file.path: Too small');
});

test('what is declared comes from the parsed input alone', () => {
  const declared = (name: string, input: Record<string, unknown>) => {
    const { effects, resources } = describeCall(name, input, PLACE);
    return { effects, resources };
  };
  expect(declared('write_file', { path: 'a', content: 'x' })).toEqual({
    effects: ['write'],
    resources: [{ kind: 'file', path: 'a', access: 'write' }],
  });
  expect(declared('read_file', { path: '/etc/hosts' })).toEqual({
    effects: ['observe'],
    resources: [{ kind: 'file', path: '/etc/hosts', access: 'read', whole: true }],
  });
  expect(declared('list_files', { glob: '**' })).toEqual({
    effects: ['observe'],
    resources: [{ kind: 'file', path: '/repo/sub', access: 'read' }],
  });
  expect(declared('run_command', { command: 'ls' })).toEqual({
    effects: ['observe'],
    resources: [{ kind: 'command', command: 'ls', cwd: '/repo/sub' }],
  });
  expect(declared('run_command', { command: 'make', cwd: '/x' })).toEqual({
    effects: ['execute'],
    resources: [{ kind: 'command', command: 'make', cwd: '/x' }],
  });
});

test('the gate executes what it offers, and what it says only looks declares nothing else', () => {
  const offered = toolsOn('contract');
  expect(toolsOn('hooked').every((tool) => offered.includes(tool))).toBe(true);
  expect(offered.filter(({ run }) => run === undefined)).toEqual([]);
  for (const tool of offered.filter(({ readOnly }) => readOnly)) {
    const { effects, resources } = tool.declare({ path: 'a' }, PLACE);
    expect([tool.name, effects]).toEqual([tool.name, ['observe']]);
    expect(resources.filter((each) => each.kind !== 'file' || each.access !== 'read')).toEqual([]);
  }
});
