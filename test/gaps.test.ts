// Break-glass and acknowledgement as a person uses them, with a daemon and without one.

import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Event, ReconciliationView } from '../src/protocol/index.ts';
import { hook } from './lab/hook-client.ts';
import { type HookedAgent, hookedAgent } from './lab/hooked-agent.ts';
import { hasEnded, type Installation, makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

// Every command is a process, and some start a daemon.
vi.setConfig({ testTimeout: 120_000 });

async function placeForThisTest(): Promise<Installation> {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  return place;
}

async function agentIn(place: Installation): Promise<HookedAgent> {
  const client = await place.mcpClient({ surface: 'hooked' });
  onTestFinished(() => client.close());
  return hookedAgent(place, client);
}

async function recorded(place: Installation): Promise<Event[]> {
  const ledger = await readFile(join(place.home, 'ledger/00000001.jsonl'), 'utf8');
  return ledger.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Event]));
}
const ofType = async (place: Installation, ...types: string[]) => (await recorded(place)).filter(({ type }) => types.includes(type));

describe('pause', () => {
  verifies('N18', 'passes everything, says so everywhere, survives a restart, and ends', async () => {
    const place = await placeForThisTest();
    await place.run(['start', '--quiet']);
    const agent = await agentIn(place);
    await agent.prompt('fix it');
    expect(await agent.write('src/free.ts', '1\n')).toContain('INTENT_REQUIRED');
    const long = await place.run(['pause', '--for', '9h', '--reason', 'x']);
    expect([long.code, long.stderr]).toEqual([2, expect.stringContaining('9h is not a time from one minute to eight hours.')]);
    const paused = await place.humanTries(['pause', '--for', '30m', '--reason', 'the release is stuck']);
    expect([paused.code, paused.output]).toEqual([
      0,
      expect.stringMatching(/^Paused until [\d: -]+ \(proof: login\)\. Every new call passes/),
    ]);
    expect(await agent.write('src/free.ts', '2\n')).toBe(null);
    expect((await place.run(['status'])).stdout).toMatch(
      /PAUSED since [\d: -]+ until [\d: -]+ \(in a terminal, proof: login\): the release is stuck\. Nothing is stopped\./,
    );
    const started = (await place.hook('SessionStart', { source: 'resume', hook_event_name: 'SessionStart' })) as {
      hookSpecificOutput: { additionalContext: string };
    };
    expect(started.hookSpecificOutput.additionalContext).toMatch(
      /^Countersign: a human has paused the gate until \S+: the release is stuck\./,
    );

    const pid = await place.daemonPid();
    process.kill(pid, 'SIGKILL');
    await hasEnded(pid);
    await place.run(['start', '--quiet']);
    expect(await agent.before('Bash', { command: 'rm -rf src/build' })).toBe(null);
    const [row] = await place.client.ask('actions', { limit: 1 });
    expect(row).toMatchObject({ state: 'admitted', paused: true, code: expect.any(String) });
    expect((await place.run(['pause'])).stdout).toMatch(
      /^Paused since \S+, until \S+: the release is stuck\. End it with: countersign pause --end/,
    );
    expect((await place.human(['pause', '--end'])).output).toBe('The pause has ended: verdicts count again.\n');
    expect((await place.run(['pause'])).code).not.toBe(0);
    expect(await agent.write('src/free.ts', '3\n')).toContain('INTENT_REQUIRED');
    expect((await ofType(place, 'gate_paused', 'pause_ended')).map(({ type }) => type)).toEqual(['gate_paused', 'pause_ended']);
  });

  verifies('N18', 'from below an agent, pause and ack are refused and the attempt is on the record', async () => {
    const place = await placeForThisTest();
    await place.run(['start', '--quiet']);
    // This very process counts as the agent's from now on.
    const started = { session_id: place.conversation, cwd: place.repo.path, hook_event_name: 'SessionStart', source: 'startup' };
    expect((await hook(place.home, 'SessionStart', started)).code).toBe(0);
    const pause = await place.run(['pause', '--for', '30m', '--reason', 'let me']);
    expect([pause.code, pause.stderr]).toEqual([4, expect.stringContaining("which is an agent's")]);
    expect((await place.humanTries(['pause', '--for', '30m', '--reason', 'let me'])).output).toContain("which is an agent's");
    expect((await ofType(place, 'authority_refused')).map(({ data }) => (data as { command: string }).command)).toEqual(['pause', 'pause']);
    expect(await ofType(place, 'gate_paused')).toEqual([]);
  });
});

verifies('N18', 'ack signs for changes without a receipt: acknowledged, never written by', async () => {
  const place = await placeForThisTest();
  await place.human(['intent', 'work', 'src']);
  const agent = await agentIn(place);
  await agent.prompt('work');
  await agent.call('begin_work');
  await mkdir(join(place.repo.path, 'src'), { recursive: true });
  const callId = 'toolu_sneaky';
  const bash = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: callId };
  await place.hook('PreToolUse', { hook_event_name: 'PreToolUse', ...bash });
  await writeFile(join(place.repo.path, 'outside.txt'), 'one\n');
  await writeFile(join(place.repo.path, 'other.txt'), 'two\n');
  await place.hook('PostToolUse', { hook_event_name: 'PostToolUse', ...bash, tool_response: {} });
  expect((await place.run(['reconcile'])).code).toBe(1);

  expect((await place.humanTries(['ack', 'outside.txt'], [{ after: '[y/N]', type: 'n\r' }])).output).toContain('Nothing was acknowledged.');
  const ack = await place.humanTries(['ack', 'outside.txt', '--reason', 'the build wrote it'], [{ after: '[y/N]', type: 'y\r' }]);
  expect([ack.code, ack.output]).toEqual([0, expect.stringContaining('Acknowledged: 1 change (proof: login).')]);
  const cwd = place.repo.path;
  const view: ReconciliationView = await place.client.ask('reconciliation', { cwd });
  expect(Object.fromEntries(view.unexplained.map(({ path, acknowledged }) => [path, acknowledged]))).toMatchObject({
    'outside.txt': 'login',
    'other.txt': undefined,
  });
  const { rows } = await place.client.ask('blame', { cwd, path: 'outside.txt' });
  expect(rows.map(({ note }) => note)).toEqual([
    expect.stringMatching(/Acknowledged by a human on \S+ \(proof: login\); that does not say who wrote it\. Reason: the build wrote it$/),
  ]);
  const violations = await place.client.ask('violations', { rule: 'reconciliation' });
  expect(new Set(violations.map(({ message, label }) => [message.split(' ')[0], label].join()))).toEqual(
    new Set(['outside.txt,acknowledged', 'other.txt,']),
  );
  expect((await place.human(['ack', '--all'], [{ after: '[y/N]', type: 'y\r' }])).output).toContain('Acknowledged: ');
  expect((await place.run(['reconcile'])).code).toBe(0);
  expect((await place.client.ask('status', {})).workspaces[0]?.untracked).toMatchObject({ in_agents_windows: 0 });
  // After another change it is open again.
  await appendFile(join(place.repo.path, 'other.txt'), 'three\n');
  const later = await place.client.ask('reconciliation', { cwd });
  expect(later.unexplained.find(({ path }) => path === 'other.txt')?.acknowledged).toBe(undefined);
});

describe('if no daemon can run', () => {
  /** A home in which no daemon can run until it is restored. */
  async function withoutDaemon(place: Installation): Promise<() => Promise<void>> {
    const pid = await place.daemonPid();
    process.kill(pid, 'SIGKILL');
    await hasEnded(pid);
    const ledger = join(place.home, 'ledger');
    const away = join(place.base, 'ledger-away');
    execFileSync('mv', [ledger, away]);
    await writeFile(ledger, 'in the way');
    return async () => {
      await rm(ledger);
      execFileSync('mv', [away, ledger]);
    };
  }
  const settings = (place: Installation) => readFile(join(place.repo.path, '.claude/settings.local.json'), 'utf8').catch(() => '');

  verifies('N18', 'pause takes the hooks out and leaves a note; the next daemon records the gap', async () => {
    const place = await placeForThisTest();
    await place.human(['init', '--yes', '--agent', 'claude']);
    const wired = await settings(place);
    expect(wired).toContain('countersign-hook');
    const giveBack = await withoutDaemon(place);

    const piped = await place.run(['pause', '--for', '30m', '--reason', 'all stands still']);
    expect([piped.code, piped.stderr]).toEqual([1, expect.stringContaining('Without a daemon, pause is for a human in a terminal')]);
    expect(await settings(place)).toBe(wired);
    const paused = await place.human(['pause', '--for', '30m', '--reason', 'all stands still'], [{ after: '[y/N]', type: 'y\r' }]);
    expect([paused.code, paused.output]).toEqual([0, expect.stringContaining('This is not on the record yet: an unsigned note')]);
    expect(await settings(place)).not.toContain('countersign-hook');

    await giveBack();
    const status = (await place.run(['status'])).stdout;
    expect(status).toMatch(
      /PAUSED since [\d: -]+ until [\d: -]+ \(hooks were removed without a daemon; by whom is not proven\): all stands still\./,
    );
    const [gap, ...more] = await ofType(place, 'gate_unwired');
    expect([gap?.data, more]).toEqual([
      expect.objectContaining({ root: place.repo.path, command: 'pause', reason: 'all stands still', until: expect.any(String) }),
      [],
    ]);
    expect((await place.human(['pause', '--end'])).output).toBe(
      'The hooks are back: .claude/settings.local.json. They count from the next session on.\n',
    );
    expect([await settings(place), await readdir(join(place.home, 'break-glass'))]).toEqual([wired, []]);
    expect((await ofType(place, 'gate_rewired')).map(({ data }) => data)).toEqual([
      expect.objectContaining({ because: 'human', restored: ['.claude/settings.local.json'], left: [] }),
    ]);
  });

  verifies('N18', 'pause --end works without a daemon too, and the next one records when it really ended', async () => {
    const place = await placeForThisTest();
    await place.human(['init', '--yes', '--agent', 'claude']);
    const wired = await settings(place);
    const giveBack = await withoutDaemon(place);
    await place.human(['pause', '--for', '8h', '--reason', 'stuck'], [{ after: '[y/N]', type: 'y\r' }]);
    expect((await place.human(['pause', '--end'])).output).toContain('The hooks are back: .claude/settings.local.json.');
    expect(await settings(place)).toBe(wired);
    await giveBack();
    await place.run(['start', '--quiet']);
    await expect.poll(() => ofType(place, 'gate_rewired'), { timeout: 20_000 }).toMatchObject([{ data: { restored: [], left: [] } }]);
    const [gap] = await ofType(place, 'gate_unwired');
    expect(Date.parse((gap!.data as { until: string }).until)).toBeLessThan(Date.now());
  });

  verifies('N18', 'when its time is over, the hooks come back with the first daemon that runs', async () => {
    const place = await placeForThisTest();
    await place.human(['init', '--yes', '--agent', 'claude']);
    const wired = await settings(place);
    const giveBack = await withoutDaemon(place);
    await place.human(['pause', '--for', '30m', '--reason', 'stuck'], [{ after: '[y/N]', type: 'y\r' }]);
    const [name] = await readdir(join(place.home, 'break-glass'));
    const file = join(place.home, 'break-glass', name!);
    // As if it had been left yesterday.
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/"(from|until)": "\d{4}/g, '"$1": "2020'));
    await giveBack();
    await place.run(['start', '--quiet']);
    await expect.poll(() => settings(place), { timeout: 20_000 }).toBe(wired);
    await expect.poll(() => ofType(place, 'gate_rewired'), { timeout: 20_000 }).toMatchObject([{ data: { because: 'expired', left: [] } }]);
  });

  test('a note that names other files, or is not a note, writes nothing', async () => {
    const place = await placeForThisTest();
    await mkdir(join(place.home, 'break-glass'), { recursive: true, mode: 0o700 });
    const note = (files: object[], more: object = {}) =>
      JSON.stringify({
        command: 'pause',
        root: place.repo.path,
        from: '2020-01-01T00:00:00.000Z',
        until: '2020-01-01T01:00:00.000Z',
        reason: 'x',
        files,
        ...more,
      });
    const evil = [{ file: '../../evil.json', place: 'home', shared: false }];
    await writeFile(join(place.home, 'break-glass/a.json'), note(evil));
    await writeFile(join(place.home, 'break-glass/b.json'), note([], { content: 'of a file' }));
    await writeFile(join(place.home, 'break-glass/c.json'), '{');
    await place.run(['start', '--quiet']);
    await expect.poll(() => ofType(place, 'gate_rewired'), { timeout: 20_000 }).toMatchObject([{ data: { restored: [], left: [] } }]);
    expect(place.repo.git('status', '--porcelain')).toBe('');
  });

  verifies('N18', 'init --undo leaves a note as well, and the gap is recorded once', async () => {
    const place = await placeForThisTest();
    await place.human(['init', '--yes', '--agent', 'claude']);
    const giveBack = await withoutDaemon(place);
    const undone = await place.human(['init', '--undo', '--yes']);
    expect([undone.code, undone.output]).toEqual([0, expect.stringContaining('This is not on the record yet: an unsigned note says so')]);
    expect(await settings(place)).not.toContain('countersign-hook');
    await giveBack();
    for (const _ of [1, 2]) {
      await place.run(['start', '--quiet']);
      await place.human(['stop']);
    }
    expect((await ofType(place, 'gate_unwired')).map(({ data }) => data)).toEqual([
      expect.objectContaining({ command: 'init --undo', until: null, root: place.repo.path }),
    ]);
  });
});
