// An intent is what a human wants done, and where. Agents propose intents; a human's channel makes them active.

import { z } from 'zod';
import { ApproverKeyId, IntentId } from './ids.ts';

export const IntentStatus = z.enum(['proposed', 'active', 'paused', 'done', 'abandoned']);
export type IntentStatus = z.infer<typeof IntentStatus>;

/** So that a path's own brackets, stars and braces mean themselves in a scope. */
export const escapeGlob = (path: string): string => path.replace(/[*?[\]{}\\]|^!|[+@!](?=\()/gu, '\\$&');

export const Intent = z.strictObject({
  id: IntentId,
  name: z.string().min(1).max(200),
  status: IntentStatus,
  /** Globs relative to the workspace's root. */
  owned_scope: z.array(z.string().min(1)).min(1),
  constraints: z.array(z.string()),
  acceptance_criteria: z.array(z.string()),
});
export type Intent = z.infer<typeof Intent>;

/** How a human was proven, weakest first; the record says `none` when they were not. */
export const Proof = z.enum(['none', 'dialog', 'login', 'passphrase', 'passkey']);
export type Proof = z.infer<typeof Proof>;

/** What a human's key signed: the statement's exact text, and an Ed25519 signature over its UTF-8 bytes, in base64. */
export const Countersignature = z.strictObject({ key: ApproverKeyId, statement: z.string(), signature: z.string() });
export type Countersignature = z.infer<typeof Countersignature>;

/** What a signature by an enrolled key proves: the passphrase of a human's own key, or a dialog of a client that has its own key. */
export const KeyProof = Proof.extract(['passphrase', 'dialog']);
export type KeyProof = z.infer<typeof KeyProof>;

/**
 * The human's side of a decision, as it is recorded with it. `file`: it was in their document, and its writer is not proven. `agent`:
 * they answered in a dialog of the agent's own. `client`: they answered in a client with an enrolled key, which signed it.
 */
export const Human = z.strictObject({
  proof: Proof,
  via: z.enum(['cli', 'web', 'file', 'agent', 'client']),
  signed: Countersignature.optional(),
});
export type Human = z.infer<typeof Human>;
