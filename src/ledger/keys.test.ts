import { createHmac, verify } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadOrCreateKeys } from './keys.ts';

function keyFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'countersign-keys-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return join(root, 'keys');
}

const modes = (dir: string): Record<string, number> =>
  Object.fromEntries(readdirSync(dir).map((name) => [name, statSync(join(dir, name)).mode & 0o777]));

test('keys are made once, for their owner only, and found again', async () => {
  const dir = keyFolder();
  const first = await loadOrCreateKeys(dir);
  const again = await loadOrCreateKeys(dir);
  const bytes = Buffer.from('bytes');
  expect([statSync(dir).mode & 0o777, modes(dir)]).toEqual([0o700, { 'hmac.key': 0o600, 'public.pem': 0o644, 'signing-key.pem': 0o600 }]);
  expect([again.keyId, again.publicKeyPem, again.hmac(bytes), again.sign(bytes)]).toEqual([
    first.keyId,
    first.publicKeyPem,
    first.hmac(bytes),
    first.sign(bytes),
  ]);
  expect(first.keyId).toMatch(/^[0-9a-f]{16}$/);
  expect(verify(null, bytes, first.publicKeyPem, first.sign(bytes))).toBe(true);
  expect(first.hmac(bytes)).toBe(
    createHmac('sha256', readFileSync(join(dir, 'hmac.key')))
      .update(bytes)
      .digest('hex'),
  );
});

test('of many who make the keys at once, all end with the same ones', async () => {
  const dir = keyFolder();
  const all = await Promise.all(Array.from({ length: 16 }, () => loadOrCreateKeys(dir)));
  expect(new Set(all.map(({ keyId, hmac }) => `${keyId} ${hmac('x')}`)).size).toBe(1);
  expect(readdirSync(dir).toSorted()).toEqual(['hmac.key', 'public.pem', 'signing-key.pem']);
});

test('a key that others could read is closed to them', async () => {
  const dir = keyFolder();
  await loadOrCreateKeys(dir);
  chmodSync(dir, 0o755);
  chmodSync(join(dir, 'signing-key.pem'), 0o644);
  await loadOrCreateKeys(dir);
  expect([statSync(dir).mode & 0o777, modes(dir)['signing-key.pem']]).toEqual([0o700, 0o600]);
});

test('the returned object shows no private key', async () => {
  const keys = await loadOrCreateKeys(keyFolder());
  expect(Object.keys(keys).toSorted()).toEqual(['hmac', 'keyId', 'publicKeyPem', 'sign']);
});
