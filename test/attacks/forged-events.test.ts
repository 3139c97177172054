// Events that an agent's program sends in the name of a session: any program that can read the hook's file can use any name. Real hook
// clients, real processes.

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EventType } from '../../src/protocol/index.ts';
import { type AgentProcess, agentProcess } from '../lab/agent-process.ts';
import { startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { makeScratchRepo } from '../lab/scratch-repo.ts';
import { verifies } from '../verifies.ts';

const INTENTS = '.orchestration/active_intents.yaml';

const placeOf = (daemon: TestDaemon) => ({ home: daemon.home.dir, root: daemon.repo.path });

interface Scene {
  readonly daemon: TestDaemon;
  readonly agent: AgentProcess;
  readonly file: string;
  /** The daemon's clock moves on, and it does what it does every second. */
  readonly later: (minutes: number) => Promise<void>;
}

/**
 * A daemon, and an agent that works on INT-001 for `src/**`. Its process is known. `behindMs`: how far the daemon's clock is behind that
 * of the files.
 */
async function sceneForThisTest(as = 'claude', behindMs = 0): Promise<Scene> {
  let ahead = -behindMs;
  const daemon = await startTestDaemon(() => new Date(Date.now() + ahead));
  onTestFinished(() => daemon.dispose());
  const { id: workspace } = await daemon.services().locate(daemon.repo.path);
  const request = { workspace, name: 'work of the test', ownedScope: ['src/**'], constraints: [], acceptanceCriteria: [] };
  const human = { kind: 'human', human: { proof: 'login', via: 'cli' } } as const;
  await daemon.services().commands.act('limit_mode', human, { cwd: daemon.repo.path, intent: null, minimum: 'GUARDED' });
  await daemon.services().kernel.authority.declareIntent(human, request);
  const agent = await agentProcess(placeOf(daemon));
  await agent.hook('SessionStart', { source: 'startup' }, as);
  await agent.hook('UserPromptSubmit', { prompt: 'go on' }, as);
  const file = join(daemon.repo.path, INTENTS);
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('INT-001');
  await agent.hook('UserPromptSubmit', { prompt: 'and on' }, as);
  return {
    daemon,
    agent,
    file,
    later: async (minutes) => {
      ahead += minutes * 60_000;
      await daemon.housekeep();
    },
  };
}

/** In minutes: longer than a process that only passed an event on may live. */
const WHILE = 0.05;
const widen = `sed -i 's#^\\( *- \\).*src/\\*\\*.*#\\1"**"#' '${INTENTS}'`;
const scope = async ({ daemon }: Scene) =>
  (await daemon.services().ask('intents', { cwd: daemon.repo.path, id: 'INT-001' }))[0]?.owned_scope;
const waiting = async ({ daemon }: Scene) => (await daemon.services().ask('status', {})).workspaces[0]!.edits.map(({ intent }) => intent);
const recorded = async ({ daemon }: Scene, type: EventType, from = 0) =>
  (await daemon.recordedSince(from)).filter((event) => event.type === type);
/** A human starts another agent: the daemon reads the file. */
const startAnother = async ({ daemon }: Scene) =>
  (await agentProcess(placeOf(daemon), 'the next one')).hook('SessionStart', { source: 'startup' });
const isOpen = async ({ daemon }: Scene) => (await daemon.services().ask('sessions', {})).map(({ agent, open }) => [agent, open]);

/** Has left the agent's process tree before it does this; resolves when it is done. */
async function detached(scene: Scene, commands: readonly string[]): Promise<void> {
  const done = join(scene.daemon.home.dir, `done-${Math.random()}`);
  const script = join(scene.daemon.home.dir, `script-${Math.random()}`);
  await writeFile(script, `cd '${scene.daemon.repo.path}'\n${commands.join('\n')}\ntouch '${done}'\n`);
  await scene.agent.shell(`setsid -f sh '${script}' > /dev/null 2>&1`);
  await expect.poll(() => existsSync(done), { timeout: 20_000 }).toBe(true);
}

describe('a forged SessionEnd', () => {
  verifies('I3', 'a detached child says that the session ended, then widens the intent: the edit waits for a human', async () => {
    const scene = await sceneForThisTest();
    await detached(scene, [await scene.agent.hookCommand('SessionEnd', { reason: 'exit' }), widen]);
    await startAnother(scene);
    expect([await scope(scene), await waiting(scene)]).toEqual([['src/**'], ['INT-001']]);
    expect((await recorded(scene, 'authority_refused')).map(({ data }) => data)).toMatchObject([{ command: 'hook session_end' }]);
    expect(await isOpen(scene)).toContainEqual(['claude-code', true]);
    // When the agent has really gone, its edit is still its own.
    await scene.agent.end();
    await scene.later(WHILE);
    await startAnother(scene);
    expect([await scope(scene), await waiting(scene)]).toEqual([['src/**'], ['INT-001']]);
  });

  verifies('I3', 'the agent itself says so, from its own process: an edit while that process lives waits', async () => {
    const scene = await sceneForThisTest();
    await scene.agent.hook('SessionEnd', { reason: 'exit' });
    await scene.agent.shell(widen);
    await startAnother(scene);
    expect([await scope(scene), await waiting(scene)]).toEqual([['src/**'], ['INT-001']]);
  });

  test('an agent that edits and is killed before its next event has not edited as a human', async () => {
    const scene = await sceneForThisTest();
    await scene.agent.hook('Stop', { stop_hook_active: false });
    await scene.agent.shell(widen);
    await scene.agent.end();
    await startAnother(scene);
    expect([await scope(scene), await waiting(scene)]).toEqual([['src/**'], ['INT-001']]);
  });

  test('nor has one that idled for an hour, and edited and ended while no daemon ran', async () => {
    const scene = await sceneForThisTest();
    await scene.daemon.restart();
    await scene.later(60);
    await scene.agent.shell(widen);
    await scene.daemon.restart(() => process.kill(scene.agent.pid, 'SIGKILL'));
    await startAnother(scene);
    expect([await scope(scene), await waiting(scene)]).toEqual([['src/**'], ['INT-001']]);
  });

  verifies('I3', 'a human’s edit after the agent’s process has ended holds at once', async () => {
    const scene = await sceneForThisTest();
    await scene.later(WHILE);
    await scene.agent.hook('SessionEnd', { reason: 'exit' });
    await scene.agent.end();
    await scene.later(0);
    expect(await recorded(scene, 'agent_processes_ended')).toMatchObject([{ data: { processes: [{ pid: scene.agent.pid }] } }]);
    await writeFile(scene.file, (await readFile(scene.file, 'utf8')).replace('src/**', 'docs/**'));
    await startAnother(scene);
    expect([await scope(scene), await waiting(scene)]).toEqual([['docs/**'], []]);
  });

  verifies('I3', 'a human’s edit while no daemon ran, after the agent had ended, holds at once', async () => {
    // The time of the change decides, and two clocks may differ by some seconds.
    const scene = await sceneForThisTest('claude', 20_000);
    await scene.later(WHILE);
    await scene.agent.end();
    await scene.later(0);
    const text = await readFile(scene.file, 'utf8');
    await scene.daemon.restart();
    await writeFile(scene.file, text.replace('src/**', 'docs/**'));
    await startAnother(scene);
    expect([await scope(scene), await waiting(scene)]).toEqual([['docs/**'], []]);
  });

  verifies('I3', 'an agent whose process is unknown counts as present for 30 minutes after its last event, SessionEnd or not', async () => {
    const scene = await sceneForThisTest();
    await scene.later(WHILE);
    await scene.agent.end();
    await scene.daemon.hook('SessionStart', { session_id: 'without a process', source: 'startup' });
    await scene.daemon.hook('SessionEnd', { session_id: 'without a process', reason: 'exit' });
    await scene.later(29);
    await writeFile(scene.file, (await readFile(scene.file, 'utf8')).replace('src/**', 'docs/**'));
    await scene.later(0);
    await scene.daemon.hook('SessionStart', { session_id: 'another', source: 'startup' });
    expect(await waiting(scene)).toEqual(['INT-001']);
    await scene.later(31);
    await writeFile(scene.file, (await readFile(scene.file, 'utf8')).replace('docs/**', 'lib/**'));
    await scene.daemon.hook('SessionStart', { session_id: 'a third', source: 'startup' });
    expect([await scope(scene), await waiting(scene)]).toEqual([expect.arrayContaining(['lib/**']), []]);
  });

  verifies('I3', 'an agent in a process of many sessions is present for 30 minutes after its last event, not for a day', async () => {
    const scene = await sceneForThisTest('vscode');
    await scene.later(29);
    await writeFile(scene.file, (await readFile(scene.file, 'utf8')).replace('src/**', 'docs/**'));
    await scene.agent.hook('SessionStart', { session_id: 'another in the same editor', source: 'new' }, 'vscode');
    expect(await waiting(scene)).toEqual(['INT-001']);
    await scene.later(31);
    await writeFile(scene.file, (await readFile(scene.file, 'utf8')).replace('docs/**', 'lib/**'));
    await startAnother(scene);
    expect([await scope(scene), await waiting(scene)]).toEqual([expect.arrayContaining(['lib/**']), []]);
  });
});

describe('reports of processes', () => {
  const known = ({ daemon }: Scene) => [...daemon.services().kernel.state.presence.all()];

  verifies('N14', 'a report that names a process which did not start its sender is not believed', async () => {
    const scene = await sceneForThisTest();
    const before = known(scene).length;
    for (const pid of [process.pid, 1, scene.agent.pid]) {
      const headers = { ...(await scene.daemon.asHook()), 'x-countersign-parent': String(pid) };
      const body = { session_id: `forged-${pid}`, cwd: scene.daemon.repo.path, hook_event_name: 'SessionStart', source: 'startup' };
      expect((await scene.daemon.web('POST', '/hooks/claude/SessionStart', { headers, body })).status).toBe(200);
    }
    expect(known(scene).length).toBe(before);
  });

  verifies('N14', 'a report does not move a process to another session, nor another process into its session', async () => {
    const scene = await sceneForThisTest();
    const [{ sessions } = { sessions: new Set<string>() }] = known(scene);
    const [first] = sessions;
    // The agent's own process in another's name: both are its sessions now.
    await scene.agent.hook('SessionStart', { session_id: 'another', source: 'startup' });
    expect(known(scene)).toMatchObject([{ pid: scene.agent.pid, proven: true }]);
    expect([known(scene)[0]!.sessions.size, known(scene)[0]!.sessions.has(first!)]).toEqual([2, true]);
    // Another agent in this one's name.
    const other = await agentProcess(placeOf(scene.daemon));
    await other.hook('UserPromptSubmit', { prompt: 'go on' });
    expect(known(scene).map(({ pid }) => pid)).toEqual([scene.agent.pid]);
  });

  test('dozens of processes that come and go leave a living one known', async () => {
    const scene = await sceneForThisTest();
    const command = await scene.agent.hookCommand('SessionStart', { session_id: 'crowd', source: 'startup' });
    await scene.agent.shell(`for i in $(seq 40); do sh -c ${JSON.stringify(`${command}; true`)} > /dev/null; done`);
    await scene.later(WHILE);
    expect(known(scene).map(({ pid }) => pid)).toContain(scene.agent.pid);
  }, 60_000);
});

describe('events in another session’s name', () => {
  const action = ({ daemon }: Scene, id: string) =>
    [...daemon.services().kernel.state.actions.values()].find((each) => each.action.native?.call_id === id);
  const session = ({ daemon }: Scene) => [...daemon.services().kernel.state.sessions.values()][0]!;

  test('a Stop, a prompt or a SessionEnd of another process neither ends a turn nor what is under way in it', async () => {
    const scene = await sceneForThisTest();
    const call = {
      tool_name: 'Write',
      tool_use_id: 'toolu_1',
      tool_input: { file_path: join(scene.daemon.repo.path, 'src/a.ts'), content: 'x' },
    };
    await scene.agent.hook('PreToolUse', call);
    expect(action(scene, 'toolu_1')?.state).toBe('admitted');
    const { turn } = session(scene);
    const from = await scene.daemon.ledgerSize();
    await detached(scene, [
      await scene.agent.hookCommand('Stop', { stop_hook_active: false }),
      await scene.agent.hookCommand('UserPromptSubmit', { prompt: 'a new one' }),
      await scene.agent.hookCommand('SessionEnd', { reason: 'exit' }),
      await scene.agent.hookCommand('PostToolUse', { ...call, tool_response: {} }),
    ]);
    expect((await recorded(scene, 'authority_refused', from)).map(({ data }) => (data as { command: string }).command)).toEqual([
      'hook stop',
      'hook prompt',
      'hook session_end',
      'hook after',
    ]);
    expect([action(scene, 'toolu_1')?.state, session(scene).turn, session(scene).open]).toEqual(['admitted', turn, true]);
    await scene.agent.hook('PostToolUse', { ...call, tool_response: {} });
    expect(action(scene, 'toolu_1')?.state).toBe('settled');
  });

  test('a report that a tool ran is no human’s yes when it comes from another process', async () => {
    const scene = await sceneForThisTest('vscode');
    const call = { tool_name: 'mcp_database_migrate', tool_input: { to: '1' }, tool_use_id: 'call-1' };
    expect(await scene.agent.hook('PreToolUse', call, 'vscode')).toContain('"permissionDecision":"ask"');
    await detached(scene, [await scene.agent.hookCommand('PostToolUse', { ...call, tool_response: 'ok' }, 'vscode')]);
    expect(action(scene, 'call-1')?.state).toBe('waiting');
    // Using the agent's name makes it no more credible.
    const headers = { ...(await scene.daemon.asHook()), 'x-countersign-parent': String(scene.agent.pid) };
    const body = { session_id: 'session-of-test', cwd: scene.daemon.repo.path, ...call, tool_response: 'ok' };
    await scene.daemon.web('POST', '/hooks/vscode/PostToolUse', { headers, body });
    expect(action(scene, 'call-1')?.state).toBe('waiting');
    await scene.agent.hook('PostToolUse', { ...call, tool_response: 'ok' }, 'vscode');
    expect(action(scene, 'call-1')?.state).toBe('settled');
  });

  test('a call over MCP that another process announced is not joined to the session', async () => {
    const scene = await sceneForThisTest();
    const { principals } = scene.daemon.services().kernel;
    const own = (id: string) => ({ tool_name: 'mcp__countersign__begin_work', tool_input: {}, tool_use_id: id });
    await detached(scene, [await scene.agent.hookCommand('PreToolUse', own('toolu_forged'))]);
    expect(principals.claim('toolu_forged')).toBeNull();
    await scene.agent.hook('PreToolUse', own('toolu_real'));
    expect(principals.claim('toolu_real')).toBe(session(scene).id);
  });

  test('an agent that begins a session in another work tree has not edited its files as a human', async () => {
    const scene = await sceneForThisTest();
    const other = await makeScratchRepo();
    onTestFinished(() => other.dispose());
    const { id: workspace } = await scene.daemon.services().locate(other.path);
    const text = `intents:\n  - id: INT-001\n    name: all\n    status: active\n    owned_scope: ["**"]\n    constraints: []\n    acceptance_criteria: []\n`;
    const started = await scene.agent.hookCommand('SessionStart', { session_id: 'elsewhere', cwd: other.path, source: 'startup' });
    await detached(scene, [`mkdir -p '${other.path}/.orchestration'`, `printf '%s' '${text}' > '${join(other.path, INTENTS)}'`, started]);
    expect(scene.daemon.services().kernel.state.activeIntents(workspace)).toEqual([]);
    expect(scene.daemon.services().kernel.state.intent(workspace, 'INT-001')?.intent.status).toBe('proposed');
  });
});
