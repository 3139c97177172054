// Authority: what humans grant. Every function takes a judgement of who is calling; from an agent, or an uncertain
// caller, a request becomes a proposal or is refused, and the attempt is recorded either way.

import { type Event, type EventOf, Fault, type Human, type Intent, type IntentStatus, streams } from '../protocol/index.ts';
import { authorityRefusal, placesFor } from './authority-refusal.ts';
import type { CallerJudgement } from './caller.ts';
import { checkShown, type Confirmation } from './confirmation.ts';
import { withFreshFacts } from './fresh-facts.ts';
import type { ModeLimitRequest } from './mode-limits.ts';
import type { EventLog } from './ports.ts';
import type { Basis } from './positions.ts';
import { type Recorded, recordNote, recordPresence } from './settle.ts';
import { intentsLock } from './session-locks.ts';
import type { SharedByKernel } from './spine.ts';
import type { State } from './state.ts';
import { type FoundElsewhere, takeOverDrafts } from './take-over.ts';
import { baseBudget } from './work-views.ts';

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

  constructor(log: EventLog, state: State, shared: SharedByKernel) {
    this.log = log;
    this.state = state;
    this.shared = shared;
  }

  /** A human's request is active at once; anyone else's is proposed. The output is the intent, in both cases. */
  async declareIntent(asking: CallerJudgement, request: IntentRequest, confirmation?: Confirmation): Promise<Recorded> {
    return this.fresh(() => this.recordIntent(asking, request, confirmation));
  }

  private recordIntent(asking: CallerJudgement, request: IntentRequest, confirmation: Confirmation | undefined): Promise<Recorded> {
    const { workspace } = request;
    const keys = confirmation ? this.state.positions.of(streams.authority) : [];
    const caller = this.confirmed(asking, confirmation);
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
    const isFree: Basis = new Map([...keys, [stream, 0]]);
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

  /** A human's import, in one append. `find` leaves out what is known, and looks again when another kernel has written meanwhile. */
  async takeOver(
    caller: CallerJudgement,
    workspace: string,
    find: () => Promise<{ readonly found: FoundElsewhere; readonly output: (intents: readonly Intent[]) => unknown }>,
  ): Promise<Recorded> {
    if (caller.kind !== 'human') return this.refuse(caller, 'import');
    return this.fresh(async () => {
      const basis = this.state.positions.of(streams.commandRules(workspace), streams.memory(workspace));
      const { found, output } = await find();
      const { intents, drafts } = takeOverDrafts(workspace, found, () => this.shared.intentNumbers.next(workspace), caller.human);
      return recordNote(this.log, drafts, output(intents), null, basis);
    });
  }

  async setIntentStatus(
    asking: CallerJudgement,
    workspace: string,
    id: string,
    status: IntentStatus,
    confirmation?: Confirmation,
  ): Promise<Recorded> {
    // Locked: a grant of scope may be on its way.
    const record = async () => {
      const stream = streams.intent(workspace, id);
      const basis = this.state.positions.of(stream, streams.authority);
      const entry = this.state.intent(workspace, id);
      if (!entry) throw new Fault('NOT_FOUND', `There is no intent ${id} in this workspace.`, { fix: 'countersign intents lists them' });
      // Withdrawing something needs a human and no stronger proof.
      const caller = this.confirmed(asking, confirmation && { ...confirmation, strict: confirmation.strict && status === 'active' });
      if (caller.kind !== 'human') return this.refuse(caller, `intents ${status} ${id}`);
      const intent: Intent = { ...entry.intent, status };
      if (confirmation) checkShown(confirmation, intent);
      const event: Event = { type: 'intent_confirmed', data: { workspace, intent, human: caller.human } };
      return recordNote(this.log, [{ stream, event }], intent, null, basis);
    };
    return this.shared.locks.hold(intentsLock(workspace), () => this.fresh(record));
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
  async grantBudget(caller: CallerJudgement, { id: workspace, root }: { id: string; root: string }, tokens: number): Promise<Recorded> {
    if (caller.kind !== 'human') return this.refuse(caller, 'plan grant-budget');
    const event: Event = { type: 'budget_granted', data: { workspace, tokens, human: caller.human } };
    return this.recordIn(streams.work(workspace), () => ({
      ...{ events: [event], output: this.state.works.budgetOf(workspace, baseBudget(this.state, root), tokens) },
    }));
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
