// The vectors of docs/ledger-format.md, computed with nothing but Node's own cryptography: a verifier written from the document gets the
// document's bytes.

import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifyPlainly } from './lab/plain-verifier.ts';
import { verifies } from './verifies.ts';

const DOCUMENT = readFileSync(new URL('../docs/ledger-format.md', import.meta.url), 'utf8');
const fenced = (language: string): string => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(DOCUMENT)?.[1] ?? '';

interface Vectors {
  readonly hmac_key: string;
  readonly ed25519_seed: string;
  readonly records: readonly {
    readonly record: number;
    readonly line_bytes: number;
    readonly line_sha256: string;
    readonly body_sha256: string;
    readonly leaf: string;
  }[];
  readonly head: { readonly line_bytes: number; readonly line_sha256: string; readonly body_sha256: string; readonly root: string };
}
const vectors = JSON.parse(fenced('json')) as Vectors;
const lines = fenced('jsonl').trimEnd().split('\n');

const sha256 = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const bodyOf = (line: string): string => `${line.slice(0, line.indexOf(',"signature":"'))}}`;
const fieldsOf = (line: string) => JSON.parse(line) as Record<string, string | number>;

verifies('N2', 'records: line, body, HMAC and Merkle leaf are the bytes that the document gives', () => {
  const [first, second] = lines as [string, string];
  expect(
    [first, second].map((line, at) => ({
      record: at + 1,
      line_bytes: Buffer.byteLength(line),
      line_sha256: sha256(line).toString('hex'),
      body_sha256: sha256(bodyOf(line)).toString('hex'),
      leaf: sha256(Buffer.from([0]), sha256(line)).toString('hex'),
    })),
  ).toEqual(vectors.records);
  for (const line of [first, second])
    expect(createHmac('sha256', Buffer.from(vectors.hmac_key, 'hex')).update(bodyOf(line)).digest('hex')).toBe(fieldsOf(line)['signature']);
  expect([fieldsOf(first)['prev'], fieldsOf(second)['prev']]).toEqual(['0'.repeat(64), vectors.records[0]?.line_sha256]);
});

verifies('N2', 'heads: body, key, root and signature are the bytes that the document gives', () => {
  const head = lines[2] as string;
  const seed = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(vectors.ed25519_seed, 'hex')]);
  const privateKey = createPrivateKey({ key: seed, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const [left, right] = vectors.records.map(({ leaf }) => Buffer.from(leaf, 'hex')) as [Buffer, Buffer];
  const root = sha256(Buffer.from([1]), left, right).toString('hex');
  expect({
    line_bytes: Buffer.byteLength(head),
    line_sha256: sha256(head).toString('hex'),
    body_sha256: sha256(bodyOf(head)).toString('hex'),
    root,
  }).toEqual(vectors.head);
  expect(fieldsOf(head)).toMatchObject({
    head: 2,
    key: sha256(publicKey.export({ type: 'spki', format: 'der' }))
      .toString('hex')
      .slice(0, 16),
    prev: vectors.records[1]?.line_sha256,
    root,
    signature: sign(null, Buffer.from(bodyOf(head)), privateKey).toString('base64'),
  });
  expect(publicKey.export({ type: 'spki', format: 'pem' })).toBe(fenced('pem'));
});

verifies('N2', 'a verifier that knows only the document accepts its ledger, and no other of its length', () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-vector-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const text = Buffer.from(fenced('jsonl'));
  const segment = join(dir, '00000001.jsonl');
  const kept = { size: 2, chain: vectors.records[1]?.line_sha256 ?? '' };
  writeFileSync(segment, text);
  expect(verifyPlainly(dir, fenced('pem'), kept)).toEqual({ ok: true, size: 2, tornTailBytes: 0 });
  for (let byte = 0; byte < text.length; byte += 7) {
    const changed = Buffer.from(text);
    changed[byte] = (changed[byte] as number) ^ 1;
    writeFileSync(segment, changed);
    expect([byte, verifyPlainly(dir, fenced('pem'), kept).ok]).toEqual([byte, false]);
  }
});
