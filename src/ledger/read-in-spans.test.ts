import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { STEP } from '../../test/step.ts';
import { verifies } from '../../test/verifies.ts';
import { leafHash, MerkleFrontier, sha256Hex } from './hash.ts';
import { loadOrCreateKeys } from './keys.ts';
import { readChain } from './read-chain.ts';
import { readInSpans } from './read-in-spans.ts';
import { headLine, NO_LINE, recordLine } from './record-line.ts';

const AT = '2026-01-02T03:04:05.678Z';

/** Files of batches of one to five records in three streams, as lines. */
async function ledger(files: number, batches: number) {
  const root = mkdtempSync(join(tmpdir(), 'countersign-spans-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const keys = await loadOrCreateKeys(join(root, 'keys'));
  const { publicKeyPem } = keys;
  const frontier = new MerkleFrontier();
  let [prev, seq] = [NO_LINE, 0];
  const batch = (at: number): Buffer[] => {
    const lines = Array.from({ length: 1 + (at % 5) }, () => {
      const [stream, stream_seq] = [`s:${seq % 3}`, Math.floor(seq / 3) + 1];
      seq += 1;
      const line = recordLine(
        { at: AT, data: '{"door":"test","message":"x"}', prev, seq, stream, stream_seq, type: 'defect_caught' },
        keys.hmac,
      );
      prev = sha256Hex(line);
      frontier.append(leafHash(prev));
      return line;
    });
    const head = headLine({ at: AT, head: seq, key: keys.keyId, prev, root: frontier.root() }, keys.sign);
    prev = sha256Hex(head);
    return [...lines, head];
  };
  const written = Array.from({ length: files }, () => Array.from({ length: batches }, (_, at) => batch(at)).flat());
  const dir = join(root, 'ledger');
  const write = (contents: readonly Buffer[]): void => {
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir);
    for (const [at, bytes] of contents.entries()) writeFileSync(join(dir, `0000000${at + 1}.jsonl`), bytes);
  };
  const bytes = written.map((lines) => Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])));
  write(bytes);
  const inSpans = (spanBytes: number, threads = 0, wanted: number | null = null) =>
    readInSpans({ dir, publicKeyPem, spanBytes, threads, wanted });
  return { bytes, write, inSpans, through: () => readChain({ dir, publicKeyPem }), lines: written };
}

test('a ledger that is read in parts comes to what it comes to when it is read through', async () => {
  const { inSpans, through } = await ledger(3, 20);
  const whole = await through();
  expect([whole.position.size, whole.problem]).toEqual([180, null]);
  for (const spanBytes of [1, 1000, 3000, 10_000]) expect(await inSpans(spanBytes)).toEqual({ ...whole, chainAt: null });
  expect(await inSpans(1_000_000)).toBe(null);
});

test('threads come to the same, and bring the hash of the record that was asked for, wherever it is', async () => {
  const { inSpans, through, lines } = await ledger(3, 20);
  const whole = await through();
  const records = lines.flat().filter((line) => line.includes('"seq":'));
  for (const wanted of [1, 77, 180])
    expect(await inSpans(3000, wanted === 77 ? 2 : 0, wanted)).toEqual({ ...whole, chainAt: sha256Hex(records[wanted - 1] as Buffer) });
  expect((await inSpans(3000, 0, 181))?.chainAt).toBe(null);
});

test('a file that is cut in the middle of its last batch is read through: only the tail may be torn', async () => {
  const { inSpans, through, bytes, write } = await ledger(2, 20);
  const [first, second] = bytes as [Buffer, Buffer];
  write([first, second.subarray(0, -100)]);
  const whole = await through();
  expect([whole.problem, whole.tornTailBytes > 0]).toEqual([null, true]);
  expect(await inSpans(2000)).toEqual({ ...whole, chainAt: null });
  write([first, second.subarray(0, 100)]);
  expect([(await through()).tornTailBytes, await inSpans(2000)]).toEqual([100, null]);
});

verifies('N2', 'whatever is changed in it, parts never say that a ledger is good which is not', async () => {
  const { inSpans, through, bytes, write, lines } = await ledger(2, 12);
  const place = fc.record({ file: fc.nat(1), at: fc.nat(1_000_000), put: fc.nat(255), spanBytes: fc.integer({ min: 1, max: 4000 }) });
  await fc.assert(
    fc.asyncProperty(place, fc.constantFrom('byte', 'drop', 'copy', 'swap'), async ({ file, at, put, spanBytes }, how) => {
      const kept = lines[file] as readonly Buffer[];
      const line = at % (kept.length - 1);
      const changed = [...kept];
      if (how === 'drop') changed.splice(line, 1);
      if (how === 'copy') changed.splice(line, 0, kept[at % 7] as Buffer);
      if (how === 'swap') [changed[line], changed[line + 1]] = [kept[line + 1] as Buffer, kept[line] as Buffer];
      const text = Buffer.concat(changed.flatMap((each) => [each, Buffer.from('\n')]));
      if (how === 'byte') text[at % text.length] = put;
      write(bytes.with(file, text));
      const [parts, whole] = [await inSpans(spanBytes), await through()];
      expect(parts).toEqual(whole.problem === null && parts !== null ? { ...whole, chainAt: null } : null);
    }),
    { numRuns: Math.ceil(150 / STEP) },
  );
});
