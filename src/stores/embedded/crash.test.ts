import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { checkStore, FAILING_DISK, runUntilDead } from '../../../test/campaigns/kill-stores.ts';
import type { Disk } from '../../../test/lab/failing-disk.ts';
import { verifies } from '../../../test/verifies.ts';
import { loadOrCreateKeys, verifyLedger } from '../../ledger/index.ts';
import { Fault } from '../../protocol/index.ts';
import { openEmbeddedStore } from './open-embedded-store.ts';

const CHILD = fileURLToPath(new URL('append-child.ts', import.meta.url));

function temporaryFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'countersign-crash-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

test('killed at random moments, over one ledger: nothing acknowledged is lost and it verifies each time', async () => {
  const root = temporaryFolder();
  for (let kill = 0; kill < 5; kill++) {
    const { acknowledged, signal } = await runUntilDead(root, { acknowledged: 1 + Math.floor(Math.random() * 60) });
    expect(signal).toBe('SIGKILL');
    await checkStore(root, acknowledged);
  }
}, 120_000);

test('killed inside a write, and before and after a sync: a torn batch vanishes whole and its repair is recorded', async () => {
  for (const [fault, torn] of [
    [{ call: 'write', point: 1, how: 'half' }, true],
    [{ call: 'write', point: 4, how: 'half' }, true],
    [{ call: 'write', point: 9, how: 'half' }, true],
    [{ call: 'fdatasync', point: 1, how: 'before' }, false],
    [{ call: 'fdatasync', point: 5, how: 'before' }, false],
    [{ call: 'fdatasync', point: 5, how: 'after' }, false],
  ] as const) {
    const root = temporaryFolder();
    const { acknowledged, signal } = await runUntilDead(root, fault);
    expect([fault, signal]).toEqual([fault, 'SIGKILL']);
    expect([fault, await checkStore(root, acknowledged)]).toEqual([fault, { repaired: torn }]);
  }
}, 60_000);

function runChild(root: string, mode: string, at?: NonNullable<Disk['at']>): readonly unknown[] {
  const disk: Disk = { folders: [root], ...(at ? { at } : {}) };
  const { stdout } = spawnSync(process.execPath, ['--import', FAILING_DISK, CHILD, root, mode], {
    encoding: 'utf8',
    env: { ...process.env, DISK: JSON.stringify(disk) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = stdout.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as unknown);
}

const CHECK_DISK = 'AUDIT_UNAVAILABLE: Check the disk and the kernel log; the next action tries again.';

test('an I/O error in a write or a sync refuses the append for good; the next one is written in its place', async () => {
  // The first sync is that of the new file.
  for (const [fault, after] of [
    [{ call: 'write', point: 3, how: 'error' }, 2],
    [{ call: 'fdatasync', point: 4, how: 'error' }, 2],
    [{ call: 'fdatasync', point: 1, how: 'error' }, 0],
  ] as const) {
    const root = temporaryFolder();
    const size = after * 2;
    expect([fault, ...runChild(root, 'until-refused', fault)]).toEqual([
      fault,
      { after, outcome: CHECK_DISK, writable: false, size, at: size, read: size, found: size },
      { again: 'done', writable: true, size: size + 2, at: size + 2, read: size + 2, found: size + 2 },
    ]);
    expect(await checkStore(root, [])).toEqual({ repaired: false });
    expect(readFileSync(join(root, 'data', 'ledger', '00000001.jsonl'), 'utf8').includes(`"message":"${after}"`)).toBe(false);
  }
});

test('a repair that cannot be recorded at the start is recorded before the first append that can', async () => {
  const root = temporaryFolder();
  const keys = await loadOrCreateKeys(join(root, 'keys'));
  const open = () => openEmbeddedStore({ dir: join(root, 'data'), keys });
  const torn = await open();
  await torn.append([{ stream: 's', expected_seq: 0, events: [{ type: 'defect_caught', data: { door: 'test', message: 'torn' } }] }]);
  await torn.close();
  const segment = join(root, 'data', 'ledger', '00000001.jsonl');
  truncateSync(segment, statSync(segment).size - 40);
  expect(runChild(root, 'until-refused', { call: 'fdatasync', point: 1, how: 'error' })).toEqual([]);
  const store = await open();
  const types: string[] = [];
  for await (const { event } of store.read()) types.push(event.type);
  await store.close();
  expect(types).toEqual(['ledger_repaired', ...Array<string>(100).fill('defect_caught')]);
});

test.skipIf(spawnSync('prlimit', ['--version']).status !== 0)(
  'a file that may not grow: refused with all that was queued behind, reads go on, and writing resumes when it may',
  async () => {
    const root = temporaryFolder();
    const refused = 'AUDIT_UNAVAILABLE: Raise the limit on file size that the daemon runs under; the next action tries again.';
    expect(runChild(root, 'limit')).toEqual([
      { three: [refused, refused, refused], writable: false, size: 2, at: 2, read: 2, found: 2 },
      { still: refused },
      { later: 'done', writable: true, size: 4, at: 4, read: 4, found: 4 },
    ]);
    expect(await checkStore(root, [])).toEqual({ repaired: false });
  },
);

/** A disk of one megabyte; null where mounting is not allowed. */
function smallDisk(): string | null {
  const disk = join(temporaryFolder(), 'disk');
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status !== 0) return null;
  onTestFinished(() => void spawnSync('umount', [disk]));
  return disk;
}

test('a full disk: refused, reads go on, and writing resumes when there is space', async (context) => {
  const disk = smallDisk();
  if (disk === null) return context.skip('mounting a small disk is not allowed here');
  const keys = await loadOrCreateKeys(join(temporaryFolder(), 'keys'));
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(600_000));
  const store = await openEmbeddedStore({ dir: disk, keys });
  onTestFinished(() => store.close());
  const append = () =>
    store.append([
      {
        stream: 's',
        expected_seq: null,
        events: [{ type: 'defect_caught', data: { door: 'test', message: 'x'.repeat(20_000) } }],
      },
    ]);
  const written: number[] = [];
  let fault: unknown = null;
  while (fault === null && written.length < 100) {
    try {
      written.push(...(await append()).map(({ seq }) => seq));
    } catch (error) {
      fault = error;
    }
  }
  expect(fault instanceof Fault && [fault.code, fault.fix]).toEqual([
    'AUDIT_UNAVAILABLE',
    'Free some space on the disk that holds it; the next action tries again.',
  ]);
  const found = await store.find({ limit: 1000 });
  expect([store.writable(), found.map(({ seq }) => seq)]).toEqual([false, written.toReversed()]);
  rmSync(join(disk, 'ballast'));
  await append();
  const report = await verifyLedger({ dir: join(disk, 'ledger'), publicKeyPem: keys.publicKeyPem, savedCheckpoint: store.head() });
  expect([store.writable(), report.ok, report.size]).toEqual([true, true, written.length + 1]);
});

verifies('T10', 'a ledger that is written into, cut or deleted takes no record until it is whole; reads go on', async () => {
  const root = temporaryFolder();
  const keys = await loadOrCreateKeys(join(root, 'keys'));
  const store = await openEmbeddedStore({ dir: join(root, 'data'), keys });
  onTestFinished(() => store.close());
  const segment = join(root, 'data', 'ledger', '00000001.jsonl');
  const append = (message: string): Promise<string> =>
    store.append([{ stream: 's', expected_seq: null, events: [{ type: 'defect_caught', data: { door: 'test', message } }] }]).then(
      () => 'written',
      (error: unknown) => (error instanceof Fault ? error.code : String(error)),
    );
  const seqs = async (): Promise<readonly number[]> => (await store.find({ limit: 10 })).map(({ seq }) => seq);
  await append('one');
  await append('two');
  const good = readFileSync(segment);

  writeFileSync(segment, Buffer.concat([good, Buffer.from('{"forged":true}\n')]));
  expect([await append('three'), store.writable(), store.head().size, (await store.positions(['s'])).get('s'), await seqs()]).toEqual([
    'AUDIT_UNAVAILABLE',
    false,
    2,
    2,
    [2, 1],
  ]);

  writeFileSync(segment, good.subarray(0, good.length - 10));
  expect([await append('three'), store.writable(), await seqs()]).toEqual(['AUDIT_UNAVAILABLE', false, [2, 1]]);

  rmSync(segment);
  expect([await append('three'), store.writable(), store.head().size]).toEqual(['AUDIT_UNAVAILABLE', false, 2]);

  writeFileSync(segment, good);
  expect([await append('three'), store.writable(), await seqs()]).toEqual(['written', true, [3, 2, 1]]);
  expect(
    (await verifyLedger({ dir: join(root, 'data', 'ledger'), publicKeyPem: keys.publicKeyPem, savedCheckpoint: store.head() })).ok,
  ).toBe(true);
});
