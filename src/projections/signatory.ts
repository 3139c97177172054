// Who decided, as people see it. A key is named as the signer only if its signature was checked here against the record.

import type { ApprovalEntry, GrantEntry, IntentEntry, State, ToolGrantEntry } from '../kernel/index.ts';
import { CountersignatureCheck } from '../ledger/index.ts';
import type { Event, EventOf, Human, Signatory } from '../protocol/index.ts';

type Approvers = State['approvers'];

/** A decision never changes, and is shown often. */
const checked = new WeakMap<Human, boolean>();

export function answerer({ approval, reason, human, state }: ApprovalEntry, approvers: Approvers): Signatory | null {
  if (!human) return null;
  const answer = state === 'rejected' ? 'rejected' : 'approved';
  return signatory(human, approvers, [
    { type: 'approval_requested', data: { approval } },
    { type: 'approval_answered', data: { approval: approval.id, answer, reason, human } },
  ]);
}

export const granter = ({ grant, human }: GrantEntry | ToolGrantEntry, approvers: Approvers): Signatory =>
  // A remembered tool results from an approval, which carries the signature.
  signatory(human, approvers, 'pattern' in grant ? [{ type: 'grant_made', data: { grant, human } }] : []);

export const confirmer = ({ workspace, intent, human }: IntentEntry, approvers: Approvers): Signatory | null =>
  human && signatory(human, approvers, [{ type: 'intent_confirmed', data: { workspace, intent, human } }]);

export const pauser = (data: EventOf<'gate_paused'>['data'], approvers: Approvers): Signatory =>
  signatory(data.human, approvers, [{ type: 'gate_paused', data }]);

function signatory(human: Human, approvers: Approvers, decision: readonly Event[]): Signatory {
  const { proof, via, signed } = human;
  if (!signed) return { proof, via, key: null, name: null, verified: false };
  const entry = approvers.all().find(({ key }) => key === signed.key);
  let verified = checked.get(human);
  if (verified === undefined) {
    verified = isTrue(entry ? [enrolled(entry), ...decision] : decision);
    checked.set(human, verified);
  }
  return { proof, via, key: signed.key, name: entry?.name ?? null, verified };
}

const enrolled = ({ key, publicKey, name, proof }: ReturnType<Approvers['all']>[number]): Event => ({
  type: 'approver_enrolled',
  data: { key, public_key: publicKey, name, ...(proof === 'dialog' ? { proof } : {}), human: { proof: 'login', via: 'cli' } },
});

function isTrue(events: readonly Event[]): boolean {
  const check = new CountersignatureCheck();
  for (const event of events) check.apply({ seq: 0, stream: '', stream_seq: 0, at: '', event });
  const { checked: signatures, bad } = check.result();
  return signatures > 0 && bad.length === 0;
}
