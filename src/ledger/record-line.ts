// The two lines of a ledger file, byte for byte. Drawn in docs/ledger-format.md.
//
//   record  {"at":…,"data":…,"prev":…,"seq":…,"stream":…,"stream_seq":…,"type":…,"v":1 ,"signature":…,"signature_alg":"HMAC-SHA256"}
//   head    {"at":…,"head":…,"key":…,"prev":…,"root":…,"v":1                           ,"signature":…,"signature_alg":"Ed25519"}
//           └──────────────────────────── body, without its brace ───────────────────┘
//
// INVARIANT: everything behind a record's `data` is drawn from characters that need no escape, so the fields of a line can be
// read from its end without parsing it, and nothing inside `data` can be mistaken for them.

import type { Event, LedgerRecord } from '../protocol/index.ts';

/** What the first line of a ledger names as the line before it. */
export const NO_LINE = '0'.repeat(64);

/** A longer line is refused when it is written and when it is read: a reader holds one line in memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const STREAM = /^[\w.:@/+-]{1,200}$/;

export const isStreamName = (name: string): boolean => STREAM.test(name);

export interface RecordFields {
  readonly at: string;
  /** Canonical JSON. */
  readonly data: string;
  readonly prev: string;
  readonly seq: number;
  readonly stream: string;
  readonly stream_seq: number;
  readonly type: string;
}

export interface HeadFields {
  readonly at: string;
  /** How many records stand before this line. */
  readonly head: number;
  readonly key: string;
  readonly prev: string;
  readonly root: string;
}

/** `hmac` gives 64 hex digits over the body's exact bytes. */
export function recordLine(fields: RecordFields, hmac: (body: string) => string): Buffer {
  const open =
    `{"at":"${fields.at}","data":${fields.data},"prev":"${fields.prev}","seq":${fields.seq},"stream":"${fields.stream}"` +
    `,"stream_seq":${fields.stream_seq},"type":"${fields.type}","v":1`;
  return Buffer.from(`${open},"signature":"${hmac(`${open}}`)}","signature_alg":"HMAC-SHA256"}`);
}

/** `sign` gives the Ed25519 signature over the body's exact bytes. */
export function headLine(fields: HeadFields, sign: (body: Buffer) => Buffer): Buffer {
  const open = `{"at":"${fields.at}","head":${fields.head},"key":"${fields.key}","prev":"${fields.prev}","root":"${fields.root}","v":1`;
  return Buffer.from(`${open},"signature":"${sign(Buffer.from(`${open}}`)).toString('base64')}","signature_alg":"Ed25519"}`);
}

export interface RecordLine extends Omit<RecordFields, 'data'> {
  readonly kind: 'record';
  readonly signature: string;
}

export interface HeadLine extends HeadFields {
  readonly kind: 'head';
  /** Base64. */
  readonly signature: string;
}

const AT = String.raw`(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)`;
const RECORD_START = new RegExp(`^\\{"at":"${AT}","data":\\{`);
const RECORD_END =
  /^,"prev":"([0-9a-f]{64})","seq":([1-9]\d{0,15}),"stream":"([\w.:@/+-]{1,200})","stream_seq":([1-9]\d{0,15}),"type":"([a-z_]{1,64})","v":1,"signature":"([0-9a-f]{64})","signature_alg":"HMAC-SHA256"\}$/;
// The last digit of 64 bytes in base64 has two bits: another digit there would be other bytes for the same signature.
const HEAD = new RegExp(
  `^\\{"at":"${AT}","head":([1-9]\\d{0,15}),"key":"([0-9a-f]{16})","prev":"([0-9a-f]{64})","root":"([0-9a-f]{64})","v":1,"signature":"([A-Za-z0-9+/]{85}[AQgw]==)","signature_alg":"Ed25519"\\}$`,
);

const START_BYTES = 42;
/** More than any record has behind its `data`. */
const END_BYTES = 640;
const HEAD_MAX_BYTES = 512;
const RECORD_SUFFIX_BYTES = ',"signature":"","signature_alg":"HMAC-SHA256"}'.length + 64;
const HEAD_SUFFIX_BYTES = ',"signature":"","signature_alg":"Ed25519"}'.length + 88;

const TYPE_TO_END_BYTES = '","v":1'.length + RECORD_SUFFIX_BYTES;
const QUOTE = '"'.charCodeAt(0);

/** The byte after `{"at":"…","` tells the two lines apart: `d` of data, `h` of head. */
const KIND_BYTE = 34;
const D = 'd'.charCodeAt(0);

/** Of a line that was checked before. */
export const isRecordLine = (line: Buffer): boolean => line[KIND_BYTE] === D;

/** The same: what its record is. */
export function recordType(line: Buffer): string {
  const end = line.length - TYPE_TO_END_BYTES;
  return line.toString('latin1', line.lastIndexOf(QUOTE, end - 1) + 1, end);
}

/** A line's own fields, or null when it is neither a record nor a head. `data` is not looked at: the chain covers its bytes. */
export function readLine(line: Buffer): RecordLine | HeadLine | null {
  return isRecordLine(line) ? readRecordLine(line) : readHeadLine(line);
}

function readRecordLine(line: Buffer): RecordLine | null {
  const start = RECORD_START.exec(line.toString('latin1', 0, START_BYTES));
  if (start === null) return null;
  const tail = line.toString('latin1', Math.max(0, line.length - END_BYTES));
  const end = RECORD_END.exec(tail.slice(tail.lastIndexOf(',"prev":"')));
  if (end === null) return null;
  return {
    kind: 'record',
    at: start[1] as string,
    prev: end[1] as string,
    seq: Number(end[2]),
    stream: end[3] as string,
    stream_seq: Number(end[4]),
    type: end[5] as string,
    signature: end[6] as string,
  };
}

function readHeadLine(line: Buffer): HeadLine | null {
  if (line.length > HEAD_MAX_BYTES) return null;
  const match = HEAD.exec(line.toString('latin1'));
  if (match === null) return null;
  return {
    kind: 'head',
    at: match[1] as string,
    head: Number(match[2]),
    key: match[3] as string,
    prev: match[4] as string,
    root: match[5] as string,
    signature: match[6] as string,
  };
}

/** The exact bytes that a line's signature is over. */
export function signedBody(line: Buffer, kind: 'record' | 'head'): Buffer {
  const body = Buffer.from(line.subarray(0, line.length - (kind === 'record' ? RECORD_SUFFIX_BYTES : HEAD_SUFFIX_BYTES) + 1));
  body[body.length - 1] = 0x7d;
  return body;
}

/** Throws when the line is not JSON. The event is as it was when it was written: it was validated then, and is signed. */
export function parseRecord(line: Buffer): LedgerRecord {
  const { at, data, seq, stream, stream_seq, type } = JSON.parse(line.toString()) as Omit<RecordFields, 'data'> & { data: unknown };
  return { seq, stream, stream_seq, at, event: { type, data } as Event };
}
