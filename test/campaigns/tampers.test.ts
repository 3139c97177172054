// Random tampers with real ledgers of several files, streams and batches. Each must be found, named rightly and placed; and a verifier
// without any code of this project must reach the same result.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { loadOrCreateKeys, type LedgerKeys, verifyLedger } from '../../src/ledger/index.ts';
import { readInSpans } from '../../src/ledger/read-in-spans.ts';
import { openEmbeddedStore } from '../../src/stores/index.ts';
import { verifyPlainly } from '../lab/plain-verifier.ts';
import { verifies } from '../verifies.ts';
import { type Files, type Tampered, TAMPERS } from './tampers.ts';

vi.setConfig({ testTimeout: 3_600_000 });

const RUNS = Number(process.env['COUNTERSIGN_TAMPERS'] ?? 1000);
const root = mkdtempSync(join(tmpdir(), 'countersign-tampers-'));
afterAll(() => rmSync(root, { recursive: true }));

const segmentName = (file: number): string => `${String(file + 1).padStart(8, '0')}.jsonl`;
const textOf = (lines: readonly Buffer[]): Buffer => Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));

/** A ledger as the store writes it: batches of one append and of several, of one stream and of several. */
async function writeLedger(dir: string, keys: LedgerKeys, word: string): Promise<Files> {
  const store = await openEmbeddedStore({ dir, keys, segmentBytes: 5000, clock: () => new Date('2026-01-02T03:04:05.678Z') });
  const event = (message: string) => ({ type: 'defect_caught', data: { door: 'test', message } }) as const;
  const positions = new Map<string, number>();
  const part = (stream: string, ...messages: string[]) => {
    const expected_seq = positions.get(stream) ?? 0;
    positions.set(stream, expected_seq + messages.length);
    return { stream, expected_seq, events: messages.map((message) => event(`${word} ${message}`)) };
  };
  for (let round = 0; round < 5; round++) {
    await store.append([part('daemon', `one ${round}`)]);
    await store.append([part('session:a', `two ${round}`, 'and more'), part('intent:b', 'with "quotes"\n')]);
    await Promise.all([1, 2, 3].map((writer) => store.append([part(`writer:${writer}`, `three ${round}`)])));
  }
  await store.close();
  const ledger = join(dir, 'ledger');
  const names = readdirSync(ledger).filter((name) => name.endsWith('.jsonl'));
  return names.toSorted().map((name) => splitLines(readFileSync(join(ledger, name))));
}

function splitLines(bytes: Buffer): Buffer[] {
  return bytes
    .toString('latin1')
    .split('\n')
    .slice(0, -1)
    .map((line) => Buffer.from(line, 'latin1'));
}

const keys = await loadOrCreateKeys(join(root, 'keys'));
const otherKeys = await loadOrCreateKeys(join(root, 'other-keys'));
const ours = await writeLedger(join(root, 'ours'), keys, 'ours');
const ledgers = {
  ours,
  others: [await writeLedger(join(root, 'same-key'), keys, 'them'), await writeLedger(join(root, 'other-key'), otherKeys, 'them')] as const,
};
const { size, chain } = await verifyLedger({ dir: join(root, 'ours', 'ledger'), publicKeyPem: keys.publicKeyPem });
const savedCheckpoint = { size, chain };
const dir = join(root, 'tampered');

function write({ files, rest = {}, missing }: Pick<Tampered, 'files' | 'rest' | 'missing'>): void {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  for (const [file, lines] of files.entries())
    if (file !== missing) writeFileSync(join(dir, segmentName(file)), Buffer.concat([textOf(lines), rest[file] ?? Buffer.alloc(0)]));
}

test('what they are made of: several files, several streams, batches of one record and of several', () => {
  expect([ours.length >= 3, ours.map(({ length }) => length)]).toEqual([true, ledgers.others[0].map(({ length }) => length)]);
  write({ files: ours });
  expect(verifyPlainly(dir, keys.publicKeyPem, savedCheckpoint)).toEqual({ ok: true, size, tornTailBytes: 0 });
});

verifies('N2', `${RUNS} random tampers are all found, named and placed, and a plain verifier finds them too`, async () => {
  const found = new Map<string, number>();
  const kind = fc.constantFrom(...Object.keys(TAMPERS));
  await fc.assert(
    fc.asyncProperty(kind, fc.array(fc.nat(1_000_003), { minLength: 8, maxLength: 8 }), async (name, numbers) => {
      let next = 0;
      const tampered = TAMPERS[name]?.(ledgers, (limit) => (numbers[next++ % numbers.length] as number) % limit) ?? null;
      fc.pre(tampered !== null);
      write(tampered);
      const publicKeyPem = keys.publicKeyPem;
      const { ok, problem } = await verifyLedger({ dir, publicKeyPem, savedCheckpoint });
      const { file, line } = tampered.at ?? { file: null, line: null };
      expect({ ok, how: problem?.how, segment: problem?.segment, line: problem?.line }).toEqual({
        ok: false,
        how: tampered.how.length === 0 ? problem?.how : expect.toBeOneOf([...tampered.how]),
        segment: file === null ? problem?.segment : segmentName(file),
        line: line ?? problem?.line,
      });
      const alone = await verifyLedger({ dir, publicKeyPem });
      if (tampered.needsKept !== true) expect(alone.ok).toBe(false);
      const inSpans = await readInSpans({ dir, publicKeyPem, wanted: null, spanBytes: 1000, threads: 0 });
      if (!alone.ok) expect(inSpans).toBe(null);
      expect([verifyPlainly(dir, publicKeyPem, savedCheckpoint).ok, verifyPlainly(dir, publicKeyPem).ok]).toEqual([false, alone.ok]);
      found.set(name, (found.get(name) ?? 0) + 1);
    }),
    { numRuns: RUNS, ...(process.env['COUNTERSIGN_SEED'] === undefined ? {} : { seed: Number(process.env['COUNTERSIGN_SEED']) }) },
  );
  console.log(`tampers found: ${[...found].map(([name, times]) => `${name} ${times}`).join(', ')}`);
  expect([...found.keys()].toSorted()).toEqual(Object.keys(TAMPERS).toSorted());
});
