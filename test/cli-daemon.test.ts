// The daemon's life cycle as the command line sees it: one for all, wherever it can run, and whose commands it obeys.

import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Status } from '../src/protocol/index.ts';
import { agentProcess } from './lab/agent-process.ts';
import { CLI, hasEnded, type Installation, makeInstallation } from './lab/installation.ts';
import { runInTerminal } from './lab/terminal.ts';
import { verifies } from './verifies.ts';

async function placeForThisTest(): Promise<Installation> {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  return place;
}

/** A process that counts as an agent's from now on, and ends with the test. */
async function startAgent(place: Installation): Promise<void> {
  const agent = await agentProcess({ home: place.home, root: place.repo.path, env: place.env });
  await agent.hook('SessionStart');
}

describe('the daemon', () => {
  test('several starts at once end with one daemon', async () => {
    const place = await placeForThisTest();
    const starts = await Promise.all(Array.from({ length: 4 }, () => place.runAlone(['start', '--json'])));
    expect(starts.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array.from({ length: 4 }, () => ({ code: 0, stderr: '' })));
    expect(new Set(starts.map(({ stdout }) => (JSON.parse(stdout) as Status).pid)).size).toBe(1);
    const ledger = await readFile(join(place.home, 'ledger/00000001.jsonl'), 'utf8');
    expect(ledger.match(/"daemon_started"/g)).toHaveLength(1);
  });

  test('a socket that a dead daemon left behind is no obstacle, nor is any other file in its place', async () => {
    const place = await placeForThisTest();
    await place.run(['start', '--quiet']);
    const first = await place.daemonPid();
    process.kill(first, 'SIGKILL');
    await hasEnded(first);
    expect((await stat(join(place.home, 'run/daemon.sock'))).isSocket()).toBe(true);
    expect((await place.run(['status'])).code).toBe(0);
    const second = await place.daemonPid();
    process.kill(second, 'SIGKILL');
    await hasEnded(second);
    await rm(join(place.home, 'run/daemon.sock'));
    await writeFile(join(place.home, 'run/daemon.sock'), 'not a socket');
    expect((await place.run(['status'])).code).toBe(0);
  });

  test('stop stops it, says so when there is none, and starts none for that', async () => {
    const place = await placeForThisTest();
    expect(await place.run(['stop'])).toEqual({ code: 0, stdout: 'No daemon is running.\n', stderr: '' });
    expect(JSON.parse((await place.run(['stop', '--json'])).stdout)).toEqual({ stopped: false });
    await expect(stat(place.home)).rejects.toThrow('ENOENT');
    await place.run(['start', '--quiet']);
    const pid = await place.daemonPid();
    expect(JSON.parse((await place.run(['stop', '--json'])).stdout)).toEqual({ stopped: true });
    await hasEnded(pid);
    await expect(stat(join(place.home, 'run/hook'))).rejects.toThrow('ENOENT');
  });

  test('status shows an address that answers', async () => {
    const place = await placeForThisTest();
    const { address } = JSON.parse((await place.run(['status', '--json'])).stdout) as Status;
    expect(await (await fetch(`${address}health`)).json()).toMatchObject({ status: 'ok' });
  });

  test('a port that was asked for is not traded for another: a sentence says who has it', async () => {
    const place = await placeForThisTest();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    expect(await place.run(['start'], { env: { MCP_DASHBOARD_PORT: String(port) } })).toEqual({
      code: 3,
      stdout: '',
      stderr: `countersign: No daemon came up: Port ${port} is taken by another program.\n  Choose another with MCP_DASHBOARD_PORT, or unset it to take any free one\n`,
    });
    expect(await place.run(['start'], { env: { MCP_DASHBOARD_PORT: 'many' } })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('MCP_DASHBOARD_PORT is not a port: many'),
    });
  });

  test('a home that cannot be written, or whose path is too long, is a sentence', async () => {
    const place = await placeForThisTest();
    const file = join(place.base, 'file');
    await writeFile(file, '');
    expect(await place.run(['--home', join(file, 'home'), 'status'])).toEqual({
      code: 3,
      stdout: '',
      stderr: `countersign: The daemon's folder ${file}/home cannot be written (ENOTDIR).\n  Set COUNTERSIGN_HOME to a folder that you may write to\n`,
    });
    const long = join(place.base, 'h'.repeat(100));
    const { code, stdout } = await place.run(['status', '--json'], { env: { COUNTERSIGN_HOME: long } });
    expect([code, JSON.parse(stdout)]).toEqual([
      2,
      {
        error: {
          code: 'BAD_REQUEST',
          message: `The path of the daemon's socket is too long for this system: ${long}/run/daemon.sock`,
          fix: 'Set COUNTERSIGN_HOME to a shorter folder',
        },
      },
    ]);
  });
});

describe('whose command it is', () => {
  verifies('N14', 'with an agent present, a command without a terminal is not taken for a human’s', async () => {
    const place = await placeForThisTest();
    await place.run(['start', '--quiet']);
    await startAgent(place);
    const { code, stdout } = await place.run(['intent', 'everything', '.', '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([
      4,
      {
        error: {
          code: 'HUMAN_CHANNEL_REQUIRED',
          message:
            'Recorded as the proposal INT-001, not as an active intent: it has no terminal, and an agent is running that could have started it.',
          fix: 'A human confirms it on the page, in a terminal that was open before the agent started, or with an enrolled key: countersign intents activate INT-001',
        },
        output: expect.objectContaining({ id: 'INT-001', status: 'proposed' }),
      },
    ]);
    for (const args of [['intents', 'activate', 'INT-001'], ['open'], ['stop'], ['init', '--yes'], ['init', '--undo', '--yes']]) {
      expect(await place.run(args)).toMatchObject({
        code: 4,
        stdout: '',
        stderr: expect.stringContaining('Not done: it has no terminal, and an agent is running'),
      });
    }
    await expect(stat(join(place.repo.path, '.mcp.json'))).rejects.toThrow('ENOENT');
    // Reading is free, and a terminal proves a human.
    expect((await place.run(['status'])).code).toBe(0);
    expect((await place.human(['intents', 'activate', 'INT-001'])).code).toBe(0);
  });

  test('a home behind a link changes nothing of that', async () => {
    const place = await placeForThisTest();
    await mkdir(join(place.base, 'real'));
    await symlink('real', join(place.base, 'link'));
    const env = { ...place.env, COUNTERSIGN_HOME: join(place.base, 'link/home') };
    const { code, output } = await runInTerminal(CLI, ['intent', 'fix', 'src'], { cwd: place.repo.path, env });
    const { output: status } = await runInTerminal(CLI, ['status', '--json'], { cwd: place.repo.path, env });
    process.kill((JSON.parse(status) as Status).pid, 'SIGKILL');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('INT-001 is active: fix') });
  });
});
