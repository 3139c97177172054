// What the guarantees admit below *sealed*, tried inside a sealed run by a real program that knows everything about the world outside.

import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApprovalRow, IntentRow, RunRow, SessionRow } from '../../src/protocol/index.ts';
import { hookedAgent } from '../lab/hooked-agent.ts';
import { CLI, type Installation, makeInstallation } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

const LOGIN = 'src/auth/login.ts';
let place: Installation;
const outside: http.Server[] = [];
const outcomes = new Map<string, unknown>();
let output = '';
let before: { login: string; daemon: number; approval: string };
const nap = `61.${process.pid}`;

async function served(host: string): Promise<number> {
  const server = http.createServer((_request, response) => void response.end('outside'));
  outside.push(server);
  await new Promise<void>((done) => server.listen(0, host, done));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  place = await makeInstallation();
  const { repo, home, base } = place;
  await place.human(['intent', 'fix login', 'src/auth']);
  // An agent of the real tree, with a question that waits for a human.
  const agent = await hookedAgent(place, await place.mcpClient({ surface: 'hooked' }));
  await agent.prompt('tidy up');
  await agent.call('begin_work', {});
  expect(await agent.before('Bash', { command: 'rm -rf src/auth' })).not.toBeNull();
  const approval = (await place.client.ask('approvals', { state: 'pending' }))[0]!.id;
  const daemon = await place.daemonPid();
  const [port, hookToken] = readFileSync(path.join(home, 'run/hook'), 'utf8').split(' ');
  await mkdir(path.join(base, 'user/.ssh'), { recursive: true });
  await writeFile(path.join(base, 'user/.ssh/id'), 'secret');
  before = { login: await readFile(path.join(repo.path, LOGIN), 'utf8'), daemon, approval };
  const modelPort = await served('127.0.0.1');
  const world = {
    ...{ home, root: repo.path, userHome: path.join(base, 'user'), cli: CLI, session: place.conversation, approval, nap, modelPort },
    ...{ port: Number(port), hookToken, mcpToken: readFileSync(path.join(home, 'run/mcp-token'), 'utf8').trim(), daemonPid: daemon },
    keyFile: readdirSync(path.join(home, 'keys'))[0],
    loginCode: /#code=(\S+)/.exec((await place.humanTries(['open'])).output)?.[1] ?? 'none',
    otherPort: await served('127.0.0.2'),
    note: { command: 'pause', root: repo.path, from: new Date().toISOString(), until: null, reason: 'planted', files: [] },
  };
  const attacker = fileURLToPath(new URL('attacker.mjs', import.meta.url));
  const sealed = [
    'run',
    '--sealed',
    '--agent',
    'claude',
    '--merge',
    'ask',
    '--model-host',
    `127.0.0.1:${modelPort}`,
    '--allow-read',
    attacker,
  ];
  ({ output } = await place.humanTries([...sealed, '--', process.execPath, attacker, JSON.stringify(world)], []));
  for (const line of output.split('\n').filter((each) => each.startsWith('{"tried"'))) {
    const { tried, outcome } = JSON.parse(line) as { tried: string; outcome: unknown };
    outcomes.set(tried, outcome);
  }
});
afterAll(async () => {
  for (const server of outside) server.close();
  await place.dispose();
});

const came = (...names: string[]) => Object.fromEntries(names.map((name) => [name, outcomes.get(name)]));
const all = (names: readonly string[], outcome: unknown) => Object.fromEntries(names.map((name) => [name, outcome]));
const forbidden = expect.stringMatching(/^403 .*FORBIDDEN/) as unknown;

verifies('N12', 'keys, tokens, sockets and the human’s home cannot be read', async () => {
  const folders = ['list the daemon’s folder', 'read a key', 'read the hook token', 'read the state of this run', 'read the human’s home'];
  expect(came(...folders)).toEqual(all(folders, 'ENOENT'));
  expect(came('read a secret of the system', 'the owner’s socket', 'the daemon’s port')).toEqual({
    'read a secret of the system': expect.stringMatching(/^(?:EACCES|ENOENT|)$/) as unknown,
    'the owner’s socket': 'ENOENT',
    'the daemon’s port': 'ECONNREFUSED',
  });
});

verifies('N12', 'nothing inside has a human’s authority, whatever credential it shows', async () => {
  const calls = ['own', 'stolenHook', 'stolenMcp'].flatMap((whose) =>
    ['approve', 'read the status', 'call MCP over HTTP'].map((call) => `${call} with the ${whose} token`),
  );
  const others = ['send a hook with the stolen token', 'log in with a stolen code', 'a challenge'];
  expect(came(...calls, ...others)).toEqual(all([...calls, ...others], forbidden));
  expect(outcomes.get('have the gate run something')).toEqual({ run: false, gate: true, ran: false });
  // In there these commands find no daemon but one of their own making.
  expect(outcomes.get('the approve command')).toMatch(/^[1-9]/);
  expect((await place.ask<ApprovalRow[]>('approvals')).map(({ id, state }) => [id, state])).toEqual([[before.approval, 'pending']]);
  expect((await place.ask<IntentRow[]>('intents')).map(({ name }) => name)).toEqual(['fix login']);
});

verifies('N12', 'events of another session count for the run’s own session only', async () => {
  expect(came('forge a prompt of another session', 'end another session')).toEqual(
    all(['forge a prompt of another session', 'end another session'], '200'),
  );
  const sessions = await place.ask<SessionRow[]>('sessions');
  expect(sessions.filter(({ level }) => level === 'hooked').map(({ open }) => open)).toEqual([true]);
  expect(sessions.filter(({ level }) => level === 'sealed').map(({ agent, by_hooks }) => [agent, by_hooks])).toEqual([
    ['claude-code', true],
  ]);
});

verifies('N12', 'processes and terminals outside cannot be seen, ended or typed into', async () => {
  expect(came('kill the daemon', 'see the daemon', 'see other processes')).toEqual({
    'kill the daemon': expect.stringMatching(/^(?:ENOENT|not there)$/) as unknown,
    'see the daemon': 0,
    'see other processes': 0,
  });
  expect(outcomes.get('see other terminals')).toBe(0);
  expect(await place.daemonPid()).toBe(before.daemon);
});

verifies('N12', 'nothing outside its own tree can be written, and its hooks and the gate’s documents stay', async () => {
  const read = [
    'write to its objects',
    'write to the system',
    'write to the product',
    'edit the hook file',
    'edit the intents',
    'edit its token',
  ];
  expect(came(...read)).toEqual(all(read, expect.stringMatching(/^(?:EROFS|EACCES)$/)));
  const busy = ['replace the hook file', 'move the hook folder away'];
  expect(came(...busy)).toEqual(all(busy, 'EBUSY'));
  const gone = ['write to the real tree', 'write to the real repository'];
  for (const name of gone) expect([name, outcomes.get(name)]).toEqual([name, expect.stringMatching(/^(?:ENOENT|EROFS)$/)]);
  expect(outcomes.get('mount something')).not.toBe('DONE');
  expect(await readFile(path.join(place.repo.path, LOGIN), 'utf8')).toBe(before.login);
  expect(place.repo.git('status', '--porcelain')).toBe('?? .orchestration/\n');
  expect(readdirSync(place.home)).not.toContain('break-glass');
});

verifies('N12', 'only granted hosts are reached, and never the daemon itself', async () => {
  expect(came('another host through the proxy', 'the daemon through the proxy', 'another host directly', 'its model')).toEqual({
    'another host through the proxy': expect.stringContaining(
      'is not granted. Ask the human to start the run with --allow-host.',
    ) as unknown,
    'the daemon through the proxy': expect.stringContaining('is not granted') as unknown,
    'another host directly': 'ENETUNREACH',
    'its model': 'CONNECTED',
  });
  const [run] = await place.ask<RunRow[]>('run', 'list');
  expect(run).toMatchObject({ state: 'ended', exit_code: 0, agent: 'claude' });
  expect(run?.refused_hosts).toHaveLength(2);
});

verifies('N12', 'what has no receipt is named and left out, and no program of the run goes on', async () => {
  expect(output).toContain('left out src/auth/without-receipt.ts: no receipt explains it');
  expect(output).toContain('Nothing to merge.');
  const isNapping = readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(`sleep\0${nap}\0`));
  expect(isNapping).toBe(false);
});

test('every attempt was made', () => {
  expect(outcomes.size).toBe(46);
});

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
