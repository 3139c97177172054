// Stores killed in the middle of writing, many times over one ledger: nothing that was acknowledged is lost, no append is half written.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { loadOrCreateKeys, verifyLedger } from '../../src/ledger/index.ts';
import { openEmbeddedStore } from '../../src/stores/index.ts';
import type { Disk } from '../lab/failing-disk.ts';
import type { Kill } from './kills.ts';

const CHILD = fileURLToPath(new URL('../../src/stores/embedded/append-child.ts', import.meta.url));
export const FAILING_DISK = new URL('../lab/failing-disk.ts', import.meta.url).href;
/** Only processes that exit normally save compiled code; killed ones do not. */
export const COMPILED = join(tmpdir(), 'countersign-test-cache/countersign/compile');
/** A ledger that has grown for longer takes longer to check. */
const KILLS_PER_LEDGER = 8;

export interface Crash {
  /** The `seq` of every record whose append was acknowledged. */
  readonly acknowledged: readonly number[];
  readonly signal: NodeJS.Signals | null;
}

/** Runs writers in a child until it dies: by its disk, or killed once it has acknowledged that many appends. */
export function runUntilDead(root: string, at: Kill['at'] | NonNullable<Disk['at']>): Promise<Crash> {
  const disk: Disk = { folders: [root], ...('point' in at ? { at } : {}) };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', FAILING_DISK, CHILD, root, 'forever'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, DISK: JSON.stringify(disk) },
  });
  const acknowledged: number[] = [];
  let appends = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    acknowledged.push(...(JSON.parse(line) as number[]));
    if ('acknowledged' in at && ++appends === at.acknowledged) child.kill('SIGKILL');
  });
  return new Promise((resolve) => child.on('close', (_, signal) => resolve({ acknowledged, signal })));
}

/**
 * Opens what a crash has left, and checks that nothing acknowledged is missing, no append is half written, and a repair is on the record.
 */
export async function checkStore(root: string, acknowledged: readonly number[]): Promise<{ readonly repaired: boolean }> {
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

/** Reports each kill that passed. */
export async function killStores(kills: readonly Kill[], passed: (kill: Kill, repaired: boolean) => void): Promise<void> {
  const warm = mkdtempSync(join(tmpdir(), 'countersign-crash-'));
  spawnSync(process.execPath, ['--import', FAILING_DISK, CHILD, warm, 'once'], { env: { ...process.env, NODE_COMPILE_CACHE: COMPILED } });
  rmSync(warm, { recursive: true });
  for (let first = 0; first < kills.length; first += KILLS_PER_LEDGER) {
    const root = mkdtempSync(join(tmpdir(), 'countersign-crash-'));
    try {
      for (const kill of kills.slice(first, first + KILLS_PER_LEDGER)) {
        const { acknowledged, signal } = await runUntilDead(root, kill.at);
        expect(signal).toBe('SIGKILL');
        passed(kill, (await checkStore(root, acknowledged)).repaired);
      }
    } finally {
      rmSync(root, { recursive: true });
    }
  }
}
