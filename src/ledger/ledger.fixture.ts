// A small ledger on the disk, with its lines available for tests that damage them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { leafHash, MerkleFrontier, sha256Hex } from './hash.ts';
import { loadOrCreateKeys } from './keys.ts';
import type { LedgerKeys } from './keys.ts';
import { headLine, NO_LINE, recordLine } from './record-line.ts';
import { verifyLedger } from './verify.ts';
import type { VerifyReport } from './verify.ts';

export const AT = '2026-01-02T03:04:05.678Z';
export const FIRST = '00000001.jsonl';
export const SECOND = '00000002.jsonl';

/** The lines of a ledger with batches of these sizes, two streams taking turns. */
export function linesOf(keys: LedgerKeys, sizes: readonly number[]): Buffer[] {
  const frontier = new MerkleFrontier();
  const lines: Buffer[] = [];
  let prev = NO_LINE;
  let seq = 0;
  for (const size of sizes) {
    for (let i = 0; i < size; i++) {
      const data = canonicalJson({ door: 'test', message: `message ${seq}` });
      const line = recordLine(
        { at: AT, data, prev, seq: seq + 1, stream: `s:${seq % 2}`, stream_seq: Math.floor(seq / 2) + 1, type: 'defect_caught' },
        keys.hmac,
      );
      seq += 1;
      prev = sha256Hex(line);
      frontier.append(leafHash(prev));
      lines.push(line);
    }
    const head = headLine({ at: AT, head: seq, key: keys.keyId, prev, root: frontier.root() }, keys.sign);
    prev = sha256Hex(head);
    lines.push(head);
  }
  return lines;
}

export const textOf = (lines: readonly Uint8Array[]): Buffer => Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));

/** Records 1 to 7: lines 1–3, 5, 6 of the first segment (heads in 4, 7), lines 1, 2 of the second (head in 3). */
export async function ledger() {
  const root = mkdtempSync(join(tmpdir(), 'countersign-verify-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const keys = await loadOrCreateKeys(join(root, 'keys'));
  const lines = linesOf(keys, [3, 2, 2]);
  const dir = join(root, 'keys');
  const write = (first: readonly Uint8Array[], second: readonly Uint8Array[]): void => {
    writeFileSync(join(dir, FIRST), textOf(first));
    writeFileSync(join(dir, SECOND), textOf(second));
  };
  write(lines.slice(0, 7), lines.slice(7));
  const verify = (options: Partial<Parameters<typeof verifyLedger>[0]> = {}): Promise<VerifyReport> =>
    verifyLedger({ dir, publicKeyPem: keys.publicKeyPem, ...options });
  return { dir, keys, lines, first: lines.slice(0, 7), second: lines.slice(7), write, verify };
}
