// A verifier written from docs/ledger-format.md alone, without any code of this project: a second opinion on what is intact.

import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PlainReport {
  readonly ok: boolean;
  /** Records under heads, as far as everything was good. */
  readonly size: number;
  readonly tornTailBytes: number;
}

type Fields = Readonly<Record<string, string | number>>;

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const ZERO = Buffer.from([0]);
const ONE = Buffer.from([1]);

/** RFC 6962. */
function merkleRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leaves[0] as Buffer;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(ONE, merkleRoot(leaves.slice(0, split)), merkleRoot(leaves.slice(split)));
}

/** The fields of a line, or null when it is not of the documented form. */
function fieldsOf(line: Buffer): Fields | null {
  if (line.includes(0)) return null;
  const text = line.toString('utf8');
  let fields: Fields;
  try {
    fields = JSON.parse(text) as Fields;
  } catch {
    return null;
  }
  if (!Buffer.from(text).equals(line)) return null;
  const { at, prev, seq, stream, stream_seq, type, head, key, root, signature } = fields;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(at)) || !/^[0-9a-f]{64}$/.test(String(prev))) return null;
  if ('seq' in fields) {
    const end = `,"prev":"${prev}","seq":${seq},"stream":"${stream}","stream_seq":${stream_seq},"type":"${type}","v":1,"signature":"${signature}","signature_alg":"HMAC-SHA256"}`;
    return text.startsWith(`{"at":"${at}","data":{`) && text.endsWith(end) && /^[0-9a-f]{64}$/.test(String(signature)) ? fields : null;
  }
  const whole = `{"at":"${at}","head":${head},"key":"${key}","prev":"${prev}","root":"${root}","v":1,"signature":"${signature}","signature_alg":"Ed25519"}`;
  const isBase64 = Buffer.from(String(signature), 'base64').toString('base64') === signature;
  return text === whole && isBase64 ? fields : null;
}

export function verifyPlainly(
  dir: string,
  publicKeyPem: string,
  kept?: { readonly size: number; readonly chain: string | null },
): PlainReport {
  const publicKey = createPublicKey(publicKeyPem);
  const keyId = sha256(publicKey.export({ type: 'spki', format: 'der' }))
    .toString('hex')
    .slice(0, 16);
  const isSigned = (line: Buffer, { key, signature }: Fields): boolean => {
    const body = Buffer.from(`${line.toString('utf8').slice(0, line.indexOf(',"signature":"'))}}`);
    return key === keyId && verify(null, body, publicKey, Buffer.from(String(signature), 'base64'));
  };
  const names = existsSync(dir)
    ? readdirSync(dir)
        .filter((name) => /^\d{8}\.jsonl$/.test(name))
        .toSorted()
    : [];
  const leaves: Buffer[] = [];
  const streams = new Map<unknown, number>();
  let before = '0'.repeat(64);
  let size = 0;
  let newest: { readonly line: Buffer; readonly fields: Fields } | null = null;
  const bad = { ok: false, size, tornTailBytes: 0 };

  for (const [at, name] of names.entries()) {
    if (name !== `${String(at + 1).padStart(8, '0')}.jsonl`) return bad;
    const bytes = readFileSync(join(dir, name));
    const last = at === names.length - 1;
    let sealed = 0;
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(10, start);
      if (end === -1) break;
      const line = bytes.subarray(start, end);
      const fields = fieldsOf(line);
      if (fields === null || fields['prev'] !== before) {
        if (last && line.includes(0) && !someSignedHead(bytes.subarray(start), isSigned)) break;
        return bad;
      }
      const hash = sha256(line);
      before = hash.toString('hex');
      if ('seq' in fields) {
        const { seq, stream, stream_seq } = fields;
        if (seq !== leaves.length + 1 || stream_seq !== (streams.get(stream) ?? 0) + 1) return bad;
        streams.set(stream, Number(stream_seq));
        leaves.push(sha256(ZERO, hash));
      } else {
        if (fields['head'] !== leaves.length || leaves.length === size) return bad;
        size = leaves.length;
        sealed = end + 1;
        newest = { line, fields };
      }
      start = end + 1;
    }
    if (sealed === bytes.length && (last || sealed > 0)) continue;
    if (!last) return bad;
    if (!isSealed()) return bad;
    return judged(bytes.length - sealed);
  }
  return isSealed() ? judged(0) : bad;

  function isSealed(): boolean {
    if (newest === null) return true;
    return isSigned(newest.line, newest.fields) && newest.fields['root'] === merkleRoot(leaves.slice(0, size)).toString('hex');
  }

  function judged(tornTailBytes: number): PlainReport {
    return { ok: kept === undefined || chainAt(dir, names, kept.size) === kept.chain, size, tornTailBytes };
  }
}

function someSignedHead(bytes: Buffer, isSigned: (line: Buffer, fields: Fields) => boolean): boolean {
  for (let start = 0, end = bytes.indexOf(10); end !== -1; start = end + 1, end = bytes.indexOf(10, start)) {
    const line = bytes.subarray(start, end);
    const fields = fieldsOf(line);
    if (fields !== null && 'head' in fields && isSigned(line, fields)) return true;
  }
  return false;
}

/** The hash of that record's line, if it is followed by a head. */
function chainAt(dir: string, names: readonly string[], size: number): string | null {
  let found: string | null = null;
  for (const name of names) {
    for (const text of readFileSync(join(dir, name)).toString('latin1').split('\n').slice(0, -1)) {
      const line = Buffer.from(text, 'latin1');
      const fields = fieldsOf(line);
      if (fields?.['seq'] === size) found = sha256(line).toString('hex');
      else if (typeof fields?.['head'] === 'number' && fields['head'] >= size) return found;
    }
  }
  return null;
}
