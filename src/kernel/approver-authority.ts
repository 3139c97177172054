// Which keys count as a human's own. The first is enrolled at a terminal; after that only the holder of one can add or remove a key.

import { approverKeyId } from '../ledger/index.ts';
import { type EventOf, Fault, type KeyProof, statements, streams } from '../protocol/index.ts';
import type { Authority } from './authority.ts';
import type { GivenSignature } from './approvers.ts';
import type { CallerJudgement } from './caller.ts';
import { withFreshFacts } from './fresh-facts.ts';
import type { EventLog } from './ports.ts';
import { type Recorded, recordNote } from './settle.ts';
import type { State } from './state.ts';

/** More keys than one human has machines. */
const MAX_KEYS = 20;

export class ApproverAuthority {
  private readonly log: EventLog;
  private readonly state: State;
  private readonly refuse: Authority['refuse'];

  constructor(log: EventLog, state: State, refuse: Authority['refuse']) {
    this.log = log;
    this.state = state;
    this.refuse = refuse;
  }

  enroll(...what: Parameters<ApproverAuthority['recordEnrolled']>): Promise<Recorded> {
    return withFreshFacts(this.log, this.state, () => this.recordEnrolled(...what));
  }

  remove(...what: Parameters<ApproverAuthority['recordRemoved']>): Promise<Recorded> {
    return withFreshFacts(this.log, this.state, () => this.recordRemoved(...what));
  }

  private async recordEnrolled(
    caller: CallerJudgement,
    { proof = 'passphrase', ...request }: Pick<EventOf<'approver_enrolled'>['data'], 'public_key' | 'name'> & { readonly proof?: KeyProof },
    given: GivenSignature | null,
  ): Promise<Recorded> {
    const { approvers, positions } = this.state;
    const basis = positions.of(streams.authority);
    const key = approverKeyId(request.public_key);
    if (key === null) throw new Fault('BAD_REQUEST', 'public_key: is no Ed25519 key in SPKI form', { fix: 'countersign approver enroll' });
    if (approvers.all().some((entry) => entry.key === key))
      throw new Fault('CONFLICT', `${key} is known already.`, { fix: 'countersign approver list' });
    if (approvers.enrolled().length >= MAX_KEYS)
      throw new Fault('CONFLICT', `There are ${MAX_KEYS} keys already.`, { fix: 'countersign approver remove KEY' });
    const judged = approvers.demand(approvers.judge(caller, statements.enroll(key, request.public_key, proof), given));
    if (judged.kind !== 'human') return this.refuse(judged, 'approver enroll');
    const data = { key, ...request, ...(proof === 'dialog' ? { proof } : {}), human: judged.human };
    return recordNote(this.log, [{ stream: streams.authority, event: { type: 'approver_enrolled', data } }], { key }, null, basis);
  }

  private async recordRemoved(caller: CallerJudgement, key: string, given: GivenSignature | null): Promise<Recorded> {
    const { approvers, positions } = this.state;
    const basis = positions.of(streams.authority);
    if (!approvers.enrolled().some((entry) => entry.key === key))
      throw new Fault('NOT_FOUND', `There is no enrolled key ${key}.`, { fix: 'countersign approver list' });
    const judged = approvers.demand(approvers.judge(caller, statements.remove(key), given));
    if (judged.kind !== 'human') return this.refuse(judged, `approver remove ${key}`);
    const data = { key, human: judged.human };
    return recordNote(this.log, [{ stream: streams.authority, event: { type: 'approver_removed', data } }], { key }, null, basis);
  }
}
