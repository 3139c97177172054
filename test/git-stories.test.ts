// What people do with git while the gate looks on, with real git: the gate's files do not get in the way, and git's own changes are not
// reported as untracked.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { EventOf, Receipt } from '../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { CLI, runCommand } from './lab/installation.ts';
import { verifies } from './verifies.ts';
import { FIRST_DOORS } from '../src/protocol/index.ts';

interface WorkTree {
  readonly root: string;
  readonly git: (...args: string[]) => string;
  readonly read: (path: string) => string;
  /** The agent edits a file: requested, done, reported. */
  readonly edit: (path: string, content: string) => Promise<void>;
  /** The end of the agent's turn: what was found, as path and attribution. */
  readonly stop: () => Promise<string[][]>;
}

interface Story {
  readonly daemon: TestDaemon;
  readonly main: WorkTree;
  readonly open: (root: string) => Promise<WorkTree>;
  readonly receipts: () => Promise<{ root: string; receipt: Receipt }[]>;
  /** Git has nothing of ours to commit, and the ledger holds. */
  readonly endsWell: () => Promise<void>;
}

async function story(): Promise<Story> {
  const daemon = await startTestDaemon();
  onTestFinished(() => daemon.dispose());
  const { path } = daemon.repo;
  const run = (args: readonly string[], cwd = path) =>
    runCommand(CLI, args, { cwd, env: { COUNTERSIGN_HOME: daemon.home.dir, HOME: daemon.home.dir } });
  // As `countersign init` does it.
  writeFileSync(
    join(path, '.git/info/exclude'),
    '/.orchestration/intent_map.md\n/.orchestration/agent_trace.jsonl\n/.orchestration/active_intents.yaml\n/.orchestration/.*.tmp\n/.ai/\n',
  );
  await daemon.beginWork('**');

  const open = async (root: string): Promise<WorkTree> => {
    const session_id = root === path ? 'session-of-test' : `session in ${root}`;
    const tell = (event: string, payload: object = {}) => daemon.hook(event, { session_id, cwd: root, ...payload });
    await tell('SessionStart', { source: 'startup' });
    const { kernel } = daemon.services();
    const session = [...kernel.state.sessions.values()].find((entry) => entry.root === root)!;
    const { workspace, agent } = session;
    const place = { session: session.id, workspace, root, cwd: root, actor: { agent }, door: FIRST_DOORS.mcp, waitTimeoutMs: 0 } as const;
    await kernel.spine.pass({ ...place, tool: 'begin_work', input: {}, signal: AbortSignal.timeout(60_000) });
    let calls = 0;
    let size = await daemon.ledgerSize();
    return {
      root,
      git: (...args) =>
        execFileSync('git', args, {
          cwd: root,
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], HOME: root, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_EDITOR: 'true' },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      read: (file) => readFileSync(join(root, file), 'utf8'),
      edit: async (file, content) => {
        const look = { tool_name: 'Read', tool_input: { file_path: join(root, file) }, tool_use_id: `${session_id} ${++calls}` };
        await tell('PreToolUse', look);
        await tell('PostToolUse', { ...look, tool_response: {} });
        const payload = {
          tool_name: 'Write',
          tool_input: { file_path: join(root, file), content },
          tool_use_id: `${session_id} ${++calls}`,
        };
        const answer = await tell('PreToolUse', payload);
        if (JSON.stringify(answer).includes('deny')) throw new Error(JSON.stringify(answer));
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), content);
        await tell('PostToolUse', { ...payload, tool_response: {} });
      },
      stop: async () => {
        await tell('Stop');
        const events = await daemon.recordedSince(size);
        size = await daemon.ledgerSize();
        return events.flatMap((event) =>
          event.type === 'untracked_mutation' && event.data.root === root ? [[event.data.path, event.data.attribution]] : [],
        );
      },
    };
  };

  return {
    daemon,
    main: await open(path),
    open,
    receipts: async () => {
      const events = await daemon.recordedSince(0);
      const rootOf = new Map(
        events.flatMap((event) => (event.type === 'action_admitted' ? [[event.data.action.id, event.data.action.root]] : [])),
      );
      return events
        .filter((event): event is EventOf<'action_settled'> => event.type === 'action_settled')
        .map(({ data }) => ({ root: rootOf.get(data.action)!, receipt: data.receipt }));
    },
    endsWell: async () => {
      // A view that is being written has a temporary file beside it.
      await expect.poll(() => daemon.repo.git('status', '--porcelain')).not.toMatch(/\.orchestration|\.ai\/|tinyTasks|AGENTS/);
      expect(await run(['verify'])).toMatchObject({ code: 0 });
    },
  };
}

const LOGIN = 'src/auth/login.ts';

verifies('N5', 'git: checkout back and forth', async () => {
  const { main, endsWell } = await story();
  await main.edit(LOGIN, 'work of the agent\n');
  await main.edit('src/new.ts', 'new\n');
  expect(await main.stop()).toEqual([]);
  main.git('checkout', '--quiet', '-b', 'work');
  main.git('add', '--all');
  main.git('commit', '--quiet', '--message', 'work');
  expect(await main.stop()).toEqual([]);
  for (const branch of ['main', 'work', 'main', 'work']) {
    main.git('checkout', '--quiet', branch);
    expect(existsSync(join(main.root, 'src/new.ts'))).toBe(branch === 'work');
    expect(await main.stop()).toEqual([]);
  }
  // Several at once, and then a real change beside them.
  main.git('checkout', '--quiet', 'main');
  writeFileSync(join(main.root, 'README.md'), 'by hand\n');
  expect(await main.stop()).toEqual([['README.md', 'human-unproven']]);
  await endsWell();
});

verifies('N5', 'git: stash and pop', async () => {
  const { main, endsWell } = await story();
  await main.edit(LOGIN, 'work of the agent\n');
  await main.edit('src/new.ts', 'new\n');
  writeFileSync(join(main.root, 'README.md'), 'by hand\n');
  expect(await main.stop()).toEqual([['README.md', 'human-unproven']]);
  main.git('stash', '--quiet', '--include-untracked');
  expect(existsSync(join(main.root, 'src/new.ts'))).toBe(false);
  expect(await main.stop()).toEqual([]);
  main.git('stash', 'pop', '--quiet');
  expect(main.read(LOGIN)).toBe('work of the agent\n');
  expect(await main.stop()).toEqual([]);
  main.git('stash', '--quiet', '--include-untracked');
  main.git('stash', 'pop', '--quiet');
  expect(await main.stop()).toEqual([]);
  await endsWell();
});

verifies('N5', 'git: clean -xfd takes the views along and nothing is lost', async () => {
  const { main, daemon, endsWell } = await story();
  mkdirSync(join(main.root, 'node_modules/x'), { recursive: true });
  writeFileSync(join(main.root, 'node_modules/x/index.js'), 'x');
  await main.edit(LOGIN, 'work of the agent\n');
  expect(await main.stop()).toEqual([]);
  main.git('clean', '-xfdq');
  expect(existsSync(join(main.root, '.orchestration'))).toBe(false);
  expect(await main.stop()).toEqual([]);
  // The gate continues, and its record was never in the tree.
  await main.edit(LOGIN, 'more work\n');
  expect(await main.stop()).toEqual([]);
  expect(existsSync(join(daemon.home.dir, 'ledger'))).toBe(true);
  await endsWell();
});

verifies('N5', 'git: merge and rebase, with contents that git puts together', async () => {
  const { main, endsWell } = await story();
  const lines = main.read(LOGIN).split('\n');
  main.git('checkout', '--quiet', '-b', 'work');
  await main.edit(LOGIN, ['// from work', ...lines].join('\n'));
  await main.edit('src/work.ts', 'work\n');
  expect(await main.stop()).toEqual([]);
  main.git('add', '--all');
  main.git('commit', '--quiet', '--message', 'work');
  main.git('checkout', '--quiet', 'main');
  expect(await main.stop()).toEqual([]);
  await main.edit(LOGIN, [...lines, '// from main'].join('\n'));
  main.git('commit', '--quiet', '--all', '--message', 'more on main');
  expect(await main.stop()).toEqual([]);

  main.git('checkout', '--quiet', '-b', 'merged');
  main.git('merge', '--quiet', '--no-edit', 'work');
  expect(main.read(LOGIN)).toBe(['// from work', ...lines, '// from main'].join('\n'));
  expect(await main.stop()).toEqual([]);
  main.git('checkout', '--quiet', 'work');
  expect(await main.stop()).toEqual([]);
  main.git('rebase', '--quiet', 'main');
  expect(await main.stop()).toEqual([]);
  main.git('commit', '--quiet', '--amend', '--message', 'work, said better');
  main.git('reset', '--quiet', '--hard', 'HEAD~1');
  expect(await main.stop()).toEqual([]);
  await endsWell();
});

verifies('N5', 'git: a conflict is git’s, its resolution is a person’s or an agent’s', async () => {
  const { main, endsWell } = await story();
  main.git('checkout', '--quiet', '-b', 'work');
  await main.edit(LOGIN, 'one way\n');
  main.git('commit', '--quiet', '--all', '--message', 'one way');
  main.git('checkout', '--quiet', 'main');
  await main.edit(LOGIN, 'another way\n');
  main.git('commit', '--quiet', '--all', '--message', 'another way');
  expect(await main.stop()).toEqual([]);
  expect(() => main.git('merge', '--quiet', 'work')).toThrow('Command failed: git merge');
  expect(await main.stop()).toEqual([]);
  writeFileSync(join(main.root, LOGIN), 'both ways\n');
  main.git('commit', '--quiet', '--all', '--no-edit');
  expect(await main.stop()).toEqual([[LOGIN, 'human-unproven']]);
  await endsWell();
});

verifies('N5', 'git: while it is at work nothing is judged, and a forgotten lock hides nothing', async () => {
  const { main, endsWell } = await story();
  const lock = join(main.root, '.git/index.lock');
  writeFileSync(lock, '');
  writeFileSync(join(main.root, LOGIN), 'half of a checkout\n');
  expect(await main.stop()).toEqual([]);
  utimesSync(lock, 1_000_000_000, 1_000_000_000);
  expect(await main.stop()).toEqual([[LOGIN, 'human-unproven']]);
  rmSync(lock);
  await endsWell();
});

verifies('N5', 'git: two work trees, each with its own receipts and looks', async () => {
  const { main, open, receipts, daemon, endsWell } = await story();
  // Inside the first one, where some agents put theirs.
  main.git('worktree', 'add', '--quiet', '-b', 'side', 'trees/side');
  const side = await open(join(main.root, 'trees/side'));
  await side.edit(LOGIN, 'in the side tree\n');
  await main.edit('README.md', 'in the main tree\n');
  writeFileSync(join(side.root, 'src/by-hand.ts'), 'x\n');
  expect(await main.stop()).toEqual([]);
  expect(await side.stop()).toEqual([['src/by-hand.ts', 'human-unproven']]);
  side.git('add', '--all');
  side.git('commit', '--quiet', '--message', 'on the side');
  main.git('commit', '--quiet', '--all', '--message', 'on main');
  main.git('merge', '--quiet', '--no-edit', 'side');
  expect(main.read(LOGIN)).toBe('in the side tree\n');
  expect(await main.stop()).toEqual([]);
  side.git('rebase', '--quiet', 'main');
  expect(await side.stop()).toEqual([]);
  const written = (await receipts()).flatMap(({ root, receipt }) => receipt.file_refs.map(({ path }) => [root, path]));
  expect(written).toEqual([
    [side.root, LOGIN],
    [main.root, 'README.md'],
  ]);
  // Removing a tree removes its files; that is not a change to report.
  main.git('worktree', 'remove', '--force', 'trees/side');
  const size = await daemon.ledgerSize();
  await daemon.services().kernel.turns.ports.reconcile({ root: side.root, session: 'ses_none', how: 'whole' });
  expect(await daemon.ledgerSize()).toBe(size);
  expect(await main.stop()).toEqual([]);
  await endsWell();
});
