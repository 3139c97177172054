// The two lines of a ledger file, byte for byte. Drawn in docs/ledger-format.md.
//
//   record  {"at":…,"data":…,"prev":…,"seq":…,"stream":…,"stream_seq":…,"type":…,"v":1 ,"signature":…,"signature_alg":"HMAC-SHA256"}
//   head    {"at":…,"head":…,"key":…,"prev":…,"root":…,"v":1                           ,"signature":…,"signature_alg":"Ed25519"}
//           └──────────────────────────── body, without its brace ───────────────────┘
//
// INVARIANT: everything after a record's `data` consists of characters that need no escape, so the fields of a line can be
// read from its end without parsing it, and nothing inside `data` can be mistaken for them.

import type { Event, LedgerRecord } from '../protocol/index.ts';

/** What the first line of a ledger names as the line before it. */
export const NO_LINE = '0'.repeat(64);

/** A longer line is refused when it is written and when it is read: a reader holds one line in memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const STREAM_NAME = /^[\w.:@/+-]{1,200}$/;

export const isStreamName = (name: string): boolean => STREAM_NAME.test(name);

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
  /** How many records are before this line. */
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

/** Without what few readers ask for: `writtenAt`, `signatureOf` and `parseRecord` bring the rest. */
export interface RecordLine extends Omit<RecordFields, 'at' | 'data'> {
  readonly kind: 'record';
  /** The first byte after `data`. */
  readonly dataEnd: number;
}

export interface HeadLine extends HeadFields {
  readonly kind: 'head';
  /** Base64. */
  readonly signature: string;
}

/**
 * A line's own fields, or null when it is neither a record nor a head. `data` is not looked at: the chain covers its bytes.
 * INVARIANT: nothing else takes a line to pieces.
 */
export function readLine(line: Buffer): RecordLine | HeadLine | null {
  // JSON escapes it: a zero byte is what a power cut left.
  if (line.includes(0)) return null;
  return line[KIND_BYTE] === D ? readRecordLine(line) : readHeadLine(line);
}

/** The byte after `{"at":"…","` distinguishes the two lines: `d` of data, `h` of head. */
const KIND_BYTE = 34;
const D = 'd'.charCodeAt(0);

/** A zero matches any digit. */
const RECORD_START = Buffer.from('{"at":"0000-00-00T00:00:00.000Z","data":{');
const DATA_START = RECORD_START.length - 1;
const AT_START = '{"at":"'.length;
const AT_END = AT_START + '0000-00-00T00:00:00.000Z'.length;
const ZERO = '0'.charCodeAt(0);

/** The text between a record's fields, in order. */
const PREV = Buffer.from(',"prev":"');
const SEQ = Buffer.from('","seq":');
const OF_STREAM = Buffer.from(',"stream":"');
const STREAM_SEQ = Buffer.from('","stream_seq":');
const OF_TYPE = Buffer.from(',"type":"');
const SIGNATURE = Buffer.from('","v":1,"signature":"');
const RECORD_END = Buffer.from('","signature_alg":"HMAC-SHA256"}');

type Class = Uint8Array;
const classOf = (characters: RegExp): Class =>
  Uint8Array.from({ length: 256 }, (_, code) => Number(characters.test(String.fromCharCode(code))));
const DIGIT = classOf(/[0-9]/);
const HEX = classOf(/[0-9a-f]/);
const TYPE = classOf(/[a-z_]/);
const STREAM = classOf(/[\w.:@/+-]/);

// From its end on, byte by byte: verifying a ledger is little more than this and the hashing, and a regular expression takes twice as long.
function readRecordLine(line: Buffer): RecordLine | null {
  if (!beginsAsRecord(line)) return null;
  const signature = beforeSome(line, before(line, line.length, RECORD_END), HEX, 64, 64);
  const typeEnd = before(line, signature, SIGNATURE);
  const type = beforeSome(line, typeEnd, TYPE, 1, 64);
  const streamSeqEnd = before(line, type, OF_TYPE);
  const streamSeq = beforeSome(line, streamSeqEnd, DIGIT, 1, 16);
  const streamEnd = before(line, streamSeq, STREAM_SEQ);
  const stream = beforeSome(line, streamEnd, STREAM, 1, 200);
  const seqEnd = before(line, stream, OF_STREAM);
  const seq = beforeSome(line, seqEnd, DIGIT, 1, 16);
  const prevEnd = before(line, seq, SEQ);
  const prev = beforeSome(line, prevEnd, HEX, 64, 64);
  const dataEnd = before(line, prev, PREV);
  if (dataEnd < RECORD_START.length || line[seq] === ZERO || line[streamSeq] === ZERO) return null;
  // One text for all of them: each text out of a buffer costs as much as reading a field.
  const text = line.toString('latin1', prev, typeEnd);
  return {
    kind: 'record',
    prev: text.slice(0, prevEnd - prev),
    seq: numberIn(line, seq, seqEnd),
    stream: text.slice(stream - prev, streamEnd - prev),
    stream_seq: numberIn(line, streamSeq, streamSeqEnd),
    type: text.slice(type - prev),
    dataEnd,
  };
}

function beginsAsRecord(line: Buffer): boolean {
  if (line.length < RECORD_START.length) return false;
  for (let i = 0; i < RECORD_START.length; i++) {
    const wanted = RECORD_START[i] as number;
    const byte = line[i] as number;
    if (wanted === ZERO ? DIGIT[byte] === 0 : byte !== wanted) return false;
  }
  return true;
}

/** Where the text begins that ends before `end`; -1 when another one does, or `end` is -1. */
function before(line: Buffer, end: number, text: Buffer): number {
  const start = end - text.length;
  if (start < 0) return -1;
  for (let i = 0; i < text.length; i++) if (line[start + i] !== text[i]) return -1;
  return start;
}

/** Where the characters of that class begin that end before `end`; -1 when there are too few or too many, or `end` is -1. */
function beforeSome(line: Buffer, end: number, characters: Class, atLeast: number, atMost: number): number {
  let start = end;
  while (start > 0 && end - start <= atMost && characters[line[start - 1] as number] === 1) start -= 1;
  return end - start >= atLeast && end - start <= atMost ? start : -1;
}

function numberIn(line: Buffer, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) number = number * 10 + (line[at] as number) - ZERO;
  return number;
}

const HEAD_MAX_BYTES = 512;
// The last digit of 64 bytes in base64 has two bits: another digit there would be other bytes for the same signature.
const HEAD =
  /^\{"at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","head":([1-9]\d{0,15}),"key":"([0-9a-f]{16})","prev":"([0-9a-f]{64})","root":"([0-9a-f]{64})","v":1,"signature":"([A-Za-z0-9+/]{85}[AQgw]==)","signature_alg":"Ed25519"\}$/;

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

const HMAC_DIGITS = 64;
const RECORD_SUFFIX_BYTES = ',"signature":"","signature_alg":"HMAC-SHA256"}'.length + HMAC_DIGITS;
const HEAD_SUFFIX_BYTES = ',"signature":"","signature_alg":"Ed25519"}'.length + 88;

/** When it was written. Only of a record that `readLine` knows as one, as all below. */
export const writtenAt = (line: Buffer): string => line.toString('latin1', AT_START, AT_END);

/** Its HMAC, in hex. */
export const signatureOf = (line: Buffer): string =>
  line.toString('latin1', line.length - RECORD_END.length - HMAC_DIGITS, line.length - RECORD_END.length);

/** The exact bytes that a line's signature is over. */
export function signedBody(line: Buffer, kind: 'record' | 'head'): Buffer {
  const body = Buffer.from(line.subarray(0, line.length - (kind === 'record' ? RECORD_SUFFIX_BYTES : HEAD_SUFFIX_BYTES) + 1));
  body[body.length - 1] = 0x7d;
  return body;
}

/** Throws when `data` is not JSON. The event is as it was when it was written: it was validated then, and is signed. */
export function parseRecord(line: Buffer, { seq, stream, stream_seq, type, dataEnd }: RecordLine): LedgerRecord {
  const data: unknown = JSON.parse(line.toString('utf8', DATA_START, dataEnd));
  return { seq, stream, stream_seq, at: writtenAt(line), event: { type, data } as Event };
}
