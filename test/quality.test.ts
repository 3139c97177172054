// The quality loop with a whole daemon and real tools in small real projects: what an agent breaks comes back to it with file and line,
// what was broken before does not, a formatter's change has a receipt of its own, and checks never change the tree.

import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EventOf, QualityReport } from '../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { verifies } from './verifies.ts';
import { FIRST_DOORS } from '../src/protocol/index.ts';

const OWN_MODULES = resolve(import.meta.dirname, '../node_modules');

interface Project {
  readonly daemon: TestDaemon;
  readonly file: (path: string) => string;
  /** The agent's own editing tool, requested and reported. Null when it passed, else why not. */
  readonly edit: (path: string, content: string) => Promise<string | null>;
  /** A new turn; returns what the agent is shown with it. */
  readonly prompt: () => Promise<string>;
  readonly stop: (more?: object) => Promise<{ decision?: string; reason?: string; systemMessage?: string }>;
  /** One of our own tools; what it answers. */
  readonly call: (tool: string, input?: Record<string, unknown>) => Promise<unknown>;
  readonly validate: (checks?: readonly string[]) => Promise<QualityReport>;
  readonly settled: () => Promise<EventOf<'action_settled'>['data']['receipt'][]>;
}

async function project(files: Readonly<Record<string, string>>): Promise<Project> {
  const daemon = await startTestDaemon();
  onTestFinished(() => daemon.dispose());
  const { repo } = daemon;
  const file = (path: string) => join(repo.path, path);
  const put = (path: string, content: string) => {
    mkdirSync(dirname(file(path)), { recursive: true });
    writeFileSync(file(path), content);
  };
  for (const [path, content] of Object.entries(files)) put(path, content);
  const session = await daemon.beginWork('**');
  const size = await daemon.ledgerSize();
  let calls = 0;
  let prompts = 0;
  const call = async (tool: string, input: Record<string, unknown> = {}): Promise<unknown> => {
    const { outcome } = await daemon.services().kernel.spine.pass({
      ...{ session: session.id, workspace: session.workspace, root: repo.path, cwd: repo.path, actor: { agent: session.agent } },
      ...{ door: FIRST_DOORS.mcp, tool, input, waitTimeoutMs: 0, signal: AbortSignal.timeout(280_000) },
    });
    if ((outcome.kind !== 'settled' && outcome.kind !== 'observed') || outcome.refusal !== null) throw new Error(JSON.stringify(outcome));
    return outcome.output;
  };
  return {
    daemon,
    file,
    edit: async (path, content) => {
      const payload = { tool_name: 'Write', tool_input: { file_path: file(path), content }, tool_use_id: `toolu_${++calls}` };
      const said = (await daemon.hook('PreToolUse', payload)) as {
        hookSpecificOutput?: { permissionDecision: string; permissionDecisionReason: string };
      };
      if (said.hookSpecificOutput?.permissionDecision === 'deny') return said.hookSpecificOutput.permissionDecisionReason;
      put(path, content);
      await daemon.hook('PostToolUse', { ...payload, tool_response: {} });
      return null;
    },
    prompt: async () => {
      const said = await daemon.hook('UserPromptSubmit', { prompt: 'go on', prompt_id: `prompt-${++prompts}` });
      await call('begin_work');
      return JSON.stringify(said);
    },
    stop: async (more = {}) => {
      // Other duties of a turn are not tested here.
      await call('memory_query', { query: 'checks' });
      await call('elefanteAssertCompliance');
      return (await daemon.hook('Stop', { ...more })) as never;
    },
    call,
    validate: async (checks) => (await call('validate', checks === undefined ? {} : { checks })) as QualityReport,
    settled: async () =>
      (await daemon.recordedSince(size)).flatMap((event) =>
        event.type === 'action_settled' && !['memory_query', 'elefanteAssertCompliance'].includes(event.data.receipt.tool_id)
          ? [event.data.receipt]
          : [],
      ),
  };
}

const SUM = 'export const sum = (a, b) => a + b;\n';
const NODE_PROJECT = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test --test-reporter=spec' } }),
  'src/sum.js': SUM,
  'src/sum.test.js': [
    `import test from 'node:test';`,
    `import assert from 'node:assert';`,
    `import { sum } from './sum.js';`,
    `test('adds', () => assert.equal(sum(1, 2), 3));`,
    `test('was broken before anybody came', () => assert.equal(sum(1, 1), 3));`,
    '',
  ].join('\n'),
};

verifies('I15', 'a test that an edit breaks comes back at stop, once', async () => {
  const { edit, stop, file, prompt } = await project(NODE_PROJECT);
  expect(await edit('src/sum.js', 'export const sum = (a, b) => a - b;\n')).toBeNull();
  const { decision, reason } = await stop();
  expect({ decision, reason }).toEqual({
    decision: 'block',
    reason: [
      'Countersign: a check fails that did not before your changes:',
      '- test src/sum.test.js:4 [adds]: AssertionError [ERR_ASSERTION]: -1 == 3',
      'Fix this, or say why it is right as it is. The tool validate runs the checks again and tells all of it.',
      'Countersign: 1 failure was there before and is not yours.',
    ].join('\n'),
  });
  expect(readFileSync(file('src/sum.js'), 'utf8')).toBe('export const sum = (a, b) => a - b;\n');
  // Not again in this turn, whatever else it breaks.
  expect(await edit('src/sum.js', 'export const sum = (a, b) => a * b;\n')).toBeNull();
  expect(await stop({ stop_hook_active: true })).toEqual({
    systemMessage: expect.stringContaining('[adds]: AssertionError [ERR_ASSERTION]: 2 == 3') as string,
  });
  // The agent gets it with the next prompt; a turn that changes nothing runs nothing.
  expect(await prompt()).toContain('[adds]: AssertionError [ERR_ASSERTION]: 2 == 3');
  expect(await stop()).toEqual({});
});

verifies('I15', 'what failed before is one line, and no agent is sent back', async () => {
  const { edit, stop, settled } = await project(NODE_PROJECT);
  await edit('src/other.js', 'export const other = 1;\n');
  expect(await stop()).toEqual({ systemMessage: 'Countersign: 1 failure was there before and is not yours.' });
  const [receipt] = (await settled()).slice(-1);
  expect(receipt).toMatchObject({ tool_id: 'validate', agent_id: 'countersign', status: 'failed', file_refs: [] });
});

verifies('I15', 'validate tells file, line, test and whose failure it is', async () => {
  const { edit, validate } = await project(NODE_PROJECT);
  await edit('src/sum.js', 'export const sum = (a, b) => a - b;\n');
  expect(await validate(['test'])).toEqual({
    ok: false,
    formatted: [],
    notes: [],
    checks: [
      {
        check: 'test',
        tool: 'node',
        command: 'npm run --silent test',
        outcome: 'failed',
        summary: 'ℹ fail 2',
        counts: { caused: 1, before: 1, unclear: 0, all: 2 },
        findings: [
          {
            ...{ check: 'test', file: 'src/sum.test.js', line: 4, column: 1, rule: 'adds', severity: 'error', origin: 'caused' },
            message: 'AssertionError [ERR_ASSERTION]: -1 == 3',
          },
          {
            ...{ check: 'test', file: 'src/sum.test.js', line: 5, column: 1, severity: 'error', origin: 'before' },
            rule: 'was broken before anybody came',
            message: 'AssertionError [ERR_ASSERTION]: 0 == 3',
          },
        ],
      },
    ],
  });
  await edit('src/sum.js', SUM);
  expect(await validate()).toMatchObject({ ok: true, checks: [{ check: 'test', outcome: 'failed', counts: { caused: 0, before: 1 } }] });
});

/** A formatter that people might write: one space around every equals sign. */
const FORMATTER = `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs');
for (const file of process.argv.slice(2)) writeFileSync(file, readFileSync(file, 'utf8').replace(/ *= */g, ' = '));
`;

async function formatted(files: Readonly<Record<string, string>>): Promise<Project> {
  const made = await project({
    '.ai/config/repo.json': JSON.stringify({ quality: { format: './tidy.cjs {files}', lint: false, typecheck: null, test: false } }),
    'tidy.cjs': FORMATTER,
    ...files,
  });
  chmodSync(made.file('tidy.cjs'), 0o755);
  return made;
}

verifies('I15', 'a formatter has its own receipt, and the next edit is not stale', async () => {
  const { edit, stop, settled, file } = await formatted({
    'src/a.js': 'let a = 1;\n',
    'src/messy.js': 'let m=1;\n',
    'src/untouched.js': 'let u=1;\n',
  });
  await edit('src/a.js', 'let a=2;\n');
  await edit('src/new.js', 'let n=2;\n');
  await edit('src/messy.js', 'let m=1;\nlet k=2;\n');
  expect(await stop()).toEqual({});
  expect(['a', 'new', 'messy', 'untouched'].map((name) => readFileSync(file(`src/${name}.js`), 'utf8'))).toEqual([
    'let a = 2;\n',
    'let n = 2;\n',
    // It was not formatted before: one changed line must not reformat a whole file.
    'let m=1;\nlet k=2;\n',
    'let u=1;\n',
  ]);
  const [format, checks] = (await settled()).slice(-2);
  expect(format).toMatchObject({ tool_id: 'quality_format', agent_id: './tidy.cjs', status: 'done' });
  expect(format?.file_refs.map(({ path, lock }) => ({ path, lock }))).toEqual([
    { path: 'src/a.js', lock: 'checked' },
    { path: 'src/new.js', lock: 'checked' },
  ]);
  expect(checks).toMatchObject({ tool_id: 'validate', agent_id: 'countersign' });
  expect(await edit('src/a.js', 'let a = 3;\n')).toBeNull();
});

test('the gate’s own work is not held up by a list of tasks that is done', async () => {
  const { call, edit, stop, file } = await formatted({ 'src/a.js': 'let a = 1;\n' });
  await call('task_add', { titles: ['change a'] });
  await edit('src/a.js', 'let a=2;\n');
  await call('task_complete');
  expect(await edit('src/a.js', 'let a=3;\n')).toContain('TASKS_EXHAUSTED');
  expect(await stop()).toEqual({});
  expect(readFileSync(file('src/a.js'), 'utf8')).toBe('let a = 2;\n');
});

verifies('I15', 'a type error is reported with its code, by the installed tsc', async () => {
  const { edit, validate, file } = await project({
    'package.json': JSON.stringify({ type: 'module' }),
    'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [], lib: ['es2024'] }, include: ['lib'] }),
    'lib/n.ts': 'export const n: number = 1;\n',
  });
  mkdirSync(file('node_modules/.bin'), { recursive: true });
  // Not linked: files outside the tree may be missing for a check.
  for (const name of ['typescript', `@typescript/typescript-${process.platform}-${process.arch}`])
    cpSync(join(OWN_MODULES, name), file(`node_modules/${name}`), { recursive: true });
  symlinkSync('../typescript/bin/tsc', file('node_modules/.bin/tsc'));
  await edit('lib/n.ts', "export const n: number = 'text';\n");
  expect((await validate(['typecheck'])).checks).toEqual([
    {
      ...{ check: 'typecheck', tool: 'tsc', command: 'node_modules/.bin/tsc --noEmit --pretty false', outcome: 'failed', summary: null },
      counts: { caused: 1, before: 0, unclear: 0, all: 1 },
      findings: [
        {
          ...{ check: 'typecheck', file: 'lib/n.ts', line: 1, column: 14, rule: 'TS2322', severity: 'error', origin: 'caused' },
          message: "Type 'string' is not assignable to type 'number'.",
        },
      ],
    },
  ]);
});

const has = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

test.skipIf(!has('python3', '-m', 'pytest', '--version'))('pytest: whose failure it is', async () => {
  const { edit, validate } = await project({
    'conftest.py': '',
    'mod.py': 'def add(a, b):\n    return a + b\n',
    'test_mod.py': 'from mod import add\n\ndef test_add():\n    assert add(1, 2) == 3\n\ndef test_old():\n    assert add(1, 1) == 3\n',
  });
  await edit('mod.py', 'def add(a, b):\n    return a - b\n');
  const [result] = (await validate(['test'])).checks;
  expect(result?.findings.map(({ file, line, rule, origin }) => ({ file, line, rule, origin }))).toEqual([
    { file: 'test_mod.py', line: 4, rule: 'test_add', origin: 'caused' },
    { file: 'test_mod.py', line: 7, rule: 'test_old', origin: 'before' },
  ]);
});

const GO_PROJECT = {
  'go.mod': 'module example.org/shop\n\ngo 1.21\n',
  'cart/cart.go': 'package cart\n\nfunc Add(a, b int) int {\n\treturn a + b\n}\n',
  'cart/cart_test.go':
    'package cart\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Errorf("Add(1, 2) = %d", Add(1, 2))\n\t}\n}\n',
};

test.skipIf(!has('sh', '-c', 'command -v gofmt'))('gofmt: what the agent wrote is formatted', async () => {
  const { edit, validate, file } = await project(GO_PROJECT);
  await edit('cart/cart.go', 'package cart\n\nfunc Add(a, b int) int {\nreturn a - b\n}\n');
  expect((await validate(['format'])).formatted).toEqual(['cart/cart.go']);
  expect(readFileSync(file('cart/cart.go'), 'utf8')).toBe(GO_PROJECT['cart/cart.go'].replace('a + b', 'a - b'));
});

/** Both build their own libraries first. */
const SLOW = process.env['COUNTERSIGN_SLOW_TOOLS'] === '1';

test.skipIf(!SLOW || !has('go', 'version'))(
  'go: vet and test, with the folder that go leaves out',
  async () => {
    const { edit, validate } = await project(GO_PROJECT);
    await edit('cart/cart.go', GO_PROJECT['cart/cart.go'].replace('a + b', 'a - b'));
    const { checks } = await validate(['lint', 'test']);
    expect(checks.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['go vet', 'passed'],
      ['go test', 'failed'],
    ]);
    expect(checks[1]?.findings).toEqual([
      {
        check: 'test',
        file: 'cart/cart_test.go',
        line: 7,
        rule: 'TestAdd',
        message: 'Add(1, 2) = -1',
        severity: 'error',
        origin: 'caused',
      },
    ]);
  },
  300_000,
);

test.skipIf(!SLOW || !has('cargo', '--version'))(
  'cargo: fmt, clippy and test',
  async () => {
    const lib =
      'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n';
    const { edit, validate } = await project({
      'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': lib,
    });
    await edit('src/lib.rs', lib.replace('    a + b', '  return a - b;'));
    const { checks, formatted: files } = await validate();
    expect(files).toEqual(['src/lib.rs']);
    expect(checks.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['cargo fmt', 'passed'],
      ['cargo clippy', 'passed'],
      ['cargo check', 'passed'],
      ['cargo test', 'failed'],
    ]);
    expect(checks[3]?.findings).toMatchObject([{ file: 'src/lib.rs', line: 9, rule: 'tests::adds', origin: 'caused' }]);
  },
  300_000,
);

verifies('I15', 'no check can change the tree, and none is left running', async () => {
  const { edit, stop, file } = await project({
    'package.json': JSON.stringify({ scripts: { test: 'touch left-behind src/left-behind; echo changed > src/a.js; false' } }),
    'src/a.js': 'let a = 1;\n',
  });
  await edit('src/a.js', 'let a = 2;\n');
  await stop();
  expect(readFileSync(file('src/a.js'), 'utf8')).toBe('let a = 2;\n');
  expect([existsSync(file('left-behind')), readdirSync(file('src')).includes('left-behind')]).toEqual([false, false]);
});

verifies('I15', 'what a human broke meanwhile is not the agent’s', async () => {
  const { edit, stop, file } = await project(NODE_PROJECT);
  await edit('src/other.js', 'export const other = 1;\n');
  writeFileSync(file('src/sum.js'), 'export const sum = (a, b) => a - b;\n');
  expect(await stop()).toEqual({ systemMessage: 'Countersign: 2 failures were there before and are not yours.' });
});

test('a check that takes too long is reported once, and left to whoever asks for it', async () => {
  const { edit, daemon, settled } = await project({
    '.ai/config/repo.json': JSON.stringify({ quality: { test: 'sleep 100' } }),
    'a.js': '1\n',
  });
  const { kernel, ask } = daemon.services();
  const { checkAtStop } = kernel.turns.ports;
  const [session] = await ask('sessions', {});
  const where = { root: daemon.repo.path, session: session!.id, withinMs: 5_000, maySendBack: true };
  await edit('a.js', '2\n');
  expect(await checkAtStop(where)).toEqual({
    sendBack: null,
    note: 'Countersign: test did not end in time; from now on only validate runs it.',
  });
  await edit('a.js', '3\n');
  expect(await checkAtStop(where)).toBeNull();
  expect((await settled()).filter(({ tool_id }) => tool_id === 'validate')).toHaveLength(1);
});

test('a workspace without checks is left alone', async () => {
  const { edit, stop, settled, validate } = await project({ 'src/a.js': 'let a = 1;\n' });
  await edit('src/a.js', 'let a = 2;\n');
  expect(await stop()).toEqual({});
  expect((await settled()).map(({ tool_id }) => tool_id)).toEqual(['write_file']);
  expect(await validate()).toEqual({
    ...{ ok: true, checks: [], formatted: [] },
    notes: ['No checks are configured, and none were found that are installed here.'],
  });
});
