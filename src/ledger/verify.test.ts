import { appendFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STEP } from '../../test/step.ts';
import { verifies } from '../../test/verifies.ts';
import type { LedgerRecord } from '../protocol/index.ts';
import { sha256Hex } from './hash.ts';
import { loadOrCreateKeys } from './keys.ts';
import { AT, FIRST, ledger, linesOf, SECOND, textOf } from './ledger.fixture.ts';
import { readChain } from './read-chain.ts';
import { verifyLedger } from './verify.ts';
import type { VerifyReport } from './verify.ts';

const found = ({ ok, problem }: VerifyReport) => ({
  ok,
  segment: problem?.segment,
  line: problem?.line,
  seq: problem?.seq,
  how: problem?.how,
});

verifies('N2', 'an untouched ledger verifies, and its records come in order', async () => {
  const { keys, lines, verify } = await ledger();
  const records: LedgerRecord[] = [];
  const report = await verify({ hmac: keys.hmac, everyHead: true, onRecord: (record) => records.push(record) });
  expect(report).toEqual({
    ok: true,
    size: 7,
    heads: 3,
    chain: sha256Hex(lines[8] as Buffer),
    torn_tail_bytes: 0,
    hmac: 'checked',
    problem: null,
  });
  expect(records).toEqual(
    Array.from({ length: 7 }, (_, i) => ({
      seq: i + 1,
      stream: `s:${i % 2}`,
      stream_seq: Math.floor(i / 2) + 1,
      at: AT,
      event: { type: 'defect_caught', data: { door: 'test', message: `message ${i}` } },
    })),
  );
});

test('an empty folder and one that is not there are empty ledgers', async () => {
  const { dir, keys } = await ledger();
  const empty: VerifyReport = { ok: true, size: 0, heads: 0, chain: null, torn_tail_bytes: 0, hmac: 'not checked', problem: null };
  expect(await verifyLedger({ dir: join(dir, 'nowhere'), publicKeyPem: keys.publicKeyPem })).toEqual(empty);
});

verifies('N2', 'an edited record is named, whichever of its bytes was flipped', async () => {
  const { dir, lines, write, first, second, verify } = await ledger();
  const target = lines[4] as Buffer;
  for (let byte = 0; byte < target.length; byte += STEP) {
    const bytes = Buffer.from(target);
    bytes[byte] = (bytes[byte] as number) ^ 1;
    write([...first.slice(0, 4), bytes, ...first.slice(5)], second);
    const report = await verify();
    expect([byte, report.ok, report.problem?.segment, report.problem?.line]).toEqual([byte, false, FIRST, 5]);
    expect(report.problem?.how).toBe('edited');
  }
  const bytes = textOf(first);
  bytes[bytes.indexOf('message 3')] = 'M'.charCodeAt(0);
  writeFileSync(join(dir, FIRST), bytes);
  const message = 'This line was changed: the next one was written after other bytes.';
  const byte = textOf(first.slice(0, 4)).length;
  expect(await verify()).toEqual({
    ok: false,
    size: 3,
    heads: 1,
    chain: sha256Hex(lines[2] as Buffer),
    torn_tail_bytes: 0,
    hmac: 'not checked',
    problem: { segment: FIRST, line: 5, byte, seq: 4, how: 'edited', message },
  });
});

verifies('N2', 'an edited head is named, whichever of its bytes was flipped', async () => {
  const { lines, write, first, second, verify } = await ledger();
  for (const [at, segment, line] of [
    [3, FIRST, 4],
    [9, SECOND, 3],
  ] as const) {
    const target = lines[at] as Buffer;
    for (let byte = 0; byte < target.length; byte += STEP) {
      const bytes = Buffer.from(target);
      bytes[byte] = (bytes[byte] as number) ^ 1;
      if (at === 3) write([...first.slice(0, 3), bytes, ...first.slice(4)], second);
      else write(first, [...second.slice(0, 2), bytes]);
      const { ok, problem } = await verify();
      expect([byte, ok, problem?.segment, problem?.line]).toEqual([byte, false, segment, line]);
    }
  }
});

verifies('N2', 'a dropped, swapped, repeated or foreign line is found and located', async () => {
  const { keys, first, second, write, verify } = await ledger();
  const without = (at: number) => first.toSpliced(at, 1);
  const swapped = (a: number, b: number) => first.with(a, first[b] as Buffer).with(b, first[a] as Buffer);
  const foreign = linesOf(keys, [2, 5]);
  const cases: readonly (readonly [string, readonly Buffer[], readonly Buffer[], object])[] = [
    ['drop the first', without(0), second, { segment: FIRST, line: 1, seq: 2, how: 'dropped' }],
    ['drop the second', without(1), second, { segment: FIRST, line: 2, seq: 3, how: 'dropped' }],
    ['drop before a head', without(2), second, { segment: FIRST, line: 3, seq: null, how: 'dropped' }],
    ['drop two', first.toSpliced(1, 2), second, { segment: FIRST, line: 2, seq: null, how: 'dropped' }],
    ['drop a batch', first.toSpliced(0, 4), second, { segment: FIRST, line: 1, seq: 4, how: 'dropped' }],
    ['drop a head', without(3), second, { segment: FIRST, line: 4, seq: 4, how: 'dropped' }],
    ['drop the last of a segment', first.slice(0, 6), second, { segment: SECOND, line: 1, seq: 6, how: 'dropped' }],
    ['move a head to the next segment', first.slice(0, 6), [first[6] as Buffer, ...second], { segment: SECOND, line: 1, how: 'torn' }],
    [
      'begin the second in the middle',
      first.slice(0, 5),
      [...first.slice(5), ...second],
      { segment: SECOND, line: 1, seq: 5, how: 'torn' },
    ],
    ['swap neighbours', swapped(0, 1), second, { segment: FIRST, line: 1, seq: 2, how: 'swapped' }],
    ['swap far ones', swapped(1, 5), second, { segment: FIRST, line: 2, seq: 5, how: 'swapped' }],
    ['swap a head and a record', swapped(3, 4), second, { segment: FIRST, line: 4, seq: 4, how: 'swapped' }],
    ['repeat a record', first.toSpliced(1, 0, first[0] as Buffer), second, { segment: FIRST, line: 2, seq: 1, how: 'inserted' }],
    ['repeat a head', first.toSpliced(4, 0, first[3] as Buffer), second, { segment: FIRST, line: 5, seq: null, how: 'inserted' }],
    ['insert a later one', first.toSpliced(1, 0, first[5] as Buffer), second, { segment: FIRST, line: 2, seq: 5, how: 'inserted' }],
    ['repeat at the end', first, [...second, second[0] as Buffer], { segment: SECOND, line: 4, seq: 6, how: 'inserted' }],
    ['swap the segments', second, first, { segment: FIRST, line: 1, seq: 6, how: 'swapped' }],
    ['a word in between', first.toSpliced(2, 0, Buffer.from('hello')), second, { segment: FIRST, line: 3, seq: null, how: 'forged' }],
    ['an empty line', first.toSpliced(2, 0, Buffer.alloc(0)), second, { segment: FIRST, line: 3, seq: null, how: 'forged' }],
    ['an empty segment', [], [...first, ...second], { segment: FIRST, line: 1, seq: null, how: 'torn' }],
    [
      'another ledger from its second batch',
      [...first.slice(0, 4), ...foreign.slice(4)],
      [],
      { segment: FIRST, line: 5, seq: 4, how: 'spliced' },
    ],
  ];
  for (const [name, one, two, expected] of cases) {
    write(one, two);
    expect([name, found(await verify())]).toEqual([name, expect.objectContaining({ ok: false, ...expected })]);
  }
});

verifies('N2', 'a ledger rewritten from some line on, chained again, fails at the first head that its author cannot sign', async () => {
  const { dir, keys, write, lines, verify } = await ledger();
  const other = await loadOrCreateKeys(join(dir, 'other'));
  const forged = linesOf({ ...other, keyId: keys.keyId }, [3, 2, 2]);
  write(forged.slice(0, 7), forged.slice(7));
  expect(found(await verify())).toEqual({ ok: false, segment: FIRST, line: 4, seq: null, how: 'forged' });
  const later = linesOf(
    { ...keys, sign: (bytes) => (/"head":[57]/.test(Buffer.from(bytes).toString()) ? other : keys).sign(bytes) },
    [3, 2, 2],
  );
  expect(later.slice(0, 6)).toEqual(lines.slice(0, 6));
  write(later.slice(0, 7), later.slice(7));
  expect(found(await verify())).toEqual({ ok: false, segment: FIRST, line: 7, seq: null, how: 'forged' });
  write(lines.slice(0, 7), lines.slice(7));
  expect(found(await verify({ publicKeyPem: other.publicKeyPem }))).toEqual({
    ok: false,
    segment: FIRST,
    line: 4,
    seq: null,
    how: 'forged',
  });
});

test('an HMAC that does not fit is found by who has the secret', async () => {
  const { keys, write, verify } = await ledger();
  const lines = linesOf({ ...keys, hmac: (body) => keys.hmac(String(body).includes('message 1') ? 'other' : body) }, [3, 2, 2]);
  write(lines.slice(0, 7), lines.slice(7));
  expect([(await verify()).ok, found(await verify({ hmac: keys.hmac }))]).toEqual([
    true,
    { ok: false, segment: FIRST, line: 2, seq: 2, how: 'forged' },
  ]);
});

test('a missing segment is named', async () => {
  const { dir, verify } = await ledger();
  renameSync(join(dir, FIRST), join(dir, 'away'));
  expect(found(await verify())).toEqual({ ok: false, segment: FIRST, line: 1, seq: null, how: 'missing segment' });
  renameSync(join(dir, 'away'), join(dir, FIRST));
  renameSync(join(dir, SECOND), join(dir, '00000003.jsonl'));
  expect(found(await verify())).toEqual({ ok: false, segment: SECOND, line: 1, seq: null, how: 'missing segment' });
});

test('a write that was cut short is a torn tail and no error, at whichever byte it ended', async () => {
  const { dir, lines, second, verify } = await ledger();
  const whole = textOf(second).length;
  for (let bytes = whole - 1; bytes >= 0; bytes -= STEP) {
    truncateSync(join(dir, SECOND), bytes);
    expect(await verify()).toEqual({
      ok: true,
      size: 5,
      heads: 2,
      chain: sha256Hex(lines[5] as Buffer),
      torn_tail_bytes: bytes,
      hmac: 'not checked',
      problem: null,
    });
  }
});

test('zeros after a power cut are a torn tail, unless a signed head stands behind them', async () => {
  const { dir, second, first, write, verify } = await ledger();
  appendFileSync(join(dir, SECOND), `${'\0'.repeat(100)}\n${'\0'.repeat(50)}`);
  expect([(await verify()).ok, (await verify()).torn_tail_bytes]).toEqual([true, 151]);
  const holed = Buffer.from(second[0] as Buffer).fill(0, 60, 70);
  write(first, second.with(0, holed));
  expect(found(await verify())).toEqual({ ok: false, segment: SECOND, line: 1, seq: null, how: 'edited' });
});

verifies('N2', 'a ledger cut back behind a head, or rewritten from there, is found with a saved checkpoint', async () => {
  const { keys, first, lines, write, verify } = await ledger();
  const savedCheckpoint = { size: 7, chain: sha256Hex(lines[8] as Buffer) };
  expect((await verify({ savedCheckpoint })).ok).toBe(true);
  expect((await verify({ savedCheckpoint: { size: 5, chain: sha256Hex(lines[5] as Buffer) } })).ok).toBe(true);
  write(first, []);
  expect([(await verify()).ok, found(await verify({ savedCheckpoint }))]).toEqual([
    true,
    { ok: false, segment: SECOND, line: 0, seq: null, how: 'rolled back' },
  ]);
  const rewritten = linesOf(keys, [3, 4, 2]);
  write(rewritten.slice(0, 9), rewritten.slice(9));
  expect([(await verify()).ok, found(await verify({ savedCheckpoint })).how]).toEqual([true, 'rolled back']);
});

test('reading can go on from a position that was put away', async () => {
  const { dir, keys, first, second, write } = await ledger();
  write(first.slice(0, 4), []);
  const { position } = await readChain({ dir, publicKeyPem: keys.publicKeyPem });
  expect(position).toMatchObject({ segment: 2, offset: 0, size: 3 });
  rmSync(join(dir, SECOND));
  const early = (await readChain({ dir, publicKeyPem: keys.publicKeyPem })).position;
  write(first, second);
  const seen: number[] = [];
  const resumed = await readChain({
    dir,
    publicKeyPem: keys.publicKeyPem,
    resumeFrom: structuredClone(early),
    onPlace: ({ seq }) => seen.push(seq),
  });
  expect(resumed).toEqual(await readChain({ dir, publicKeyPem: keys.publicKeyPem }));
  expect(seen).toEqual([4, 5, 6, 7]);
});

verifies('N2', 'random tampering is always found', async () => {
  const { dir, keys, verify } = await ledger();
  rmSync(join(dir, SECOND));
  const lines = linesOf(keys, [3, 1, 1, 8, 2, 1, 5, 4]);
  const good = textOf(lines);
  writeFileSync(join(dir, FIRST), good);
  const { size, chain } = await verify();
  const savedCheckpoint = { size, chain };
  const line = fc.nat(lines.length - 1);
  const tampered = fc.oneof(
    fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, bits]) => {
      const bytes = Buffer.from(good);
      bytes[at] = (bytes[at] as number) ^ bits;
      return bytes;
    }),
    line.map((at) => textOf(lines.toSpliced(at, 1))),
    fc.tuple(line, line).map(([a, b]) => textOf(lines.with(a, lines[b] as Buffer).with(b, lines[a] as Buffer))),
    fc.tuple(line, fc.nat(lines.length)).map(([from, to]) => textOf(lines.toSpliced(to, 0, lines[from] as Buffer))),
    fc.nat(good.length - 1).map((at) => good.subarray(0, at)),
    fc.tuple(fc.nat(good.length), fc.nat(good.length)).map(([from, to]) => Buffer.concat([good.subarray(0, from), good.subarray(to)])),
  );
  await fc.assert(
    fc.asyncProperty(tampered, async (bytes) => {
      fc.pre(!bytes.equals(good));
      writeFileSync(join(dir, FIRST), bytes);
      expect((await verify({ savedCheckpoint })).ok).toBe(false);
      // Without the saved checkpoint only a cut can pass, and what is left is then an untouched beginning.
      const alone = await verify();
      if (alone.ok)
        expect(good.subarray(0, bytes.length - alone.torn_tail_bytes).equals(bytes.subarray(0, bytes.length - alone.torn_tail_bytes))).toBe(
          true,
        );
    }),
    { numRuns: Math.ceil(600 / STEP) },
  );
  expect(readFileSync(join(dir, FIRST)).equals(good)).toBe(false);
});
