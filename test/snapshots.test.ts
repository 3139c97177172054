// What a daemon remembers after a start from a snapshot is what it remembered before, and what it would from the whole record.

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadOrCreateKeys } from '../src/ledger/index.ts';
import type { SavedFolds } from '../src/projections/folds.ts';
import type { Fault } from '../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { verifies } from './verifies.ts';

let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.beginWork('src/**');
  await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'rm -rf src' }, tool_use_id: 'toolu_rm' });
  const { kernel } = daemon.services();
  await Promise.all(Array.from({ length: 700 }, (_, i) => kernel.recordDefect('test', `filler ${i}`)));
});
afterAll(() => daemon.dispose());

/** What it knows, apart from what a start itself adds. */
async function known() {
  const { ask, kernel } = daemon.services();
  const status = await ask('status', {});
  const { sessions, intents, approvals, modeLimits, grants, confirmedTasks, memoryMarks, observing, presence } = kernel.state;
  const [rows, asked] = [await ask('intents', {}), await ask('approvals', {})];
  const folds = structuredClone({ sessions, intents, approvals, confirmedTasks, observing, presence });
  return { folds, marks: JSON.stringify([modeLimits, grants, memoryMarks]), rows, asked, workspaces: status.workspaces };
}

const snapshot = () => daemon.home.snapshot;
const ledgerFile = () => join(daemon.home.dir, 'ledger/00000001.jsonl');

verifies('I13', 'after a start from a snapshot everything is known that was known before', async () => {
  const before = await known();
  expect(before.asked.map(({ state }) => state)).toEqual(['pending']);
  expect(existsSync(snapshot())).toBe(false);
  await daemon.restart();
  expect(statSync(snapshot()).mode & 0o777).toBe(0o600);
  expect(await known()).toEqual(before);
  // The record alone gives the same.
  await daemon.restart(() => rmSync(snapshot()));
  expect(await known()).toEqual(before);
});

test('a snapshot that was cut short, changed or made by another daemon is passed over', async () => {
  const before = await known();
  const { kernel } = daemon.services();
  await Promise.all(Array.from({ length: 700 }, (_, i) => kernel.recordDefect('test', `more ${i}`)));
  const spoil = [
    (bytes: Buffer) => bytes.subarray(0, bytes.length - 1),
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 200), Buffer.from([bytes[200]! ^ 1]), bytes.subarray(201)]),
    () => Buffer.from('nothing like it'),
  ];
  for (const change of spoil) {
    await daemon.restart(() => writeFileSync(snapshot(), change(readFileSync(snapshot()))));
    expect(await known()).toEqual(before);
    await Promise.all(Array.from({ length: 700 }, (_, i) => daemon.services().kernel.recordDefect('test', `again ${i}`)));
  }
});

verifies('I13', 'a snapshot is used only if each fold in it has the version that the fold has now', async () => {
  const more = () => Promise.all(Array.from({ length: 700 }, (_, i) => daemon.services().kernel.recordDefect('test', `version ${i}`)));
  const before = await known();
  const keys = await loadOrCreateKeys(daemon.home.keys);
  /** Signed again, so that only the versions are wrong. Its state has no session. */
  const rewrite = (change: (folds: SavedFolds) => object) => () => {
    const body = readFileSync(snapshot()).subarray(64);
    const { mark, folds } = deserialize(body) as { mark: object; folds: SavedFolds };
    const state = folds['state']!;
    const emptied = { ...folds, state: { ...state, saved: { ...(state.saved as object), sessions: new Map() } } };
    const written = serialize({ mark, folds: change(emptied) });
    writeFileSync(snapshot(), Buffer.concat([Buffer.from(keys.hmac(written), 'latin1'), written]));
  };
  const unfit: readonly ((folds: SavedFolds) => object)[] = [
    (folds) => ({ ...folds, memory: { ...folds['memory'], version: folds['memory']!.version + 1 } }),
    ({ memory: _, ...others }) => others,
    // As it was saved before folds had versions.
    (folds) => Object.fromEntries(Object.entries(folds).map(([name, { saved }]) => [name, saved])),
  ];
  for (const change of unfit) {
    await more();
    await daemon.restart(rewrite(change));
    expect(await known()).toEqual(before);
  }
  await more();
  await daemon.restart(rewrite((folds) => folds));
  expect((await known()).folds.sessions.size).toBe(0);
  await daemon.restart(() => rmSync(snapshot()));
  expect(await known()).toEqual(before);
});

verifies('T10', 'a change of the old record is found although the start did not read it', async () => {
  const { kernel } = daemon.services();
  await Promise.all(Array.from({ length: 700 }, (_, i) => kernel.recordDefect('test', `last ${i}`)));
  const sound: { bytes: Buffer } = { bytes: Buffer.alloc(0) };
  await daemon.restart(() => {
    sound.bytes = readFileSync(ledgerFile());
    const broken = Buffer.from(sound.bytes);
    broken[300]! ^= 1;
    writeFileSync(ledgerFile(), broken);
  });
  const refused = await refusal();
  expect(refused).toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
  expect(refused.message).toContain('The ledger does not verify: 00000001.jsonl, line 1');
  expect((await daemon.services().ask('status', {})).ledger.writable).toBe(false);
  // An older copy is restored on purpose: the head that was kept since then is removed.
  await daemon.restart(() => {
    writeFileSync(ledgerFile(), sound.bytes);
    rmSync(daemon.home.savedCheckpoint, { force: true });
  });
  expect((await daemon.services().ask('status', {})).ledger.writable).toBe(true);
});

/** Writes until that is refused: the old record is read while the daemon works already. */
async function refusal(): Promise<Fault> {
  for (;;) {
    const fault = await daemon
      .services()
      .kernel.recordDefect('test', 'is it noticed?')
      .then(
        () => null,
        (error: unknown) => error as Fault,
      );
    if (fault) return fault;
    // The reader gets its turn; without it tens of thousands of records begin a second segment.
    await new Promise((resume) => setTimeout(resume, 5));
  }
}
