// A ledger whose every line is chained and signed by its own key, and which is still wrong: written by a daemon with a defect, or by
// somebody who stole its key. Both ways of reading must notice; the one from the start reports what it is.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { leafHash, MerkleFrontier, sha256Hex } from './hash.ts';
import { AT, FIRST, ledger, linesOf, SECOND, textOf } from './ledger.fixture.ts';
import { readChain } from './read-chain.ts';
import { readInSpans } from './read-in-spans.ts';
import { headLine, MAX_LINE_BYTES, NO_LINE, recordLine } from './record-line.ts';
import type { HeadLine, RecordLine } from './record-line.ts';

type Ledger = Awaited<ReturnType<typeof ledger>>;
type Lie = { readonly record: Partial<RecordLine> & { readonly data?: string } } | { readonly head: Partial<HeadLine> };

/** Each item is a record or a head, correct except for the given fields. */
function written({ keys }: Ledger, items: readonly Lie[]): Buffer[] {
  const frontier = new MerkleFrontier();
  let [prev, seq] = [NO_LINE, 0];
  return items.map((item) => {
    const isRecord = 'record' in item;
    if (isRecord) seq += 1;
    const line = isRecord
      ? recordLine({ at: AT, data: '{}', prev, seq, stream: 's:1', stream_seq: seq, type: 'defect_caught', ...item.record }, keys.hmac)
      : headLine({ at: AT, head: seq, key: keys.keyId, prev, root: frontier.root(), ...item.head }, keys.sign);
    prev = sha256Hex(line);
    if (isRecord) frontier.append(leafHash(prev));
    return line;
  });
}

const record = { record: {} };
const head = { head: {} };

verifies('N2', 'what the owner of the key wrote wrong is reported, and no part of it passes for good', async () => {
  const place = await ledger();
  const { dir, keys } = place;
  const { publicKeyPem } = keys;
  rmSync(join(dir, SECOND));
  const root = sha256Hex('another tree');
  const [before, after] = [Array(4).fill([record, head]).flat(), Array(4).fill([record, head]).flat()] as [Lie[], Lie[]];
  // Behind eight lines of four records that are good, and before as many.
  const cases: readonly (readonly [items: readonly Lie[], line: number, message: string])[] = [
    [[{ record: { seq: 6 } }, head], 9, 'The record calls itself 6 and is number 5.'],
    [[record, { record: { seq: 5 } }, head], 10, 'The record calls itself 5 and is number 6.'],
    [[{ record: { stream_seq: 4 } }, head], 9, 'The record calls itself 4 of s:1 and is number 5.'],
    [[record, { record: { stream_seq: 7 } }, head], 10, 'The record calls itself 7 of s:1 and is number 6.'],
    [[{ record: { stream: 's:2' } }, head], 9, 'The record calls itself 5 of s:2 and is number 1.'],
    [[record, record, { head: { head: 5 } }, record, head], 11, 'The head is for 5 records and is after 6.'],
    [[head, record, head], 9, 'The head closes no batch.'],
    [[record, { head: { root } }], 10, "The head's Merkle root is not that of the records before it."],
  ];
  const inParts = () => readInSpans({ dir, publicKeyPem, wanted: null, spanBytes: 1, threads: 0 });
  const lay = (items: readonly Lie[]) => writeFileSync(join(dir, FIRST), textOf(written(place, items)));
  lay([...before, ...after]);
  expect((await inParts())?.position.size).toBe(8);
  for (const [items, line, message] of cases) {
    lay([...before, ...items, ...after]);
    const { problem } = await readChain({ dir, publicKeyPem, everyHead: true });
    expect([problem?.line, problem?.message]).toEqual([line, expect.stringContaining(message)]);
    // A head's root is compared with the records only for the newest head, or when all are asked for.
    expect([message, await inParts()]).toEqual([message, message.includes('root') ? expect.anything() : null]);
    lay([...before, ...items]);
    expect([message, await inParts()]).toEqual([message, null]);
  }
});

test('a record that makes no sense is reported when it is read, and one with a wrong HMAC to whoever has the secret', async () => {
  const place = await ledger();
  const { dir, keys, write } = place;
  const { publicKeyPem } = keys;
  const problemOf = async (options: Partial<Parameters<typeof readChain>[0]>) => {
    const { problem } = await readChain({ dir, publicKeyPem, ...options });
    return problem && [problem.line, problem.how, problem.message];
  };
  write(written(place, [record, { record: { data: '{oops' } }, head]), []);
  writeFileSync(join(dir, SECOND), '');
  expect(await problemOf({})).toBe(null);
  expect(await problemOf({ onRecord: () => undefined })).toEqual([
    ...[2, 'forged', "The record is not JSON. What follows was chained onto it, so the key's owner did not write it."],
  ]);
  write(linesOf({ ...keys, hmac: () => '0'.repeat(64) }, [1]), []);
  writeFileSync(join(dir, SECOND), '');
  expect(await problemOf({})).toBe(null);
  expect(await problemOf({ hmac: keys.hmac })).toEqual([
    ...[1, 'forged', "The record's HMAC does not fit it. What follows was chained onto it, so the key's owner did not write it."],
  ]);
});

test('a file that ends too early while another one follows is torn, and where is reported', async () => {
  const { dir, first, second, write, verify } = await ledger();
  const problemOf = async (bytes: Buffer) => {
    write(first, second);
    writeFileSync(join(dir, FIRST), bytes);
    const { problem } = await verify();
    return problem && [problem.segment, problem.line, problem.byte, problem.how, problem.message];
  };
  const whole = textOf(first);
  const [batch, line] = [textOf(first.slice(0, 4)).length, textOf(first.slice(0, 5)).length];
  expect(await problemOf(Buffer.alloc(0))).toEqual([FIRST, 1, 0, 'torn', 'The file is empty, and another one follows.']);
  expect(await problemOf(whole.subarray(0, whole.length - 1))).toEqual([
    ...[FIRST, 7, textOf(first.slice(0, 6)).length, 'torn', 'The file ends in the middle of a line, and another one follows.'],
  ]);
  expect(await problemOf(whole.subarray(0, batch + 20))).toEqual([
    ...[FIRST, 5, batch, 'torn', 'The file ends in the middle of a line, and another one follows.'],
  ]);
  expect((await problemOf(whole.subarray(0, line)))?.slice(0, 4)).toEqual([SECOND, 1, 0, 'dropped']);
});

test('a line that no record fits into ends the reading there', async () => {
  const { dir, first, verify } = await ledger();
  writeFileSync(join(dir, SECOND), Buffer.alloc(MAX_LINE_BYTES + 2, 'x'));
  expect((await verify()).problem).toEqual({
    ...{ segment: SECOND, line: 1, byte: 0, seq: null, how: 'forged', message: 'This line is longer than any record.' },
  });
  writeFileSync(join(dir, FIRST), Buffer.concat([textOf(first), Buffer.alloc(MAX_LINE_BYTES + 2, 'x')]));
  writeFileSync(join(dir, SECOND), '');
  expect((await verify()).problem).toMatchObject({ segment: FIRST, line: 8, byte: textOf(first).length, how: 'forged' });
});

verifies('N2', 'the newest head is held to the key in any case', async () => {
  const place = await ledger();
  const { dir, keys, write } = place;
  const { publicKeyPem } = keys;
  write(written(place, [record, head, record, { head: { key: '0123456789abcdef' } }]), []);
  writeFileSync(join(dir, SECOND), '');
  const { problem } = await readChain({ dir, publicKeyPem });
  expect([problem?.line, problem?.how, problem?.message]).toEqual([
    ...[4, 'edited', `This line was changed. The head is signed with the key 0123456789abcdef; the public key given is ${keys.keyId}.`],
  ]);
});
