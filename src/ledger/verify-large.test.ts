// A ledger that is large enough to be read by several threads at once, with lines that are longer than what is read in one go.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { leafHash, MerkleFrontier, sha256Hex } from './hash.ts';
import type { LedgerKeys } from './keys.ts';
import { AT, FIRST, ledger, SECOND, textOf } from './ledger.fixture.ts';
import { headLine, NO_LINE, recordLine } from './record-line.ts';

const RECORDS = 12;
const LONG = 1_800_000;

/** One record in each batch: lines 1, 3, 5 … */
function longLines({ hmac, sign, keyId: key }: LedgerKeys): Buffer[] {
  const frontier = new MerkleFrontier();
  let prev = NO_LINE;
  return Array.from({ length: RECORDS }, (_, at) => {
    const data = `{"door":"test","message":"${String.fromCharCode(97 + at).repeat(LONG)}"}`;
    const line = recordLine({ at: AT, data, prev, seq: at + 1, stream: 's:1', stream_seq: at + 1, type: 'defect_caught' }, hmac);
    frontier.append(leafHash(sha256Hex(line)));
    const head = headLine({ at: AT, head: at + 1, key, prev: sha256Hex(line), root: frontier.root() }, sign);
    prev = sha256Hex(head);
    return [line, head];
  }).flat();
}

verifies('N2', 'a large ledger is held to all that is asked for, also where threads would read it', async () => {
  const { dir, keys, verify } = await ledger();
  rmSync(join(dir, SECOND));
  const lay = (lines: readonly Buffer[]) => writeFileSync(join(dir, FIRST), textOf(lines));
  const good = longLines(keys);
  lay(good);
  const chainOf = (record: number) => sha256Hex(good[2 * (record - 1)] as Buffer);
  const intact = { ok: true, size: RECORDS, heads: RECORDS, chain: chainOf(RECORDS), torn_tail_bytes: 0, problem: null };
  expect(await verify()).toEqual({ ...intact, hmac: 'not checked' });
  expect(await verify({ hmac: keys.hmac, everyHead: true })).toEqual({ ...intact, hmac: 'checked' });
  const seen: number[] = [];
  await verify({ onRecord: ({ seq }) => seen.push(seq) });
  expect(seen).toEqual(Array.from({ length: RECORDS }, (_, at) => at + 1));
  await expect(verify({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');

  // A head that was kept somewhere else, and one of another ledger.
  for (const record of [1, 7, RECORDS]) expect((await verify({ savedCheckpoint: { size: record, chain: chainOf(record) } })).ok).toBe(true);
  const end = { segment: FIRST, line: 2 * RECORDS, byte: textOf(good).length, seq: null };
  expect((await verify({ savedCheckpoint: { size: 7, chain: chainOf(8) } })).problem).toEqual({
    ...{ ...end, how: 'rolled back' },
    message: 'Record 7 is not the one under the saved checkpoint: the ledger was cut back and rewritten.',
  });
  const kept = { size: RECORDS + 1, chain: chainOf(1) };
  expect((await verify({ savedCheckpoint: kept })).problem).toEqual({
    ...{ ...end, how: 'rolled back', message: 'The saved checkpoint has 13 records; the ledger ends after 12.' },
  });
  writeFileSync(join(dir, FIRST), Buffer.concat([textOf(good), Buffer.from('{"at"')]));
  expect((await verify({ savedCheckpoint: kept })).problem).toEqual({
    ...{ ...end, line: 2 * RECORDS + 1, how: 'torn' },
    message: 'The saved checkpoint has 13 records; the ledger ends after 12, and then in the middle of a batch.',
  });

  // What only some readers can see: the secret, and a head in the middle that a newer one covers.
  lay(longLines({ ...keys, hmac: (body) => keys.hmac(String(body).includes('f'.repeat(20)) ? 'other' : body) }));
  expect([(await verify()).ok, (await verify({ hmac: keys.hmac })).problem?.line]).toEqual([true, 11]);
  lay(longLines({ ...keys, sign: (bytes) => keys.sign(String(bytes).includes('"head":6,') ? Buffer.from('other') : bytes) }));
  expect([(await verify()).ok, (await verify({ everyHead: true })).problem?.line]).toEqual([true, 12]);
});
