// Reads a long ledger in several threads, each a part of it, and joins the parts. The end is read like any ledger, from where the parts
// end: so its newest head's signature covers all of them.
// INVARIANT: this only ever reports that a ledger is good. Any mismatch leaves the judgement to a reading from the start.

import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { EMPTY_CHAIN } from './chain-position.ts';
import type { ChainPosition } from './chain-position.ts';
import { MerkleFrontier } from './hash.ts';
import { readChain } from './read-chain.ts';
import type { ChainReading } from './read-chain.ts';
import { readSpan } from './read-span.ts';
import type { Span, SpanReading } from './read-span.ts';
import { findSpans } from './spans.ts';

const SPAN_BYTES = 8 * 1024 * 1024;
const MAX_THREADS = 4;

type ReadSpan = typeof readSpan;

export interface ReadInSpansOptions {
  readonly dir: string;
  readonly publicKeyPem: string;
  readonly signal?: AbortSignal;
  /** The number of a record whose hash is asked for. */
  readonly wanted: number | null;
  readonly spanBytes?: number;
  /** Besides this one. */
  readonly threads?: number;
}

export interface ReadInSpans extends ChainReading {
  readonly chainAt: string | null;
}

/** Null when it has to be read from the start: there is too little of it, or something is wrong with it. */
export async function readInSpans(options: ReadInSpansOptions): Promise<ReadInSpans | null> {
  const {
    dir,
    publicKeyPem,
    signal,
    wanted,
    spanBytes = SPAN_BYTES,
    threads = Math.min(availableParallelism(), MAX_THREADS) - 1,
  } = options;
  const spans = await findSpans(dir, spanBytes);
  if (spans.reduce((sum, { from, to }) => sum + to - from, 0) < 2 * spanBytes) return null;
  const readings = await readAll(spans, wanted, threads, signal);
  signal?.throwIfAborted();
  const joined = join(spans, readings);
  if (joined === null) return null;
  let chainAt = readings.find((reading) => reading?.chainAt)?.chainAt ?? null;
  const reading = await readChain({
    dir,
    publicKeyPem,
    resumeFrom: joined,
    ...(signal && { signal }),
    onPlace: ({ seq, chain }) => {
      if (seq === wanted) chainAt = chain;
    },
  });
  // A head is only checked by the reading that meets it.
  const isSealed = reading.position.size > joined.size;
  return reading.problem === null && isSealed ? { ...reading, chainAt } : null;
}

/** The chain's position after the last of them; null when one is not good or does not begin where the one before it ended. */
function join(spans: readonly Span[], readings: readonly (SpanReading | null)[]): ChainPosition | null {
  let { size, prev, chain, heads } = EMPTY_CHAIN;
  let [segment, line] = [0, 0];
  const frontier = new MerkleFrontier();
  const streams = new Map<string, number>();
  for (const [at, { from }] of spans.entries()) {
    const reading = readings[at] ?? null;
    if (reading === null || reading.before.size !== size || reading.before.prev !== prev) return null;
    for (const [stream, [first, last]] of reading.streams) {
      if (first !== (streams.get(stream) ?? 0) + 1) return null;
      streams.set(stream, last);
    }
    for (const { digest, level } of reading.nodes) frontier.append(digest, level);
    if (from === 0) [segment, line] = [segment + 1, 0];
    line += reading.records + reading.heads;
    heads += reading.heads;
    size += reading.records;
    ({ prev, chain } = reading);
  }
  const offset = spans.at(-1)?.to ?? 0;
  return { segment, offset, line, size, heads, prev, chain, frontier: frontier.data(), streams: Object.fromEntries(streams) };
}

/** Ends early when a span is not good, when it is aborted, and when a thread fails. */
async function readAll(
  spans: readonly Span[],
  wanted: number | null,
  threads: number,
  signal: AbortSignal | undefined,
): Promise<readonly (SpanReading | null)[]> {
  const readings: (SpanReading | null)[] = [];
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stop = (): void => {
    next = spans.length;
    resolve();
  };
  let next = 0;
  const readWith = async (read: ReadSpan): Promise<void> => {
    while (next < spans.length) {
      const at = next++;
      const reading = await read(spans[at] as Span, wanted);
      readings[at] = reading;
      if (reading === null) stop();
    }
  };
  const workers = Array.from({ length: threads }, () => {
    const worker = new Worker(new URL('./span-thread.ts', import.meta.url), { execArgv: [] });
    return worker.once('error', stop).once('exit', stop);
  });
  signal?.addEventListener('abort', stop);
  try {
    // This thread reads as well: it would only wait for the others to begin.
    await Promise.race([stopped, Promise.all([readWith(readSpan), ...workers.map((worker) => readWith(ask(worker)))])]);
  } finally {
    signal?.removeEventListener('abort', stop);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return readings;
}

const ask =
  (worker: Worker): ReadSpan =>
  async (span, wanted) => {
    const answer = once(worker, 'message') as Promise<[SpanReading | null]>;
    worker.postMessage({ span, wanted });
    const [reading] = await answer;
    return reading;
  };
