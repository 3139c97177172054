// Questions to humans: their answers, what they grant in advance with one, and how questions end without an answer.

import { isProofEnough, requiredProof, strongerProof } from '../policy/index.ts';
import { type Event, Fault, type Grant, type Human, newId, statements, type StreamEventDraft, streams } from '../protocol/index.ts';
import { allowanceFor } from './allowance.ts';
import type { GivenSignature } from './approvers.ts';
import type { Authority } from './authority.ts';
import { authorityRefusal, HOW_TO_PROVE } from './authority-refusal.ts';
import type { CallerJudgement } from './caller.ts';
import { withFreshFacts } from './fresh-facts.ts';
import { scopeAsked, widened } from './granted-scope.ts';
import type { EventLog } from './ports.ts';
import type { Basis } from './positions.ts';
import { type Recorded, recordNote } from './settle.ts';
import { intentsLock, type SessionLocks } from './session-locks.ts';
import type { ApprovalEntry } from './state-entries.ts';
import type { State } from './state.ts';

export class ApprovalAuthority {
  private readonly log: EventLog;
  private readonly state: State;
  private readonly locks: SessionLocks;
  private readonly now: () => Date;
  private readonly refuse: Authority['refuse'];

  constructor(log: EventLog, state: State, locks: SessionLocks, now: () => Date, refuse: Authority['refuse']) {
    this.log = log;
    this.state = state;
    this.locks = locks;
    this.now = now;
    this.refuse = refuse;
  }

  /** The output is the approval's id and what it is now. */
  async answer(
    asking: CallerJudgement,
    id: string,
    answer: 'approved' | 'rejected',
    reason: string | null,
    given: GivenSignature | null = null,
  ): Promise<Recorded> {
    const entry = this.question(id);
    const statement = (answer === 'approved' ? statements.approve : statements.reject)(entry.approval, reason);
    // A rejection needs no proof, so a signature adds nothing.
    const isPlainNo = answer === 'rejected' && asking.kind === 'human';
    // Locked with the session that asks: a question is answered once, and not while its answer is being spent.
    return this.lockedWith(entry, async () => {
      const keys = this.state.positions.of(streams.authority);
      const caller = isPlainNo ? asking : this.state.approvers.judge(asking, statement, given);
      if (caller.kind !== 'human') return this.refuse(caller, `${answer === 'approved' ? 'approve' : 'reject'} ${id}`);
      return this.recordAnswer(id, caller.human, answer, reason, keys);
    });
  }

  private question(id: string): ApprovalEntry {
    const entry = this.state.approvals.get(id);
    if (!entry) throw new Fault('NOT_FOUND', `There is no open question ${id}.`, { fix: 'countersign approvals lists what waits' });
    return entry;
  }

  /** `keys`: how far the enrolled keys were folded when the human was judged. `grant`: what the answer grants beyond this call; it is the output then. */
  private async recordAnswer(
    id: string,
    human: Human,
    answer: 'approved' | 'rejected',
    reason: string | null,
    keys: Basis,
    grant: Grant | null = null,
  ): Promise<Recorded> {
    const entry = this.state.approvals.get(id);
    const scope = entry && answer === 'approved' ? scopeAsked(entry) : null;
    const read = [streams.approval(id), ...(scope ? [streams.intent(entry!.approval.workspace, scope.intent)] : [])];
    const basis: Basis = new Map([...keys, ...this.state.positions.of(...read)]);
    if (!entry || entry.state !== 'pending' || Date.parse(entry.approval.expires_at) <= this.now().getTime()) {
      const state = !entry || entry.state === 'pending' ? 'expired' : entry.state;
      const [message, action] =
        state === 'withdrawn'
          ? [
              `The rules have changed since ${id} was asked, so no answer to it counts; the agent has to ask again.`,
              'Answer the new question: countersign approvals lists it once the agent has asked',
            ]
          : [
              `${id} is ${state}; it can no longer be answered.`,
              'An answer is final; the agent may ask again once this question has expired',
            ];
      return recordNote(this.log, [], null, authorityRefusal('APPROVAL_NOT_OPEN', message, action));
    }
    const { facts: then } = entry.decision;
    // A key that was enrolled since counts too.
    const facts = { ...then, proof_needed: strongerProof(then.proof_needed ?? 'login', this.state.approvers.strongestProof()) };
    if (answer === 'approved' && !isProofEnough(facts, human.proof)) {
      const needed = requiredProof(facts);
      return recordNote(
        this.log,
        [],
        null,
        authorityRefusal(
          'HUMAN_CHANNEL_REQUIRED',
          `${id} needs a human proven by ${needed}; this channel proves ${human.proof}.`,
          needed === 'login' ? 'Answer on the page (countersign open) or from a terminal' : HOW_TO_PROVE[needed] + id,
        ),
      );
    }
    const wider = scope && widened(this.state.intent(entry.approval.workspace, scope.intent)?.intent, scope);
    if (wider && 'error_code' in wider) return recordNote(this.log, [], null, wider);
    const drafts: StreamEventDraft[] = [
      { stream: streams.approval(id), event: { type: 'approval_answered', data: { approval: id, answer, reason, human } } },
    ];
    if (wider) {
      const { workspace } = entry.approval;
      const event: Event = { type: 'intent_confirmed', data: { workspace, intent: wider, human } };
      drafts.push({ stream: streams.intent(workspace, wider.id), event });
    }
    if (grant) drafts.push({ stream: streams.grants(grant.workspace), event: { type: 'grant_made', data: { grant, human } } });
    return recordNote(this.log, drafts, grant ?? { id, state: answer }, null, basis);
  }

  /** Grants in advance what this question asks for, and calls like it. The question itself is answered with it. */
  async grant(
    asking: CallerJudgement,
    id: string,
    request: { readonly pattern: string; readonly seconds: number },
    given: GivenSignature | null = null,
  ): Promise<Recorded> {
    const entry = this.question(id);
    const { approval, decision } = entry;
    const record = async () => {
      const keys = this.state.positions.of(streams.authority);
      const caller = this.state.approvers.judge(asking, statements.grant(approval, request.pattern, request.seconds), given);
      if (caller.kind !== 'human') return this.refuse(caller, `grant ${id}`);
      const { command, intent } = decision.facts;
      const no = (message: string, action: string) =>
        recordNote(this.log, [], null, authorityRefusal('HUMAN_CHANNEL_REQUIRED', message, action));
      if (command && command.class !== 'MUTATING')
        return no(
          `${id} cannot be granted in advance: ${command.class} is asked about each time.`,
          `Answer it by itself: countersign approve ${id}`,
        );
      if (!intent.selected)
        return no(`${id} was asked without an intent, and a grant is for one.`, `Answer it by itself: countersign approve ${id}`);
      const now = this.now();
      const grant: Grant = {
        id: newId('grt'),
        workspace: approval.workspace,
        intent: intent.selected.id,
        pattern: request.pattern,
        made_at: now.toISOString(),
        expires_at: new Date(now.getTime() + request.seconds * 1000).toISOString(),
      };
      if (!allowanceFor(entry.action, command, [], [grant]).allowance) {
        const parts = command ? command.reasons.map(({ part }) => part).join(' ; ') : entry.action.tool;
        return no(`${request.pattern} does not fit all of it: ${parts}`, 'Name a pattern that does; * matches any text');
      }
      return this.recordAnswer(id, caller.human, 'approved', null, keys, grant);
    };
    return this.lockedWith(entry, record);
  }

  /** A yes may change an intent too. */
  private lockedWith({ approval: { session, workspace } }: ApprovalEntry, record: () => Promise<Recorded>): Promise<Recorded> {
    const { locks } = this;
    return locks.hold(session, () => locks.hold(intentsLock(workspace), () => this.fresh(record)));
  }

  async endGrant(caller: CallerJudgement, id: string): Promise<Recorded> {
    const entry = this.state.grants.get(id);
    if (!entry) throw new Fault('NOT_FOUND', `There is no grant ${id}.`, { fix: 'countersign grants lists them' });
    if (caller.kind !== 'human') return this.refuse(caller, `grants revoke ${id}`);
    const { human } = caller;
    const stream = streams.grants(entry.grant.workspace);
    return this.fresh(() => {
      const basis = this.state.positions.of(stream);
      const isEnded = this.state.grants.get(id)?.ended ?? true;
      const event: Event = { type: 'grant_ended', data: { grant: id, human } };
      return recordNote(this.log, isEnded ? [] : [{ stream, event }], { id, state: 'ended' }, null, basis);
    });
  }

  async expire(): Promise<void> {
    const isOver = ({ state, approval }: ApprovalEntry) =>
      (state === 'pending' || state === 'approved') && Date.parse(approval.expires_at) <= this.now().getTime();
    for (const [id, entry] of this.state.approvals) {
      if (!isOver(entry)) continue;
      const stream = streams.approval(id);
      const record = async () => {
        const basis = this.state.positions.of(stream);
        const event: Event = { type: 'approval_expired', data: { approval: id } };
        if (isOver(entry)) await recordNote(this.log, [{ stream, event }], null, null, basis);
      };
      await this.locks.hold(entry.approval.session, () => this.fresh(record));
    }
  }

  /** Questions that were asked under other rules: no answer to them counts, so none is accepted. One append: a crash leaves none open. */
  async withdrawOutdated(policyRevision: string): Promise<void> {
    await this.fresh(async () => {
      const outdated = [...this.state.approvals.values()].filter(
        ({ state, approval }) => (state === 'pending' || state === 'approved') && approval.policy_revision !== policyRevision,
      );
      const drafts = outdated.map(({ approval: { id } }) => ({
        stream: streams.approval(id),
        event: { type: 'approval_withdrawn', data: { approval: id, policy_revision: policyRevision } } as const,
      }));
      const basis = this.state.positions.of(...drafts.map(({ stream }) => stream));
      if (drafts.length > 0) await recordNote(this.log, drafts, null, null, basis);
    });
  }

  private fresh<T>(decide: () => Promise<T>): Promise<T> {
    return withFreshFacts(this.log, this.state, decide);
  }
}
