// A human's key, or a client's own, unlocked for the commands that it signs.

import type { Countersignature } from '../protocol/index.ts';
import type { Statement } from '../protocol/plain.ts';

export interface Signer {
  readonly key: string;
  readonly sign: (statement: Statement, challenge: string) => Pick<Countersignature, 'key' | 'signature'>;
}
