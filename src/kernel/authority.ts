// Authority: what humans grant. Every function takes a judgement of who is calling; from an agent, or an uncertain
// caller, a request becomes a proposal or is refused, and the attempt is recorded either way.

import { isProofEnough, requiredProof, strongerProof } from '../policy/index.ts';
import {
  type Event,
  type EventOf,
  Fault,
  type Grant,
  type Human,
  type Intent,
  type IntentStatus,
  newId,
  statements,
  type StreamEventDraft,
  streams,
} from '../protocol/index.ts';
import { allowanceFor } from './allowance.ts';
import type { GivenSignature } from './approvers.ts';
import { authorityRefusal, HOW_TO_PROVE, placesFor } from './authority-refusal.ts';
import type { CallerJudgement } from './caller.ts';
import { checkShown, type Confirmation } from './confirmation.ts';
import { withFreshFacts } from './fresh-facts.ts';
import { scopeAsked, widened } from './granted-scope.ts';
import type { ModeLimitRequest } from './mode-limits.ts';
import type { EventLog } from './ports.ts';
import type { Basis } from './positions.ts';
import { type Recorded, recordNote, recordPresence } from './settle.ts';
import { intentsLock } from './session-locks.ts';
import type { SharedByKernel } from './spine.ts';
import type { ApprovalEntry } from './state-entries.ts';
import type { State } from './state.ts';
import { type FoundElsewhere, takeOverDrafts } from './take-over.ts';

export interface IntentRequest {
  readonly workspace: string;
  readonly name: string;
  readonly ownedScope: readonly string[];
  readonly constraints: readonly string[];
  readonly acceptanceCriteria: readonly string[];
}

interface ToRecord {
  readonly events: readonly Event[];
  readonly output: unknown;
}

export class Authority {
  private readonly log: EventLog;
  private readonly state: State;
  private readonly shared: SharedByKernel;
  private readonly now: () => Date;

  constructor(log: EventLog, state: State, shared: SharedByKernel, now: () => Date) {
    this.log = log;
    this.state = state;
    this.shared = shared;
    this.now = now;
  }

  /** A human's request is active at once; anyone else's is proposed. The output is the intent, in both cases. */
  async declareIntent(asking: CallerJudgement, request: IntentRequest, confirmation?: Confirmation): Promise<Recorded> {
    const caller = this.confirmed(asking, confirmation);
    return this.fresh(() => this.recordIntent(caller, request));
  }

  private recordIntent(caller: CallerJudgement, request: IntentRequest): Promise<Recorded> {
    const { workspace } = request;
    const intent: Intent = {
      id: this.shared.intentNumbers.next(workspace),
      name: request.name,
      status: caller.kind === 'human' ? 'active' : 'proposed',
      owned_scope: [...request.ownedScope],
      constraints: [...request.constraints],
      acceptance_criteria: [...request.acceptanceCriteria],
    };
    const stream = streams.intent(workspace, intent.id);
    // The number is taken with the first record of its stream: another kernel may have chosen the same.
    const isFree: Basis = new Map([[stream, 0]]);
    if (caller.kind === 'human') {
      const event: Event = { type: 'intent_confirmed', data: { workspace, intent, human: caller.human } };
      return recordNote(this.log, [{ stream, event }], intent, null, isFree);
    }
    const session = caller.kind === 'agent' ? caller.session : null;
    const event: Event = { type: 'intent_proposed', data: { workspace, intent, session, reason: caller.why } };
    const refused = authorityRefusal(
      'HUMAN_CHANNEL_REQUIRED',
      `Recorded as the proposal ${intent.id}, not as an active intent: ${caller.why}.`,
      `A human confirms it ${placesFor(caller)}: countersign intents activate ${intent.id}`,
    );
    return recordNote(this.log, [{ stream, event }], intent, refused, isFree);
  }

  /** A human's import, in one append. `output` gets the intents. */
  async takeOver(
    caller: CallerJudgement,
    workspace: string,
    found: FoundElsewhere,
    output: (intents: readonly Intent[]) => unknown,
  ): Promise<Recorded> {
    if (caller.kind !== 'human') return this.refuse(caller, 'import');
    return this.fresh(() => {
      const { intents, drafts } = takeOverDrafts(workspace, found, () => this.shared.intentNumbers.next(workspace), caller.human);
      return recordNote(this.log, drafts, output(intents));
    });
  }

  async setIntentStatus(
    asking: CallerJudgement,
    workspace: string,
    id: string,
    status: IntentStatus,
    confirmation?: Confirmation,
  ): Promise<Recorded> {
    const entry = this.state.intent(workspace, id);
    // Withdrawing something needs a human and no stronger proof.
    const caller = this.confirmed(asking, confirmation && { ...confirmation, strict: confirmation.strict && status === 'active' });
    if (!entry) throw new Fault('NOT_FOUND', `There is no intent ${id} in this workspace.`, { fix: 'countersign intents lists them' });
    if (caller.kind !== 'human') return this.refuse(caller, `intents ${status} ${id}`);
    const { human } = caller;
    // Locked, and read again: a grant of scope may be on its way.
    const record = () => {
      const stream = streams.intent(workspace, id);
      const intent: Intent = { ...(this.state.intent(workspace, id) ?? entry).intent, status };
      if (confirmation) checkShown(confirmation, intent);
      const event: Event = { type: 'intent_confirmed', data: { workspace, intent, human } };
      return recordNote(this.log, [{ stream, event }], intent, null, this.state.positions.of(stream));
    };
    return this.shared.locks.hold(intentsLock(workspace), () => this.fresh(record));
  }

  /** The output is the approval's id and what it is now. */
  async answerApproval(
    asking: CallerJudgement,
    id: string,
    answer: 'approved' | 'rejected',
    reason: string | null,
    given: GivenSignature | null = null,
  ): Promise<Recorded> {
    const entry = this.state.approvals.get(id);
    if (!entry) throw new Fault('NOT_FOUND', `There is no open question ${id}.`, { fix: 'countersign approvals lists what waits' });
    // A rejection needs no proof, so a signature adds nothing.
    const statement = (answer === 'approved' ? statements.approve : statements.reject)(entry.approval, reason);
    const isPlainNo = answer === 'rejected' && asking.kind === 'human';
    const caller = isPlainNo ? asking : this.state.approvers.judge(asking, statement, given);
    if (caller.kind !== 'human') return this.refuse(caller, `${answer === 'approved' ? 'approve' : 'reject'} ${id}`);
    const { human } = caller;
    // Locked with the session that asks: a question is answered once, and not while its answer is being spent.
    return this.lockedWith(entry, () => this.recordAnswer(id, human, answer, reason));
  }

  /** `grant`: what the answer grants beyond this call; it is the output then. */
  private async recordAnswer(
    id: string,
    human: Human,
    answer: 'approved' | 'rejected',
    reason: string | null,
    grant: Grant | null = null,
  ): Promise<Recorded> {
    const entry = this.state.approvals.get(id);
    const scope = entry && answer === 'approved' ? scopeAsked(entry) : null;
    const read = [streams.approval(id), streams.authority, ...(scope ? [streams.intent(entry!.approval.workspace, scope.intent)] : [])];
    const basis = this.state.positions.of(...read);
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
    const entry = this.state.approvals.get(id);
    if (!entry) throw new Fault('NOT_FOUND', `There is no open question ${id}.`, { fix: 'countersign approvals lists what waits' });
    const caller = this.state.approvers.judge(asking, statements.grant(entry.approval, request.pattern, request.seconds), given);
    if (caller.kind !== 'human') return this.refuse(caller, `grant ${id}`);
    const { human } = caller;
    const { approval, decision } = entry;
    const record = async () => {
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
      return this.recordAnswer(id, human, 'approved', null, grant);
    };
    return this.lockedWith(entry, record);
  }

  /** A yes may change an intent too. */
  private lockedWith({ approval: { session, workspace } }: ApprovalEntry, record: () => Promise<Recorded>): Promise<Recorded> {
    const { locks } = this.shared;
    return locks.hold(session, () => locks.hold(intentsLock(workspace), () => this.fresh(record)));
  }

  async endGrant(caller: CallerJudgement, id: string): Promise<Recorded> {
    const entry = this.state.grants.get(id);
    if (!entry) throw new Fault('NOT_FOUND', `There is no grant ${id}.`, { fix: 'countersign grants lists them' });
    if (caller.kind !== 'human') return this.refuse(caller, `grants revoke ${id}`);
    const { human } = caller;
    return this.recordIn(streams.grants(entry.grant.workspace), () => {
      const isEnded = this.state.grants.get(id)?.ended ?? true;
      return { events: isEnded ? [] : [{ type: 'grant_ended', data: { grant: id, human } }], output: { id, state: 'ended' } };
    });
  }

  async decideCommandRule(caller: CallerJudgement, id: string, state: 'active' | 'ended'): Promise<Recorded> {
    const entry = this.state.commandRules.get(id);
    if (!entry) throw new Fault('NOT_FOUND', `There is no rule ${id}.`, { fix: 'countersign rules lists them' });
    if (caller.kind !== 'human') return this.refuse(caller, `rules ${state} ${id}`);
    const { human } = caller;
    const { rule, state: seen } = entry;
    return this.recordIn(streams.commandRules(rule.workspace), () => {
      const { state: now } = this.state.commandRules.get(id) ?? entry;
      // A human who has not seen that the rule was ended does not put it back in force.
      if (state === 'active' && now === 'ended' && seen !== now)
        throw new Fault('CONFLICT', `Another human has just ended ${id}.`, {
          fix: 'countersign rules shows it; allow it again if it is wanted',
        });
      const events: Event[] = now === state ? [] : [{ type: 'command_rule_decided', data: { rule: id, state, human } }];
      return { events, output: { ...rule, state } };
    });
  }

  /** A pin or a minimum: null removes it, and one that is not named stays. `intent` null: for the whole workspace. */
  async limitMode(caller: CallerJudgement, wanted: ModeLimitRequest): Promise<Recorded> {
    if (caller.kind !== 'human') return this.refuse(caller, 'mode');
    const { workspace, intent } = wanted;
    const { human } = caller;
    if (intent !== null && !this.state.intent(workspace, intent))
      throw new Fault('NOT_FOUND', `There is no intent ${intent} in this workspace.`, { fix: 'See countersign intents' });
    return this.recordIn(streams.modes(workspace), () => {
      // A pin and a minimum that are set at once, at two kernels, both hold.
      const limit = { ...{ workspace, intent }, ...this.state.modeLimits.changed(wanted) };
      return { events: [{ type: 'mode_limited', data: { ...limit, human } }], output: limit };
    });
  }

  /**
   * Whether verdicts are enforced in a workspace. A script may turn that off only at the beginning: once agents have worked behind the
   * gate, only a human at a terminal may.
   */
  async setObserving(caller: CallerJudgement, what: Omit<EventOf<'observing_set'>['data'], 'human'>): Promise<Recorded> {
    const command = what.observing ? 'init --observe' : 'init --enforce';
    if (caller.kind !== 'human') return this.refuse(caller, command);
    const wasWorkedIn = [...this.state.sessions.values()].some(({ workspace }) => workspace === what.workspace);
    if (what.observing && wasWorkedIn && caller.human.proof === 'none')
      return this.refuse({ kind: 'uncertain', why: 'agents work behind the gate here, and it was not asked for on a terminal' }, command);
    const event: Event = { type: 'observing_set', data: { ...what, human: caller.human } };
    return this.recordIn(streams.modes(what.workspace), () => {
      const isSo = this.state.observing.has(what.workspace) === what.observing;
      return { events: isSo ? [] : [event], output: what };
    });
  }

  /** The human has read these tasks and wants them done. `read` reads them again when another kernel has changed some meanwhile. */
  async confirmTasks(
    caller: CallerJudgement,
    workspace: string,
    read: () => Promise<Omit<EventOf<'tasks_confirmed'>['data'], 'workspace' | 'human'>>,
  ): Promise<Recorded> {
    if (caller.kind !== 'human') return this.refuse(caller, 'tasks confirm');
    const { human } = caller;
    return this.recordIn(streams.tasks(workspace), async () => {
      const what = await read();
      return { events: [{ type: 'tasks_confirmed', data: { workspace, ...what, human } }], output: { confirmed: what.tasks } };
    });
  }

  /** Memory that a human writes, imports, countersigns or retires. */
  async tendMemory(caller: CallerJudgement, workspace: string, command: string, make: (human: Human) => ToRecord): Promise<Recorded> {
    if (caller.kind !== 'human') return this.refuse(caller, command);
    const { human } = caller;
    return this.recordIn(streams.memory(workspace), () => make(human));
  }

  /** More tokens for the turns of a workspace's work. The output is the budget as it is then. */
  async grantBudget(caller: CallerJudgement, workspace: string, tokens: number): Promise<Recorded> {
    if (caller.kind !== 'human') return this.refuse(caller, 'plan grant-budget');
    const event: Event = { type: 'budget_granted', data: { workspace, tokens, human: caller.human } };
    const output = this.state.works.budgetOf(workspace, { granted: tokens });
    return recordNote(this.log, [{ stream: streams.work(workspace), event }], output);
  }

  /** Work on the tree that a human asked for. Its start is durable before anything is touched; the events record the outcome. */
  async workOnTree(
    caller: CallerJudgement,
    workspace: string,
    command: string,
    work: (human: Human) => Promise<{ events: readonly Event[]; output: unknown; failure: Error | null }>,
  ): Promise<Recorded> {
    if (caller.kind !== 'human') return this.refuse(caller, command);
    const { human } = caller;
    await recordNote(this.log, [{ stream: streams.authority, event: { type: 'authority_allowed', data: { command, human } } }], null);
    const { events, output, failure } = await work(human);
    const recorded = await recordNote(
      this.log,
      events.map((event) => ({ stream: streams.tree(workspace), event })),
      output,
    );
    if (failure) throw failure;
    return recorded;
  }

  /** For a human's command that writes no other event. `then` runs only for a human. */
  async allowHuman(caller: CallerJudgement, command: string, then: (human: Human) => unknown): Promise<Recorded> {
    if (caller.kind !== 'human') return this.refuse(caller, command);
    const { human } = caller;
    // Also while the ledger cannot be written: a human has to be able to look at the page, and to stop the daemon.
    return recordPresence(this.log, [{ stream: streams.authority, event: { type: 'authority_allowed', data: { command, human } } }], () =>
      then(human),
    );
  }

  /** The same for what gives a human's power, such as a login link: only at a human's terminal. */
  async allowAtTerminal(caller: CallerJudgement, command: string, then: (human: Human) => unknown): Promise<Recorded> {
    const unproven = caller.kind === 'human' && caller.human.proof === 'none';
    return this.allowHuman(unproven ? { kind: 'uncertain', why: 'it was not asked for on a terminal' } : caller, command, then);
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
      await this.shared.locks.hold(entry.approval.session, () => this.fresh(record));
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

  /** `decide` reads what the stream holds. When another kernel has written there meanwhile, it reads and decides again. */
  private recordIn(stream: string, decide: () => ToRecord | Promise<ToRecord>): Promise<Recorded> {
    return this.fresh(async () => {
      const basis = this.state.positions.of(stream);
      const { events, output } = await decide();
      const drafts = events.map((event) => ({ stream, event }));
      return recordNote(this.log, drafts, output, null, basis);
    });
  }

  private fresh<T>(decide: () => Promise<T>): Promise<T> {
    return withFreshFacts(this.log, this.state, decide);
  }

  private confirmed(caller: CallerJudgement, confirmation: Confirmation | undefined): CallerJudgement {
    if (!confirmation) return caller;
    const { approvers } = this.state;
    const judged = approvers.judge(caller, confirmation.statement, confirmation.given);
    return confirmation.strict ? approvers.demand(judged) : judged;
  }

  /** Not from a human, or possibly from an agent: recorded and refused. */
  refuse(caller: Exclude<CallerJudgement, { kind: 'human' }>, command: string): Promise<Recorded> {
    const session = caller.kind === 'agent' ? caller.session : null;
    return recordNote(
      this.log,
      [{ stream: streams.authority, event: { type: 'authority_refused', data: { session, command, reason: caller.why } } }],
      null,
      authorityRefusal('HUMAN_CHANNEL_REQUIRED', `Not done: ${caller.why}.`, `A human has to do this, ${placesFor(caller)}`),
    );
  }
}
