// The daemon's two keys. The private ones stay inside closures: the holder of the returned object can sign, but cannot copy them.

import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';

export interface LedgerKeys {
  readonly keyId: string;
  readonly publicKeyPem: string;
  /** Ed25519. */
  readonly sign: (bytes: Uint8Array) => Buffer;
  /** HMAC-SHA256, 64 hex digits. */
  readonly hmac: (bytes: Uint8Array | string) => string;
}

/** The first 16 hex digits of the SHA-256 of the public key's SPKI DER. */
export function keyIdOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);
}

export async function loadOrCreateKeys(dir: string): Promise<LedgerKeys> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
  const privatePem = await readOrCreate(join(dir, 'signing-key.pem'), () =>
    Buffer.from(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })),
  );
  // As a key object: given its bytes, Node would build one for every record, which costs more than the HMAC.
  const secret = createSecretKey(await readOrCreate(join(dir, 'hmac.key'), () => randomBytes(32)));
  const privateKey = createPrivateKey(privatePem);
  const publicKey = createPublicKey(privateKey);
  const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await writePublicKey(join(dir, 'public.pem'), publicKeyPem);
  return {
    keyId: keyIdOf(publicKey),
    publicKeyPem,
    sign: (bytes) => sign(null, bytes, privateKey),
    hmac: (bytes) => createHmac('sha256', secret).update(bytes).digest('hex'),
  };
}

/** Written only when it differs, so that a full or read-only disk does not stop a daemon that needs no write. */
export async function writePublicKey(path: string, publicKeyPem: string): Promise<void> {
  const present = await readFile(path, 'utf8').catch(() => null);
  if (present === publicKeyPem) return;
  const temporary = await writeTemporary(path, Buffer.from(publicKeyPem));
  await chmod(temporary, 0o644);
  await rename(temporary, path);
}

async function readOrCreate(path: string, create: () => Buffer): Promise<Buffer> {
  const present = await readFile(path).catch(onlyMissing);
  if (present !== null) {
    await chmod(path, 0o600);
    return present;
  }
  const temporary = await writeTemporary(path, create());
  try {
    // Not rename: it would replace a key that another process has just begun to sign with.
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(temporary);
  }
  await syncDirectory(join(path, '..'));
  return readFile(path);
}

async function writeTemporary(path: string, bytes: Buffer): Promise<string> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  return temporary;
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function onlyMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
