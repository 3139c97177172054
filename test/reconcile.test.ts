// The tree against the receipts, with a whole daemon: whatever changes a file, a receipt says so or an `untracked_mutation` does.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EventOf } from '../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { verifies } from './verifies.ts';

type Untracked = EventOf<'untracked_mutation'>['data'];

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Place {
  readonly daemon: TestDaemon;
  readonly file: (path: string) => string;
  /** As an editor does it: without asking the gate. */
  readonly put: (path: string, content: string) => void;
  /** Events since the test began, or since the last call. */
  readonly untracked: () => Promise<Untracked[]>;
  readonly tell: (event: string, payload?: object) => Promise<unknown>;
  /** The agent's shell: `effect` is what the command really does. Returns the action. */
  readonly shell: (effect: () => void) => Promise<string>;
  /** The agent's own editing tool, requested and reported. */
  readonly edit: (path: string, content: string, after?: () => void) => Promise<string>;
  /** A call that is let through; `end` reports its outcome. */
  readonly begin: (tool_name: string, tool_input: object) => Promise<{ readonly action: string; readonly end: () => Promise<unknown> }>;
}

/** `scope`: what the agent's commands may change; the rest is past the gate. */
async function place(files: Readonly<Record<string, string>> = {}, scope = '**'): Promise<Place> {
  const daemon = await startTestDaemon();
  onTestFinished(() => daemon.dispose());
  const file = (path: string) => join(daemon.repo.path, path);
  const put = (path: string, content: string) => {
    mkdirSync(dirname(file(path)), { recursive: true });
    writeFileSync(file(path), content);
  };
  for (const [path, content] of Object.entries(files)) put(path, content);
  await daemon.beginWork(scope);
  let size = await daemon.ledgerSize();
  let calls = 0;
  const begin = async (tool_name: string, tool_input: object) => {
    const payload = { tool_name, tool_input, tool_use_id: `toolu_${++calls}` };
    const { kernel, ask } = daemon.services();
    if (JSON.stringify(await daemon.hook('PreToolUse', payload)).includes('APPROVAL_REQUIRED')) {
      const [question] = await ask('approvals', { state: 'pending' });
      await kernel.approvals.answer({ kind: 'human', human: { proof: 'login', via: 'cli' } }, question!.id, 'approved', null);
      await daemon.hook('PreToolUse', payload);
    }
    const action = (await ask('actions', { limit: 1 }))[0]!;
    if (action.state !== 'admitted') throw new Error(JSON.stringify(action));
    return { action: action.id, end: () => daemon.hook('PostToolUse', { ...payload, tool_response: {} }) };
  };
  const call = async (tool_name: string, tool_input: object, effect: () => void) => {
    const { action, end } = await begin(tool_name, tool_input);
    effect();
    await end();
    return action;
  };
  return {
    daemon,
    file,
    put,
    begin,
    untracked: async () => {
      const events = await daemon.recordedSince(size);
      size = await daemon.ledgerSize();
      return events
        .flatMap((event) => (event.type === 'untracked_mutation' ? [event.data] : []))
        .toSorted((a, b) => (a.path < b.path ? -1 : 1));
    },
    tell: (event, payload = {}) => daemon.hook(event, payload as Record<string, unknown>),
    shell: (effect) => call('Bash', { command: 'npm test' }, effect),
    edit: async (path, content, after) => {
      if (existsSync(file(path)))
        await daemon.hook('PreToolUse', { tool_name: 'Read', tool_input: { file_path: file(path) }, tool_use_id: `toolu_${++calls}` });
      return call('Write', { file_path: file(path), content }, () => {
        put(path, content);
        after?.();
      });
    },
  };
}

/** The one thing that the gate still asks for: nothing is said about files. */
const ONLY_THE_STAMP = {
  decision: 'block',
  reason: expect.stringMatching(/^Countersign: this turn changed something and carries no compliance stamp[^\n]*$/) as string,
};

const whatAndWhose = ({ path, before_sha256, after_sha256, attribution, actions }: Untracked) => ({
  path,
  before_sha256,
  after_sha256,
  attribution,
  actions,
});

verifies('N5', 'a shell command that writes past the gate is found with its action', async () => {
  const { daemon, file, put, shell, tell, untracked } = await place({}, 'docs/**');
  const before = readFileSync(file('src/auth/login.ts'), 'utf8');
  const action = await shell(() => put('src/auth/login.ts', 'return true;\n'));
  const reported = `Countersign: a file changed in this turn without a receipt, most likely by your command ${action}: src/auth/login.ts.\nIt is on the record as UNTRACKED_MUTATION. Change files with the file tools, and tell the human what the command did.`;
  expect(await tell('Stop', { stop_hook_active: true })).toEqual({ systemMessage: reported });
  const found = await untracked();
  expect(found).toEqual([
    {
      workspace: (await daemon.services().locate(daemon.repo.path)).id,
      root: daemon.repo.path,
      path: 'src/auth/login.ts',
      before_sha256: sha256(before),
      after_sha256: sha256('return true;\n'),
      window: { from: expect.any(String), to: expect.any(String) },
      attribution: 'window',
      actions: [action],
    },
  ]);
  expect(found[0]!.window.from < found[0]!.window.to).toBe(true);

  // Recorded once, and shown to the agent with the next prompt.
  expect(JSON.stringify(await tell('UserPromptSubmit', { prompt: 'go on', prompt_id: 'p2' }))).toContain(
    JSON.stringify(reported).slice(1, -1),
  );
  expect(await tell('Stop', { stop_hook_active: true })).toEqual({});
  expect(await untracked()).toEqual([]);
});

verifies('I12', 'what a command changes in scope is on its receipt, line by line, and in the trace', async () => {
  const { daemon, file, put, shell, tell, untracked } = await place({ 'src/gone.ts': 'gone\n' }, 'src/**');
  await tell('Stop');
  await untracked();
  const before = readFileSync(file('src/auth/login.ts'), 'utf8');
  const action = await shell(() => {
    put('src/auth/login.ts', `// by the command\n${before}`);
    put('src/made.ts', 'export const made = 1;\n');
    rmSync(file('src/gone.ts'));
    put('README.md', 'past the gate\n');
  });
  const [receipt] = (await daemon.services().ask('receipts', {})).filter(({ action_id }) => action_id === action);
  expect(
    receipt!.file_refs
      .map(({ path, before_sha256, after_sha256, ranges, lock, attribution }) => ({
        ...{ path, before: before_sha256 !== null, after: after_sha256 !== null, lock, attribution },
        lines: ranges.map(({ start_line, end_line }) => [start_line, end_line]),
      }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  ).toEqual([
    { path: 'src/auth/login.ts', before: true, after: true, lock: 'unread', attribution: 'window', lines: [[1, 1]] },
    { path: 'src/gone.ts', before: true, after: false, lock: 'unread', attribution: 'window', lines: [] },
    { path: 'src/made.ts', before: false, after: true, lock: 'new', attribution: 'window', lines: [[1, 1]] },
  ]);
  expect((await untracked()).map(whatAndWhose)).toMatchObject([{ path: 'README.md', attribution: 'window', actions: [action] }]);
  // Judged once: the receipt explains it from then on.
  await tell('Stop');
  expect(await untracked()).toEqual([]);
  await daemon.services().kernel.spine.after(action, { output: '', failed: false });
  expect(await untracked()).toEqual([]);
});

verifies('I12', 'what the text of a command names is held to scope and lock like an edit', async () => {
  const { daemon, put, file } = await place({}, 'src/**');
  const ask = async (command: string) => {
    await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: `toolu_${command}` });
    const [row] = await daemon.services().ask('actions', { limit: 1 });
    return row!.code ?? row!.state;
  };
  const read = { tool_name: 'Read', tool_input: { file_path: file('src/auth/login.ts') }, tool_use_id: 'toolu_read' };
  await daemon.hook('PreToolUse', read);
  await daemon.hook('PostToolUse', { ...read, tool_response: {} });
  put('src/auth/login.ts', 'somebody else was here\n');
  symlinkSync('../docs', file('src/docs'));
  expect([
    await ask("sed -i 's/a/b/' src/auth/login.ts"),
    await ask('echo x > docs/a.md'),
    await ask('echo x > src/docs/a.md'),
    await ask('echo x > .git/hooks/pre-commit'),
    await ask('cp -r src lib'),
    await ask('echo x > src/fine.ts'),
  ]).toEqual(['STALE_FILE', 'SCOPE_VIOLATION', 'SCOPE_VIOLATION', 'GOVERNANCE_FILE', 'SCOPE_VIOLATION', 'admitted']);
});

verifies('T11', 'what an agent’s command changed past the gate is among the violations', async () => {
  const { daemon, put, shell, tell } = await place({}, 'docs/**');
  await tell('Stop');
  const action = await shell(() => put('src/auth/login.ts', 'past\n'));
  await tell('Stop');
  put('src/auth/login.ts', 'by hand\n');
  await tell('Stop');
  expect(await daemon.services().ask('violations', { rule: 'reconciliation' })).toMatchObject([
    {
      action,
      code: 'UNTRACKED_MUTATION',
      agent: 'claude-code',
      tool: 'Bash',
      message: expect.stringContaining('src/auth/login.ts changed'),
    },
  ]);
});

verifies('N5', 'an edit in an editor is human, unproven', async () => {
  const { put, file, tell, untracked } = await place();
  await tell('Stop');
  put('README.md', 'by hand\n');
  put('src/new.ts', 'by hand\n');
  rmSync(file('src/payments/index.ts'));
  await tell('UserPromptSubmit', { prompt: 'look', prompt_id: 'p2' });
  expect((await untracked()).map(({ path, attribution, actions }) => [path, attribution, actions])).toEqual([
    ['README.md', 'human-unproven', []],
    ['src/new.ts', 'human-unproven', []],
    ['src/payments/index.ts', 'human-unproven', []],
  ]);
});

verifies('N5', 'a receipted edit is never untracked, nor is its formatter', async () => {
  const { edit, put, tell, untracked } = await place();
  await edit('src/auth/login.ts', 'const a=1\n');
  await edit('src/new.ts', 'const b=1\n', () => put('src/new.ts', 'const b = 1;\n'));
  await edit('src/new.ts', 'const b = 2;\n');
  expect(await tell('Stop', { stop_hook_active: true })).toEqual(ONLY_THE_STAMP);
  await tell('SessionEnd', { reason: 'other' });
  expect(await untracked()).toEqual([]);
});

verifies('N5', 'what changes a file right after its receipt is that action’s window', async () => {
  const { edit, put, tell, untracked } = await place();
  const action = await edit('src/new.ts', 'const b=1\n');
  put('src/new.ts', 'const b = 1;\n');
  await tell('Stop');
  expect((await untracked()).map(whatAndWhose)).toEqual([
    {
      path: 'src/new.ts',
      before_sha256: sha256('const b=1\n'),
      after_sha256: sha256('const b = 1;\n'),
      attribution: 'window',
      actions: [action],
    },
  ]);
});

verifies('N5', 'a receipted change that is reverted outside the gate is found', async () => {
  const { edit, put, file, tell, untracked } = await place();
  const before = readFileSync(file('README.md'), 'utf8');
  const action = await edit('README.md', 'changed\n');
  put('README.md', before);
  await tell('Stop');
  expect((await untracked()).map(whatAndWhose)).toEqual([
    { path: 'README.md', before_sha256: sha256('changed\n'), after_sha256: sha256(before), attribution: 'window', actions: [action] },
  ]);
});

verifies('N5', 'a change while two commands run is ambiguous', async () => {
  const { put, begin, shell, tell, untracked } = await place();
  // Still running when another session's turn ends.
  const { action: long } = await begin('Bash', { command: 'npm start' });
  const short = await shell(() => put('both.txt', 'whose?\n'));
  await tell('Stop', { session_id: 'another' });
  expect((await untracked()).map(whatAndWhose)).toEqual([
    { path: 'both.txt', before_sha256: null, after_sha256: sha256('whose?\n'), attribution: 'ambiguous', actions: [long, short] },
  ]);
});

verifies('N5', 'a change that could not be judged yet keeps its window', async () => {
  const { daemon, put, file, shell, tell, untracked } = await place({}, 'docs/**');
  const lock = file('.git/index.lock');
  const action = await shell(() => {
    put('src/auth/login.ts', 'by the command\n');
    writeFileSync(lock, '');
  });
  await tell('Stop');
  expect(await untracked()).toEqual([]);
  rmSync(lock);
  await daemon.services().kernel.turns.ports.reconcile({ root: daemon.repo.path, session: 'ses_none', how: 'whole' });
  expect((await untracked()).map(({ path, attribution, actions }) => [path, attribution, actions])).toEqual([
    ['src/auth/login.ts', 'window', [action]],
  ]);
});

verifies('N5', 'content that a command adds or commits to git is still untracked', async () => {
  const { daemon, put, shell, tell, untracked } = await place({}, 'docs/**');
  const action = await shell(() => {
    put('src/added.ts', 'added\n');
    put('src/auth/login.ts', 'committed\n');
    daemon.repo.git('add', '--all');
    daemon.repo.git('commit', '--quiet', '--message', 'by the command');
    put('src/only-added.ts', 'only added\n');
    daemon.repo.git('add', '--all');
  });
  await tell('Stop');
  expect((await untracked()).map(({ path, attribution, actions }) => [path, attribution, actions])).toEqual([
    ['src/added.ts', 'window', [action]],
    ['src/auth/login.ts', 'window', [action]],
    ['src/only-added.ts', 'window', [action]],
  ]);
});

verifies('N5', 'views and derived files are never untracked; ignored ones are', async () => {
  const { daemon, edit, put, tell, shell, untracked, file } = await place({ '.gitignore': '.env\nnode_modules\n' });
  await edit('src/new.ts', 'one\n');
  await shell(() => {
    put('node_modules/left-pad/index.js', 'x');
    put('packages/web/dist/main.js', 'x');
    put('coverage/lcov.info', 'x');
    put('tinyTasks.md', '# Tasks — x\n');
    put('.orchestration/intent_map.md', 'x');
    put('.orchestration/active_intents.yaml', 'active_intents: []\n');
    put('.ai/tmp/work/notes.md', 'x');
    put('.ai/memory/records.json', '[]');
    put('AGENTS.md', '<!-- countersign:begin (kept by Countersign; edit outside of it) -->\n- learned\n<!-- countersign:end -->\n');
  });
  expect(await tell('Stop', { stop_hook_active: true })).toEqual(ONLY_THE_STAMP);
  expect(existsSync(file('.orchestration/agent_trace.jsonl'))).toBe(true);
  rmSync(file('AGENTS.md'));
  rmSync(file('tinyTasks.md'));
  await tell('Stop');
  expect(await untracked()).toEqual([]);

  put(
    'AGENTS.md',
    'A rule of ours.\n\n<!-- countersign:begin (kept by Countersign; edit outside of it) -->\n- x\n<!-- countersign:end -->\n',
  );
  put('.env', 'KEY=1\n');
  await daemon.services().kernel.turns.ports.reconcile({ root: daemon.repo.path, session: 'ses_none', how: 'whole' });
  expect((await untracked()).map(({ path }) => path)).toEqual(['.env', 'AGENTS.md']);
});

verifies('N5', 'a receipted edit of AGENTS.md stays explained when the gate renews its block', async () => {
  const { edit, put, tell, untracked } = await place();
  await edit('AGENTS.md', 'A rule.\n');
  put('AGENTS.md', 'A rule.\n\n<!-- countersign:begin (kept by Countersign; edit outside of it) -->\n- x\n<!-- countersign:end -->\n');
  await tell('Stop');
  expect(await untracked()).toEqual([]);
});

verifies('N5', 'what happens while no daemon runs is one window, unknown, reported once', async () => {
  const { daemon, edit, put, file, tell, untracked } = await place();
  await edit('src/new.ts', 'one\n');
  await tell('Stop');
  await edit('src/later.ts', 'two\n');
  const size = await daemon.ledgerSize();
  await daemon.restart(() => {
    put('src/new.ts', 'behind the back\n');
    rmSync(file('README.md'));
  });
  await tell('SessionStart', { source: 'resume' });
  await daemon.restart();
  await tell('SessionStart', { source: 'resume' });
  const found = (await daemon.recordedSince(size)).flatMap((event) => (event.type === 'untracked_mutation' ? [event.data] : []));
  expect(
    found.map(({ path, attribution, after_sha256 }) => [path, attribution, after_sha256] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ).toEqual([
    ['README.md', 'unknown', null],
    ['src/new.ts', 'unknown', sha256('behind the back\n')],
  ]);
  await tell('Stop');
  await untracked();
  // What was seen is kept for the owner alone.
  const [seen] = readdirSync(daemon.home.trees);
  expect(statSync(join(daemon.home.trees, seen!)).mode & 0o777).toBe(0o600);
});

verifies('N5', 'without a stored look, receipts are still compared with the tree', async () => {
  const { daemon, edit, put, untracked, tell } = await place();
  await edit('src/new.ts', 'one\n');
  await edit('src/kept.ts', 'kept\n');
  await tell('Stop');
  await untracked();
  const size = await daemon.ledgerSize();
  await daemon.restart(() => {
    rmSync(daemon.home.trees, { recursive: true });
    put('src/new.ts', 'another\n');
  });
  await tell('SessionStart', { source: 'resume' });
  const found = (await daemon.recordedSince(size)).flatMap((event) => (event.type === 'untracked_mutation' ? [event.data] : []));
  expect(found.map(whatAndWhose)).toEqual([
    { path: 'src/new.ts', before_sha256: sha256('one\n'), after_sha256: sha256('another\n'), attribution: 'unknown', actions: [] },
  ]);
});

verifies('N5', 'among 10,000 files the few that changed are reported, a rename as two', fewAmongMany, 120_000);

async function fewAmongMany(): Promise<void> {
  const files = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`lib/m${at % 100}/f${at}.ts`, `export const v = ${at};\n`]));
  const { put, file, shell, tell, untracked } = await place(files, 'docs/**');
  const action = await shell(() => {
    put('lib/m7/f7.ts', 'changed\n');
    // A touch changes nothing.
    put('lib/m8/f8.ts', 'export const v = 8;\n');
    renameSync(file('lib/m9/f9.ts'), file('lib/renamed.ts'));
    renameSync(file('lib/m10'), file('lib/moved'));
  });
  await tell('Stop');
  const found = await untracked();
  expect(found.filter(({ path }) => !/^lib\/(?:m10|moved)\//.test(path)).map(whatAndWhose)).toEqual([
    {
      path: 'lib/m7/f7.ts',
      before_sha256: sha256('export const v = 7;\n'),
      after_sha256: sha256('changed\n'),
      attribution: 'window',
      actions: [action],
    },
    {
      path: 'lib/m9/f9.ts',
      before_sha256: sha256('export const v = 9;\n'),
      after_sha256: null,
      attribution: 'window',
      actions: [action],
    },
    {
      path: 'lib/renamed.ts',
      before_sha256: null,
      after_sha256: sha256('export const v = 9;\n'),
      attribution: 'window',
      actions: [action],
    },
  ]);
  expect(found.filter(({ path }) => /^lib\/(?:m10|moved)\//.test(path))).toHaveLength(200);
}

test('links, pipes and odd names stop nothing; a link is reported as the text that it holds', async () => {
  const { file, put, shell, tell, untracked } = await place();
  await shell(() => {
    symlinkSync('/etc/passwd', file('link'));
    symlinkSync('.', file('round'));
    execFileSync('mkfifo', [file('pipe')]);
    put('name with\nnewline', 'x');
    chmodSync(file('README.md'), 0o755);
  });
  await tell('Stop');
  expect((await untracked()).map(({ path, after_sha256 }) => [path, after_sha256])).toEqual([
    ['link', sha256('/etc/passwd')],
    ['name with\nnewline', sha256('x')],
    ['round', sha256('.')],
  ]);
});
