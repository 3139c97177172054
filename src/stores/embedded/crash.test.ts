import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
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

const shimFolder = mkdtempSync(join(tmpdir(), 'countersign-shim-'));
afterAll(() => rmSync(shimFolder, { recursive: true }));

/** A library that makes system calls fail; null where there is no compiler. */
const shim = ((): string | null => {
  if (process.platform !== 'linux') return null;
  const library = join(shimFolder, 'shim.so');
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, fileURLToPath(new URL('fault-shim.c', import.meta.url)), '-ldl']);
  return status === 0 ? library : null;
})();

interface Crash {
  /** The `seq` of every record whose append was acknowledged. */
  readonly acknowledged: readonly number[];
  readonly signal: NodeJS.Signals | null;
}

/** Runs writers in a child until it dies: by itself, or killed once it has acknowledged that many appends. */
function runUntilDead(root: string, killAfter: number | null, env: Record<string, string> = {}): Promise<Crash> {
  const child = spawn(process.execPath, [CHILD, root, 'forever'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const acknowledged: number[] = [];
  let appends = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    acknowledged.push(...(JSON.parse(line) as number[]));
    if (++appends === killAfter) child.kill('SIGKILL');
  });
  return new Promise((resolve) => child.on('close', (_, signal) => resolve({ acknowledged, signal })));
}

/** Opens what a crash has left, and checks that nothing acknowledged is missing and no append is there by half. */
async function checkAfter(root: string, acknowledged: readonly number[]): Promise<{ readonly repaired: boolean }> {
  const keys = await loadOrCreateKeys(join(root, 'keys'));
  const ledger = join(root, 'data', 'ledger');
  const before = await verifyLedger({ dir: ledger, publicKeyPem: keys.publicKeyPem, hmac: keys.hmac });
  const store = await openEmbeddedStore({ dir: join(root, 'data'), keys });
  const seqs = new Set<number>();
  const perStream = new Map<string, number>();
  for await (const { seq, stream } of store.read()) {
    seqs.add(seq);
    perStream.set(stream, (perStream.get(stream) ?? 0) + 1);
  }
  const [newest] = await store.find({ limit: 1 });
  await store.close();
  const after = await verifyLedger({ dir: ledger, publicKeyPem: keys.publicKeyPem, hmac: keys.hmac, everyHead: true });
  const repaired = before.torn_tail_bytes > 0;
  expect([before.problem, after.problem, after.torn_tail_bytes]).toEqual([null, null, 0]);
  expect(acknowledged.filter((seq) => !seqs.has(seq))).toEqual([]);
  // Each append was of two records.
  expect([...perStream].filter(([stream, count]) => stream !== 'daemon' && count % 2 === 1)).toEqual([]);
  expect(after.size).toBe(before.size + (repaired ? 1 : 0));
  if (repaired) expect(newest?.event).toMatchObject({ type: 'ledger_repaired', data: { dropped_bytes: before.torn_tail_bytes } });
  return { repaired };
}

test('killed at random moments, 25 times over one ledger: nothing acknowledged is lost and it verifies each time', async () => {
  const root = temporaryFolder();
  for (let kill = 0; kill < 25; kill++) {
    const { acknowledged, signal } = await runUntilDead(root, 1 + Math.floor(Math.random() * 60));
    expect(signal).toBe('SIGKILL');
    await checkAfter(root, acknowledged);
  }
}, 120_000);

test.skipIf(shim === null)(
  'killed inside a write, and before and after a sync: a torn batch vanishes whole and its repair is recorded',
  async () => {
    for (const [fault, torn] of [
      ['pwrite:1:tear', true],
      ['pwrite:4:tear', true],
      ['pwrite:9:tear', true],
      ['fdatasync:1:before', false],
      ['fdatasync:5:before', false],
      ['fdatasync:5:after', false],
    ] as const) {
      const root = temporaryFolder();
      const { acknowledged, signal } = await runUntilDead(root, null, { LD_PRELOAD: shim as string, FAULT: fault });
      expect([fault, signal]).toEqual([fault, 'SIGKILL']);
      expect([fault, await checkAfter(root, acknowledged)]).toEqual([fault, { repaired: torn }]);
    }
  },
  60_000,
);

function runChild(root: string, mode: string, env: Record<string, string> = {}): readonly unknown[] {
  const { stdout } = spawnSync(process.execPath, [CHILD, root, mode], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = stdout.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as unknown);
}

const CHECK_DISK = 'AUDIT_UNAVAILABLE: Check the disk and the kernel log; the next action tries again.';

test.skipIf(shim === null)(
  'an I/O error in a write or a sync refuses the append for good; the next one is written in its place',
  async () => {
    // The first sync is that of the new file.
    for (const [fault, after] of [
      ['pwrite:3:error', 2],
      ['fdatasync:4:error', 2],
      ['fdatasync:1:error', 0],
    ] as const) {
      const root = temporaryFolder();
      const size = after * 2;
      expect([fault, ...runChild(root, 'until-refused', { LD_PRELOAD: shim as string, FAULT: fault })]).toEqual([
        fault,
        { after, outcome: CHECK_DISK, writable: false, size, at: size, read: size, found: size },
        { again: 'done', writable: true, size: size + 2, at: size + 2, read: size + 2, found: size + 2 },
      ]);
      expect(await checkAfter(root, [])).toEqual({ repaired: false });
      expect(readFileSync(join(root, 'data', 'ledger', '00000001.jsonl'), 'utf8').includes(`"message":"${after}"`)).toBe(false);
    }
  },
);

test.skipIf(shim === null)('a repair that cannot be recorded at the start is recorded before the first append that can', async () => {
  const root = temporaryFolder();
  const keys = await loadOrCreateKeys(join(root, 'keys'));
  const open = () => openEmbeddedStore({ dir: join(root, 'data'), keys });
  const torn = await open();
  await torn.append([{ stream: 's', expected_seq: 0, events: [{ type: 'defect_caught', data: { door: 'test', message: 'torn' } }] }]);
  await torn.close();
  const segment = join(root, 'data', 'ledger', '00000001.jsonl');
  truncateSync(segment, statSync(segment).size - 40);
  expect(runChild(root, 'until-refused', { LD_PRELOAD: shim as string, FAULT: 'fdatasync:1:error' })).toEqual([]);
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
    expect(await checkAfter(root, [])).toEqual({ repaired: false });
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
        expected_seq: store.streamSeq('s'),
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
  const report = await verifyLedger({ dir: join(disk, 'ledger'), publicKeyPem: keys.publicKeyPem, keptHead: store.head() });
  expect([store.writable(), report.ok, report.size]).toEqual([true, true, written.length + 1]);
});

verifies('T10', 'a ledger that is written into, cut or deleted takes no record until it is whole; reads go on', async () => {
  const root = temporaryFolder();
  const keys = await loadOrCreateKeys(join(root, 'keys'));
  const store = await openEmbeddedStore({ dir: join(root, 'data'), keys });
  onTestFinished(() => store.close());
  const segment = join(root, 'data', 'ledger', '00000001.jsonl');
  const append = (message: string): Promise<string> =>
    store
      .append([{ stream: 's', expected_seq: store.streamSeq('s'), events: [{ type: 'defect_caught', data: { door: 'test', message } }] }])
      .then(
        () => 'written',
        (error: unknown) => (error instanceof Fault ? error.code : String(error)),
      );
  const seqs = async (): Promise<readonly number[]> => (await store.find({ limit: 10 })).map(({ seq }) => seq);
  await append('one');
  await append('two');
  const good = readFileSync(segment);

  writeFileSync(segment, Buffer.concat([good, Buffer.from('{"forged":true}\n')]));
  expect([await append('three'), store.writable(), store.head().size, store.streamSeq('s'), await seqs()]).toEqual([
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
  expect((await verifyLedger({ dir: join(root, 'data', 'ledger'), publicKeyPem: keys.publicKeyPem, keptHead: store.head() })).ok).toBe(
    true,
  );
});
