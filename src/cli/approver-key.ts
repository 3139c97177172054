// A human's own key, in their own configuration folder: Ed25519, locked by a passphrase. The daemon gets the public half and signatures;
// neither the passphrase nor the private half ever leaves the process that the human typed it into.

import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scrypt,
  type ScryptOptions,
  sign,
} from 'node:crypto';
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { approverKeyId } from '../ledger/index.ts';
import { ApproverKeyId, Fault } from '../protocol/index.ts';
import { writePrivateFile } from '../workspace/index.ts';

/** About 128 MB and half a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
const CIPHER = 'aes-256-gcm';

const KeyFile = z.strictObject({
  key: ApproverKeyId,
  public_key: z.string(),
  kdf: z.strictObject({ name: z.literal('scrypt'), N: z.int().max(2 ** 20), r: z.int().max(32), p: z.int().max(16), salt: z.base64() }),
  cipher: z.literal(CIPHER),
  nonce: z.base64(),
  tag: z.base64(),
  /** The private key's PKCS#8 DER. */
  locked: z.base64(),
});
export type KeyFile = z.infer<typeof KeyFile>;

export interface UnlockedKey {
  readonly key: string;
  readonly sign: (text: string) => string;
}

export const approverFolder = (): string =>
  path.join(process.env.XDG_CONFIG_HOME || path.join(os.homedir(), '.config'), 'countersign', 'approver');

export async function makeApproverKey(passphrase: string): Promise<{ file: KeyFile; unlocked: UnlockedKey }> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const key = approverKeyId(public_key)!;
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, await stretched(passphrase, salt, COST), nonce).setAAD(Buffer.from(key));
  const locked = Buffer.concat([cipher.update(privateKey.export({ format: 'der', type: 'pkcs8' })), cipher.final()]);
  const text = (bytes: Buffer) => bytes.toString('base64');
  return {
    file: {
      key,
      public_key,
      kdf: { name: 'scrypt', ...COST, salt: text(salt) },
      cipher: CIPHER,
      nonce: text(nonce),
      tag: text(cipher.getAuthTag()),
      locked: text(locked),
    },
    unlocked: unlockedKey(key, privateKey),
  };
}

/** Null: the passphrase is wrong. */
export async function unlock({ key, kdf, nonce, tag, locked }: KeyFile, passphrase: string): Promise<UnlockedKey | null> {
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const decipher = createDecipheriv(CIPHER, await stretched(passphrase, bytes(kdf.salt), kdf), bytes(nonce));
  decipher.setAAD(Buffer.from(key)).setAuthTag(bytes(tag));
  try {
    const der = Buffer.concat([decipher.update(bytes(locked)), decipher.final()]);
    return unlockedKey(key, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  } catch {
    return null;
  }
}

const unlockedKey = (key: string, privateKey: KeyObject): UnlockedKey => ({
  key,
  sign: (text) => sign(null, Buffer.from(text, 'utf8'), privateKey).toString('base64'),
});

function stretched(passphrase: string, salt: Buffer, { N, r, p }: Pick<ScryptOptions, 'N' | 'r' | 'p'>): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const maxmem = 256 * (N ?? 1) * (r ?? 1);
  // The same letters in every keyboard's composition.
  scrypt(passphrase.normalize('NFKC'), salt, 32, { N, r, p, maxmem } as ScryptOptions, (error, bytes) =>
    error ? reject(error) : resolve(bytes),
  );
  return promise;
}

export async function saveKey(folder: string, file: KeyFile): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const place = path.join(folder, `${file.key}.json`);
  await writePrivateFile(place, `${JSON.stringify(file, null, 2)}\n`);
  return place;
}

export async function keysIn(folder: string): Promise<KeyFile[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^apk_[0-9a-f]{32}\.json$/.test(name));
  return Promise.all(
    names.map(async (name) => {
      const place = path.join(folder, name);
      try {
        return KeyFile.parse(JSON.parse(await readFile(place, 'utf8')));
      } catch (cause) {
        throw new Fault('DOCUMENT_INVALID', `${place} is no approver key that can be read.`, {
          fix: 'Bring it back from a copy, or move it away',
          cause,
        });
      }
    }),
  );
}
