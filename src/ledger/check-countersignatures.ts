// Checks every countersignature of a ledger while it is read: the key was enrolled then, the signature matches the statement, and the
// statement matches the record. A decision that claims a key's proof and carries no signature is bad as well.

import type { Approval, Event, EventOf, Human, KeyProof, LedgerRecord, Statement } from '../protocol/index.ts';
import { acknowledgedSha256, approverKeyId, intentSha256, isSignedBy, readStatement } from './countersignature.ts';
import { mayBeScopeOf } from './signed-scope.ts';

export interface BadCountersignature {
  readonly seq: number;
  readonly why: string;
}

export class CountersignatureCheck {
  private readonly keys = new Map<string, { readonly publicKey: string; readonly proof: KeyProof }>();
  private readonly approvals = new Map<string, Approval>();
  /** By approval: the scope that was asked for. */
  private readonly scopes = new Map<string, { readonly intent: string | null; readonly paths: readonly string[] }>();
  private checked = 0;
  private readonly bad: BadCountersignature[] = [];

  apply({ seq, event }: LedgerRecord): void {
    if (event.type === 'approval_requested') this.approvals.set(event.data.approval.id, event.data.approval);
    if (event.type === 'action_waiting') {
      const asked = event.data.action.resources.find((each) => each.kind === 'human');
      if (asked?.scope) this.scopes.set(event.data.approval, asked.scope);
    }
    const human = 'human' in event.data ? event.data.human : null;
    if (human?.signed || human?.proof === 'passphrase' || human?.via === 'client') {
      this.checked += 1;
      const why = this.objection(event, human);
      if (why !== null) this.bad.push({ seq, why });
    }
    if (event.type === 'approver_enrolled') {
      const { key, public_key, proof = 'passphrase' } = event.data;
      if (approverKeyId(public_key) === key) this.keys.set(key, { publicKey: public_key, proof });
      else this.bad.push({ seq, why: `${key} is not the id of the key that is enrolled` });
    }
    if (event.type === 'approver_removed') this.keys.delete(event.data.key);
    // A closed question needs no further check, and kept ones would grow with the ledger.
    if (event.type === 'approval_spent' || event.type === 'approval_expired' || event.type === 'approval_withdrawn') {
      this.approvals.delete(event.data.approval);
      this.scopes.delete(event.data.approval);
    }
  }

  result(): { readonly checked: number; readonly bad: readonly BadCountersignature[] } {
    return { checked: this.checked, bad: this.bad };
  }

  private objection(event: Event, { signed, proof }: Human): string | null {
    if (!signed) return `it says ${proof} and carries no signature`;
    const key = this.keys.get(signed.key);
    if (key === undefined) return `${signed.key} was not enrolled then`;
    if (!isSignedBy(key.publicKey, signed)) return `the signature is not one of ${signed.key}`;
    if (key.proof === 'dialog' && proof !== 'dialog') return `${signed.key} is a client's and proves dialog, not ${proof}`;
    const statement = readStatement(signed.statement);
    if (!statement) return 'what was signed is no statement';
    const says = (about: object) =>
      Object.entries(about).every(([name, value]) => JSON.stringify(statement.about[name]) === JSON.stringify(value));
    const fits = this.isAbout(event, statement, says);
    return fits ? null : `what was signed, "${statement.command}", is not what is recorded`;
  }

  private isAbout(event: Event, { command, about }: Statement, says: (about: object) => boolean): boolean {
    switch (event.type) {
      case 'approval_answered': {
        const { approval: id, answer, reason } = event.data;
        const asked = this.approvals.get(id);
        const { action, input_sha256, policy_revision } = asked ?? {};
        const isBound = asked !== undefined && says({ approval: id, action, input_sha256, policy_revision, answer });
        const isAnswer = command === (answer === 'approved' ? 'approve' : 'reject') && says({ reason });
        return isBound && (isAnswer || command === 'grant');
      }
      // A yes to an unknown tool is remembered with the signed answer.
      case 'tool_remembered':
        return command === 'approve' && says({ approval: event.data.approval, answer: 'approved' });
      case 'grant_made':
        return command === 'grant' && says({ pattern: event.data.grant.pattern, seconds: secondsOf(event.data.grant) });
      case 'intent_confirmed': {
        const { id, name, status, owned_scope, constraints, acceptance_criteria } = event.data.intent;
        // Older statements do not contain the text, so they prove nothing about it.
        if (command === 'intents')
          return (
            says({ intent: id, status }) && (says({ intent_sha256: undefined }) || says({ intent_sha256: intentSha256(event.data.intent) }))
          );
        // A yes to more scope is one answer, recorded with the intent that it widened.
        if (command === 'approve') {
          const asked = this.approvals.get(String(about['approval']));
          const scope = asked && this.scopes.get(asked.id);
          if (!scope || asked.workspace !== event.data.workspace) return false;
          const isWidened = (scope.intent ?? id) === id && scope.paths.every((path) => owned_scope.includes(path));
          const { action, input_sha256, policy_revision } = asked;
          return isWidened && says({ action, input_sha256, policy_revision, answer: 'approved' });
        }
        const { cwd, paths } = about;
        return command === 'intent' && says({ name, constraints, acceptance_criteria }) && mayBeScopeOf(owned_scope, cwd, paths);
      }
      case 'gate_paused':
        return command === 'pause' && says({ reason: event.data.reason });
      case 'changes_acknowledged':
        return (
          command === 'ack' &&
          says({ root: event.data.root, files_sha256: acknowledgedSha256(event.data.files), reason: event.data.reason })
        );
      case 'approver_enrolled':
        return command === 'approver enroll' && says({ key: event.data.key, public_key: event.data.public_key, proof: event.data.proof });
      case 'approver_removed':
        return command === 'approver remove' && says({ key: event.data.key });
      default:
        return false;
    }
  }
}

const secondsOf = ({ made_at, expires_at }: EventOf<'grant_made'>['data']['grant']): number =>
  (Date.parse(expires_at) - Date.parse(made_at)) / 1000;
