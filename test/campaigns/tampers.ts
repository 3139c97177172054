// Every way in which an attacker without a key may change a ledger's files; and what a verifier must say.

import { createHash, randomBytes } from 'node:crypto';

/** The files of a ledger, each a list of lines. */
export type Files = readonly (readonly Buffer[])[];

/** What is written: files, and what comes after a file's last line break. */
export interface Tampered {
  readonly files: Files;
  readonly rest?: Readonly<Record<number, Buffer>>;
  /** The index of a file that is missing. */
  readonly missing?: number;
  /** The position of the first bad line; null where that is ambiguous. */
  readonly at: Spot | null;
  readonly how: readonly string[];
  /** Whether it is found without a saved checkpoint. */
  readonly needsKept?: boolean;
}

interface Spot {
  readonly file: number;
  /** From 1. */
  readonly line: number;
}

export interface Ledgers {
  readonly ours: Files;
  /** Other chains of the same shape: one signed with the same key, one with another. */
  readonly others: readonly [Files, Files];
}

/** A whole number below the limit. */
export type Pick = (limit: number) => number;
export type Tamper = (ledgers: Ledgers, pick: Pick) => Tampered | null;

const isHead = (line: Buffer): boolean => line.toString('latin1', 34, 35) === 'h';
const count = (files: Files): number => files.reduce((sum, lines) => sum + lines.length, 0);
const same = (a: Files, b: Files): boolean => count(a) === count(b) && a.flat().every((line, at) => line.equals(b.flat()[at] as Buffer));

/** The line by its number over all files. One past the end of a file is the first of the next, apart from the very end. */
function spot(files: Files, index: number): Spot {
  let left = index;
  for (const [file, lines] of files.entries()) {
    if (left < lines.length || file === files.length - 1) return { file, line: left + 1 };
    left -= lines.length;
  }
  return { file: 0, line: 1 };
}

function lineAt(files: Files, index: number): Buffer {
  return files.flat()[index] as Buffer;
}

function splice(files: Files, index: number, drop: number, ...put: readonly Buffer[]): Files {
  const { file, line } = spot(files, index);
  return files.with(file, (files[file] as readonly Buffer[]).toSpliced(line - 1, drop, ...put));
}

const anyLine = (files: Files, pick: Pick): number => pick(count(files));
/** Where a batch begins: 0, or behind a head. */
const batchStarts = (files: Files): number[] => [0, ...files.flat().flatMap((line, at) => (isHead(line) ? [at + 1] : []))];
const lastHead = (files: Files): number => count(files) - 1;

/** The first line behind the last head before it, which is where a tail that no head seals begins. */
const batchOf = (files: Files, index: number): number => batchStarts(files).findLast((start) => start <= index) as number;

const edit: Tamper = ({ ours }, pick) => {
  const index = anyLine(ours, pick);
  const line = Buffer.from(lineAt(ours, index));
  const at = pick(line.length);
  line[at] = (line[at] as number) ^ (1 + pick(255));
  const files = splice(ours, index, 1, line);
  // Zeros without a signed head behind them may also be a power cut; only a saved head shows the difference.
  if (index === lastHead(ours) && line.includes(0)) return { files, at: spot(ours, batchOf(ours, index)), how: ['torn'], needsKept: true };
  return { files, at: spot(ours, index), how: ['edited'] };
};

const drop: Tamper = ({ ours }, pick) => {
  const index = anyLine(ours, pick);
  const { file, line } = spot(ours, index);
  const most = (ours[file] as readonly Buffer[]).length - line + 1;
  const dropped = 1 + (pick(2) === 0 ? 0 : pick(most));
  const files = splice(ours, index, dropped);
  if ((files[file] as readonly Buffer[]).length === 0 && file < files.length - 1) return { files, at: { file, line: 1 }, how: ['torn'] };
  if (index + dropped <= lastHead(ours)) return { files, at: spot(files, index), how: ['dropped'] };
  const start = batchOf(ours, index);
  return start === index
    ? { files, at: null, how: ['rolled back'], needsKept: true }
    : { files, at: spot(ours, start), how: ['torn'], needsKept: true };
};

const swap: Tamper = ({ ours }, pick) => {
  const [a, b] = [anyLine(ours, pick), anyLine(ours, pick)].toSorted((x, y) => x - y) as [number, number];
  if (a === b) return null;
  const files = splice(splice(ours, a, 1, lineAt(ours, b)), b, 1, lineAt(ours, a));
  return { files, at: spot(ours, a), how: ['swapped'] };
};

const move: Tamper = ({ ours }, pick) => {
  const [from, to] = [anyLine(ours, pick), anyLine(ours, pick)];
  const without = splice(ours, from, 1);
  const files = splice(without, to, 0, lineAt(ours, from));
  // Over the edge of a file and no further, the lines are in order and the edge is in a batch.
  if (same(files, ours)) return null;
  return { files, at: spot(files, Math.min(from, to)), how: ['swapped'] };
};

const copy: Tamper = ({ ours }, pick) => {
  const [from, to] = [anyLine(ours, pick), pick(count(ours) + 1)];
  const files = splice(ours, to, 0, lineAt(ours, from));
  return { files, at: spot(files, to === from ? to + 1 : to), how: ['inserted'] };
};

/** A batch of another chain, put in. The first batch of a chain would be a good beginning of a ledger of its own. */
const insertForeign: Tamper = ({ ours, others }, pick) => {
  const key = pick(2);
  const other = (others[key] as Files).flat();
  const starts = batchStarts([other]);
  const which = 1 + pick(starts.length - 2);
  const to = pick(count(ours) + 1);
  const files = splice(ours, to, 0, ...other.slice(starts[which], starts[which + 1]));
  return { files, at: spot(files, to), how: to === count(ours) && key === 0 ? ['spliced', 'dropped'] : ['spliced'] };
};

/** From some line on, what follows is the other chain's. */
const spliceTail: Tamper = ({ ours, others }, pick) => {
  const key = pick(2);
  const index = pick(count(ours));
  const files = ours.map((lines, file) =>
    lines.map((line, at) => {
      const { file: from, line: first } = spot(ours, index);
      return file < from || (file === from && at < first - 1) ? line : ((others[key] as Files)[file]?.[at] ?? line);
    }),
  );
  // In the first batch, nothing before is sealed: it may also be the other ledger with a record changed.
  if (index > 0 && batchOf(ours, index) === 0) return { files, at: null, how: ['spliced', 'edited', 'forged'] };
  if (index > 0) return { files, at: spot(ours, index), how: ['spliced'] };
  return key === 0 ? { files, at: null, how: ['rolled back'], needsKept: true } : { files, at: null, how: ['forged'] };
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A record made without the keys: in the right form, at the right place, with an invalid HMAC. */
function forgedRecord(files: Files, index: number): Buffer {
  const before = index === 0 ? null : lineAt(files, index - 1);
  const records = files
    .flat()
    .slice(0, index)
    .filter((line) => !isHead(line));
  const inStream = records.filter((line) => line.includes('"stream":"forged"')).length;
  const body =
    `{"at":"2026-01-02T03:04:05.678Z","data":{"door":"x","message":"forged"},"prev":"${before ? sha256(before) : '0'.repeat(64)}"` +
    `,"seq":${records.length + 1},"stream":"forged","stream_seq":${inStream + 1},"type":"defect_caught","v":1`;
  return Buffer.from(`${body},"signature":"${randomBytes(32).toString('hex')}","signature_alg":"HMAC-SHA256"}`);
}

const forgeRecord: Tamper = ({ ours }, pick) => {
  const index = pick(count(ours));
  return { files: splice(ours, index, 0, forgedRecord(ours, index)), at: spot(ours, index), how: ['forged'] };
};

/** Followed by a head with an invalid signature. */
const forgeBatch: Tamper = ({ ours }, pick) => {
  const starts = batchStarts(ours);
  const index = starts[pick(starts.length)] as number;
  const record = forgedRecord(ours, index);
  const key = /"key":"(\w+)"/.exec(lineAt(ours, lastHead(ours)).toString())?.[1];
  const size =
    ours
      .flat()
      .slice(0, index)
      .filter((line) => !isHead(line)).length + 1;
  const head = Buffer.from(
    `{"at":"2026-01-02T03:04:05.678Z","head":${size},"key":"${key}","prev":"${sha256(record)}","root":"${'ab'.repeat(32)}","v":1` +
      `,"signature":"${randomBytes(64).toString('base64')}","signature_alg":"Ed25519"}`,
  );
  const files = splice(ours, index, 0, record, head);
  // At the end it is unclear whether the head was changed or never valid.
  return index > lastHead(ours)
    ? { files, at: spot(files, index + 1), how: ['edited'] }
    : { files, at: spot(files, index), how: ['forged'] };
};

const putWords: Tamper = ({ ours }, pick) => {
  const index = pick(count(ours) + 1);
  const words = ['', 'hello', '{}', '{"seq":1,"type":"approval_answered"}', 'x'.repeat(2000), '\u0000'][pick(6)] as string;
  // At the end zeros are what a power cut leaves.
  if (words === '\u0000' && index > lastHead(ours)) return null;
  const files = splice(ours, index, 0, Buffer.from(words));
  return { files, at: spot(files, index), how: ['forged'] };
};

/** A record rewritten and everything behind it chained again; only the signatures cannot be forged. */
const rechain: Tamper = ({ ours }, pick) => {
  const lines = ours.flat();
  const records = lines.flatMap((line, at) => (isHead(line) ? [] : [at]));
  const first = records[pick(records.length)] as number;
  let prev = '';
  const rewritten = lines.map((line, at) => {
    if (at < first) return line;
    const text = line.toString();
    const changed =
      at === first ? text.replace('"message":"', '"message":"not ') : text.replace(/"prev":"\w{64}"(?!.*"prev")/, `"prev":"${prev}"`);
    prev = sha256(Buffer.from(changed));
    return Buffer.from(changed);
  });
  const head = lines.findIndex((line, at) => at > first && isHead(line));
  let left = 0;
  const files = ours.map(({ length }) => rewritten.slice(left, (left += length)));
  return { files, at: spot(ours, head), how: [head === lastHead(ours) ? 'edited' : 'forged'] };
};

/** A file that ends somewhere. */
const cut: Tamper = ({ ours }, pick) => {
  const index = anyLine(ours, pick);
  const { file, line } = spot(ours, index);
  const byte = pick(lineAt(ours, index).length);
  const files = ours.with(file, (ours[file] as readonly Buffer[]).slice(0, line - 1));
  const rest = byte === 0 ? {} : { [file]: lineAt(ours, index).subarray(0, byte) };
  if (file < ours.length - 1)
    return { files, rest, at: byte === 0 ? null : { file, line }, how: byte === 0 ? ['dropped', 'torn'] : ['torn'] };
  const start = batchOf(ours, index);
  return start === index && byte === 0
    ? { files, at: null, how: ['rolled back'], needsKept: true }
    : { files, rest, at: spot(ours, start), how: ['torn'], needsKept: true };
};

/** Some bytes of a file are cut out, wherever they begin and end. */
const cutOut: Tamper = ({ ours }, pick) => {
  const file = pick(ours.length);
  const bytes = Buffer.concat((ours[file] as readonly Buffer[]).flatMap((line) => [line, Buffer.from('\n')]));
  const [from, to] = [pick(bytes.length), pick(bytes.length)].toSorted((a, b) => a - b) as [number, number];
  if (from === to) return null;
  const left = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  const end = left.lastIndexOf(10) + 1;
  const lines = left.toString('latin1', 0, end).split('\n').slice(0, -1);
  const files = ours.with(
    file,
    lines.map((line) => Buffer.from(line, 'latin1')),
  );
  return { files, rest: end < left.length ? { [file]: left.subarray(end) } : {}, at: null, how: [], needsKept: file === ours.length - 1 };
};

const loseFile: Tamper = ({ ours }, pick) => {
  const missing = pick(ours.length);
  return missing === ours.length - 1
    ? { files: ours.slice(0, -1), at: null, how: ['rolled back'], needsKept: true }
    : { files: ours, missing, at: { file: missing, line: 1 }, how: ['missing segment'] };
};

const swapFiles: Tamper = ({ ours }, pick) => {
  const [a, b] = [pick(ours.length), pick(ours.length)].toSorted((x, y) => x - y) as [number, number];
  if (a === b) return null;
  return { files: ours.with(a, ours[b] as Buffer[]).with(b, ours[a] as Buffer[]), at: { file: a, line: 1 }, how: ['swapped'] };
};

/** The edge between two files, moved into a batch. */
const moveEdge: Tamper = ({ ours }, pick) => {
  const file = pick(ours.length - 1);
  const both = [...(ours[file] as Buffer[]), ...(ours[file + 1] as Buffer[])];
  const edge = 1 + pick(both.length - 1);
  // Between batches it is a ledger like any other, of the same bytes.
  if (isHead(both[edge - 1] as Buffer)) return null;
  return { files: ours.with(file, both.slice(0, edge)).with(file + 1, both.slice(edge)), at: { file: file + 1, line: 1 }, how: ['torn'] };
};

/** As it was some batches ago: every line is genuine. */
const rollBack: Tamper = ({ ours }, pick) => {
  const starts = batchStarts(ours).slice(0, -1);
  const index = starts[pick(starts.length)] as number;
  const { file, line } = spot(ours, index);
  const files = ours.slice(0, file + 1).with(file, (ours[file] as Buffer[]).slice(0, line - 1));
  return { files, at: null, how: ['rolled back'], needsKept: true };
};

export const TAMPERS: Readonly<Record<string, Tamper>> = {
  edit,
  drop,
  swap,
  move,
  copy,
  insertForeign,
  spliceTail,
  forgeRecord,
  forgeBatch,
  putWords,
  rechain,
  cut,
  cutOut,
  loseFile,
  swapFiles,
  moveEdge,
  rollBack,
};
