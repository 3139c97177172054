// The keys of humans that the ledger knows, and what a signature by one of them proves.

import { isSignedBy, statementText } from '../ledger/index.ts';
import type { Countersignature, EventOf, KeyProof, Proof, Statement } from '../protocol/index.ts';
import { isAsStrong } from '../policy/index.ts';
import type { CallerJudgement } from './caller.ts';

export interface ApproverEntry {
  readonly key: string;
  readonly publicKey: string;
  readonly name: string;
  /** What its signature proves. */
  readonly proof: KeyProof;
  readonly at: string;
  removedAt: string | null;
}

/** What a client sends: the statement itself is rebuilt here, from the request. */
export type GivenSignature = Pick<Countersignature, 'key' | 'signature'>;

export class Approvers {
  private readonly entries = new Map<string, ApproverEntry>();

  apply({ type, data }: EventOf<'approver_enrolled' | 'approver_removed'>, at: string): void {
    if (type === 'approver_enrolled') {
      const { key, public_key, name, proof = 'passphrase' } = data;
      this.entries.set(key, { key, publicKey: public_key, name, proof, at, removedAt: null });
      return;
    }
    const entry = this.entries.get(data.key);
    if (entry) entry.removedAt = at;
  }

  all(): readonly ApproverEntry[] {
    return [...this.entries.values()];
  }

  enrolled(): readonly ApproverEntry[] {
    return this.all().filter(({ removedAt }) => removedAt === null);
  }

  /** The strongest proof that is enrolled. A client's key does not raise it: it proves less than a login. */
  strongestProof(): Proof {
    return this.enrolled().some(({ proof }) => proof !== 'dialog') ? 'passphrase' : 'login';
  }

  /**
   * Who is calling, after the signature was checked. A signature that does not match is not ignored: it makes a human uncertain,
   * and that is recorded.
   */
  judge(caller: CallerJudgement, statement: Statement, given: GivenSignature | null): CallerJudgement {
    if (given === null) return caller;
    const entry = this.enrolled().find(({ key }) => key === given.key);
    // A client may run in the process of an agent: what its key signed counts, and never for more than a dialog.
    if (caller.kind !== 'human' && entry?.proof !== 'dialog') return caller;
    const { challenge } = caller;
    if (challenge === undefined) return caller.kind === 'human' ? uncertain('this channel gave nothing to sign') : caller;
    if (!entry) return uncertain(`${given.key} is not an enrolled key`);
    const signed = { ...given, statement: statementText(statement, challenge) };
    if (!isSignedBy(entry.publicKey, signed)) return uncertain(`the signature by ${given.key} does not fit what is asked for`);
    if (caller.kind !== 'human' || entry.proof === 'dialog') return { kind: 'human', human: { proof: 'dialog', via: 'client', signed } };
    return { kind: 'human', human: { ...caller.human, proof: 'passphrase', signed } };
  }

  /** For what asks for the strongest proof: a caller with less gets a refusal that names what is missing. */
  demand(caller: CallerJudgement): CallerJudgement {
    const needed = this.strongestProof();
    if (caller.kind !== 'human' || isAsStrong(caller.human.proof, needed)) return caller;
    const how = needed === 'passphrase' ? 'in a terminal, by the passphrase of an enrolled key' : 'in a terminal of your own';
    return uncertain(`it needs a human proven by ${needed} (${how}), and this channel proves ${caller.human.proof}`);
  }
}

const uncertain = (why: string): CallerJudgement => ({ kind: 'uncertain', why });
