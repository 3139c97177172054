import { createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { canonicalJson } from './canonical-json.ts';
import { leafHash, MerkleFrontier, sha256Hex } from './hash.ts';
import { keyIdOf } from './keys.ts';
import { headLine, isStreamName, NO_LINE, parseRecord, readLine, recordLine, signatureOf, signedBody, writtenAt } from './record-line.ts';
import { verifyLedger } from './verify.ts';

const DOCUMENT = readFileSync(new URL('../../docs/ledger-format.md', import.meta.url), 'utf8');
const fenced = (language: string): string =>
  (new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(DOCUMENT) as RegExpExecArray)[1] as string;

// The vector's keys, as the document gives them.
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, Buffer.alloc(32, 7)]), format: 'der', type: 'pkcs8' });
const publicKey = createPublicKey(privateKey);
const hmac = (body: Uint8Array | string): string => createHmac('sha256', Buffer.alloc(32, 9)).update(body).digest('hex');
const at = '2026-01-02T03:04:05.678Z';

test("the document's vector is what is written, byte for byte", () => {
  const frontier = new MerkleFrontier();
  const lines: Buffer[] = [];
  let prev = NO_LINE;
  for (const [i, message] of ['hello', 'two\nlines, "quoted"'].entries()) {
    const line = recordLine(
      { at, data: canonicalJson({ message, door: 'cli' }), prev, seq: i + 1, stream: 'daemon', stream_seq: i + 1, type: 'defect_caught' },
      hmac,
    );
    prev = sha256Hex(line);
    frontier.append(leafHash(prev));
    lines.push(line);
  }
  lines.push(headLine({ at, head: 2, key: keyIdOf(publicKey), prev, root: frontier.root() }, (body) => sign(null, body, privateKey)));
  expect(`${lines.join('\n')}\n`).toBe(fenced('jsonl'));
  expect(publicKey.export({ type: 'spki', format: 'pem' })).toBe(fenced('pem'));
});

verifies('N2', "the document's vector verifies with the document's public key alone", async () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-vector-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, '00000001.jsonl'), fenced('jsonl'));
  const report = await verifyLedger({ dir, publicKeyPem: fenced('pem') });
  const chain = sha256Hex(fenced('jsonl').split('\n')[1] as string);
  expect(report).toEqual({ ok: true, size: 2, heads: 1, chain, torn_tail_bytes: 0, hmac: 'not checked', problem: null });
  expect(await verifyLedger({ dir, publicKeyPem: fenced('pem'), hmac, everyHead: true })).toEqual({ ...report, hmac: 'checked' });
});

test('whatever a field contains, a record is one line, its body is canonical, and its own fields are read back', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\n',
      '\r\n',
      '"}\n{"at":"',
      `,"prev":"${NO_LINE}","seq":9,"stream":"x","stream_seq":9,"type":"x","v":1`,
      '\\"',
      '\u2028',
    ),
  );
  fc.assert(
    fc.property(fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile))), fc.integer({ min: 1 }), (data, seq) => {
      fc.pre(JSON.stringify(data).isWellFormed());
      const fields = { prev: sha256Hex('before'), seq, stream: 'session:ses_1', stream_seq: 4, type: 'turn_begun' };
      const line = recordLine({ at, ...fields, data: canonicalJson(data) }, hmac);
      expect([line.includes(10), line.includes(0)]).toEqual([false, false]);
      const body = signedBody(line, 'record');
      expect(canonicalJson({ at, ...fields, data, v: 1 })).toBe(body.toString());
      const dataEnd = line.lastIndexOf(',"prev":"');
      const read = { kind: 'record', ...fields, dataEnd } as const;
      expect([readLine(line), writtenAt(line), signatureOf(line)]).toEqual([read, at, hmac(body)]);
      expect(parseRecord(line, read)).toEqual({
        seq,
        stream: 'session:ses_1',
        stream_seq: 4,
        at,
        event: { type: 'turn_begun', data: JSON.parse(canonicalJson(data)) },
      });
    }),
  );
});

test('a head is read back, and what is neither is not', () => {
  const fields = { at, head: 12, key: '0123456789abcdef', prev: NO_LINE, root: sha256Hex('root') };
  const line = headLine(fields, (body) => sign(null, body, privateKey));
  expect(readLine(line)).toEqual({
    kind: 'head',
    ...fields,
    signature: sign(null, signedBody(line, 'head'), privateKey).toString('base64'),
  });
  const good = line.toString();
  for (const bad of [
    '',
    '{}',
    good.slice(0, -1),
    ` ${good}`,
    good.replace('"head":12', '"head":012'),
    good.replace('Ed25519', 'none'),
    good.replace('"v":1', '"v":2'),
  ]) {
    expect(readLine(Buffer.from(bad))).toBeNull();
  }
});

/** The form of a record's line as one expression: a second opinion. */
const RECORD =
  /^\{"at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","data":\{[^\0]*,"prev":"([0-9a-f]{64})","seq":([1-9]\d{0,15}),"stream":"([\w.:@/+-]{1,200})","stream_seq":([1-9]\d{0,15}),"type":"([a-z_]{1,64})","v":1,"signature":"([0-9a-f]{64})","signature_alg":"HMAC-SHA256"\}$/;

test('a record that was changed anywhere is read only if it still has the form of one, and as what stands in it', () => {
  const records = fc.record({
    at: fc.constant(at),
    data: fc.constantFrom('{}', `{"text":",\\"prev\\":\\"${NO_LINE}\\",\\"seq\\":7"}`, '{"text":"é"}'),
    prev: fc.constantFrom(NO_LINE, sha256Hex('the line before')),
    // With what may be put in, still numbers that are exact.
    seq: fc.integer({ min: 1, max: 1e12 }),
    stream: fc.oneof(fc.constantFrom('daemon', 'a/b@c+d.e:f-g_1', 'x'.repeat(200)), fc.string().filter(isStreamName)),
    stream_seq: fc.integer({ min: 1, max: 1e12 }),
    type: fc.constantFrom('defect_caught', 'x'.repeat(64)),
  });
  const change = fc.record({
    // Most of what is checked is at either end.
    from: fc.oneof(fc.nat(50), fc.integer({ min: -420, max: -1 })),
    cut: fc.nat(3),
    put: fc.oneof(fc.constantFrom('', '0', '1', 'a', 'F', '"', ',', '_', 'é', '\0'), fc.string({ maxLength: 3 })),
  });
  let good = 0;
  fc.assert(
    fc.property(records, change, (fields, { from, cut, put }) => {
      const line = recordLine(fields, hmac);
      const start = from < 0 ? Math.max(0, line.length + from) : from;
      const changed = Buffer.concat([line.subarray(0, start), Buffer.from(put), line.subarray(start + cut)]);
      const [, ...is] = RECORD.exec(changed.toString('latin1')) ?? [];
      const read = readLine(changed);
      if (read?.kind === 'record') good += 1;
      const { prev, seq, stream, stream_seq, type } = read?.kind === 'record' ? read : ({} as Record<string, undefined>);
      const all = [writtenAt(changed), prev, String(seq), stream, String(stream_seq), type, signatureOf(changed)];
      expect(read && all).toEqual(is.length === 0 ? null : is);
    }),
    { numRuns: 2000 },
  );
  expect(good).toBeGreaterThan(0);
});

test('a stream name has no character that JSON would escape', () => {
  const good = ['daemon', 'session:ses_01', 'intent:wsp_1:INT-7', 'a/b@c+d.e'];
  const bad = ['', 'a b', 'a"b', 'a\\b', 'a\nb', 'é', 'x'.repeat(201)];
  expect([good.map(isStreamName), bad.map(isStreamName)]).toEqual([good.map(() => true), bad.map(() => false)]);
});
