// The far side of `parse-pool.ts`: reads and parses a batch of files into one segment.

import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { FILE_MAX_BYTES, skippedUnread } from '../extract/language-of.ts';
import { readIntoSegment } from '../extract/read-file.ts';
import { loadPacks } from '../load-packs.ts';
import { SegmentBuilder } from '../segment/builder.ts';
import type { ParsedBatch, ParsedFile, ParseJob, ParseThreadStart } from './parse-pool.ts';
import { type Stamp, stampOf } from './stamp.ts';

const { begun, packs: addresses } = workerData as ParseThreadStart;
const packs = await loadPacks(addresses);
let buffer = Buffer.allocUnsafeSlow(64 * 1024);

async function parseBatch({ root, paths, known }: ParseJob): Promise<ParsedBatch> {
  const out = new SegmentBuilder();
  const files: ParsedFile[] = [];
  for (const path of paths) {
    Atomics.add(begun, 0, 1);
    files.push(await parseOne(out, root, path, known[path]));
  }
  return { segment: out.fileCount === 0 ? null : out.finish(), files };
}

async function parseOne(out: SegmentBuilder, root: string, path: string, known: string | undefined): Promise<ParsedFile> {
  const read = readBytes(root, path);
  if ('why' in read)
    return {
      path,
      stamp: read.stamp,
      slot: -1,
      same: false,
      sha256: null,
      event: read.why === null ? null : { kind: read.kind, path, why: read.why },
    };
  const { bytes, stamp } = read;
  const digest = hash('sha256', bytes, 'buffer');
  const sha256 = digest.toString('hex');
  if (sha256 === known) return { path, stamp, slot: -1, same: true, sha256, event: null };
  const slot = out.fileCount;
  const event = await readIntoSegment(out, path, bytes, packs, digest);
  return { path, stamp, slot: out.fileCount > slot ? slot : -1, same: false, sha256, event };
}

type Read =
  | { readonly bytes: Buffer; readonly stamp: Stamp }
  | { readonly why: string | null; readonly kind: 'skipped' | 'unreadable'; readonly stamp: Stamp | null };

/** The bytes are good until the next file is read. */
function readBytes(root: string, path: string): Read {
  let file: number;
  try {
    // A FIFO in its place would hang a plain read, and a link would show another file.
    file = openSync(`${root}/${path}`, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return {
      why: code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' ? null : `cannot be opened (${code})`,
      kind: 'unreadable',
      stamp: null,
    };
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return { why: null, kind: 'unreadable', stamp: null };
    const stamp = stampOf(stats);
    const why = skippedUnread(path, stats.size);
    if (why !== null) return { why, kind: 'skipped', stamp };
    if (buffer.length <= stats.size) buffer = Buffer.allocUnsafeSlow(Math.min(2 * stats.size + 1, FILE_MAX_BYTES + 1));
    let length = 0;
    for (let got = -1; got !== 0 && length < buffer.length; length += got)
      got = readSync(file, buffer, length, buffer.length - length, null);
    if (length === buffer.length) return { why: 'grew while it was read', kind: 'unreadable', stamp: null };
    return { bytes: buffer.subarray(0, length), stamp };
  } catch (error) {
    return {
      why: `cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : 'no reason given'})`,
      kind: 'unreadable',
      stamp: null,
    };
  } finally {
    closeSync(file);
  }
}

const port = parentPort;
port?.on('message', (job: ParseJob) => {
  parseBatch(job)
    .then((batch) => port.postMessage(batch, batch.segment === null ? [] : [batch.segment]))
    .catch((error: unknown) => {
      // Out of this thread, so that the pool sees it fail.
      setImmediate(() => {
        throw error;
      });
    });
});
