// A human's own signature under a decision, and how to check it from the record alone.

import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Countersignature, Intent, Statement } from '../protocol/index.ts';
import { canonicalJson } from './canonical-json.ts';
import { sha256Hex } from './hash.ts';

/** Domain separation: a signature for this must never be valid for anything else. */
const FORM = 'countersign-statement/1';

/** The text that is signed. `challenge` is the daemon's, used once: an old signature is not valid for a new request. */
export const statementText = ({ command, about }: Statement, challenge: string): string =>
  canonicalJson({ form: FORM, command, about, challenge });

/** Null: not a statement. */
export function readStatement(text: string): (Statement & { readonly challenge: string }) | null {
  try {
    const { form, command, about, challenge } = JSON.parse(text) as Record<string, unknown>;
    const isStatement = form === FORM && typeof command === 'string' && typeof challenge === 'string' && typeof about === 'object';
    return isStatement && about !== null ? { command, about: about as Statement['about'], challenge } : null;
  } catch {
    return null;
  }
}

/** `publicKey`: SPKI DER in base64, Ed25519. Null: not such a key. */
export function approverKeyId(publicKey: string): string | null {
  return keyIn(publicKey) && `apk_${sha256Hex(Buffer.from(publicKey, 'base64')).slice(0, 32)}`;
}

export function isSignedBy(publicKey: string, { statement, signature }: Pick<Countersignature, 'statement' | 'signature'>): boolean {
  const key = keyIn(publicKey);
  const bytes = Buffer.from(signature, 'base64');
  return key !== null && bytes.length === 64 && verify(null, Buffer.from(statement, 'utf8'), key, bytes);
}

/** One spelling for one key: its id is made from these characters. */
function keyIn(publicKey: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    const same = key.export({ format: 'der', type: 'spki' }).toString('base64') === publicKey;
    return key.asymmetricKeyType === 'ed25519' && same ? key : null;
  } catch {
    return null;
  }
}

/** Of the list that a human acknowledges. */
export const acknowledgedSha256 = (files: readonly { readonly path: string; readonly after_sha256: string | null }[]): string =>
  sha256Hex(canonicalJson(files.map(({ path, after_sha256 }) => ({ path, after_sha256 }))));

/** Of everything that an intent says: a confirmation names this, so that it is valid for no other text. */
export const intentSha256 = ({ id, name, status, owned_scope, constraints, acceptance_criteria }: Intent): string =>
  sha256Hex(canonicalJson({ id, name, status, owned_scope, constraints, acceptance_criteria }));

/** The same of settings that wait, by key. */
export const settingsSha256 = (values: Readonly<Record<string, unknown>>): string => sha256Hex(canonicalJson(values));
