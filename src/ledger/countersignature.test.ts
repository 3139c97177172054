import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256Hex } from './hash.ts';
import { acknowledgedSha256, approverKeyId, intentSha256, isSignedBy, readStatement, settingsSha256, statementText } from './index.ts';

const KEY = 'MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

test('the text of a statement, the id of a key and the digest of a list are these bytes', () => {
  // As docs/approver-key.md shows them; the key is the first of RFC 8032.
  expect(statementText({ command: 'pause', about: { seconds: 60, reason: 'why', cwd: '/repo' } }, 'c0ffee')).toBe(
    '{"about":{"cwd":"/repo","reason":"why","seconds":60},"challenge":"c0ffee","command":"pause","form":"countersign-statement/1"}',
  );
  expect(approverKeyId(KEY)).toBe('apk_06e3fd8fda29bb60ab59557de61edb0a');
  expect(acknowledgedSha256([{ path: 'a.txt', after_sha256: null }])).toBe(sha256Hex('[{"after_sha256":null,"path":"a.txt"}]'));
  const said = { acceptance_criteria: ['c'], constraints: ['b'], id: 'INT-001', name: 'n', owned_scope: ['a'], status: 'active' } as const;
  expect(intentSha256({ ...said, acceptance_criteria: ['c'], constraints: ['b'], owned_scope: ['a'] })).toBe(
    sha256Hex(JSON.stringify(said)),
  );
  expect(settingsSha256({ 'mode.pin': null, 'commands.network': true })).toBe(sha256Hex('{"commands.network":true,"mode.pin":null}'));
});

test('a statement is read as it was made, and other text is none', () => {
  const statement = { command: 'ack', about: { root: '/r' } };
  expect(readStatement(statementText(statement, 'c'))).toEqual({ ...statement, challenge: 'c' });
  for (const text of [
    '',
    '{}',
    'null',
    '[]',
    '{"form":"countersign-statement/1"}',
    '{"form":"countersign-statement/1","command":1,"about":{},"challenge":""}',
    '{"form":"countersign-statement/1","command":"x","about":{},"challenge":1}',
    '{"form":"countersign-statement/1","command":"x","about":"y","challenge":""}',
    '{"form":"countersign-statement/1","command":"x","about":null,"challenge":""}',
    '{"form":"countersign-statement/2","command":"x","about":{},"challenge":""}',
  ])
    expect(readStatement(text)).toBe(null);
});

test('keys of other kinds, and other spellings of a key, are refused', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'der', type: 'spki' });
  for (const text of [
    '',
    'AAAA',
    rsa.toString('base64'),
    `${KEY}\n`,
    KEY.replace('=', ''),
    Buffer.from(KEY, 'base64').toString('base64url'),
  ])
    expect(approverKeyId(text)).toBe(null);
});

test('no text is taken for a signature or a statement by accident, and none makes the reader fail', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const statement = statementText({ command: 'approve', about: {} }, 'c');
  const signature = sign(null, Buffer.from(statement), privateKey).toString('base64');
  expect(isSignedBy(key, { statement, signature })).toBe(true);
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat(63), fc.integer({ min: 1, max: 255 }), (text, other, at, flip) => {
      const bytes = Buffer.from(signature, 'base64');
      bytes.writeUInt8(bytes.readUInt8(at) ^ flip, at);
      return (
        !isSignedBy(key, { statement, signature: bytes.toString('base64') }) &&
        !isSignedBy(key, { statement, signature: text }) &&
        (text === statement || !isSignedBy(key, { statement: text, signature })) &&
        !isSignedBy(other, { statement, signature }) &&
        readStatement(text) === null
      );
    }),
    { numRuns: 200 },
  );
});
