// A receipt is answered for its workspace however long ago its session ended: the state forgets sessions, the record does not.

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Daemon, startDaemon } from '../src/app/daemon.ts';
import { type Home, homeOf } from '../src/client/node.ts';
import { loadOrCreateKeys } from '../src/ledger/index.ts';
import { type Event, newId, type Receipt, sealedText, stampText, streams } from '../src/protocol/index.ts';
import { openEmbeddedStore } from '../src/stores/index.ts';
import { locateWorkspace } from '../src/workspace/index.ts';
import { MEMORY_FOLDER } from './lab/memory-folder.ts';
import { makeScratchRepo, type ScratchRepo } from './lab/scratch-repo.ts';
import { verifies } from './verifies.ts';

/** More than the state holds: it forgets those that ended once there are 1,000. */
const SESSIONS = 1_200;
const OF_BEFORE = 'as receipts of before were written\n';
const OF_NOW = 'as receipts are written now\n';

let repo: ScratchRepo;
let home: Home;
let daemon: Daemon;
let workspace: string;
let stamp: string;
const receipts = { ofBefore: newId('rcp'), ofNow: newId('rcp') };
const sessions = { ofBefore: newId('ses'), ofNow: newId('ses') };

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const start = async () => startDaemon(home, (message) => console.error(message));

beforeAll(async () => {
  process.env['MCP_DASHBOARD_PORT'] = '0';
  repo = await makeScratchRepo();
  home = homeOf(mkdtempSync(`${MEMORY_FOLDER}/cs-`));
  workspace = (await locateWorkspace(repo.path)).id;
  const keys = await loadOrCreateKeys(home.keys);
  let ms = Date.parse('2026-01-01T00:00:00.000Z');
  const store = await openEmbeddedStore({ dir: home.dir, keys, clock: () => new Date(ms) });
  const write = async (session: string, ...events: Event[]) => {
    ms += 60_000;
    const stream = streams.session(session);
    await store.append([{ stream, expected_seq: null, events }], { durable: false });
  };
  const opened = (session: string, where = { workspace, root: repo.path }): Event => ({
    type: 'session_opened',
    data: {
      ...{ session, ...where, agent: 'test', native_session: session, agent_id: null, level: 'hooked' },
      ...{ parent: null, inherited: null },
    },
  });
  const closed = (session: string): Event => ({ type: 'session_closed', data: { session, reason: 'end' } });
  const settled = (session: string, receipt_id: string, path: string, content: string, where: Partial<Receipt>): Event => {
    const action = newId('act');
    const receipt: Receipt = {
      ...{ receipt_id, action_id: action, task_id: session, ...where, turn_id: '1', agent_id: 'test', tool_id: 'write_file', inputs: {} },
      ...{ status: 'done', excerpt: 'done', sha256: sha256('done'), full_size: 4 },
      file_refs: [
        { path, before_sha256: null, after_sha256: sha256(content), ranges: [{ start_line: 1, end_line: 1, sha256: sha256(content) }] },
      ],
      ...{ intent: null, revision: null, timestamp: new Date(ms).toISOString() },
    };
    return { type: 'action_settled', data: { action, session, receipt } };
  };
  const stamped = { stamp: newId('stp'), session: sessions.ofBefore, turn: '1', action: newId('act'), found: 0 };
  const seal = keys.hmac(sealedText(stamped)).slice(0, 20);
  stamp = `${stampText(stamped.found)}\n${stamped.stamp} ${seal}`;
  const stamping: Event = { type: 'stamp_issued', data: { ...stamped, seal } };

  for (const text of [OF_BEFORE, OF_NOW]) await store.putBlob(Buffer.from(text));
  writeFileSync(join(repo.path, 'before.txt'), OF_BEFORE);
  writeFileSync(join(repo.path, 'now.txt'), OF_NOW);
  const { ofBefore, ofNow } = sessions;
  await write(ofBefore, opened(ofBefore), settled(ofBefore, receipts.ofBefore, 'before.txt', OF_BEFORE, {}), stamping, closed(ofBefore));
  const place = { workspace, root: repo.path };
  await write(ofNow, opened(ofNow), settled(ofNow, receipts.ofNow, 'now.txt', OF_NOW, place), closed(ofNow));
  const elsewhere = { workspace: newId('wsp'), root: join(repo.path, 'elsewhere') };
  for (let number = 0; number < SESSIONS; number++) {
    const session = newId('ses');
    const where = number % 2 === 0 ? place : elsewhere;
    await write(
      session,
      opened(session, where),
      settled(session, newId('rcp'), 'other.txt', 'other', number % 4 < 2 ? where : {}),
      closed(session),
    );
  }
  await store.close();
  daemon = await start();
}, 60_000);

afterAll(async () => {
  daemon.stop();
  await daemon.ended;
  await repo.dispose();
  rmSync(home.dir, { recursive: true, force: true });
});

async function answers() {
  const { ask, kernel } = daemon.services;
  const here = await ask('receipts', { workspace, limit: 1_000 });
  const blamed = await Promise.all(['before.txt', 'now.txt'].map((path) => ask('blame', { cwd: repo.path, path })));
  const [judged] = await ask('stamps', { text: stamp, cwd: repo.path });
  return {
    known: [...Object.values(sessions)].map((session) => kernel.state.sessions.has(session)),
    count: here.length,
    oldest: here.slice(-2).map(({ receipt_id }) => receipt_id),
    blamed: blamed.map(({ rows }) => rows.map(({ receipt_id }) => receipt_id)),
    stamp: judged?.verdict,
  };
}

verifies('C6', 'the oldest receipts are answered for their workspace after 1,200 sessions, after a restart too', async () => {
  const expected = {
    known: [false, false],
    count: SESSIONS / 2 + 2,
    oldest: [receipts.ofNow, receipts.ofBefore],
    blamed: [[receipts.ofBefore], [receipts.ofNow]],
    stamp: 'real',
  };
  expect(await answers()).toEqual(expected);
  daemon.stop();
  await daemon.ended;
  // This start is one from a snapshot.
  daemon = await start();
  expect(await answers()).toEqual(expected);
});
