// The real daemon, killed while hooks, MCP and the owner's socket are at work, life after life in one home. After each death the files
// must show that nothing acknowledged is lost and nothing was done without a record before it; after each start, every half-done action is `unknown`.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { loadOrCreateKeys, verifyLedger, type VerifyReport } from '../../src/ledger/index.ts';
import type { LedgerRecord } from '../../src/protocol/index.ts';
import type { Disk } from '../lab/failing-disk.ts';
import { hook as runHookClient } from '../lab/hook-client.ts';
import { type HookedAgent, hookedAgent } from '../lab/hooked-agent.ts';
import { type Installation, makeInstallation } from '../lab/installation.ts';
import { connectOverHttp } from '../lab/mcp-http.ts';
import { COMPILED, FAILING_DISK } from './kill-stores.ts';
import type { Kill } from './kills.ts';

const MAIN = fileURLToPath(new URL('../../src/app/main.ts', import.meta.url));
/** A life whose write point never comes is ended from outside after so many acknowledged calls. */
const ENOUGH = 30;

interface Acknowledged {
  /** Files that a hook said may be written, and files that the gate said it had written or had seen written. */
  readonly admitted: Set<string>;
  readonly settled: Set<string>;
}

/** What the files of a dead daemon show. */
interface Remains {
  readonly report: VerifyReport;
  readonly records: readonly LedgerRecord[];
}

export interface Life {
  readonly kill: Kill;
  readonly cameUp: boolean;
  readonly acknowledged: number;
  readonly repaired: boolean;
  readonly unknown: number;
}

/** Reports each kill that passed. */
export async function killDaemons(kills: readonly Kill[], passed: (life: Life) => void): Promise<void> {
  const place = await makeInstallation();
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  // No client can start a daemon of its own: its log is a folder.
  mkdirSync(join(place.home, 'daemon.log'));
  const acknowledged: Acknowledged = { admitted: new Set(), settled: new Set() };
  try {
    await grantWork(place);
    let before = await remainsOf(place);
    for (const kill of kills) {
      const { cameUp, calls } = await live(place, kill, acknowledged);
      const after = await remainsOf(place);
      expect(after.report.problem).toBe(null);
      expectNothingLost(place, acknowledged, after);
      if (cameUp) expectMended(before, after);
      const newOnes = after.records.slice(before.records.length);
      passed({
        kill,
        cameUp,
        acknowledged: calls,
        repaired: newOnes.some(({ event }) => event.type === 'ledger_repaired'),
        unknown: newOnes.filter(({ event }) => event.type === 'action_unknown').length,
      });
      before = after;
    }
  } finally {
    await place.dispose();
  }
}

/** One daemon that is not harmed: a human grants the work that the others are about. */
async function grantWork(place: Installation): Promise<void> {
  const child = startDaemon(place, null);
  await isUp(place, child);
  await place.human(['intent', 'work of the campaign', 'src']);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // Ended well, it leaves its compiled code in the cache: the ones to come start faster.
  child.kill('SIGTERM');
  await ended;
}

export function startDaemon(place: Installation, disk: Disk | null): ChildProcess {
  return spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...(disk ? ['--import', FAILING_DISK] : []), MAIN, 'daemon', '--home', place.home],
    {
      env: {
        ...place.env,
        PATH: process.env['PATH'],
        MCP_DASHBOARD_PORT: '0',
        NODE_COMPILE_CACHE: COMPILED,
        ...(disk ? { DISK: JSON.stringify(disk) } : {}),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
}

/** False when it died instead. */
export async function isUp(place: Installation, child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    if (await tellsItsPort(place).catch(() => false)) return true;
    await pause(10);
  }
  return false;
}

/** The hook file comes last, and until then the one of the daemon before may be there. */
async function tellsItsPort({ client, home }: Installation): Promise<boolean> {
  if (!(await client.isAlive())) return false;
  const { address } = await client.ask('status', {});
  return readFileSync(join(home, 'run/hook'), 'utf8').startsWith(`${new URL(address).port} `);
}

async function live(place: Installation, { number, at }: Kill, acknowledged: Acknowledged): Promise<{ cameUp: boolean; calls: number }> {
  const child = startDaemon(place, { folders: [place.home, place.repo.path], ...('point' in at ? { at } : {}) });
  const dead = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const enough = 'acknowledged' in at ? at.acknowledged : ENOUGH;
  let calls = 0;
  const acknowledge = () => {
    if (++calls === enough) child.kill('SIGKILL');
  };
  const cameUp = await isUp(place, child);
  if (cameUp) {
    const work = clients(place, number, acknowledged, acknowledge, () => child.exitCode === null && child.signalCode === null);
    // A client that loses the daemon stops, or is left waiting: an MCP client may wait forever. A failure while the daemon lives is a
    // finding. An answer that arrived before the end is handled first.
    const gone = dead.then(() => pause(100));
    const results = await Promise.allSettled(work.map((each) => Promise.race([each, gone])));
    await Promise.race([dead, pause(10_000)]);
    const failed = results.find((result) => result.status === 'rejected');
    if (child.signalCode === null) {
      child.kill('SIGKILL');
      throw failed?.reason ?? new Error('the clients ended, and the daemon lives');
    }
  }
  await dead;
  expect(child.signalCode).toBe('SIGKILL');
  return { cameUp, calls };
}

/** All at once, each until the daemon is gone. */
function clients(
  place: Installation,
  life: number,
  { admitted, settled }: Acknowledged,
  acknowledge: () => void,
  lives: () => boolean,
): Promise<void>[] {
  const conversation = `life-${life}`;
  const file = (who: string, call: number) => `src/${who}-${life}-${call}.ts`;
  const connected = connect(place, conversation);

  const byHook = async () => {
    await connected;
    for (let call = 0; lives(); call++) {
      const path = file('hook', call);
      const payload = {
        session_id: conversation,
        tool_name: 'Write',
        tool_input: { file_path: join(place.repo.path, path), content: path },
        tool_use_id: `toolu_${path}`,
      };
      const said = (await place.hook('PreToolUse', { ...payload, hook_event_name: 'PreToolUse' })) as object;
      expect(JSON.stringify(said)).not.toContain('"deny"');
      admitted.add(path);
      acknowledge();
      await writeFile(payload.tool_input.file_path, path);
      await place.hook('PostToolUse', { ...payload, hook_event_name: 'PostToolUse', tool_response: {} });
      settled.add(path);
      acknowledge();
    }
  };
  const byMcp = async () => {
    const agent = await connected;
    for (let call = 0; lives(); call++) {
      const path = file('mcp', call);
      const answer = await agent.call('write_file', { path, content: path });
      expect(answer).toMatchObject({ isError: false });
      settled.add(path);
      acknowledge();
    }
  };
  // The program that agents really start; it asks, and its outcome is never reported.
  const byHookClient = async () => {
    // A conversation of its own: while the process that starts it lives, no other process speaks for the session that it names.
    const own = `${conversation}-program`;
    await connect(place, own);
    const path = file('program', 0);
    const { code, stdout } = await runHookClient(
      place.home,
      'PreToolUse',
      {
        session_id: own,
        cwd: place.repo.path,
        hook_event_name: 'PreToolUse',
        tool_name: 'Write',
        tool_input: { file_path: join(place.repo.path, path), content: path },
        tool_use_id: `toolu_${path}`,
      },
      2,
    );
    if (code === 0 && !stdout.includes('"deny"')) admitted.add(path);
  };
  const byOwner = async () => {
    while (lives()) {
      await place.client.ask('actions', { limit: 5 });
      await pause(20);
    }
  };
  return [byHook(), byMcp(), byOwner(), ...(life % 4 === 0 ? [byHookClient()] : [])];
}

/** An agent with hooks and MCP that has begun to work. */
export async function connect(place: Installation, conversation: string): Promise<HookedAgent> {
  const [port] = readFileSync(join(place.home, 'run/hook'), 'utf8').split(' ');
  const client = await connectOverHttp({
    port: () => Number(port),
    asMcp: async () => ({
      authorization: `Bearer ${readFileSync(join(place.home, 'run/mcp-token'), 'utf8').trim()}`,
      'x-countersign-cwd': encodeURIComponent(place.repo.path),
    }),
  });
  const agent = await hookedAgent(place, client, conversation);
  await agent.prompt('go on');
  expect(await agent.call('begin_work')).toMatchObject({ isError: false });
  return agent;
}

async function remainsOf(place: Installation): Promise<Remains> {
  const keys = await loadOrCreateKeys(join(place.home, 'keys'));
  const records: LedgerRecord[] = [];
  const report = await verifyLedger({
    dir: join(place.home, 'ledger'),
    publicKeyPem: keys.publicKeyPem,
    hmac: keys.hmac,
    onRecord: (record) => records.push(record),
  });
  return { report, records };
}

/** By the file that it is about: whether it was admitted, and whether it was settled. */
function actionsIn(
  records: readonly LedgerRecord[],
): Map<string, { readonly id: string; readonly path: string | null; end: string | null }> {
  const actions = new Map<string, { readonly id: string; readonly path: string | null; end: string | null }>();
  for (const { event } of records) {
    if (event.type === 'action_admitted') {
      const { id, input } = event.data.action;
      const path = /src\/(?:hook|mcp|program)-\d+-\d+\.ts/.exec(JSON.stringify(input))?.[0] ?? null;
      actions.set(id, { id, path, end: null });
    } else if (event.type === 'action_settled' || event.type === 'action_unknown') {
      const action = actions.get(event.data.action);
      if (action) action.end = event.type;
    }
  }
  return actions;
}

function expectNothingLost(place: Installation, { admitted, settled }: Acknowledged, { records }: Remains): void {
  const actions = [...actionsIn(records).values()];
  const onRecord = new Set(actions.map(({ path }) => path));
  const seen = new Set(actions.filter(({ end }) => end === 'action_settled').map(({ path }) => path));
  expect([...admitted].filter((path) => !onRecord.has(path))).toEqual([]);
  expect([...settled].filter((path) => !seen.has(path))).toEqual([]);
  // Every write has an earlier record: nothing else writes there. A file that is being written has a different name.
  const done = readdirSync(join(place.repo.path, 'src')).filter((name) => /^(?:hook|mcp|program)-/.test(name) && name.endsWith('.ts'));
  expect(done.filter((name) => !onRecord.has(`src/${name}`))).toEqual([]);
  for (const path of settled) expect([path, existsSync(join(place.repo.path, path))]).toEqual([path, true]);
}

/** A daemon came up after the death that left `before`. */
function expectMended(before: Remains, after: Remains): void {
  const orphans = [...actionsIn(before.records).values()].filter(({ end }) => end === null);
  const ends = actionsIn(after.records);
  expect(orphans.filter(({ id }) => ends.get(id)?.end === null)).toEqual([]);
  const torn = before.report.torn_tail_bytes;
  if (torn === 0) return;
  const repairs = after.records.slice(before.records.length).flatMap(({ event }) => (event.type === 'ledger_repaired' ? [event.data] : []));
  expect(repairs).toEqual([expect.objectContaining({ dropped_bytes: torn })]);
}
