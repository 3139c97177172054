// Verification needs the segment files and the public key, and nothing from the daemon.

import type { LedgerRecord } from '../protocol/index.ts';
import type { Problem } from './problem.ts';
import { readChain } from './read-chain.ts';
import { readInSpans } from './read-in-spans.ts';
import type { ReadInSpans } from './read-in-spans.ts';
import { segmentName } from './segments.ts';

/** A head that somebody kept: how many records there were, and the hash of the last one's line. */
export interface Checkpoint {
  readonly size: number;
  readonly chain: string | null;
}

export interface VerifyOptions {
  /** The folder with the segments. */
  readonly dir: string;
  readonly publicKeyPem: string;
  /** Without one, a ledger that was cut off exactly after a head looks like one that had not grown further. */
  readonly savedCheckpoint?: Checkpoint;
  /** Checks the records' HMACs; only the daemon has the secret. */
  readonly hmac?: (bytes: Uint8Array) => string;
  /** Checks each head's signature and root by itself. The newest one's covers all bytes before it, so this proves no more. */
  readonly everyHead?: boolean;
  readonly signal?: AbortSignal;
  /** Called in order, while reading. Believe what it brought only if the report is ok. */
  readonly onRecord?: (record: LedgerRecord) => void;
}

export interface VerifyReport {
  readonly ok: boolean;
  /** Records under good heads, before the first problem. */
  readonly size: number;
  readonly heads: number;
  /** The hash of the last of those records' lines. */
  readonly chain: string | null;
  /** Bytes at the very end whose batch was never finished or acknowledged. Not a problem: a daemon drops them at its start. */
  readonly torn_tail_bytes: number;
  readonly hmac: 'checked' | 'not checked';
  readonly problem: Problem | null;
}

export async function verifyLedger(options: VerifyOptions): Promise<VerifyReport> {
  const { savedCheckpoint, hmac } = options;
  const { position, problem, tornTailBytes, chainAt } = (await readFast(options)) ?? (await readThrough(options));
  const rolledBack =
    problem === null && savedCheckpoint !== undefined && chainAt !== savedCheckpoint.chain
      ? rollBack(savedCheckpoint, position, tornTailBytes)
      : null;
  return {
    ok: problem === null && rolledBack === null,
    size: position.size,
    heads: position.heads,
    chain: position.chain,
    torn_tail_bytes: tornTailBytes,
    hmac: hmac === undefined ? 'not checked' : 'checked',
    problem: problem ?? rolledBack,
  };
}

/** In threads, unless an option needs each record in this thread. */
async function readFast({
  dir,
  publicKeyPem,
  savedCheckpoint,
  hmac,
  everyHead,
  onRecord,
  signal,
}: VerifyOptions): Promise<ReadInSpans | null> {
  if (hmac !== undefined || everyHead === true || onRecord !== undefined) return null;
  return readInSpans({ dir, publicKeyPem, wanted: savedCheckpoint?.size ?? null, ...(signal && { signal }) });
}

async function readThrough({ savedCheckpoint, ...options }: VerifyOptions): Promise<ReadInSpans> {
  let chainAt: string | null = null;
  const reading = await readChain({
    ...options,
    ...(savedCheckpoint && {
      onPlace: (place) => {
        if (place.seq === savedCheckpoint.size) chainAt = place.chain;
      },
    }),
  });
  return { ...reading, chainAt };
}

function rollBack(
  kept: Checkpoint,
  end: { readonly segment: number; readonly line: number; readonly offset: number; readonly size: number },
  tornTailBytes: number,
): Problem {
  const place = { segment: segmentName(end.segment), line: end.line, byte: end.offset, seq: null };
  if (end.size >= kept.size)
    return {
      ...place,
      how: 'rolled back',
      message: `Record ${kept.size} is not the one under the saved checkpoint: the ledger was cut back and rewritten.`,
    };
  const message = `The saved checkpoint has ${kept.size} records; the ledger ends after ${end.size}`;
  return tornTailBytes === 0
    ? { ...place, how: 'rolled back', message: `${message}.` }
    : { ...place, line: end.line + 1, how: 'torn', message: `${message}, and then in the middle of a batch.` };
}
