// Observe first: what the gate would say is recorded, nothing is stopped, and nothing of it counts as enforced.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DoctorReport } from '../src/install/doctor.ts';
import type { ActionRow, ModesView, SessionRow, StatsRow, Status } from '../src/protocol/index.ts';
import { agentProcess } from './lab/agent-process.ts';
import { CLI, type Place, runCommand } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { ownInstallation, spoilLedger } from './lab/own-installation.ts';
import { verifies } from './verifies.ts';

const placeForThisTest = oneDaemon();

const SETTINGS = '.claude/settings.local.json';
const edit = (place: Place, id: string, file: string) => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'Write',
  tool_input: { file_path: join(place.repo.path, file), content: 'x\n' },
  tool_use_id: id,
});
const shell = (id: string, command: string) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: id });
const denied = { hookSpecificOutput: { permissionDecision: 'deny' } };

/** As Claude Code does: asked before, done, reported after. */
async function write(place: Place, id: string, file: string): Promise<unknown> {
  const said = await place.hook('PreToolUse', edit(place, id, file));
  await writeFile(join(place.repo.path, file), 'x\n');
  await place.hook('PostToolUse', { ...edit(place, id, file), tool_response: 'ok' });
  return said;
}

async function observed(make: () => Promise<Place> = placeForThisTest): Promise<Place> {
  const place = await make();
  expect((await place.run(['init', '--observe', '--yes'])).code).toBe(0);
  await place.hook('SessionStart', {});
  await place.hook('UserPromptSubmit', { prompt: 'fix it', prompt_id: 'p1' });
  return place;
}

describe('a workspace that observes', () => {
  verifies('N16', 'stops nothing, and records what it would have said', async () => {
    const place = await observed(ownInstallation);
    expect(await write(place, 't1', 'src/auth/login.ts')).toEqual({});
    expect(await place.hook('PreToolUse', shell('t2', 'rm -rf src'))).toEqual({});
    expect(await place.hook('PreToolUse', edit(place, 't3', '.claude/settings.local.json'))).toEqual({});
    // Nothing is required at the end of the turn, and the agent is shown no rules.
    expect(await place.hook('Stop', {})).toEqual({});

    const rows = (await place.ask<ActionRow[]>('log')).filter(({ agent }) => agent === 'claude-code');
    expect(rows.map(({ tool, state, code, observing }) => ({ tool, state, code, observing }))).toEqual([
      { tool: 'Write', state: 'settled', code: expect.stringMatching(/^(?:INTENT|RECALL)/), observing: true },
      { tool: 'Bash', state: 'unknown', code: 'UNKNOWN', observing: true },
      { tool: 'Write', state: 'unknown', code: 'UNKNOWN', observing: true },
    ]);
    expect(await place.ask('approvals')).toEqual([]);
    expect(await place.ask('violations')).toEqual([]);
    const receipts = await place.ask<{ file_refs: { path: string }[] }[]>('receipts');
    expect(receipts.flatMap(({ file_refs }) => file_refs.map(({ path }) => path))).toEqual(['src/auth/login.ts']);
  });

  verifies('N16', 'tells the agent only that it is observed: no memory at a prompt, no finding at its end', async () => {
    const place = await placeForThisTest();
    await place.run(['init', '--observe', '--yes']);
    await place.human(['memory', 'add', 'decision', 'The login is fixed in src/auth', '--rationale', 'it stands there']);
    expect(JSON.stringify(await place.hook('SessionStart', {}))).toContain('Countersign: what is done in this workspace is recorded');
    expect(await place.hook('UserPromptSubmit', { prompt: 'fix the login in src/auth', prompt_id: 'p1' })).toEqual({});
    await place.hook('PreToolUse', shell('t1', 'node tool.js'));
    await writeFile(join(place.repo.path, 'src/auth/past.ts'), 'past the gate\n');
    await place.hook('PostToolUse', { ...shell('t1', 'node tool.js'), tool_response: 'ok' });
    expect(await place.hook('Stop', {})).toEqual({});
    expect(await place.hook('UserPromptSubmit', { prompt: 'and the login again', prompt_id: 'p2' })).toEqual({});
  });

  test('shows its level everywhere', async () => {
    const place = await observed(ownInstallation);
    const { workspaces } = await place.ask<Status>('status');
    expect(workspaces.map(({ level, level_note }) => [level, level_note.split('.')[0]])).toEqual([
      ['observing', 'Verdicts are recorded and nothing is blocked'],
    ]);
    expect((await place.ask<SessionRow[]>('sessions')).map(({ level, by_hooks }) => ({ level, by_hooks }))).toEqual([
      { level: 'observing', by_hooks: true },
    ]);
    expect(await place.ask<ModesView>('mode')).toMatchObject({ observing: true, minimum: 'GUARDED' });
    expect((await place.human(['mode'])).output).toContain('This workspace only observes');
  });

  test('holds its own tools to its own files all the same', async () => {
    const place = await observed();
    const client = await place.mcpClient();
    onTestFinished(() => client.close());
    expect((await client.callTool({ name: 'countersign_status', arguments: {} })).structuredContent).toMatchObject({ level: 'observing' });
    const refused = await client.callTool({ name: 'write_file', arguments: { path: '.claude/settings.local.json', content: '{}' } });
    expect(JSON.stringify(refused)).toContain('GOVERNANCE_FILE');
    const written = await client.callTool({ name: 'write_file', arguments: { path: 'src/new.ts', content: 'export {};\n' } });
    expect(written.isError ?? false).toBe(false);
    expect(await readFile(join(place.repo.path, 'src/new.ts'), 'utf8')).toBe('export {};\n');
  });

  /** The line that `init` wrote, as Claude Code runs it. */
  const wiredLine = async (place: Place): Promise<string> => {
    const { hooks } = JSON.parse(await readFile(join(place.repo.path, SETTINGS), 'utf8')) as {
      hooks: { PreToolUse: { hooks: { command: string; onFailure?: string }[] }[] };
    };
    return hooks.PreToolUse[0]!.hooks[0]!.command;
  };

  verifies('N16', 'stops nothing with the daemon dead either: its hooks say so, and no file can', async () => {
    const place = await observed(ownInstallation);
    const observing = await wiredLine(place);
    await place.run(['init', '--enforce', '--yes']);
    const enforcing = await wiredLine(place);
    expect([observing.includes(' --observe '), enforcing.includes(' --observe ')]).toEqual([true, false]);
    const run = (line: string) =>
      runCommand(
        '/bin/sh',
        ['-c', `printf '%s' '{"tool_name":"Write","tool_input":{}}' | (${line.replace('--deadline 110', '--deadline 1')})`],
        {
          cwd: join(place.repo.path, 'src'),
          env: { ...place.env, PATH: '/usr/bin:/bin' },
        },
      );
    await spoilLedger(place);
    await writeFile(join(place.home, 'observing'), `${place.repo.path}\n`);
    expect(await run(observing)).toMatchObject({ code: 0, stdout: '{}\n' });
    expect(await run(enforcing)).toMatchObject({ code: 2, stderr: expect.stringContaining('DAEMON_UNAVAILABLE') });
  });

  test('is wired for it: every agent that is wired follows a switch, and doctor tells hooks that do not fit', async () => {
    const place = await placeForThisTest();
    await place.run(['init', '--observe', '--yes', '--agent', 'claude', 'cursor', 'cline', 'opencode', 'codex']);
    const files = [SETTINGS, '.cursor/hooks.json', '.cline/hooks/PreToolUse', '.opencode/plugins/countersign.js', '.codex/hooks.json'];
    const read = () => Promise.all(files.map((file) => readFile(join(place.repo.path, file), 'utf8')));
    const before = await read();
    expect(before.map((text) => /[" ]--observe[" ]/.test(text))).toEqual(files.map(() => true));
    expect(before.filter((text) => /onFailure|failClosed/.test(text))).toEqual([]);
    // Only differences are written, for every wired agent.
    expect((await place.run(['init', '--enforce', '--yes', '--agent', 'claude'])).code).toBe(0);
    expect((await read()).map((text) => /[" ]--observe[" ]/.test(text))).toEqual(files.map(() => false));
    const doctor = async () =>
      (JSON.parse((await place.run(['doctor', '--json'])).stdout) as DoctorReport).agents.flatMap(({ name, checks }) =>
        checks
          .filter((check) => check.name === 'observing' || (check.name === 'trust' && name === 'codex'))
          .map(({ name: what, state }) => [name, what, state]),
      );
    expect(await doctor()).toEqual([['codex', 'trust', 'ok']]);
    await writeFile(join(place.repo.path, SETTINGS), before[0]!);
    expect(await doctor()).toContainEqual(['claude', 'observing', 'bad']);
    await place.human(['init', '--observe', '--yes']);
    expect(await doctor()).not.toContainEqual(['claude', 'observing', 'bad']);
    await place.run(['init', '--enforce', '--yes']);
    const enforcing = await read();
    await place.human(['init', '--observe', '--yes']);
    await writeFile(join(place.repo.path, SETTINGS), enforcing[0]!);
    expect(await doctor()).toContainEqual(['claude', 'observing', 'note']);
  });
});

describe('who may say so', () => {
  test('a script may begin with it; once agents have worked here only a human at a terminal may; ending it is free', async () => {
    const place = await placeForThisTest();
    await place.run(['init', '--yes']);
    expect(await place.hook('PreToolUse', edit(place, 't1', 'src/auth/login.ts'))).toMatchObject(denied);
    expect(await place.run(['init', '--observe', '--yes'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('agents work behind the gate here, and it was not asked for on a terminal'),
    });
    expect(await place.hook('PreToolUse', edit(place, 't2', 'src/auth/login.ts'))).toMatchObject(denied);
    expect((await place.human(['init', '--observe', '--yes'])).code).toBe(0);
    expect(await place.hook('PreToolUse', edit(place, 't3', 'src/auth/login.ts'))).toEqual({});
    expect(await place.run(['init', '--enforce', '--yes'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Verdicts count here from now on.'),
    });
    expect(await place.hook('PreToolUse', edit(place, 't4', 'src/auth/login.ts'))).toMatchObject(denied);
    expect(await place.run(['init', '--observe', '--enforce'])).toMatchObject({ code: 2 });
  });

  test('an agent may neither say so nor import anything', async () => {
    const place = await ownInstallation();
    await place.run(['init', '--yes']);
    await writeFile(join(place.repo.path, 'CLAUDE.md'), '- Never commit to main\n');
    const agent = await agentProcess({ home: place.home, root: place.repo.path, env: place.env });
    await agent.hook('SessionStart');
    for (const words of ['init --observe --yes', 'init --enforce --yes', 'import CLAUDE.md --yes']) {
      const said = JSON.parse(await agent.shell(`'${CLI}' --json ${words} </dev/null`)) as unknown;
      expect(said).toMatchObject({ error: { code: 'HUMAN_CHANNEL_REQUIRED' } });
    }
    expect(await place.ask<ModesView>('mode')).toMatchObject({ observing: false });
  });

  test('a line in a file does not make it so', async () => {
    const place = await ownInstallation();
    await place.run(['init', '--yes']);
    await writeFile(join(place.home, 'observing'), `${place.repo.path}\n`);
    expect(await place.hook('PreToolUse', edit(place, 't1', 'src/auth/login.ts'))).toMatchObject(denied);
    await writeFile(join(place.repo.path, '.ai/config/env.local.json'), '{"mode":{"observe":true}}');
    expect(await place.hook('PreToolUse', edit(place, 't2', 'src/auth/login.ts'))).toMatchObject(denied);
  });

  test('--undo ends it', async () => {
    const place = await observed();
    await place.human(['init', '--undo', '--yes']);
    expect(await place.ask<ModesView>('mode')).toMatchObject({ observing: false });
  });
});

describe('stats', () => {
  verifies('N16', 'say what would have been stopped, since which commit', async () => {
    const place = await observed();
    await write(place, 't1', 'src/auth/login.ts');
    await place.hook('PreToolUse', shell('t2', 'rm -rf src'));
    await place.hook('PreToolUse', { tool_name: 'Read', tool_input: { file_path: join(place.repo.path, 'README.md') }, tool_use_id: 't3' });
    const [row, ...others] = await place.ask<StatsRow[]>('stats');
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      ...{ root: place.repo.path, agent: 'claude-code', observing: true, sessions: 1, prompts: 1 },
      adopted: { revision: place.repo.git('rev-parse', 'HEAD').trim() },
      actions: { reads: 1, changes: 2, failed: 0, unknown: 0 },
      ...{ refused: [], questions: { asked: 0, approved: 0, rejected: 0, expired: 0 }, false_block_candidates: 0, gate_calls: 0 },
      ...{ extra_calls_per_prompt: 0, intents: 0, interruptions_per_intent: null },
    });
    expect(row!.would_refuse.reduce((sum, { count }) => sum + count, 0) + row!.would_ask).toBe(2);
    const { output } = await place.humanTries(['stats']);
    expect(output).toMatch(/would stop +\d+: [A-Z_]+ \d/);
    expect(output).toContain('countersign init --enforce');
  });

  test('count refusals, what passed after a remedy, questions and calls of the gate’s own tools', async () => {
    const place = await placeForThisTest();
    await place.run(['init', '--yes', '--intent', 'auth', '--paths', 'src/auth']);
    // With one alone, or one that covers the file, there is nothing to choose, and nothing is refused.
    await place.human(['intent', 'write it down', 'docs', 'src/auth']);
    await place.hook('SessionStart', {});
    await place.hook('UserPromptSubmit', { prompt: 'fix it', prompt_id: 'p1' });
    expect(await place.hook('PreToolUse', edit(place, 't1', 'src/auth/new.ts'))).toMatchObject(denied);
    await place.hook('PreToolUse', { tool_name: 'mcp__countersign__begin_work', tool_input: { intent: 'INT-001' }, tool_use_id: 'own' });
    const client = await place.mcpClient({ surface: 'hooked' });
    onTestFinished(() => client.close());
    await client.callTool({ name: 'begin_work', arguments: { intent: 'INT-001' }, _meta: { 'claudecode/toolUseId': 'own' } });
    expect(await write(place, 't2', 'src/auth/new.ts')).toEqual({});
    expect(await place.hook('PreToolUse', edit(place, 't3', 'README.md'))).toMatchObject(denied);
    const [row] = await place.ask<StatsRow[]>('stats');
    expect(row).toMatchObject({
      ...{ observing: false, adopted: null, would_refuse: [], would_ask: 0, false_block_candidates: 1 },
      actions: { changes: 1 },
      ...{ gate_calls: 1, extra_calls_per_prompt: 3, intents: 1, interruptions_per_intent: 0 },
    });
    expect(row!.refused.map(({ count }) => count).reduce((a, b) => a + b)).toBe(2);
    expect(await place.humanTries(['stats', '--all'])).toMatchObject({ code: 0, output: expect.stringContaining('verdicts count') });
  });

  test('of a workspace without sessions', async () => {
    const place = await placeForThisTest();
    expect(await place.run(['stats'])).toMatchObject({ code: 0, stdout: 'No agent has been here yet.\n' });
  });
});
